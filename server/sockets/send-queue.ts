/**
 * Clients with a state to send, in fair order: in the long run each gets as many bytes, so that a
 * caret moves on time beside clients that send much. Clients that left go first. It knows sizes,
 * not states.
 */

export interface PendingState {
  readonly client: number
  readonly bytes: number
}

export class SendQueue {
  readonly #waiting = new Map<number, PendingState & { readonly turn: number }>()
  /** Up to where each client has had its share. */
  readonly #had = new Map<number, number>()
  /** Where the turns taken so far began; a client that was silent begins there. */
  #level = 0

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** Only the newest of a client waits; it keeps its turn. */
  add(client: number, bytes: number): void {
    if (this.#waiting.has(client)) return
    const turn = Math.max(this.#level, this.#had.get(client) ?? 0) + bytes
    this.#had.set(client, turn)
    this.#waiting.set(client, { client, bytes, turn })
  }

  /** The client is to be taken away from everybody. */
  leave(client: number): void {
    this.drop(client)
    this.#waiting.set(client, { client, bytes: 0, turn: 0 })
  }

  drop(client: number): void {
    this.#had.delete(client)
    this.#waiting.delete(client)
  }

  /** The clients whose turn it is, of about `maxBytes` together. */
  take(maxBytes: number): readonly PendingState[] {
    const taken: PendingState[] = []
    let left = maxBytes
    for (const next of [...this.#waiting.values()].sort((a, b) => a.turn - b.turn)) {
      if (taken.length > 0 && next.bytes > left) break
      this.#waiting.delete(next.client)
      this.#level = Math.max(this.#level, next.turn - next.bytes)
      taken.push(next)
      left -= next.bytes
    }
    return taken
  }
}
