/** The agents of one account, in pages, the newest first (extensions §3). */
import { agentKey, agentUseKey, indexKey, indexRange } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { type Agent, readRecords, records } from '../records/records.ts'
import { lastUses } from '../records/uses.ts'
import { endOfIdle } from './idle-life.ts'

export interface OwnedAgent {
  readonly agent: Agent
  readonly lastUsedAt: number | null
  /** Of an ephemeral one: when it ends unless it is used; milliseconds since the epoch. */
  readonly endsAt: number | undefined
}

export interface OwnedAgents {
  readonly agents: readonly OwnedAgent[]
  /** What the next page goes on behind; `undefined`: this was the last. */
  readonly next: string | undefined
}

/** That an account has this agent; holds nothing but its key. */
export const agentOfKey = (
  accountId: string,
  { agentId, createdAt }: Pick<Agent, 'agentId' | 'createdAt'>,
): string => indexKey('agent-of', accountId, Math.floor(createdAt / 1000), agentId)

const idIn = (key: string): string => key.split('/').at(-1) ?? ''

/** The ids of all. */
export async function agentIdsOf(store: Store, accountId: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { key } of store.scan(indexRange('agent-of', accountId))) ids.push(idIn(key))
  return ids
}

/** What was used just now is told when `Uses` has stored it. */
export async function ownedAgents(
  store: Store,
  accountId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<OwnedAgents> {
  const { gte = '', lt: end = '' } = indexRange('agent-of', accountId)
  const lt = after === undefined ? end : `${gte}${after}`
  const keys: string[] = []
  for await (const { key } of store.scan({ gte, lt, reverse: true, limit: limit + 1 })) {
    keys.push(key)
  }
  const page = keys.slice(0, limit)
  const ids = page.map(idIn)
  const [found, uses] = await Promise.all([
    readRecords(store, ids.map(agentKey), records.agent),
    lastUses(store, ids.map(agentUseKey)),
  ])
  const agents = found.flatMap((one, index) => {
    if (one === undefined) return []
    const { record: agent } = one
    const lastUsedAt = uses[index] ?? null
    const endsAt = agent.ephemeral ? endOfIdle(lastUsedAt ?? agent.createdAt) : undefined
    return [{ agent, lastUsedAt, endsAt }]
  })
  return { agents, next: keys.length > limit ? page.at(-1)?.slice(gte.length) : undefined }
}
