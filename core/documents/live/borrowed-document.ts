/**
 * The document of one live session. It may leave memory between two messages, and is opened again
 * by the first that needs it. Invariant: those who wait for it go on in the order in which they
 * came. A document that died is not opened again: all its sessions were closed.
 */
import { Refusal } from '../../../schema/errors.ts'
import { Withdrawn } from '../../commit/permission.ts'
import type { LiveDocument } from './live-document.ts'
import type { LivePeers } from './live-peers.ts'

/** Where a session borrows its document. */
export interface Lender {
  /** Undefined while it is not in memory. */
  opened(): LiveDocument | undefined
  /** Refuses what opening a document refuses. */
  open(): Promise<LiveDocument>
}

export class BorrowedDocument {
  readonly #lender: Lender
  readonly #peers: LivePeers
  #opening: Promise<void> | undefined

  /** `peers`: those of the document when the session began; they outlive its stay in memory. */
  constructor(lender: Lender, peers: LivePeers) {
    this.#lender = lender
    this.#peers = peers
  }

  /** Undefined while it is not in memory. */
  get opened(): LiveDocument | undefined {
    return this.#lender.opened()
  }

  get isAway(): boolean {
    return this.opened === undefined
  }

  /** Where it is known to be in memory. */
  get document(): LiveDocument {
    const document = this.opened
    if (document === undefined) throw new TypeError('the document is not open')
    return document
  }

  /** Refuses what opening a document refuses, and UNAVAILABLE where it died. */
  open(): Promise<void> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  /** Works with the document, again where it has to be opened anew meanwhile. */
  async use<T>(work: (document: LiveDocument) => Promise<T>): Promise<T> {
    for (;;) {
      if (this.isAway) await this.open()
      try {
        return await work(this.document)
      } catch (error) {
        if (!(error instanceof Withdrawn)) throw error
      }
    }
  }

  async #open(): Promise<void> {
    while (this.isAway) {
      const document = await this.#lender.open()
      if (document.peers !== this.#peers) throw new Refusal('UNAVAILABLE')
    }
  }
}
