/**
 * Whether the disk has room for more: below the bound nothing new is taken, so that what is there
 * can still be written on. Looked at once a second.
 */
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'

export interface FreeSpaceParts {
  readonly runtime: Runtime
  /** Below this nothing new is taken; 0 is no bound. */
  readonly minFreeBytes: number
  /** How much is free now. */
  readonly freeBytes: () => Promise<number>
}

export class FreeSpace {
  readonly #parts: FreeSpaceParts
  #known: { readonly at: number; readonly bytes: Promise<number> } | undefined

  constructor(parts: FreeSpaceParts) {
    this.#parts = parts
  }

  /** Refuses UNAVAILABLE. */
  async require(): Promise<void> {
    const { runtime, minFreeBytes, freeBytes } = this.#parts
    if (minFreeBytes === 0) return
    const now = runtime.elapsed()
    if (this.#known === undefined || now - this.#known.at > limits.freeSpaceKnownMs) {
      this.#known = { at: now, bytes: freeBytes() }
    }
    if ((await this.#known.bytes) < minFreeBytes) {
      throw new Refusal('UNAVAILABLE', { retry_after: 60 }, 'The service has no room for more.')
    }
  }
}
