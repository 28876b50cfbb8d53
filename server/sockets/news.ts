/**
 * Clients of whom the room has something to tell, and who is next: as much for each credential in
 * the long run, in bytes, so that a caret moves on time beside many who talk much. Who leaves goes
 * first. It knows sizes, not states.
 */

interface Waiting {
  readonly client: number
  /** Where it stands in what each credential may have had told by then. */
  readonly from: number
  readonly bytes: number
}

/** The turn of those who leave. */
const first = -Infinity

/** Credentials kept account of before those without a debt are forgotten. */
const accountsMax = 1_000

export class News {
  readonly #waiting = new Map<number, Waiting>()
  /** Up to where each credential has had its due, by holder. */
  readonly #had = new Map<string, number>()
  /** As far as telling has come: who was silent has no more for it. */
  #level = 0

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** Only the newest of a client waits; it keeps its turn. */
  add(client: number, holder: string, bytes: number): void {
    const before = this.#waiting.get(client)
    if (before !== undefined && before.from !== first) {
      this.#waiting.set(client, { ...before, bytes })
      return
    }
    const from = Math.max(this.#level, this.#had.get(holder) ?? 0)
    this.#had.set(holder, from + bytes)
    this.#waiting.set(client, { client, from, bytes })
    if (this.#had.size > accountsMax) this.#forgetSettled()
  }

  leave(client: number): void {
    this.#waiting.set(client, { client, from: first, bytes: 0 })
  }

  drop(client: number): void {
    this.#waiting.delete(client)
  }

  /** Those whose turn it is, about `maxBytes` of them. */
  take(maxBytes: number): readonly Waiting[] {
    const inTurn = [...this.#waiting.values()].sort(byTurn)
    const taken: Waiting[] = []
    let left = maxBytes
    for (const waiting of inTurn) {
      if (taken.length > 0 && waiting.bytes > left) break
      this.#waiting.delete(waiting.client)
      this.#level = Math.max(this.#level, waiting.from)
      taken.push(waiting)
      left -= waiting.bytes
    }
    return taken
  }

  #forgetSettled(): void {
    for (const [holder, until] of this.#had) if (until <= this.#level) this.#had.delete(holder)
  }
}

const byTurn = (one: Waiting, other: Waiting): number => {
  const [a, b] = [one.from + one.bytes, other.from + other.bytes]
  return a === b ? 0 : a - b
}
