/** Which transactions of the editor bring what happened in the shared document. */
import type { Transaction } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'

/** What a transaction's metadata under `ySyncPluginKey` says of a change that came from Yjs. */
export interface FromYjs {
  readonly isChangeOrigin: true
  /** One's own undo or redo. */
  readonly isUndoRedoOperation: boolean
}

/** Whether a transaction brings what happened in the shared document: answer it with no write. */
export function isFromYjs(tr: Transaction): boolean {
  const meta = tr.getMeta(ySyncPluginKey) as Partial<FromYjs> | undefined
  return meta?.isChangeOrigin === true
}

/** The transaction is answered with no write, as one that brings what is in the shared document. */
export function asFromYjs(tr: Transaction, isUndoRedoOperation = false): Transaction {
  const meta: FromYjs = { isChangeOrigin: true, isUndoRedoOperation }
  return tr.setMeta(ySyncPluginKey, meta).setMeta('addToHistory', false)
}
