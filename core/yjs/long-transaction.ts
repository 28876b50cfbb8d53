/**
 * One Yjs transaction that stays open over several turns of the event loop, for a write that would
 * hold it too long. Yjs knows transactions only as one call: this keeps the transaction where Yjs
 * looks for it while something is written, and hands it over at the end, so that all of it is one
 * update and one tidying up. Invariant: nobody else writes to the document from the first write to
 * the end.
 */
import * as Y from 'yjs'
import type { Steps } from '../../schema/steps.ts'
import { encodingTransaction } from './encode-state.ts'

/** What Yjs tells of a transaction that changed something. */
const updateEvent = 'update'

export class LongTransaction {
  readonly #ydoc: Y.Doc
  readonly transaction: Y.Transaction

  /** Remote, as what peers send is. */
  constructor(ydoc: Y.Doc, origin: unknown) {
    this.#ydoc = ydoc
    this.transaction = new Y.Transaction(ydoc, origin, false)
  }

  /** Writes more. After an error the document can not be relied on. */
  write<Result>(work: (transaction: Y.Transaction) => Result): Result {
    if (this.#ydoc._transaction !== null) throw new TypeError('somebody else writes')
    this.#ydoc._transaction = this.transaction
    try {
      return work(this.transaction)
    } finally {
      this.#ydoc._transaction = null
    }
  }

  /**
   * Ends it as Yjs ends its own, but who listens for its update hears of it with the last step: Yjs
   * writes a long one in one piece. Nobody may write to the document before that.
   */
  *ending(): Steps<void> {
    const { _observers: observers } = this.#ydoc
    const listeners = observers.get(updateEvent)
    observers.delete(updateEvent)
    try {
      this.#end()
    } finally {
      if (listeners !== undefined) observers.set(updateEvent, listeners)
    }
    if (listeners === undefined) return
    yield
    const { transaction } = this
    const update = yield* encodingTransaction(transaction)
    if (update === undefined) return
    this.#ydoc.emit(updateEvent, [update, transaction.origin, this.#ydoc, transaction])
  }

  #end(): void {
    const { transaction } = this
    Y.transact(
      this.#ydoc,
      () => {
        // In place of the one that was begun for this call.
        this.#ydoc._transaction = transaction
        this.#ydoc._transactionCleanups.splice(0, 1, transaction)
      },
      transaction.origin,
      false,
    )
  }
}
