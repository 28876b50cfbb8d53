/** A Y.Doc that costs less at each transaction. */
import * as Y from 'yjs'
import { mergeBehind } from './merging.ts'

export class SharedDoc extends Y.Doc {
  /** Yjs tells of each transaction five times; where nobody listens that costs nothing here. */
  override emit(...[name, args]: Parameters<Y.Doc['emit']>): void {
    if (this._observers.has(name)) super.emit(name, args)
    if (name === 'afterTransaction') mergeBehind(args[0] as Y.Transaction)
  }

  /** Between transactions: a new list of those that are to be tidied up, for the empty old one. */
  renewCleanups(): void {
    this._transactionCleanups = []
  }
}

/** `known`: by client the next clock that the copy has; empty: it has nothing. */
export const updateBehind = (ydoc: Y.Doc, known: ReadonlyMap<number, number>): Uint8Array =>
  Y.encodeStateAsUpdate(ydoc, Y.encodeStateVector(new Map(known)))
