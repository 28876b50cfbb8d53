/**
 * How much of the event loop live editors may have for what is costly: a share for each link, each
 * network and each document, which outlives sockets and tokens, since of those anybody can make
 * many. What is cheap is charged but never waits. Whoever waits has a turn in a lane, the lanes one
 * after the other, so that a crowd in one lane does not stand before somebody in another. Knows
 * nothing of updates.
 */
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import type { Sources } from './live-peer.ts'

/** Microseconds of the event loop, given back at a rate. */
class Bucket {
  readonly #runtime: Runtime
  #credit: number = limits.budgetMaxMicros
  #at: number
  #wake: Timer | undefined
  readonly #lanes = new Map<string, (() => void)[]>()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.#at = runtime.elapsed()
  }

  get isFull(): boolean {
    return this.#now() >= limits.budgetMaxMicros && this.#lanes.size === 0
  }

  get mayGo(): boolean {
    return this.#lanes.size === 0 && this.#now() > 0
  }

  spend(micros: number): void {
    const { budgetDebtMaxMicros: debt } = limits
    this.#credit = Math.max(-debt, this.#now() - micros)
  }

  /** What must not wait is taken from what is there, and leaves no debt. */
  charge(micros: number): void {
    const now = this.#now()
    this.#credit = Math.min(now, Math.max(0, now - micros))
  }

  turn(lane: string): Promise<void> {
    if (this.mayGo) return Promise.resolve()
    return new Promise((resolve) => {
      const waiting = this.#lanes.get(lane)
      if (waiting === undefined) this.#lanes.set(lane, [resolve])
      else waiting.push(resolve)
      this.#schedule()
    })
  }

  letAllGo(): void {
    this.#wake?.cancel()
    for (const waiting of this.#lanes.values()) for (const go of waiting) go()
    this.#lanes.clear()
  }

  #now(): number {
    const now = this.#runtime.elapsed()
    const earned = (now - this.#at) * limits.budgetMicrosPerMs
    this.#at = now
    this.#credit = Math.min(limits.budgetMaxMicros, this.#credit + earned)
    return this.#credit
  }

  #schedule(): void {
    if (this.#wake !== undefined || this.#lanes.size === 0) return
    const missing = Math.max(0, -this.#now())
    const wait = Math.ceil(missing / limits.budgetMicrosPerMs)
    this.#wake = this.#runtime.after(wait, () => {
      this.#wake = undefined
      if (this.#now() >= 0) this.#letOneGo()
      this.#schedule()
    })
  }

  /** Its lane goes behind the others. */
  #letOneGo(): void {
    const [first] = this.#lanes
    if (first === undefined) return
    const [lane, [go, ...others]] = first
    this.#lanes.delete(lane)
    if (others.length > 0) this.#lanes.set(lane, others)
    go?.()
  }
}

/** What is paid for: applying updates, or putting answers together; neither waits for the other. */
export type Purpose = 'updates' | 'answers'

interface Shares {
  readonly network: Bucket
  /** With the lane in each. */
  readonly all: readonly (readonly [Bucket, string])[]
}

/** The shares that one live session draws on. */
export class Budget {
  readonly #shares: () => Shares

  constructor(shares: () => Shares) {
    this.#shares = shares
  }

  /** Whether something costly may be done now. */
  get mayGo(): boolean {
    return this.#shares().all.every(([bucket]) => bucket.mayGo)
  }

  /** Resolves when it may, soon or late. */
  async turn(): Promise<void> {
    for (const [bucket, lane] of this.#shares().all) await bucket.turn(lane)
  }

  /** `price` is for its own network alone: what it does to all must not close a link to others. */
  spend(micros: number, price = micros): void {
    const { network, all } = this.#shares()
    for (const [bucket] of all) bucket.spend(bucket === network ? price : micros)
  }

  /** For what could not wait. */
  charge(micros: number): void {
    for (const [bucket] of this.#shares().all) bucket.charge(micros)
  }
}

/** What its shares are called, and its lane in the document's; the same for key after key. */
const namesOf = (purpose: Purpose, slug: Slug, { address, link }: Sources) => ({
  address,
  link,
  ofNetwork: `${purpose} address ${address}`,
  ofLink: `${purpose} link ${link}`,
  ofDocument: `${purpose} document ${slug}`,
  lane: `${address} ${link}`,
})

export class Budgets {
  readonly #runtime: Runtime
  readonly #buckets = new Map<string, Bucket>()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  of(purpose: Purpose, slug: Slug, sources: () => Sources): Budget {
    let names: ReturnType<typeof namesOf> | undefined
    return new Budget(() => {
      const { address, link } = sources()
      if (names?.address !== address || names.link !== link) {
        names = namesOf(purpose, slug, { address, link })
      }
      const network = this.#bucket(names.ofNetwork)
      return {
        network,
        all: [
          [this.#bucket(names.ofLink), address],
          [network, link],
          [this.#bucket(names.ofDocument), names.lane],
        ],
      }
    })
  }

  /** Nobody waits any more: the service stops. */
  close(): void {
    for (const bucket of this.#buckets.values()) bucket.letAllGo()
  }

  #bucket(key: string): Bucket {
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    if (this.#buckets.size >= limits.budgetsMax) this.#makeRoom()
    const made = new Bucket(this.#runtime)
    this.#buckets.set(key, made)
    return made
  }

  /** Those that say nothing a new one would not say go first, then the oldest. */
  #makeRoom(): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(key)
    for (const [key, bucket] of this.#buckets) {
      if (this.#buckets.size < limits.budgetsMax) return
      bucket.letAllGo()
      this.#buckets.delete(key)
    }
  }
}
