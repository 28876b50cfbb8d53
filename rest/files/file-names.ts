/** Names of files and folders of a bundle, from what people call things; none twice in a place. */
import { limits } from '../../schema/limits.ts'

/**
 * What some file system, or a link to a note, gives another meaning, and invisible characters but
 * those that a script or an emoji is written with.
 */
const unsafe =
  /[\p{Cc}\p{Cs}\\/:*?"<>|#^[\]%]+|(?:(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf})+/gu

/** What Windows means devices by, whatever ending follows. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])(?:\.|$)/i

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

export function fileName(text: string, otherwise: string): string {
  const composed = text.slice(0, limits.fileNameReadMaxChars).normalize('NFC')
  const bare = composed.replace(unsafe, ' ').replace(/\s+/g, ' ')
  // Nothing is cut within what is seen as one character.
  const signs: string[] = []
  for (const { segment } of graphemes.segment(bare)) {
    if (signs.push(segment) === limits.fileNameMaxChars) break
  }
  while (Buffer.byteLength(signs.join('')) > limits.fileNameMaxBytes) signs.pop()
  const name = signs.join('').replace(/^[. ]+|(?<![. ])[. ]+$/g, '') || otherwise
  return device.test(name) ? `${name} (${otherwise})` : name
}

/** Never what a file beside it could be called. */
export const folderName = (text: string, otherwise: string): string =>
  fileName(text, otherwise).replace(/\.md$/i, ' md')

export class FileNames {
  readonly #taken = new Set<string>()
  /** How often a name was asked for in a folder. */
  readonly #asked = new Map<string, number>()

  /** A path that no other has, whatever the case; `ending` begins with a dot. */
  take(folder: string, name: string, ending = '.md'): string {
    const asked = folded(folder + name)
    for (let count = (this.#asked.get(asked) ?? 0) + 1; ; count++) {
      const path = `${folder}${name}${count === 1 ? '' : ` (${count})`}${ending}`
      if (this.#taken.has(folded(path))) continue
      this.#taken.add(folded(path))
      this.#asked.set(asked, count)
      return path
    }
  }
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase()
