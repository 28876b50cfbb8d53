/**
 * The memory that open documents, and those being made or loaded, may cost together. Who needs
 * some takes a share before the work begins; when there is none left, documents are asked to
 * leave, and who still finds none waits in line, each source of requests in its turn. What
 * operators want to be used is an aim, for which only what is idle leaves: where nothing is on its
 * way out, or it takes more than a moment, one goes on beyond it. Who finds nothing below the
 * bound either is refused after a while. Knows nothing of documents.
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
  /** What is to be used where documents can leave for it; default: all. */
  readonly aimBytes?: number
  /** Begins to free what is missing. Answers whether anything is on its way out. */
  makeRoom(missing: Missing, source: Source | undefined): boolean
}

/** In bytes, none where it is not positive. */
export interface Missing {
  /** To the aim: what is idle may leave for it. */
  readonly toAim: number
  /** To the bound: what is in use too, as far as the source may ask others for it. */
  readonly toBound: number
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
  /** Up to which it may go on. */
  mostBytes: number
  begin(share: Share): void
  refuse(): void
}

/** Room is looked for again, since what holds it may be at rest by then. */
const lookAgainMs = 200
/** All that are open are looked at. */
const askForGrowthEveryMs = 1_000
/** For so many sources. */
const lookForMax = 16
/** One need takes no more of the whole, so that it finds room beside what is open. */
const reservedPart = 5 / 8
/** Less than this part of the whole may pass one that waits for more. */
const smallPart = 1 / 64

export class Memory {
  readonly #host: MemoryHost
  #aimBytes: number
  readonly #line = new FairLine<Waiting>()
  #usedBytes = 0
  #looking: Timer | undefined
  #askedForGrowthAt = Number.NEGATIVE_INFINITY

  constructor(host: MemoryHost) {
    this.#host = host
    this.#aimBytes = Math.min(host.aimBytes ?? host.maxBytes, host.maxBytes)
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Whether so much is there at once, below the aim. */
  hasRoomFor(bytes: number): boolean {
    return this.#line.size === 0 && this.#fits(bytes, this.#aimBytes)
  }

  /** What is to be used from now on, where documents can leave for it. */
  aimAt(bytes: number): void {
    this.#aimBytes = Math.min(bytes, this.#host.maxBytes)
    if (!this.#fits(0, this.#aimBytes)) this.#askForGrowth()
  }

  /** Resolves when it is there. Refuses when it was not for long, or too many wait. */
  async reserve({ bytes, source, refusal }: Need): Promise<Share> {
    const { runtime, maxBytes } = this.#host
    // Larger ones are few, are made one at a time, and are corrected as soon as they are there.
    const weight = Math.min(bytes, maxBytes * reservedPart, limits.memoryReservedMaxBytes)
    const passes = weight <= maxBytes * smallPart
    const isBeyond = !this.#fits(weight, this.#aimBytes) && !this.#askForRoom(weight, source)
    const mostBytes = isBeyond ? maxBytes : this.#aimBytes
    const fits = this.#fits(weight, mostBytes)
    if (fits && (this.#line.size === 0 || passes)) return this.#share(weight)
    const retry = { retry_after: Math.ceil(limits.memoryWaitMaxMs / 2_000) }
    if (this.#line.size >= limits.memoryWaitersMax) throw new Refusal(refusal, retry)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        source,
        weight,
        mostBytes,
        begin: (share) => {
          beyondAim.cancel()
          late.cancel()
          resolve(share)
        },
        refuse: () => reject(new Refusal(refusal, retry)),
      }
      const beyondAim = runtime.after(limits.memoryAimWaitMs, () => {
        waiting.mostBytes = maxBytes
        this.#serve()
      })
      const late = runtime.after(limits.memoryWaitMaxMs, () => {
        if (this.#line.remove(waiting)) waiting.refuse()
        this.#serve()
      })
      this.#line.add(waiting)
      this.#lookAgain()
    })
  }

  #fits(bytes: number, most: number): boolean {
    return this.#usedBytes + bytes <= most
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
      else if (!this.#fits(0, this.#aimBytes)) this.#askForGrowth()
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
    return ({ weight, mostBytes }) => {
      const passes = weight <= this.#host.maxBytes * smallPart
      if (this.#fits(weight, mostBytes) && (!isPassed || passes)) return true
      isPassed = true
      return false
    }
  }

  #lookAgain(): void {
    if (this.#line.size === 0 || this.#looking !== undefined) return
    this.#looking = this.#host.runtime.after(lookAgainMs, () => {
      this.#looking = undefined
      let looked = 0
      for (const waiting of this.#line.heads()) {
        if (looked++ >= lookForMax) break
        const isComing = this.#askForRoom(waiting.weight, waiting.source)
        if (!isComing) waiting.mostBytes = this.#host.maxBytes
      }
      this.#serve()
    })
  }

  /** Each commit makes a document grow, and all that are open would be looked at. */
  #askForGrowth(): void {
    const now = this.#host.runtime.elapsed()
    if (now - this.#askedForGrowthAt < askForGrowthEveryMs) return
    this.#askedForGrowthAt = now
    this.#askForRoom(0, undefined)
  }

  #askForRoom(bytes: number, source: Source | undefined): boolean {
    const wanted = this.#usedBytes + bytes
    const missing = { toAim: wanted - this.#aimBytes, toBound: wanted - this.#host.maxBytes }
    return this.#host.makeRoom(missing, source)
  }
}
