/** The small facts of a document that its head holds, and how they are changed. */
import type { ActorId, Slug } from '../../schema/ids.ts'

export type Role = 'owner' | 'editor' | 'commenter' | 'viewer'

/** The document's general access (interface §4.10). */
export interface LinkAccess {
  readonly mode: 'restricted' | 'anyone'
  readonly role: Exclude<Role, 'owner'>
}

/**
 * Where a document is in its life (interface §3); what is not active opens to few routes. `at` and
 * `by` are of its archiving, also while it is purged.
 */
export type Life =
  | { readonly state: 'active' }
  | { readonly state: 'archived' | 'purging'; readonly at: number; readonly by: ActorId }

/** The small facts of a document that access decisions need without opening it. */
export interface DocumentFacts {
  readonly slug: Slug
  readonly linkAccess: LinkAccess
  readonly readOnly: boolean
  readonly commentsDisabled: boolean
  readonly createdAt: number
  readonly life: Life
}

export type DocumentFlags = Pick<DocumentFacts, 'linkAccess' | 'readOnly' | 'commentsDisabled'>

/** What to set of them; the rest stays, also within general access. */
export interface FlagChanges extends Partial<Omit<DocumentFlags, 'linkAccess'>> {
  readonly linkAccess?: Partial<LinkAccess>
}
