/**
 * Sealed revisions that wait to be told of, in their order: each is due once the commit that holds
 * it is on disk, and is told of once.
 */
import type { Change } from '../live/live-peer.ts'

export class Announcements {
  readonly #waiting: { readonly change: Change; readonly ticket: number }[] = []

  add(change: Change, ticket: number): void {
    this.#waiting.push({ change, ticket })
  }

  /** Takes those whose commits are on disk up to this ticket. */
  *due(durableTicket: number): Generator<Change> {
    for (;;) {
      const next = this.#waiting[0]
      if (next === undefined || next.ticket > durableTicket) return
      this.#waiting.shift()
      yield next.change
    }
  }
}
