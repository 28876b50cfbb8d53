/**
 * What beside the text is on its way to the service. Whoever sends says how much of it the service
 * has not got; the state line tells it, and leaving the page warns.
 */
import { createStore, type Readable } from '../platform/store.ts'

export type OutgoingKind = 'suggestion' | 'comment' | 'file'

/** Only of what there is any. */
export type OutgoingCounts = Readonly<Partial<Record<OutgoingKind, number>>>

export const isAny = (counts: OutgoingCounts): boolean => Object.keys(counts).length > 0

export class Outgoing {
  readonly #counts = createStore<OutgoingCounts>({})
  readonly #bySender = new Map<object, readonly [OutgoingKind, number]>()

  get counts(): Readable<OutgoingCounts> {
    return this.#counts
  }

  /** So many of them the service has not got by now. */
  report(sender: object, kind: OutgoingKind, count: number): void {
    const [, before = 0] = this.#bySender.get(sender) ?? []
    if (count === before) return
    if (count === 0) this.#bySender.delete(sender)
    else this.#bySender.set(sender, [kind, count])
    const counts: Partial<Record<OutgoingKind, number>> = {}
    for (const [one, more] of this.#bySender.values()) counts[one] = (counts[one] ?? 0) + more
    this.#counts.set(counts)
  }
}
