/**
 * The memory that open documents, and those being made or loaded, may cost together, in one
 * estimate of bytes. Work takes a share before it begins. Beyond the aim, documents are asked to
 * leave. At the bound, work waits in line, each source of requests in its turn, and is refused
 * after a while. Knows nothing of documents.
 */
import { Refusal } from '../../../schema/errors.ts'
import { FairLine, type Source } from '../../../schema/fair-line.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'

const memoryWaitersMax = 1_000

/** So long who opens or makes a document waits for memory. */
export const memoryWaitMaxMs = 8_000

/** What a single one is taken for at most while it is made or loaded; it is corrected then. */
const memoryReservedMaxBytes = 640 * 1024 * 1024

export interface Share {
  readonly bytes: number
  /** It turned out to cost more, or less. */
  resize(bytes: number): void
  release(): void
}

export interface MemoryHost {
  readonly runtime: Runtime
  /** Nothing begins beyond it. */
  readonly maxBytes: number
  /** Beyond it documents that are not in use leave. Default: the bound. */
  readonly aimBytes?: number | undefined
  /** Begins to free so many bytes, or as many as it can. */
  makeRoom(bytes: number): void
}

/** Whose need it is, and what it is told when there is nothing for it. */
export interface Need {
  readonly bytes: number
  readonly source: Source
  readonly refusal: 'BUSY' | 'UNAVAILABLE'
}

interface PendingShare {
  readonly source: Source
  readonly weight: number
  begin(share: Share): void
}

/** Documents may have come to rest by then. */
const lookAgainMs = 200
/** One need takes no more of the whole, so that it finds room beside what is open. */
const reservedPart = 5 / 8

export class Memory {
  readonly #host: MemoryHost
  readonly #aimBytes: number
  readonly #line = new FairLine<PendingShare>()
  #usedBytes = 0
  #looking: Timer | undefined

  constructor(host: MemoryHost) {
    this.#host = host
    this.#aimBytes = Math.min(host.aimBytes ?? host.maxBytes, host.maxBytes)
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Resolves when it is there. Refuses when it was not for long, or too many wait. */
  reserve({ bytes, source, refusal }: Need): Promise<Share> {
    const { runtime, maxBytes } = this.#host
    // Larger ones are few, are made one at a time, and are corrected as soon as they are there.
    const weight = Math.min(bytes, maxBytes * reservedPart, memoryReservedMaxBytes)
    const retry = { retry_after: Math.ceil(memoryWaitMaxMs / 2_000) }
    return new Promise((resolve, reject) => {
      const refuse = () => reject(new Refusal(refusal, retry))
      if (this.#line.size >= memoryWaitersMax) return refuse()
      const waiting: PendingShare = {
        source,
        weight,
        begin: (share) => {
          late.cancel()
          resolve(share)
        },
      }
      const late = runtime.after(memoryWaitMaxMs, () => {
        if (this.#line.remove(waiting)) refuse()
      })
      this.#line.add(waiting)
      this.#makeRoom()
      this.#serve()
    })
  }

  #share(bytes: number): Share {
    let taken = bytes
    let isReleased = false
    this.#usedBytes += taken
    const change = (to: number) => {
      this.#usedBytes += to - taken
      taken = to
      this.#serve()
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
    const fits = ({ weight }: PendingShare) => this.#usedBytes + weight <= this.#host.maxBytes
    for (;;) {
      const next = this.#line.takeNext(fits)
      if (next === undefined) break
      next.begin(this.#share(next.weight))
    }
    if (this.#line.size === 0 || this.#looking !== undefined) return
    this.#looking = this.#host.runtime.after(lookAgainMs, () => {
      this.#looking = undefined
      this.#makeRoom()
      this.#serve()
    })
  }

  #makeRoom(): void {
    const missing = this.#usedBytes + this.#line.weight - this.#aimBytes
    if (missing > 0) this.#host.makeRoom(missing)
  }
}
