/**
 * Brings an open document's changes to disk, one store commit at a time: what is applied while one
 * is written joins the next. Changes are numbered by tickets; who wants to show one waits for its
 * ticket. Knows nothing of what a commit holds.
 */

import type { SavedCount } from './live-update.ts'
import { PendingCommit } from './pending-commit.ts'

interface Waiter {
  readonly ticket: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface FlusherHost {
  /** Starts the store commit in the same tick, so that it holds exactly what is applied now. */
  write(pending: PendingCommit): Promise<void>
  /** The commit is on disk. Called before anyone who waits for it goes on. */
  onDurable(pending: PendingCommit): void
  /**
   * The store refused or failed; nothing that is not durable may be shown, ever. Told of all that
   * was applied and is not stored, in order.
   */
  onFailed(error: unknown, unstored: readonly PendingCommit[]): void
}

export class Flusher {
  readonly #host: FlusherHost
  #pending: PendingCommit | undefined
  #waiters: Waiter[] = []
  #ticket = 0
  #durable = 0
  /** The newest change of the commit that is being written. */
  #underWay = 0
  #isFlushing = false
  #flushed = Promise.resolve()
  #failure: { readonly error: unknown } | undefined

  constructor(host: FlusherHost) {
    this.#host = host
  }

  /** The newest change's number. */
  get ticket(): number {
    return this.#ticket
  }

  /** The newest change on disk. */
  get durableTicket(): number {
    return this.#durable
  }

  get isFlushing(): boolean {
    return this.#isFlushing
  }

  /** Resolves when no commit is being written, whatever became of it. */
  quiet(): Promise<void> {
    return this.#flushed
  }

  /** The commit that a change made now will be part of. */
  get pending(): PendingCommit {
    this.#pending ??= new PendingCommit()
    return this.#pending
  }

  /** Of updates that are applied and not being written yet. */
  get unflushedBytes(): number {
    return this.#pending?.updateBytes ?? 0
  }

  /** A change was added to `pending`: numbers it and sees that it is stored. */
  changed(): void {
    this.#ticket++
    if (!this.#isFlushing) this.#flushed = this.#flush()
  }

  /** A message that no commit holds: it is settled once all that is applied is on disk. */
  settle(session: SavedCount): void {
    if (this.#ticket > this.#durable) this.pending.settle(session, 1)
    else session.saved(1)
  }

  /**
   * Resolves when the change `ticket` (default: the newest) is on disk; rejects when that failed.
   */
  durable(ticket = this.#ticket): Promise<void> {
    if (ticket <= this.#durable) return Promise.resolve()
    if (this.#failure !== undefined && ticket > this.#underWay) {
      return Promise.reject(this.#failure.error)
    }
    return new Promise((resolve, reject) => this.#waiters.push({ ticket, resolve, reject }))
  }

  /**
   * Writes nothing more: what is pending was made by a state that cannot be relied on. The commit
   * that is under way was made before, and still decides for those who wait for it.
   */
  stop(error: unknown): void {
    this.#failure ??= { error }
    this.#pending = undefined
    this.#reject(this.#failure.error)
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true
    while (this.#pending !== undefined && this.#failure === undefined) {
      const pending = this.#pending
      this.#underWay = this.#ticket
      this.#pending = undefined
      try {
        await this.#host.write(pending)
        this.#durable = this.#underWay
        this.#wake()
        this.#host.onDurable(pending)
      } catch (error) {
        this.#underWay = this.#durable
        const unstored = this.#pending === undefined ? [pending] : [pending, this.#pending]
        this.stop(error)
        this.#host.onFailed(error, unstored)
      }
    }
    this.#isFlushing = false
  }

  /** They go on when `onDurable` has returned. */
  #wake(): void {
    const waiting = this.#waiters
    this.#waiters = waiting.filter((waiter) => waiter.ticket > this.#durable)
    for (const waiter of waiting) if (waiter.ticket <= this.#durable) waiter.resolve()
  }

  #reject(error: unknown): void {
    const waiting = this.#waiters
    this.#waiters = waiting.filter((waiter) => waiter.ticket <= this.#underWay)
    for (const waiter of waiting) if (waiter.ticket > this.#underWay) waiter.reject(error)
  }
}
