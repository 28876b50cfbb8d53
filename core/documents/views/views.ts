/**
 * The views of one open document: what it is now, what the commit that is being written holds, and
 * what is on disk, which is all that anyone may see. A view is made once for each revision.
 */
import type { DocumentState } from '../state/document-state.ts'
import { BlockListing } from './block-listing.ts'
import { EscapedChunks, type RevisionMoment, TextView, type ViewSource } from './text-view.ts'

export class Views {
  readonly #state: DocumentState
  readonly #moment: () => RevisionMoment
  readonly #source: ViewSource
  #current: TextView
  #written: TextView
  #durable: TextView

  /**
   * Of a document that is on disk as it is; `moment`: what the state does not know of it as it is
   * now.
   */
  constructor(state: DocumentState, moment: () => RevisionMoment) {
    this.#state = state
    this.#moment = moment
    this.#source = {
      escaped: new EscapedChunks(),
      listing: new BlockListing(),
      leafAuthor: (leaf) => state.mirror.leafAuthor(leaf),
    }
    this.#current = new TextView(state.text, moment(), this.#source)
    this.#written = this.#current
    this.#durable = this.#current
  }

  get durable(): TextView {
    return this.#durable
  }

  current(): TextView {
    const moment = this.#moment()
    if (this.#current.text !== this.#state.text || !this.#current.isOf(moment)) {
      this.#current = new TextView(this.#state.text, moment, this.#source)
    }
    return this.#current
  }

  /** A commit with all that is applied now begins to be written. */
  beginCommit(): void {
    this.#written = this.current()
  }

  /** It is on disk. */
  stored(): void {
    this.#durable = this.#written
  }
}
