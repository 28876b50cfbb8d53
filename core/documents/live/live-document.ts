/**
 * An open document as the sessions of its live editors use it. What is open behind it, and for how
 * long, they do not know.
 */

import type { Slug } from '../../../schema/ids.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import type { Authorship } from '../authorship/authorship.ts'
import type { Guard } from '../guard/guard.ts'
import type { LiveIntake } from './live-intake.ts'
import type { LivePeers } from './live-peers.ts'

export interface LiveDocument {
  readonly slug: Slug
  readonly newestFacts: DocumentFacts
  readonly state: { readonly authorship: Authorship }
  readonly guard: Guard
  readonly intake: LiveIntake
  readonly peers: LivePeers
  /** Nothing more will come of it. */
  readonly isDead: boolean
  stateVector(): Uint8Array
  /** What a peer with these clocks lacks; resolves when all of it is on disk. */
  stateFor(known: ReadonlyMap<number, number>): Promise<Uint8Array>
  /** Applies what is queued and seals open typing. */
  settle(): void
  /** Applies what waits, unless something else comes first. */
  applyWhenFree(): void
  /** Resolves when everything applied so far is on disk. */
  durable(): Promise<void>
  /** A bug came to light in work for it. */
  fail(error: unknown): void
}
