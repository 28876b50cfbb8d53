/**
 * What is kept of a picture's file: ranges of it, and bytes put in their place, in order. What many
 * small ranges would make of a file is bounded.
 */
import { limits } from '../../../schema/limits.ts'
import { type Bytes, windowBytes } from './window.ts'

export type Part = { readonly from: number; readonly to: number } | { readonly bytes: Uint8Array }

export class KeptParts {
  readonly #parts: Part[] = []
  /** Up to where the file has been decided on. */
  #at = 0

  /** All up to here that nothing was said of. */
  keepTo(to: number): void {
    if (to > this.#at) this.#parts.push({ from: this.#at, to })
    this.#at = to
  }

  /** Not these bytes; all before them that nothing was said of. */
  drop(from: number, to: number): void {
    this.keepTo(from)
    this.#at = to
  }

  put(bytes: Uint8Array): void {
    this.#parts.push({ bytes })
  }

  /** `undefined`: it would be in too many pieces. */
  done(): readonly Part[] | undefined {
    return this.#parts.length > limits.imagePartsMax ? undefined : this.#parts
  }
}

/** The file as it is kept, piece by piece. */
export async function* keptBytes(bytes: Bytes, parts: readonly Part[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if ('bytes' in part) {
      yield part.bytes
      continue
    }
    for (let at = part.from; at < part.to; at += windowBytes) {
      yield await bytes.read(at, Math.min(windowBytes, part.to - at))
    }
  }
}
