/**
 * Who owns a document (interface §4.2): the first account that came by the create's own share
 * address, and to whom its owner gave it afterwards. All of it is planned here and stored as acts
 * on the document (`Documents.record`). Agents are never owners.
 */
import { grantKey, ownerKey, sharingKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { PlannedRecords } from '../documents/contract.ts'
import { planFirstPlacing, planPlacing, planRemoving } from '../library/placement.ts'
import { personalPlace } from '../library/workspaces.ts'
import { RecordPlan } from '../records/record-plan.ts'
import { type GrantRecord, readRecord, records } from '../records/records.ts'
import { browserAgain } from './browsers.ts'
import type { AccessContext, BrowserCredential } from './credentials.ts'
import { grantPuts } from './grants.ts'
import { type HandleHolder, holderOfHandle } from './handles.ts'
import { readSharing, writeSharing } from './sharing.ts'

/** Whether `planClaim` would make an account of this browser the owner. */
export async function mayClaim(
  { store }: AccessContext,
  slug: Slug,
  { link }: BrowserCredential,
): Promise<boolean> {
  if (link?.origin !== 'handoff' || link.slug !== slug) return false
  return (await readRecord(store, ownerKey(slug), records.owner)) === undefined
}

/** The browser's account. Refuses AUTH_REQUIRED without one. */
async function accountOf(
  context: AccessContext,
  browser: BrowserCredential,
): Promise<BrowserCredential & { readonly actor: ActorId; readonly accountId: string }> {
  const now = await browserAgain(context, browser)
  if (now?.actor === undefined || now.session === undefined) throw new Refusal('AUTH_REQUIRED')
  return { ...now, actor: now.actor, accountId: now.session.account.accountId }
}

/**
 * To make this browser's account the owner: the first that came by the create's own share address.
 * The document goes into its personal container, unless it has a place. Refuses AUTH_REQUIRED
 * without an account, FORBIDDEN by any other way, ALREADY_OWNED.
 */
export async function planClaim(
  context: AccessContext,
  slug: Slug,
  browser: BrowserCredential,
): Promise<PlannedRecords<void>> {
  const plan = new RecordPlan(context.store)
  const { actor, accountId, link, checks } = await accountOf(context, browser)
  plan.restOn(checks)
  const owner = await plan.read(ownerKey(slug), records.owner)
  if (owner?.actor === actor) return { answer: undefined }
  if (link?.origin !== 'handoff' || link.slug !== slug) throw new Refusal('FORBIDDEN')
  if (owner !== undefined) throw new Refusal('ALREADY_OWNED')
  const now = context.runtime.now()
  plan.write(ownerKey(slug), records.owner, { actor, claimedAt: now })
  await setOwnRole(plan, { slug, actor, now }, { role: 'owner' })
  await planFirstPlacing(plan, slug, { place: await personalPlace(context, accountId), now })
  return plan.done(undefined)
}

/**
 * To give a claim back (extensions §3): the document has no owner and no place again, an offer of
 * it ends, and whoever claimed it stays editor. Refuses FORBIDDEN unless the browser's account
 * claimed it less than a day ago.
 */
export async function planGivingBack(
  context: AccessContext,
  slug: Slug,
  browser: BrowserCredential,
): Promise<PlannedRecords<void>> {
  const plan = new RecordPlan(context.store)
  const { actor, accountId, checks } = await accountOf(context, browser)
  plan.restOn(checks)
  const owner = await plan.read(ownerKey(slug), records.owner)
  const now = context.runtime.now()
  const { claimedAt = -Infinity } = owner ?? {}
  if (owner?.actor !== actor || claimedAt + limits.claimGivenBackWithinMs <= now) {
    throw new Refusal('FORBIDDEN')
  }
  plan.delete(ownerKey(slug))
  await setOwnRole(plan, { slug, actor, now }, { role: 'editor' })
  const { offer, ...sharing } = await readSharing(plan, slug)
  if (offer !== undefined) {
    await endOffer(plan, slug, offer.actor as ActorId)
    writeSharing(plan, slug, sharing)
  }
  await planRemoving(plan, slug, accountId)
  return plan.done(undefined)
}

interface Whose {
  readonly slug: Slug
  readonly actor: ActorId
  readonly now: number
}

/** What else its grant holds stays, but for an offer, which is settled by this. */
async function setOwnRole(
  plan: RecordPlan,
  { slug, actor, now }: Whose,
  set: Pick<GrantRecord, 'role' | 'source'>,
): Promise<void> {
  const found = await plan.read(grantKey(slug, actor), records.grant)
  const { offeredUntil: _, ...kept } = found ?? {}
  plan.put(grantPuts(slug, actor, { ...kept, grantedAt: now, ...set }))
}

export interface OwnerOffer {
  readonly to: HandleHolder
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/**
 * To offer the document to the person of this handle, who reads it until it is taken, withdrawn or
 * ends; another offer ends the one before. Refuses HANDLE_NOT_FOUND, FORBIDDEN for who can own
 * nothing, ALREADY_OWNED for its owner.
 */
export async function planOffer(
  context: AccessContext,
  slug: Slug,
  { handle, by }: { readonly handle: string; readonly by: ActorId },
): Promise<PlannedRecords<OwnerOffer>> {
  const { store, runtime } = context
  const to = await holderOfHandle(store, handle)
  if (to.kind !== 'person') {
    throw new Refusal(
      'FORBIDDEN',
      { handle: to.handle },
      'Only a person with an account can own a document.',
    )
  }
  if (to.actor === by) throw new Refusal('ALREADY_OWNED')
  const plan = new RecordPlan(store)
  const sharing = await readSharing(plan, slug)
  await requireOwner(plan, slug, by)
  if (sharing.offer !== undefined) await endOffer(plan, slug, sharing.offer.actor as ActorId)
  const now = runtime.now()
  const expiresAt = now + limits.ownerOfferTtlMs
  const found = await plan.read(grantKey(slug, to.actor), records.grant)
  const grant = { grantedAt: now, ...found, offeredUntil: expiresAt }
  plan.put(grantPuts(slug, to.actor, grant))
  writeSharing(plan, slug, { ...sharing, offer: { actor: to.actor, by, at: now } })
  return plan.done({ to, expiresAt })
}

async function requireOwner(plan: RecordPlan, slug: Slug, actor: ActorId): Promise<void> {
  const owner = await plan.read(ownerKey(slug), records.owner)
  if (owner?.actor !== actor) throw new Refusal('FORBIDDEN')
}

async function endOffer(plan: RecordPlan, slug: Slug, actor: ActorId): Promise<void> {
  const found = await plan.read(grantKey(slug, actor), records.grant)
  if (found === undefined) return
  const { offeredUntil: _, ...kept } = found
  plan.put(grantPuts(slug, actor, kept))
}

/** To take an offer back, or not to take it up: its owner may, and to whom it was made. */
export async function planWithdrawal(
  { store }: AccessContext,
  slug: Slug,
  by: ActorId,
): Promise<PlannedRecords<void>> {
  const plan = new RecordPlan(store)
  const { offer, ...sharing } = await readSharing(plan, slug)
  if (offer === undefined || offer.actor !== by) await requireOwner(plan, slug, by)
  if (offer === undefined) throw new Refusal('NOT_FOUND')
  await endOffer(plan, slug, offer.actor as ActorId)
  writeSharing(plan, slug, sharing)
  return plan.done(undefined)
}

/**
 * To make this browser's account the owner, as its owner has offered; who gave it stays editor, and
 * the document goes into the new owner's personal container. Refuses FORBIDDEN where nothing is offered to it.
 */
export async function planAcceptance(
  context: AccessContext,
  slug: Slug,
  browser: BrowserCredential,
): Promise<PlannedRecords<{ readonly former: ActorId | undefined }>> {
  const plan = new RecordPlan(context.store)
  const { actor, accountId, checks } = await accountOf(context, browser)
  plan.restOn(checks)
  const { offer, ...sharing } = await readSharing(plan, slug)
  const owner = await plan.read(ownerKey(slug), records.owner)
  if (owner?.actor === actor) return { answer: { former: undefined } }
  const now = context.runtime.now()
  const grant = await plan.read(grantKey(slug, actor), records.grant)
  const stands = offer?.actor === actor && offer.by === owner?.actor
  if (!stands || (grant?.offeredUntil ?? 0) <= now) throw new Refusal('FORBIDDEN')
  const former = offer.by as ActorId
  plan.write(ownerKey(slug), records.owner, { actor })
  await setOwnRole(plan, { slug, actor, now }, { role: 'owner' })
  await setOwnRole(plan, { slug, actor: former, now }, { role: 'editor' })
  await planPlacing(plan, slug, { place: await personalPlace(context, accountId), now })
  writeSharing(plan, slug, sharing)
  return plan.done({ former })
}

export interface Ownership {
  readonly owner: ActorId | undefined
  readonly offer:
    | { readonly to: ActorId; readonly at: number; readonly expiresAt: number }
    | undefined
}

/** An offer that has ended is none. */
export async function ownershipOf(
  { store, runtime }: AccessContext,
  slug: Slug,
): Promise<Ownership> {
  const [owner, sharing] = await Promise.all([
    readRecord(store, ownerKey(slug), records.owner),
    readRecord(store, sharingKey(slug), records.sharing),
  ])
  const offer = sharing?.record.offer
  const expiresAt = (offer?.at ?? 0) + limits.ownerOfferTtlMs
  const stands = offer !== undefined && expiresAt > runtime.now()
  return {
    owner: owner?.record.actor as ActorId | undefined,
    offer: stands ? { to: offer.actor as ActorId, at: offer.at, expiresAt } : undefined,
  }
}
