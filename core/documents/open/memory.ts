/**
 * The memory that open documents, and those being made or loaded, may cost together. Who needs some
 * takes a share before the work begins; when there is none left, documents are asked to leave, and
 * who still finds none waits in line, each source of requests in its turn, and is refused after a
 * while. Knows nothing of documents.
 */
import { Refusal } from '../../../schema/errors.ts'
import { FairLine, type Source } from '../../../schema/fair-line.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'

export interface Share {
  readonly bytes: number
  /** It turned out to cost more, or less. */
  resize(bytes: number): void
  release(): void
}

export interface MemoryHost {
  readonly runtime: Runtime
  readonly maxBytes: number
  /** Begins to free so many bytes, as far as `source` may ask others for it. */
  makeRoom(bytes: number, source: Source | undefined): void
}

/** Whose need it is, and what it is told when there is nothing for it. */
export interface Need {
  readonly bytes: number
  readonly source: Source
  readonly refusal: 'BUSY' | 'UNAVAILABLE'
}

interface Waiting {
  readonly source: Source
  readonly weight: number
  begin(share: Share): void
  refuse(): void
}

/** Room is looked for again, since what holds it may be at rest by then. */
const lookAgainMs = 200
/** For so many sources. */
const lookForMax = 16
/** Less than this part of the whole may pass one that waits for more. */
const smallPart = 1 / 64

export class Memory {
  readonly #host: MemoryHost
  readonly #line = new FairLine<Waiting>()
  #usedBytes = 0
  #looking: Timer | undefined

  constructor(host: MemoryHost) {
    this.#host = host
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Resolves when it is there. Refuses when it was not for long, or too many wait. */
  async reserve({ bytes, source, refusal }: Need): Promise<Share> {
    const { runtime, maxBytes } = this.#host
    // Larger ones are few, are made one at a time, and are corrected as soon as they are there.
    const weight = Math.min(bytes, maxBytes, limits.memoryReservedMaxBytes)
    const passes = weight <= maxBytes * smallPart
    if (this.#usedBytes + weight > maxBytes) this.#askForRoom(weight, source)
    if (this.#fits(weight) && (this.#line.size === 0 || passes)) return this.#share(weight)
    const retry = { retry_after: Math.ceil(limits.memoryWaitMaxMs / 2_000) }
    if (this.#line.size >= limits.memoryWaitersMax) throw new Refusal(refusal, retry)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        source,
        weight,
        begin: (share) => {
          late.cancel()
          resolve(share)
        },
        refuse: () => reject(new Refusal(refusal, retry)),
      }
      const late = runtime.after(limits.memoryWaitMaxMs, () => {
        if (this.#line.remove(waiting)) waiting.refuse()
        this.#serve()
      })
      this.#line.add(waiting)
      this.#lookAgain()
    })
  }

  #fits(bytes: number): boolean {
    return this.#usedBytes + bytes <= this.#host.maxBytes
  }

  #share(bytes: number): Share {
    let taken = bytes
    let isReleased = false
    this.#usedBytes += taken
    const change = (to: number) => {
      this.#usedBytes += to - taken
      const isLess = to < taken
      taken = to
      if (isLess) this.#serve()
      else if (!this.#fits(0)) this.#askForRoom(0, undefined)
    }
    return {
      get bytes() {
        return taken
      },
      resize: (to) => {
        if (!isReleased) change(to)
      },
      release: () => {
        if (!isReleased) change(0)
        isReleased = true
      },
    }
  }

  #serve(): void {
    for (;;) {
      const next = this.#line.takeNext(this.#mayBegin())
      if (next === undefined) break
      next.begin(this.#share(next.weight))
    }
    this.#lookAgain()
  }

  #mayBegin(): (waiting: Waiting) => boolean {
    let isPassed = false
    return ({ weight }) => {
      const passes = weight <= this.#host.maxBytes * smallPart
      if (this.#fits(weight) && (!isPassed || passes)) return true
      isPassed = true
      return false
    }
  }

  #lookAgain(): void {
    if (this.#line.size === 0 || this.#looking !== undefined) return
    this.#looking = this.#host.runtime.after(lookAgainMs, () => {
      this.#looking = undefined
      let looked = 0
      for (const { source, weight } of this.#line.heads()) {
        if (looked++ < lookForMax) this.#askForRoom(weight, source)
      }
      this.#serve()
    })
  }

  #askForRoom(bytes: number, source: Source | undefined): void {
    this.#host.makeRoom(this.#usedBytes + bytes - this.#host.maxBytes, source)
  }
}
