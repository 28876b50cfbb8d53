/**
 * Access taken from somebody (interface §4.10, extensions §3): a grant, or a token. Links that they
 * made, and what came through those, are worth no more than their maker, so they end by themselves;
 * those that are to be kept are made over to the caller. Invitations stay.
 */
import { grantKey, grantOfActor, ownerKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { atLeast } from '../access/may.ts'
import { readSharing, writeSharing } from '../access/sharing.ts'
import type { PlannedRecords, Role } from '../documents/contract.ts'
import { RecordPlan } from '../records/record-plan.ts'
import { records } from '../records/records.ts'
import { givenTokens } from './access-tokens.ts'
import { handOver } from './handover.ts'
import type { Maker } from './makers.ts'
import type { LinkContext } from './short-links.ts'
import { endToken } from './tokens.ts'

export interface Taking {
  /** An actor who has a grant, or the id of a token. */
  readonly id: string
  /** What whoever takes it is there: nobody takes what is above. */
  readonly role: Role
  /** Who has the links and tokens that they made from then on; `undefined`: nobody. */
  readonly keptBy: { readonly maker: Maker; readonly actor: ActorId } | undefined
}

/** Refuses NOT_FOUND, FORBIDDEN for the owner's own and for what is above one's role. */
export async function planTaking(
  context: LinkContext,
  slug: Slug,
  taking: Taking,
): Promise<PlannedRecords<void>> {
  const plan = new RecordPlan(context.store)
  const sharing = await readSharing(plan, slug)
  const { id } = taking
  const tokens = await givenTokens(context, slug)
  const given = tokens.find(({ token }) => token.id === id || token.actor === id)
  let invited = 0
  if (given === undefined) invited = await takeGrant(plan, slug, taking)
  else {
    requireAbove(taking, given.token.role)
    endToken(plan, given.sha256, given.token)
  }
  writeSharing(plan, slug, { ...sharing, invited: sharing.invited - invited })
  if (taking.keptBy !== undefined) {
    const { maker, actor } = taking.keptBy
    const from = given === undefined ? { actor: id as ActorId } : { token: given.sha256 }
    // Somebody who goes of their own accord leaves them to the document.
    const isSelf = actor === (given?.token.actor ?? id)
    const to = isSelf ? { to: undefined } : { to: maker, shownAs: actor }
    await handOver(context, plan, slug, { from, ...to })
  }
  return plan.done(undefined)
}

/** Answers how many fewer are invited. */
async function takeGrant(plan: RecordPlan, slug: Slug, taking: Taking): Promise<number> {
  const actor = taking.id as ActorId
  const key = grantKey(slug, actor)
  const grant = await plan.read(key, records.grant)
  const owner = await plan.read(ownerKey(slug), records.owner)
  if (owner?.actor === actor)
    throw new Refusal('FORBIDDEN', {}, 'The owner’s access cannot be removed.')
  if (grant === undefined) throw new Refusal('NOT_FOUND')
  if (grant.role !== undefined) requireAbove(taking, grant.role)
  const { offeredUntil, grantedAt } = grant
  if (offeredUntil === undefined) plan.delete(key, grantOfActor(actor, slug))
  else plan.write(key, records.grant, { offeredUntil, grantedAt })
  return grant.source === 'invite' ? 1 : 0
}

function requireAbove({ role }: Taking, taken: Role): void {
  if (!atLeast(role, taken)) throw new Refusal('FORBIDDEN', { your_role: role })
}
