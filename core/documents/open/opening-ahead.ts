/**
 * Opens the large document that was created last, in a quiet moment: who made it is about to work
 * with it, and would have to wait. One at a time, and none while other large ones are being made, so
 * that who makes many has none of them opened.
 */
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { costOfMarkdown, costOfStored } from '../../../schema/memory-cost.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import type { CreateRequest } from '../contract.ts'

export interface OpeningAheadHost {
  readonly runtime: Runtime
  /** Whether it may cost so many bytes more, and nothing has to leave for it, nor it itself. */
  hasRoomFor(bytes: number): boolean
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

  /** Creates a document of this text. */
  async creating<T>(
    { slug, markdown, costBytes }: Pick<CreateRequest, 'slug' | 'markdown' | 'costBytes'>,
    create: () => Promise<T>,
  ): Promise<T> {
    if (markdown.length < limits.openAheadFromChars) return create()
    this.stop()
    this.#underWay++
    try {
      const created = await create()
      // Loading it takes memory for what its bytes may turn out to be.
      const built = costBytes ?? costOfMarkdown(markdown)
      const needed = Math.max(built, costOfStored(markdown.length))
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
