/** Names of files and folders of a bundle, from what people call things; none twice in a place. */
import { limits } from '../schema/limits.ts'

/** What some file system, or a link to a note, gives another meaning. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\\/:*?"<>|#^[\]%]+/gu

export function fileName(text: string, otherwise: string): string {
  const bare = text.replace(unsafe, ' ').replace(/\s+/g, ' ')
  const name = [...bare].slice(0, limits.fileNameMaxChars).join('')
  return name.replace(/^[. ]+|[. ]+$/g, '') || otherwise
}

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
