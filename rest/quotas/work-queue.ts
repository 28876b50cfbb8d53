/**
 * One budget for all that parses much text: creates, new texts, dry runs. Each takes a share, by
 * what it will cost in memory (processor time goes with it), and waits for its turn among the
 * sources of requests. Small work has a lane of its own beside large work, so that it is never
 * behind it. Nobody waits longer than a caller would: past that it is BUSY, at once.
 */
import { Refusal } from '../../schema/errors.ts'
import { FairLine, type Source } from '../../schema/fair-line.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'

/** About how fast work is done, for Retry-After. */
const workBytesPerSecond = 40 * 1024 * 1024

/** So long those who fit go before one who does not. */
export const workPassedMaxMs = 3_000

/** Who waits longer is BUSY. */
export const workWaitMaxMs = 15_000

/** Of the bodies of requests that wait for their turn, in each lane. */
export const waitingHeldMaxBytes = 64 * 1024 * 1024

export const largeWork = { atOnceBytes: 256 * 1024 * 1024, waitingMaxBytes: 1200 * 1024 * 1024 }

/** What work may cost that runs at the same time, and that waits. */
export const smallWork = { atOnceBytes: 8 * 1024 * 1024, waitingMaxBytes: 128 * 1024 * 1024 }

/** Work that costs less memory, and some 100 ms, has a lane of its own. */
const smallWorkMaxBytes = 4 * 1024 * 1024

export interface Work {
  readonly source: Source
  /** What it will cost in memory. */
  readonly costBytes: number
  /** What the request holds while it waits. */
  readonly heldBytes: number
  /** Whether nobody waits for the answer any more. */
  isGone(): boolean
}

export interface WorkQueue {
  /** Runs the job in its turn. Refuses BUSY when that would be too late. */
  run<T>(work: Work, job: () => Promise<T>): Promise<T>
}

export function createWorkQueue(runtime: Runtime): WorkQueue {
  const small = new Lane(runtime, smallWork)
  const large = new Lane(runtime, largeWork)
  return {
    run: (work, job) => (work.costBytes <= smallWorkMaxBytes ? small : large).run(work, job),
  }
}

interface QueuedJob {
  readonly source: Source
  readonly weight: number
  readonly heldBytes: number
  readonly since: number
  isGone(): boolean
  begin(): void
  refuse(): void
}

interface LaneBounds {
  /** Of what runs. */
  readonly atOnceBytes: number
  /** Of what waits; a single address half of it. */
  readonly waitingMaxBytes: number
}

class Lane {
  readonly #runtime: Runtime
  readonly #bounds: LaneBounds
  readonly #line = new FairLine<QueuedJob>()
  #running = 0
  #heldBytes = 0

  constructor(runtime: Runtime, bounds: LaneBounds) {
    this.#runtime = runtime
    this.#bounds = bounds
  }

  async run<T>(work: Work, job: () => Promise<T>): Promise<T> {
    // What is left of a large one is bounded elsewhere; here it runs alone.
    const weight = Math.min(work.costBytes, this.#bounds.atOnceBytes)
    if (this.#line.size > 0 || !this.#fits(weight)) await this.#turn(work, weight)
    else this.#running += weight
    try {
      return await job()
    } finally {
      this.#running -= weight
      this.#serve()
    }
  }

  #fits(weight: number): boolean {
    return this.#running === 0 || this.#running + weight <= this.#bounds.atOnceBytes
  }

  /** Resolves when it may run, its weight counted. */
  #turn(work: Work, weight: number): Promise<void> {
    const { source, heldBytes } = work
    if (!this.#hasRoom(source, { weight, heldBytes })) throw this.#busy()
    return new Promise((resolve, reject) => {
      let late: Timer
      const waiting: QueuedJob = {
        source,
        weight,
        heldBytes,
        since: this.#runtime.elapsed(),
        isGone: () => work.isGone(),
        begin: () => {
          late.cancel()
          resolve()
        },
        refuse: () => {
          late.cancel()
          reject(this.#busy())
        },
      }
      late = this.#runtime.after(workWaitMaxMs, () => this.#drop(waiting))
      this.#line.add(waiting)
      this.#heldBytes += heldBytes
      this.#serve()
    })
  }

  #serve(): void {
    for (;;) {
      const next = this.#line.takeNext(this.#mayBegin())
      if (next === undefined) return
      this.#heldBytes -= next.heldBytes
      if (next.isGone()) next.refuse()
      else {
        this.#running += next.weight
        next.begin()
      }
    }
  }

  /** Who fits may pass who does not, but for one who has waited long. */
  #mayBegin(): (waiting: QueuedJob) => boolean {
    const now = this.#runtime.elapsed()
    let isPassed = false
    return (waiting) => {
      if (waiting.isGone()) return true
      if (isPassed) return false
      if (this.#fits(waiting.weight)) return true
      isPassed = now - waiting.since >= workPassedMaxMs
      return false
    }
  }

  /** Room in line for one more: where there is none, made by those who take more of it. */
  #hasRoom(source: Source, add: Pick<QueuedJob, 'weight' | 'heldBytes'>): boolean {
    for (const waiting of [...this.#line]) if (waiting.isGone()) this.#drop(waiting)
    for (;;) {
      const crowded = this.#crowded(source.address, add)
      if (crowded === undefined) return true
      const of = crowded === 'address' ? source.address : undefined
      const last = this.#line.lastOfHeaviest(of)
      if (last === undefined) return false
      const own = this.#shareOf(source, crowded) + add.weight
      if (this.#shareOf(last.source, crowded) <= own) return false
      this.#drop(last)
    }
  }

  /** Of all that waits the address takes so much; of what its address may, the link. */
  #shareOf(source: Source, crowded: 'address' | 'line'): number {
    return crowded === 'line'
      ? this.#line.weightOf(source.address)
      : this.#line.groupWeightOf(source)
  }

  #crowded(
    address: string,
    { weight, heldBytes }: Pick<QueuedJob, 'weight' | 'heldBytes'>,
  ): 'address' | 'line' | undefined {
    const { waitingMaxBytes: most } = this.#bounds
    const own = this.#line.weightOf(address)
    // One that is alone may wait, however large.
    if (own > 0 && own + weight > most / 2) return 'address'
    if (this.#line.size > 0 && this.#line.weight + weight > most) return 'line'
    return this.#heldBytes + heldBytes > waitingHeldMaxBytes ? 'line' : undefined
  }

  #drop(waiting: QueuedJob): void {
    if (!this.#line.remove(waiting)) return
    this.#heldBytes -= waiting.heldBytes
    waiting.refuse()
  }

  /** When about half of what waits will have had its turn. */
  #busy(): Refusal {
    const seconds = (this.#line.weight / 2 + this.#running) / workBytesPerSecond
    return new Refusal('BUSY', { retry_after: Math.min(60, Math.max(1, Math.ceil(seconds))) })
  }
}
