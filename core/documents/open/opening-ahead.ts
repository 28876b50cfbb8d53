/**
 * Opens the large document that was created last, in a quiet moment: who made it is about to work
 * with it, and would have to wait. One at a time, and none while other large ones are being made,
 * so that who makes many has none of them opened.
 */
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { costOfMarkdown, costOfStored } from '../../../schema/memory-cost.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'

export interface OpeningAheadHost {
  readonly runtime: Runtime
  /** Whether it may cost so many bytes more, and nothing has to leave for it, nor it itself. */
  hasRoomFor(bytes: number): boolean
  /** May fail: whoever comes for it is told why. */
  open(slug: Slug): Promise<void>
}

/** What is made, and may be opened right behind. */
interface LikelyNext {
  readonly slug: Slug
  readonly markdown: string
  /** `costOfMarkdown` of it, where that is known. */
  readonly costBytes?: number | undefined
}

export class OpeningAhead {
  readonly #host: OpeningAheadHost
  #underWay = 0
  #due: Timer | undefined

  constructor(host: OpeningAheadHost) {
    this.#host = host
  }

  /** Creates a document of this text. */
  async creating<T>(
    { slug, markdown, costBytes = costOfMarkdown(markdown) }: LikelyNext,
    create: () => Promise<T>,
  ): Promise<T> {
    if (markdown.length < limits.openAheadFromChars) return create()
    this.stop()
    this.#underWay++
    try {
      const created = await create()
      // Loading it takes memory for what its bytes may turn out to be.
      const needed = Math.max(costBytes, costOfStored(markdown.length))
      if (this.#underWay === 1) this.#openSoon(slug, needed)
      return created
    } finally {
      this.#underWay--
    }
  }

  stop(): void {
    this.#due?.cancel()
    this.#due = undefined
  }

  #openSoon(slug: Slug, costBytes: number): void {
    const { runtime, hasRoomFor, open } = this.#host
    this.#due = runtime.after(limits.openAheadAfterMs, () => {
      if (!hasRoomFor(costBytes)) return
      open(slug).catch(() => undefined)
    })
  }
}
