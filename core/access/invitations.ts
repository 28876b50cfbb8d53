/**
 * Who is let in by handle (interface §4.10, extensions §3), and who has access at all: the grants
 * of a document, page by page. An invitation is a direct share; a creator's own grant is not, nor
 * what an account keeps of a link.
 */
import { grantKey, grantsOfDocument, ownerKey, parseKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { DocumentFacts, LinkAccess, PlannedRecords, Role } from '../documents/contract.ts'
import { RecordPlan } from '../records/record-plan.ts'
import { type GrantRecord, records } from '../records/records.ts'
import { type AccessContext, credentialOf } from './credentials.ts'
import { grantPuts } from './grants.ts'
import { type HandleHolder, holderOfHandle } from './handles.ts'
import { atLeast } from './may.ts'
import { tokenRole } from './roles.ts'
import { readSharing, writeSharing } from './sharing.ts'

/** A role that can be given. */
export type GivenRole = LinkAccess['role']

export interface Invitation {
  readonly handle: string
  readonly role: GivenRole
  readonly by: ActorId
}

/**
 * To give the holder of this handle a role of its own; again sets it. Refuses HANDLE_NOT_FOUND,
 * FORBIDDEN for the owner, whose role nobody sets, LIMIT_REACHED.
 */
export async function planInvitation(
  { store, runtime }: AccessContext,
  slug: Slug,
  { handle, role, by }: Invitation,
): Promise<PlannedRecords<HandleHolder>> {
  const holder = await holderOfHandle(store, handle)
  const { actor } = holder
  const plan = new RecordPlan(store)
  const sharing = await readSharing(plan, slug)
  const owner = await plan.read(ownerKey(slug), records.owner)
  if (owner?.actor === actor) {
    throw new Refusal('FORBIDDEN', { handle: holder.handle }, 'The owner’s role cannot be changed.')
  }
  const found = await plan.read(grantKey(slug, actor), records.grant)
  const isNew = found?.source !== 'invite'
  if (!isNew && found?.role === role) return { answer: holder }
  if (isNew && sharing.invited >= limits.invitedPerDocument) {
    throw new Refusal('LIMIT_REACHED', { limit: 'invited', max: limits.invitedPerDocument })
  }
  const now = runtime.now()
  const grant = { ...found, role, grantedAt: now, source: 'invite', invitedBy: by } as const
  plan.put(grantPuts(slug, actor, grant))
  writeSharing(plan, slug, { ...sharing, invited: sharing.invited + (isNew ? 1 : 0) })
  return plan.done(holder)
}

/** Who has access by a grant of its own, or by one that a link gave. */
export interface ListedGrant {
  readonly actor: ActorId
  readonly role: Exclude<Role, 'owner'>
  readonly source: 'invite' | 'link' | 'creator'
  /** Of an invitation, where it was written down. */
  readonly invitedBy: ActorId | undefined
}

export interface GrantPage {
  readonly grants: readonly ListedGrant[]
  /** The last actor of this page, where there are more. */
  readonly next: ActorId | undefined
}

interface PageAsked {
  readonly after: ActorId | undefined
  readonly limit: number
}

/** Without the owner, and without those whose links are worth nothing any more. */
export async function grantPage(
  context: AccessContext,
  facts: DocumentFacts,
  { after, limit }: PageAsked,
): Promise<GrantPage> {
  const worth = worthOfLinks(context, facts)
  const grants: ListedGrant[] = []
  let read = 0
  let last: ActorId | undefined
  const range = grantsOfDocument(facts.slug, after)
  for await (const { key, value } of context.store.scan(range)) {
    // So many are looked at for one page, that a page of dead ones has its end too.
    if (grants.length === limit || read === limits.grantsReadPerPage) return { grants, next: last }
    read += 1
    last = (parseKey(key)?.path.at(-1) ?? '') as ActorId
    const listed = await listedGrant(last, records.grant.decode(value), worth)
    if (listed !== undefined) grants.push(listed)
  }
  return { grants, next: undefined }
}

type Worth = (sha256: string) => Promise<GivenRole | undefined>

/** Many came by the same links: each is looked up once. */
function worthOfLinks(context: AccessContext, facts: DocumentFacts): Worth {
  const known = new Map<string, Promise<GivenRole | undefined>>()
  const look = async (sha256: string) => {
    const token = await credentialOf(context, sha256)
    return token?.kind === 'token' ? givenRole(tokenRole(token, facts)) : undefined
  }
  return (sha256) => {
    const worth = known.get(sha256) ?? look(sha256)
    known.set(sha256, worth)
    return worth
  }
}

/** No link gives more. */
export const givenRole = (role: Role | undefined): GivenRole | undefined =>
  role === 'owner' ? undefined : role

async function listedGrant(
  actor: ActorId,
  grant: GrantRecord,
  worth: Worth,
): Promise<ListedGrant | undefined> {
  if (grant.role === 'owner') return undefined
  let role: GivenRole | undefined = grant.role
  for (const sha256 of grant.links ?? []) {
    const other = await worth(sha256)
    if (other !== undefined && (role === undefined || !atLeast(role, other))) role = other
  }
  if (role === undefined) return undefined
  const own = grant.source ?? 'creator'
  const source = grant.role === undefined ? 'link' : own
  const invitedBy = source === 'invite' ? (grant.invitedBy as ActorId | undefined) : undefined
  return { actor, role, source, invitedBy }
}
