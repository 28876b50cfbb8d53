/**
 * What peers lack of a document. Many join one after the other with nothing at all: the whole state
 * is put together once for each change of the document, and forgotten when nobody has asked for it
 * for a while. So is what is deleted, for which Yjs looks at all structs, and which each peer that
 * comes back is told anew. Others write to the document meanwhile.
 */
import type * as Y from 'yjs'
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import { Turns } from '../../turns/turns.ts'
import { encodeDeletions, encodingState } from '../../yjs/encode-state.ts'

/** Of one state of the document. */
interface Kept {
  readonly ticket: number
  whole: Promise<Uint8Array> | undefined
  deleted: Uint8Array | undefined
}

export class PeerStates {
  readonly #ydoc: Y.Doc
  readonly #runtime: Runtime
  #kept: Kept | undefined
  #forgetting: Timer | undefined

  constructor(ydoc: Y.Doc, runtime: Runtime) {
    this.#ydoc = ydoc
    this.#runtime = runtime
  }

  /**
   * For a peer that has these clocks: all that is in the document now, in turns of the event loop.
   * `ticket` tells one state of the document from another.
   */
  for(known: ReadonlyMap<number, number>, ticket: number): Promise<Uint8Array> {
    if (this.#kept?.ticket !== ticket) {
      this.#kept = { ticket, whole: undefined, deleted: undefined }
    }
    const kept = this.#kept
    this.#forgetting?.cancel()
    this.#forgetting = this.#runtime.after(limits.wholeStateKeptMs, () => this.forget())
    const answer = () => {
      kept.deleted ??= encodeDeletions(this.#ydoc)
      return new Turns(this.#runtime).take(encodingState(this.#ydoc, known, kept.deleted))
    }
    if (known.size > 0) return answer()
    kept.whole ??= answer()
    return kept.whole
  }

  forget(): void {
    this.#kept = undefined
    this.#forgetting?.cancel()
    this.#forgetting = undefined
  }
}
