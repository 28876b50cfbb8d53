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

/** Who could have a part in a library. */
export type PartInLibrary = { readonly agent: Agent } | { readonly accountId: string }

export interface PlaceGrant {
  /** The place gives the role of an editor, or nothing. */
  readonly isEditor: boolean
  /** The records that say so, also those that there are not. */
  readonly checks: readonly Check[]
}

export const noPlaceGrant: PlaceGrant = { isEditor: false, checks: [] }

export async function placeGrant(
  store: Store,
  slug: Slug,
  part: PartInLibrary | undefined,
): Promise<PlaceGrant> {
  if (part === undefined || ('agent' in part && part.agent.bot === undefined)) return noPlaceGrant
  const found = await placementOf(store, slug)
  const placed = { key: placementKey(slug), version: found?.version }
  if (found === undefined) return { isEditor: false, checks: [placed] }
  if ('agent' in part) return { isEditor: isAgents(found.record, part.agent), checks: [placed] }
  const { kind, accountId } = found.record
  if (accountId === part.accountId) return { isEditor: false, checks: [placed] }
  const key = memberKey(accountId, part.accountId)
  const member = await readRecord(store, key, peopleRecords.member)
  const isEditor = kind === 'team' && member !== undefined
  return { isEditor, checks: [placed, { key, version: member?.version }] }
}

/** The agent's own record is among those that its credential rests on. */
function isAgents({ kind, accountId, agentId }: Placement, agent: Agent): boolean {
  if (agent.bot === undefined || agent.ownerId !== accountId) return false
  return kind === 'brain' ? agentId === agent.agentId : kind === 'team' && agent.bot.active
}
