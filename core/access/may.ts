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
  | 'attach'
  | 'illustrate'
  | 'picture'
  | 'report'
  | 'hear'
  | 'listen'
  | 'comment'
  | 'withdraw'
  | 'decide'
  | 'accept'
  | 'admit'
  | 'configure'
  | 'own'
  | 'see-archive'
  | 'archive'
  | 'restore'
  | 'delete'
  | 'purge'

/** What is refused while a flag is set. */
export const flagCodes = {
  readOnly: 'DOC_READ_ONLY',
  commentsDisabled: 'COMMENTS_DISABLED',
} as const
type Flag = keyof typeof flagCodes

interface Needs {
  readonly role: Role
  /** Its holder goes by a name. */
  readonly named?: true
  /** What general access lets everybody do is not enough: it changes something. */
  readonly part?: true
  /** A token is not enough: an account or an agent has to answer for it. */
  readonly account?: true
  /** The flags of the document under which nobody may; but its owner where it is locked. */
  readonly unless?: readonly Flag[]
  /** How far its life may have gone (interface §3); `active` unless said otherwise. */
  readonly until?: 'archived' | 'purging'
}

export const needsOf: Readonly<Record<Action, Needs>> = {
  read: { role: 'viewer' },
  identify: { role: 'viewer', until: 'archived' },
  share: { role: 'editor' },
  review: { role: 'editor' },
  name: { role: 'editor', named: true },
  edit: { role: 'editor', named: true, unless: ['readOnly'] },
  /** Adding what the text may refer to, and taking it away. */
  attach: { role: 'editor', named: true },
  illustrate: { role: 'editor', named: true, account: true },
  /** Saying how something looks that is there. */
  picture: { role: 'viewer', named: true, part: true },
  /** Telling the operator. */
  report: { role: 'viewer', part: true },
  /** Choosing what one is told of. */
  hear: { role: 'viewer', named: true, part: true },
  /** What only those hear who may answer. */
  listen: { role: 'commenter' },
  comment: { role: 'commenter', named: true, unless: ['commentsDisabled'] },
  /** Deleting what one has said. */
  withdraw: { role: 'commenter', named: true },
  decide: { role: 'editor', named: true, unless: ['commentsDisabled'] },
  accept: { role: 'editor', named: true, unless: ['commentsDisabled', 'readOnly'] },
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

/** The higher of two roles; no role is the lowest. */
export const higherOf = (one: Role | undefined, other: Role | undefined): Role | undefined =>
  one === undefined || (other !== undefined && !atLeast(one, other)) ? other : one

/** The lower of two roles. */
export const lowerOf = (one: Role | undefined, other: Role | undefined): Role | undefined =>
  higherOf(one, other) === one ? other : one

/** How somebody comes to a role. */
export type RoleSource = 'token' | 'actor' | 'place' | 'general'

/** What the answer depends on of a caller's access. */
interface AccessFacts {
  readonly role: Role
  readonly through: RoleSource
  readonly identified: boolean
}

/** Why somebody may not, the role first; `undefined`: it is allowed. */
export function may(
  action: Action,
  access: AccessFacts | undefined,
  facts: Pick<DocumentFacts, Flag>,
): ErrorCode | undefined {
  const { role, named = false, part = false, unless = [] } = needsOf[action]
  if (access === undefined || !atLeast(access.role, role)) return 'FORBIDDEN'
  if (part && access.through === 'general') return 'FORBIDDEN'
  const isOwner = access.role === 'owner'
  const flag = unless.find((one) => facts[one] && !(one === 'readOnly' && isOwner))
  if (flag !== undefined) return flagCodes[flag]
  return named && !access.identified ? 'IDENTIFY_REQUIRED' : undefined
}
