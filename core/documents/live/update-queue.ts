/**
 * Live updates of one document that were admitted and wait to be applied together, in the order
 * they came, the messages behind them that need no storing of their own, and those who cannot be
 * admitted yet. What waits together is bounded by how long applying it holds the event loop; small
 * updates find room for longer, so that nobody's keys wait behind others' pastes.
 * Invariant: whoever is held tries again after each application and each store, the longest first.
 * Knows neither what the updates say nor when they are applied.
 */
import type { Limits } from '../../../schema/limits.ts'
import type { QueuedUpdate, SavedCount } from '../../commit/live-update.ts'

export interface Waiting {
  readonly entries: readonly QueuedUpdate[]
  /** Whose messages are settled with them, one each. */
  readonly settles: readonly SavedCount[]
}

interface Lists extends Waiting {
  readonly entries: QueuedUpdate[]
  readonly settles: SavedCount[]
}

/** A place in the line of those who are not admitted yet. */
export interface Held {
  /** Resolves when it is time to try again. */
  wait(): Promise<void>
}

export interface QueueHost {
  readonly limits: Limits
  /** Of updates that are applied and not on disk yet. */
  unflushedBytes(): number
  /** Has what waits applied soon, whatever else is under way. */
  press(): void
}

export class UpdateQueue {
  readonly #host: QueueHost
  #lists: Lists | undefined
  #insertedBytes = 0
  #blocks = 0
  #bytes = 0
  #micros = 0
  #isApplying = false
  /** By place in line. */
  #held = new Map<number, () => void>()
  #places = 0

  constructor(host: QueueHost) {
    this.#host = host
  }

  get length(): number {
    return this.#lists?.entries.length ?? 0
  }

  /** About how many bytes of markdown they add. */
  get insertedBytes(): number {
    return this.#insertedBytes
  }

  get blocks(): number {
    return this.#blocks
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Somebody is held by what waits, or a good deal of it does. */
  get isPressed(): boolean {
    return this.#held.size > 0 || this.#micros >= this.#host.limits.batchMicros
  }

  /**
   * What waited before is being applied, in several turns, so that what it brings is there in part;
   * or one is being judged so.
   */
  get isApplying(): boolean {
    return this.#isApplying
  }

  /** Applying it would hold the event loop so long that others felt it. */
  get isLong(): boolean {
    return this.length > 0 && this.#micros >= this.#host.limits.longBatchMicros
  }

  /** Whether an update of this sort has to wait until those before it are applied or stored. */
  isFullFor(isSmall: boolean): boolean {
    if (this.#isApplying) return true
    const { batchMicros } = this.#host.limits
    const room = isSmall ? 2 * batchMicros : batchMicros
    return this.#micros >= room || this.#waitsForStore
  }

  push(entry: QueuedUpdate): void {
    this.#add(entry)
    this.#waiting().settles.push(entry.session)
  }

  #add(entry: QueuedUpdate): void {
    this.#waiting().entries.push(entry)
    this.#insertedBytes += entry.insertedBytes
    this.#blocks += entry.blocks
    this.#bytes += entry.update.length
    this.#micros += entry.micros
  }

  /** Takes in what had waited before, in its order. */
  restore({ entries, settles }: Waiting): void {
    for (const entry of entries) this.#add(entry)
    this.#waiting().settles.push(...settles)
  }

  /** A message that brings nothing: it is settled with those before it, not sooner. */
  drop(session: SavedCount): void {
    this.#waiting().settles.push(session)
  }

  /** To be applied now: nothing is admitted before that is done. */
  takeAll(): Waiting {
    const waiting = this.#waiting()
    this.#isApplying = true
    this.#lists = undefined
    this.#insertedBytes = 0
    this.#blocks = 0
    this.#bytes = 0
    this.#micros = 0
    return waiting
  }

  /** One is being judged in several turns: nothing else is admitted before `applied`. */
  judging(): void {
    this.#isApplying = true
  }

  hold(): Held {
    const place = this.#places++
    return {
      wait: () =>
        new Promise((resolve) => {
          this.#held.set(place, resolve)
          this.#host.press()
        }),
    }
  }

  /** What waited is applied: all who are held try again, unless it has to be stored first. */
  applied(): void {
    this.#isApplying = false
    if (!this.#waitsForStore) this.letGo()
  }

  letGo(): void {
    if (this.#held.size === 0) return
    const held = [...this.#held].sort(([a], [b]) => a - b)
    this.#held = new Map()
    for (const [, go] of held) go()
  }

  get #waitsForStore(): boolean {
    return this.#host.unflushedBytes() > this.#host.limits.unflushedMaxBytes
  }

  #waiting(): Lists {
    this.#lists ??= { entries: [], settles: [] }
    return this.#lists
  }
}
