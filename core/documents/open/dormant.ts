/**
 * What stays in memory of a document that only idle live editors hold: who they are, and what no
 * record in the store tells. The document itself is loaded again when one of them sends something,
 * or anybody reads or writes it.
 */

import type { LivePeers } from '../live/live-peers.ts'
import type { Waiting } from '../live/update-queue.ts'
import type { StateMemory } from '../state/document-state.ts'

export interface Dormant {
  readonly peers: LivePeers
  readonly memory: StateMemory
  /** What they wrote that is not stored; the document is opened with it. */
  readonly unstored?: Waiting
}

/** The same of a document that nobody is in: what editors that lost their line come back to. */
export interface Remembered {
  readonly memory: StateMemory
  /** In ms of the clock that only goes forward. */
  readonly until: number
}
