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

  /** A path that no other has, whatever the case; `ending` begins with a dot. */
  take(folder: string, name: string, ending = '.md'): string {
    for (let count = 1; ; count++) {
      const path = `${folder}${name}${count === 1 ? '' : ` (${count})`}${ending}`
      const key = path.normalize('NFC').toLowerCase()
      if (this.#taken.has(key)) continue
      this.#taken.add(key)
      return path
    }
  }
}
