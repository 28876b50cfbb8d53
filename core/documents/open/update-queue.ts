/**
 * Live updates that were admitted and wait to be applied together, in the order they came, and the
 * messages behind them that need no storing of their own. Knows neither what they say nor when they
 * are applied.
 */
import type { QueuedUpdate, SavedCount } from './pending-commit.ts'

export interface Waiting {
  readonly entries: readonly QueuedUpdate[]
  /** Whose messages are settled with them, one each. */
  readonly settles: readonly SavedCount[]
}

export class UpdateQueue {
  #entries: QueuedUpdate[] = []
  #settles: SavedCount[] = []
  #bytes = 0

  get length(): number {
    return this.#entries.length
  }

  get bytes(): number {
    return this.#bytes
  }

  push(entry: QueuedUpdate): void {
    this.#entries.push(entry)
    this.#settles.push(entry.session)
    this.#bytes += entry.update.length
  }

  /** A message that brings nothing: it is settled with those before it, not sooner. */
  drop(session: SavedCount): void {
    this.#settles.push(session)
  }

  takeAll(): Waiting {
    const waiting = { entries: this.#entries, settles: this.#settles }
    this.#entries = []
    this.#settles = []
    this.#bytes = 0
    return waiting
  }
}
