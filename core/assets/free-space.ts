/**
 * Whether the disk has room for more. Below the bound nothing new is taken and only small writes
 * are, so that what is there can still be edited; a full disk takes none. Looked at once a second.
 */
import { Refusal } from '../../schema/errors.ts'
import type { Runtime } from '../../schema/runtime.ts'

/** Where the disk is nearly full, a write may have so much. */
const smallWriteMaxBytes = 4 * 1024

/** How long the free space of the disk is taken for what it was. */
export const freeSpaceKnownMs = 1_000

export interface FreeSpaceParts {
  readonly runtime: Runtime
  /** Below this nothing new is taken; 0 is no bound. */
  readonly minFreeBytes: number
  /** How much is free now. */
  readonly freeBytes: () => Promise<number>
  /** Whether nothing can be written at all. */
  readonly isFull?: (() => boolean) | undefined
}

export class FreeSpace {
  readonly #parts: FreeSpaceParts
  #known: { readonly at: number; readonly bytes: Promise<number> } | undefined
  #isShort = false

  constructor(parts: FreeSpaceParts) {
    this.#parts = parts
  }

  /** Whether a write of so many bytes is taken, as of the last look. */
  takes(bytes: number): boolean {
    const { takesMost } = this
    return takesMost === undefined || bytes <= takesMost
  }

  /** The largest write that is taken, in bytes; undefined: any, -1: none. As of the last look. */
  get takesMost(): number | undefined {
    if (this.#parts.isFull?.()) return -1
    return this.#isShort ? smallWriteMaxBytes : undefined
  }

  /** Refuses UNAVAILABLE what makes something new. */
  async require(): Promise<void> {
    await this.requireFor(Number.POSITIVE_INFINITY)
  }

  /** Refuses UNAVAILABLE a write of so many bytes. */
  async requireFor(bytes: number): Promise<void> {
    await this.look()
    this.assertTakes(bytes)
  }

  /** The same as of the last look. */
  assertTakes(bytes: number): void {
    if (this.takes(bytes)) return
    throw new Refusal('UNAVAILABLE', { retry_after: 60 }, 'The server is out of disk space.')
  }

  /** Looks at the disk where the last look is old. */
  async look(): Promise<void> {
    const { runtime, minFreeBytes, freeBytes } = this.#parts
    if (minFreeBytes === 0) return
    const now = runtime.elapsed()
    if (this.#known === undefined || now - this.#known.at > freeSpaceKnownMs) {
      this.#known = { at: now, bytes: freeBytes() }
    }
    this.#isShort = (await this.#known.bytes) < minFreeBytes
  }
}
