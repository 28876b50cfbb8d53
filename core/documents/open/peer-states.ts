/**
 * What peers lack of a document. Many join one after the other with nothing at all: the whole state
 * is put together once for each change of the document, and forgotten when nobody has asked for it
 * for a while.
 */
import * as Y from 'yjs'
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'

export class PeerStates {
  readonly #ydoc: Y.Doc
  readonly #runtime: Runtime
  #whole: { readonly ticket: number; readonly update: Uint8Array } | undefined
  #forgetting: Timer | undefined

  constructor(ydoc: Y.Doc, runtime: Runtime) {
    this.#ydoc = ydoc
    this.#runtime = runtime
  }

  /** For a peer with this state vector; `ticket` tells one state of the document from another. */
  for(vector: Uint8Array, ticket: number): Uint8Array {
    const isFresh = vector.length === 1 && vector[0] === 0
    if (!isFresh) return Y.encodeStateAsUpdate(this.#ydoc, vector)
    const known = this.#whole
    const update = known?.ticket === ticket ? known.update : Y.encodeStateAsUpdate(this.#ydoc)
    this.#whole = { ticket, update }
    this.#forgetting?.cancel()
    this.#forgetting = this.#runtime.after(limits.wholeStateKeptMs, () => this.forget())
    return update
  }

  forget(): void {
    this.#whole = undefined
    this.#forgetting?.cancel()
    this.#forgetting = undefined
  }
}
