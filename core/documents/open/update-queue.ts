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

interface Lists extends Waiting {
  readonly entries: QueuedUpdate[]
  readonly settles: SavedCount[]
}

export class UpdateQueue {
  #lists: Lists | undefined
  #bytes = 0

  get length(): number {
    return this.#lists?.entries.length ?? 0
  }

  get bytes(): number {
    return this.#bytes
  }

  push(entry: QueuedUpdate): void {
    const { entries, settles } = this.#waiting()
    entries.push(entry)
    settles.push(entry.session)
    this.#bytes += entry.update.length
  }

  /** A message that brings nothing: it is settled with those before it, not sooner. */
  drop(session: SavedCount): void {
    this.#waiting().settles.push(session)
  }

  takeAll(): Waiting {
    const waiting = this.#waiting()
    this.#lists = undefined
    this.#bytes = 0
    return waiting
  }

  #waiting(): Lists {
    this.#lists ??= { entries: [], settles: [] }
    return this.#lists
  }
}
