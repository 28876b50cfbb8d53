/**
 * One Yjs transaction that stays open over several turns of the event loop, for a write that would
 * hold it too long. Yjs knows transactions only as one call: this keeps the transaction where Yjs
 * looks for it while something is written, and hands it over at the end, so that all of it is one
 * update and one tidying up. Invariant: nobody else writes to the document from the first write to
 * the end.
 */
import * as Y from 'yjs'

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

  /** Ends it as Yjs ends its own. */
  end(): void {
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
