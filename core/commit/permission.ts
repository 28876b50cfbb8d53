/** Who writes, and what lets them. */
import type { Check } from '../../persistence/store.ts'
import type { ActorId } from '../../schema/ids.ts'
import type { DocumentFacts } from './facts.ts'

/** Who is credited with a write, and how they proved it (history, interface §2.7). */
export interface Writer {
  readonly actor: ActorId
  readonly authMethod: 'token' | 'agent' | 'session' | 'anonymous' | 'owner_key'
  /** SHA-256 of the address, hex; undefined where there is none. */
  readonly ipHash?: string
}

/**
 * What lets somebody write: asked on the facts of the document in the same turn as the write, and
 * part of its commit by the records that it rests on. Knows nobody but its holder.
 */
export interface Permission {
  /** What it would be another without, as it was when this was asked. */
  readonly checks: readonly Check[]
  /** Refuses what a document of these facts does not let its holder do. */
  assertOn(facts: DocumentFacts): void
  /** The same as it is now. Refuses what is permitted no more. */
  renewed(): Promise<Permission>
}
