/**
 * Opens the large document that was created last, in a quiet moment: who made it is about to work
 * with it, and would have to wait. One at a time, and none while others are being made, so that who
 * makes many has none of them opened.
 */
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'

/** Where what is open costs more, nothing is opened that nobody asked for. */
const memoryAmpleBytes = limits.memoryMaxBytes / 8

export interface OpeningAheadHost {
  readonly runtime: Runtime
  /** What is open costs so much. */
  usedBytes(): number
  /** May fail: whoever comes for it is told why. */
  open(slug: Slug): Promise<void>
}

export class OpeningAhead {
  readonly #host: OpeningAheadHost
  #underWay = 0
  #due: Timer | undefined

  constructor(host: OpeningAheadHost) {
    this.#host = host
  }

  /** Creates a document of so many characters. */
  async creating<T>(slug: Slug, length: number, create: () => Promise<T>): Promise<T> {
    this.stop()
    this.#underWay++
    try {
      const created = await create()
      if (this.#underWay === 1 && length >= limits.openAheadFromChars) this.#openSoon(slug)
      return created
    } finally {
      this.#underWay--
    }
  }

  stop(): void {
    this.#due?.cancel()
    this.#due = undefined
  }

  #openSoon(slug: Slug): void {
    const { runtime, usedBytes, open } = this.#host
    this.#due = runtime.after(limits.openAheadAfterMs, () => {
      if (usedBytes() > memoryAmpleBytes) return
      open(slug).catch(() => undefined)
    })
  }
}
