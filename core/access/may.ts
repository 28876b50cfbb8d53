/**
 * What an action on a document needs (interface §5, §7): the one table, asked at the door and again
 * in the same turn as the write. It knows no credential and reads no store.
 */
import type { ErrorCode } from '../../schema/errors.ts'
import type { DocumentFacts, Role } from '../documents/contract.ts'

export type Action =
  | 'read'
  | 'identify'
  | 'share'
  | 'review'
  | 'name'
  | 'edit'
  | 'admit'
  | 'configure'
  | 'own'
  | 'see-archive'
  | 'archive'
  | 'restore'
  | 'delete'
  | 'purge'

/** What is refused while a flag is set. */
export const flagCodes = { readOnly: 'DOC_READ_ONLY' } as const

interface Needs {
  readonly role: Role
  /** Its holder goes by a name. */
  readonly named?: true
  /** The flag of the document under which nobody may but its owner. */
  readonly unless?: keyof typeof flagCodes
  /** How far its life may have gone (interface §3); `active` unless said otherwise. */
  readonly until?: 'archived' | 'purging'
}

export const needsOf: Readonly<Record<Action, Needs>> = {
  read: { role: 'viewer' },
  identify: { role: 'viewer', until: 'archived' },
  share: { role: 'editor' },
  review: { role: 'editor' },
  name: { role: 'editor', named: true },
  edit: { role: 'editor', named: true, unless: 'readOnly' },
  /** Letting others in, and taking that back. */
  admit: { role: 'editor', named: true },
  configure: { role: 'owner' },
  own: { role: 'owner', named: true },
  'see-archive': { role: 'viewer', until: 'purging' },
  archive: { role: 'editor', named: true, until: 'archived' },
  restore: { role: 'editor', named: true, until: 'purging' },
  delete: { role: 'owner', until: 'archived' },
  purge: { role: 'owner', until: 'purging' },
}

const rank: Readonly<Record<Role, number>> = { viewer: 1, commenter: 2, editor: 3, owner: 4 }

export const atLeast = (role: Role, needed: Role): boolean => rank[role] >= rank[needed]

/** Why somebody may not, the role first; `undefined`: it is allowed. */
export function may(
  action: Action,
  access: { readonly role: Role; readonly identified: boolean } | undefined,
  facts: Pick<DocumentFacts, keyof typeof flagCodes>,
): ErrorCode | undefined {
  const { role, named = false, unless } = needsOf[action]
  if (access === undefined || !atLeast(access.role, role)) return 'FORBIDDEN'
  if (unless !== undefined && facts[unless] && access.role !== 'owner') return flagCodes[unless]
  return named && !access.identified ? 'IDENTIFY_REQUIRED' : undefined
}
