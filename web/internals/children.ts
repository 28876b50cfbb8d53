/**
 * Deletes a child of a Yjs element where it stands. `XmlFragment.delete` takes an index and counts
 * up to it from the first child, past all that was ever deleted: converting ten thousand blocks one
 * by one counts fifty million times.
 */
import type * as Y from 'yjs'

/** Runs in a transaction of the child's document. */
export function deleteChild(transaction: Y.Transaction, child: Y.XmlElement | Y.XmlText): void {
  child._item?.delete(transaction)
}
