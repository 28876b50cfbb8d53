/** The agents of one account, in pages (extensions §9). */
import { agentKey, agentUseKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { type Agent, readRecords, records } from '../records/records.ts'
import { lastUses } from '../records/use-notes.ts'
import { agentIdsOf } from './registration.ts'

export interface OwnedAgent {
  readonly agent: Agent
  readonly lastUsedAt: number | null
}

/** By id; behind `after`, at most `limit` of them. */
export async function ownedAgents(
  store: Store,
  accountId: string,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ readonly agents: OwnedAgent[]; readonly next: string | null }> {
  const ids = await agentIdsOf(store, accountId, after)
  const page = ids.slice(0, limit)
  const found = await readRecords(store, page.map(agentKey), records.agent)
  const uses = await lastUses(store, page.map(agentUseKey))
  const agents = found.flatMap((one, index) =>
    one === undefined ? [] : [{ agent: one.record, lastUsedAt: uses[index] ?? null }],
  )
  return { agents, next: ids.length > limit ? (page.at(-1) ?? null) : null }
}
