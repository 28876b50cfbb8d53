/**
 * What peers lack of a document. Many join one after the other with nothing at all: the whole state
 * is put together once for each change of the document, and forgotten when nobody has asked for it
 * for a while.
 */
import type * as Y from 'yjs'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import { updateBehind } from '../../yjs/shared-doc.ts'

const wholeStateKeptMs = 5_000

export class PeerStates {
  readonly #ydoc: Y.Doc
  readonly #runtime: Runtime
  #whole: { readonly ticket: number; readonly update: Uint8Array } | undefined
  #forgetting: Timer | undefined

  constructor(ydoc: Y.Doc, runtime: Runtime) {
    this.#ydoc = ydoc
    this.#runtime = runtime
  }

  /**
   * For a peer that has these clocks: all that is in the document now. `ticket` tells one state of
   * the document from another.
   */
  for(known: ReadonlyMap<number, number>, ticket: number): Uint8Array {
    if (known.size > 0) return updateBehind(this.#ydoc, known)
    if (this.#whole?.ticket !== ticket) {
      this.#whole = { ticket, update: updateBehind(this.#ydoc, known) }
    }
    this.#forgetting?.cancel()
    this.#forgetting = this.#runtime.after(wholeStateKeptMs, () => this.forget())
    return this.#whole.update
  }

  forget(): void {
    this.#whole = undefined
    this.#forgetting?.cancel()
    this.#forgetting = undefined
  }
}
