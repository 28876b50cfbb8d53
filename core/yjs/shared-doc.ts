/** A Y.Doc that costs less at each transaction. */
import * as Y from 'yjs'

export class SharedDoc extends Y.Doc {
  /** Yjs tells of each transaction five times; where nobody listens that costs nothing here. */
  override emit(...[name, args]: Parameters<Y.Doc['emit']>): void {
    if (this._observers.has(name)) super.emit(name, args)
  }

  /** Between transactions: a new list of those that are to be tidied up, for the empty old one. */
  renewCleanups(): void {
    this._transactionCleanups = []
  }
}
