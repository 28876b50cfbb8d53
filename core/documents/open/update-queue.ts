/**
 * Live updates that were admitted and wait to be applied together, in the order they came. Knows
 * neither what they say nor when they are applied.
 */
import type { QueuedUpdate } from './pending-commit.ts'

export class UpdateQueue {
  #entries: QueuedUpdate[] = []
  #bytes = 0

  get length(): number {
    return this.#entries.length
  }

  get bytes(): number {
    return this.#bytes
  }

  push(entry: QueuedUpdate): void {
    this.#entries.push(entry)
    this.#bytes += entry.update.length
  }

  takeAll(): readonly QueuedUpdate[] {
    const entries = this.#entries
    this.#entries = []
    this.#bytes = 0
    return entries
  }
}
