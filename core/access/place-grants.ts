/**
 * What a document's place in a library is worth (interface §2.8, extensions §7): members of a team
 * and its active bots edit what stands in the team's container, a bot what is in its own brain. The
 * owner has a grant of its own, which goes with the place.
 */
import { memberKey, placementKey } from '../../persistence/keys.ts'
import type { Check, Store } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { placementOf } from '../library/placement.ts'
import { type Placement, peopleRecords } from '../records/people-records.ts'
import { type Agent, readRecord } from '../records/records.ts'
import type { Credential } from './credentials.ts'

/** An editor's role, and the records that say so. */
export interface PlaceGrant {
  readonly checks: readonly Check[]
}

export const placeGrant = (
  store: Store,
  slug: Slug,
  credential: Credential | undefined,
): Promise<PlaceGrant | undefined> => grantOfPart(store, slug, partOf(credential))

/** Of an agent that is not asking just now. */
export const placeGrantOfAgent = (
  store: Store,
  slug: Slug,
  agent: Agent,
): Promise<PlaceGrant | undefined> => grantOfPart(store, slug, partOfAgent(agent))

async function grantOfPart(
  store: Store,
  slug: Slug,
  who: Part | undefined,
): Promise<PlaceGrant | undefined> {
  if (who === undefined) return undefined
  const found = await placementOf(store, slug)
  if (found === undefined) return undefined
  const placed = { key: placementKey(slug), version: found.version }
  if (who.agent !== undefined) {
    return isAgents(found.record, who.agent) ? { checks: [placed] } : undefined
  }
  const { kind, accountId } = found.record
  if (kind !== 'team' || accountId === who.accountId) return undefined
  const key = memberKey(accountId, who.accountId)
  const member = await readRecord(store, key, peopleRecords.member)
  return member && { checks: [placed, { key, version: member.version }] }
}

type Part = { agent: Agent } | { agent?: undefined; accountId: string }

const partOfAgent = (agent: Agent): Part | undefined =>
  agent.bot === undefined ? undefined : { agent }

/** Who could have a part in a library at all. */
function partOf(credential: Credential | undefined): Part | undefined {
  if (credential?.kind === 'agent') return partOfAgent(credential.agent)
  const account = credential?.kind === 'browser' ? credential.session?.account : undefined
  return account && { accountId: account.accountId }
}

/** The agent's own record is among those that its credential rests on. */
function isAgents({ kind, accountId, agentId }: Placement, agent: Agent): boolean {
  if (agent.bot === undefined || agent.ownerId !== accountId) return false
  return kind === 'brain' ? agentId === agent.agentId : kind === 'team' && agent.bot.active
}

/** The records that a change of this grant is seen by. */
export async function placeGrantKeys(
  store: Store,
  slug: Slug,
  credential: Credential,
): Promise<string[]> {
  const who = partOf(credential)
  if (who === undefined) return []
  if (who.agent !== undefined) return [placementKey(slug)]
  const found = await placementOf(store, slug)
  const { accountId } = found?.record ?? {}
  const member = accountId === undefined ? [] : [memberKey(accountId, who.accountId)]
  return [placementKey(slug), ...member]
}
