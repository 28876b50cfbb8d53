/**
 * Live updates of one document that were admitted and wait to be applied together, in the order
 * they came, the messages behind them that need no storing of their own, and those who cannot be
 * admitted yet. What waits together is bounded by bytes and by what Yjs spends on merging it.
 * Invariant: whoever is held tries again after each application and each store, the longest first.
 * Knows neither what the updates say nor when they are applied.
 */
import type { Limits } from '../../../schema/limits.ts'
import type { QueuedUpdate, SavedCount } from '../../commit/live-update.ts'

export interface QueuedUpdates {
  readonly entries: readonly QueuedUpdate[]
  /** Whose messages are settled with them, one each. */
  readonly settles: readonly SavedCount[]
}

interface Lists extends QueuedUpdates {
  readonly entries: QueuedUpdate[]
  readonly settles: SavedCount[]
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
  #lists: Lists = { entries: [], settles: [] }
  #insertedBytes = 0
  #blocks = 0
  #bytes = 0
  #effort = 0
  #held: (() => void)[] = []

  constructor(host: QueueHost) {
    this.#host = host
  }

  get length(): number {
    return this.#lists.entries.length
  }

  /** About how many bytes of markdown they add. */
  get insertedBytes(): number {
    return this.#insertedBytes
  }

  get blocks(): number {
    return this.#blocks
  }

  /** Somebody is held by what waits. */
  get isPressed(): boolean {
    return this.#held.length > 0
  }

  /** Whether an update has to wait until those before it are applied or stored. */
  get isFull(): boolean {
    const { batchMaxBytes, batchEffortMax } = this.#host.limits
    return this.#bytes >= batchMaxBytes || this.#effort >= batchEffortMax || this.#waitsForStore
  }

  push(entry: QueuedUpdate): void {
    this.#add(entry)
    this.#lists.settles.push(entry.session)
  }

  #add(entry: QueuedUpdate): void {
    this.#lists.entries.push(entry)
    this.#insertedBytes += entry.insertedBytes
    this.#blocks += entry.blocks
    this.#bytes += entry.update.length
    this.#effort += entry.effort
  }

  /** Takes in what had waited before, in its order. */
  restore({ entries, settles }: QueuedUpdates): void {
    for (const entry of entries) this.#add(entry)
    this.#lists.settles.push(...settles)
  }

  /** A message that brings nothing: it is settled with those before it, not sooner. */
  drop(session: SavedCount): void {
    this.#lists.settles.push(session)
  }

  /** To be applied now. */
  takeAll(): QueuedUpdates {
    const waiting = this.#lists
    this.#lists = { entries: [], settles: [] }
    this.#insertedBytes = 0
    this.#blocks = 0
    this.#bytes = 0
    this.#effort = 0
    return waiting
  }

  /** Resolves when it is time to try again. */
  hold(): Promise<void> {
    return new Promise((resolve) => {
      this.#held.push(resolve)
      this.#host.press()
    })
  }

  /** What waited is applied: all who are held try again, unless it has to be stored first. */
  applied(): void {
    if (!this.#waitsForStore) this.letGo()
  }

  letGo(): void {
    const held = this.#held
    this.#held = []
    for (const go of held) go()
  }

  get #waitsForStore(): boolean {
    return this.#host.unflushedBytes() > this.#host.limits.unflushedMaxBytes
  }
}
