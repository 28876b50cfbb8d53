/**
 * Has a document stand elsewhere in its owner's library (extensions §12). It is no revision: text,
 * grants and links are as they were; who reads it by its place alone does so as it is now.
 */
import { ownerKey, placementKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import type { Permission } from '../documents/contract.ts'
import { peopleRecords } from '../records/people-records.ts'
import { RecordPlan } from '../records/record-plan.ts'
import { records } from '../records/records.ts'
import { isSamePlace, planPlacing } from './placement.ts'
import { type LibraryTarget, type Placer, type Resolution, resolveTarget } from './targets.ts'
import type { LibraryContext } from './workspaces.ts'

export interface MoveRequest {
  readonly slug: Slug
  readonly placer: Placer
  readonly target: LibraryTarget
  /** To do what an owner may. */
  readonly permission: Permission
}

/** Refuses as `resolveTarget`, and NOT_AUTHORIZED in the library of somebody else. */
export async function moveDocument(
  context: LibraryContext,
  { slug, placer, target, ...request }: MoveRequest,
): Promise<Resolution> {
  const { store, runtime } = context
  for (let { permission } = request; ; permission = await permission.renewed()) {
    const placed = await resolveTarget(context, placer, target)
    const plan = new RecordPlan(store)
    const owner = await plan.read(ownerKey(slug), records.owner)
    if (placed === undefined || placed.owner !== owner?.actor) throw new Refusal('NOT_AUTHORIZED')
    const { place, resolution } = placed
    const before = await plan.read(placementKey(slug), peopleRecords.placement)
    if (before !== undefined && isSamePlace(before, place)) return resolution
    plan.restOn([...permission.checks, ...placed.checks])
    await planPlacing(plan, slug, { place, now: runtime.now() })
    const { records: planned } = plan.done(undefined)
    if (planned !== undefined && (await store.commit(planned)).ok) return resolution
  }
}
