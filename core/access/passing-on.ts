/**
 * What one account has on documents becomes another's, or ends (extensions §3): document by
 * document, each planned on what the store says and in a commit of its own that can be repeated, so
 * that it goes on after a crash. Authors of text do not change.
 */
import {
  grantKey,
  grantOfActor,
  indexRange,
  madeBy,
  madeKey,
  ownerKey,
  parseKey,
} from '../../persistence/keys.ts'
import type { Range, Store } from '../../persistence/store.ts'
import { type ActorId, isSlug, type Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { PlannedRecords } from '../documents/contract.ts'
import { type LibraryPlace, planPlacing } from '../library/placement.ts'
import { RecordPlan } from '../records/record-plan.ts'
import { type GrantRecord, readRecord, records, type Sharing } from '../records/records.ts'
import { grantPuts, linksMax } from './grants.ts'
import { atLeast } from './may.ts'
import { readSharing, writeSharing } from './sharing.ts'

/** Documents on which something is recorded for this actor, at most `limit`. */
export async function documentsOf(store: Store, actor: ActorId, limit: number): Promise<Slug[]> {
  return slugsIn(store, { ...indexRange('grant-of', actor), limit })
}

/** Documents of which this actor has made links or tokens, at most `limit`. */
export async function documentsMadeOn(
  store: Store,
  actor: ActorId,
  limit: number,
): Promise<Slug[]> {
  return slugsIn(store, { ...madeBy(actor), limit })
}

async function slugsIn(store: Store, range: Range): Promise<Slug[]> {
  const slugs: Slug[] = []
  for await (const { key } of store.scan(range)) {
    const slug = parseKey(key)?.path.at(-1) ?? ''
    if (isSlug(slug)) slugs.push(slug)
  }
  return slugs
}

export interface Passing {
  readonly from: ActorId
  readonly to: ActorId
  /** Where what the other owns is to stand from now on. */
  readonly place: LibraryPlace
  readonly now: number
}

/** Adds to a plan that what `from` made is made by `to`, or belongs to the document. */
export type HandOver = (
  plan: RecordPlan,
  slug: Slug,
  handover: { readonly from: ActorId; readonly to: ActorId | undefined },
) => Promise<void>

export interface PassingContext {
  readonly store: Store
  readonly handOver: HandOver
}

/** What somebody made goes with the grant that it rests on. */
async function passOnMade(
  { store, handOver }: PassingContext,
  plan: RecordPlan,
  { slug, from, to }: { slug: Slug; from: ActorId; to: ActorId | undefined },
): Promise<void> {
  if ((await store.get(madeKey(from, slug))) === undefined) return
  await handOver(plan, slug, { from, to })
  plan.delete(madeKey(from, slug))
}

/**
 * The grant, and the ownership if it has that, is the other's from now on; so is its offer, and the
 * document stands among what the other owns.
 */
export async function planPassingOn(
  context: PassingContext,
  slug: Slug,
  { from, to, place, now }: Passing,
): Promise<PlannedRecords<void>> {
  const plan = new RecordPlan(context.store)
  const sharing = await readSharing(plan, slug)
  await passOnMade(context, plan, { slug, from, to })
  const given = await plan.read(grantKey(slug, from), records.grant)
  const held = await plan.read(grantKey(slug, to), records.grant)
  const owner = await plan.read(ownerKey(slug), records.owner)
  plan.delete(grantKey(slug, from), grantOfActor(from, slug))
  // Of a document that was deleted meanwhile nothing comes back.
  if (given === undefined && owner?.actor !== from) return plan.done(undefined)
  if (given !== undefined) plan.put(grantPuts(slug, to, joined(given, held)))
  if (owner?.actor === from) {
    plan.write(ownerKey(slug), records.owner, { actor: to })
    await planPlacing(plan, slug, { place, now })
  }
  const fewer = [given, held].every((grant) => grant?.source === 'invite') ? 1 : 0
  writeSharing(plan, slug, {
    ...offeredBy(sharing, { from, to }),
    invited: sharing.invited - fewer,
  })
  return plan.done(undefined)
}

function offeredBy(
  { offer, ...sharing }: Sharing,
  { from, to }: Pick<Passing, 'from' | 'to'>,
): Sharing {
  if (offer === undefined) return sharing
  return { ...sharing, offer: offer.by === from ? { ...offer, by: to } : offer }
}

/**
 * Whatever is recorded for the actor there ends, and what it made is the document's; who owns the
 * document stays written.
 */
export async function planEnd(
  context: PassingContext,
  slug: Slug,
  actor: ActorId,
): Promise<PlannedRecords<void>> {
  const plan = new RecordPlan(context.store)
  const sharing = await readSharing(plan, slug)
  await passOnMade(context, plan, { slug, from: actor, to: undefined })
  const grant = await plan.read(grantKey(slug, actor), records.grant)
  plan.delete(grantKey(slug, actor), grantOfActor(actor, slug))
  // Of a document that was deleted meanwhile nothing comes back.
  if (grant === undefined) return plan.done(undefined)
  const fewer = grant.source === 'invite' ? 1 : 0
  writeSharing(plan, slug, { ...sharing, invited: sharing.invited - fewer })
  return plan.done(undefined)
}

/** Ends what an actor has on every document of which it made links or tokens. */
export async function endWhereMade(context: PassingContext, actor: ActorId): Promise<void> {
  for (;;) {
    const slugs = await documentsMadeOn(context.store, actor, limits.accountWorkAtOnce)
    for (const slug of slugs) {
      await storePlan(context.store, () => planEnd(context, slug, actor))
    }
    if (slugs.length < limits.accountWorkAtOnce) return
  }
}

/** Without a revision: for what is none, and for documents that take none any more. */
export async function storePlan(
  store: Store,
  plan: () => Promise<PlannedRecords<void>>,
): Promise<void> {
  for (;;) {
    const { records: planned } = await plan()
    if (planned === undefined || (await store.commit(planned)).ok) return
  }
}

export async function isOwner(store: Store, slug: Slug, actor: ActorId): Promise<boolean> {
  return (await readRecord(store, ownerKey(slug), records.owner))?.record.actor === actor
}

function joined(given: GrantRecord, held: GrantRecord | undefined): GrantRecord {
  if (held === undefined) return given
  const isGivenMore = given.role !== undefined && !(held.role && atLeast(held.role, given.role))
  const { role, source } = isGivenMore ? given : held
  const links = [...new Set([...(held.links ?? []), ...(given.links ?? [])])].slice(-linksMax)
  return {
    ...(role !== undefined && { role }),
    ...(source !== undefined && { source }),
    ...(links.length > 0 && { links }),
    ...(held.offeredUntil !== undefined && { offeredUntil: held.offeredUntil }),
    grantedAt: Math.min(given.grantedAt, held.grantedAt),
  }
}
