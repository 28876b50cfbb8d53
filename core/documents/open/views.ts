/**
 * The views of one open document: what it is now, what the commit that is being written holds, and
 * what is on disk, which is all that anyone may see. A view is made once for each revision.
 */
import type { DocumentFacts } from '../contract.ts'
import type { DocumentState } from '../state.ts'
import { BlockListing } from './block-listing.ts'
import { EscapedChunks, TextView } from './view.ts'

/** What the state itself does not know of its newest revision. */
export interface Moment {
  readonly revision: number
  readonly facts: DocumentFacts
  readonly changedAt: number
}

export class Views {
  readonly #state: DocumentState
  readonly #revision: () => number
  readonly #moment: () => Moment
  readonly #escaped = new EscapedChunks()
  readonly #listing = new BlockListing()
  #current: TextView
  #written: TextView
  #durable: TextView

  /** Of a document that is on disk as it is. */
  constructor(state: DocumentState, revision: () => number, moment: () => Moment) {
    this.#state = state
    this.#revision = revision
    this.#moment = moment
    this.#current = this.#made()
    this.#written = this.#current
    this.#durable = this.#current
  }

  get durable(): TextView {
    return this.#durable
  }

  current(): TextView {
    const { revision, text } = this.#current
    const isCurrent = revision === this.#revision() && text === this.#state.text
    if (!isCurrent) this.#current = this.#made()
    return this.#current
  }

  /** A commit with all that is applied now begins to be written. */
  writing(): void {
    this.#written = this.current()
  }

  /** It is on disk. */
  stored(): void {
    this.#durable = this.#written
  }

  #made(): TextView {
    const { mirror } = this.#state
    return new TextView({
      ...this.#moment(),
      text: this.#state.text,
      escaped: this.#escaped,
      listing: this.#listing,
      leafAuthor(leaf) {
        return mirror.leafAuthor(leaf)
      },
    })
  }
}
