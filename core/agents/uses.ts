/**
 * When an agent was last here. It is noted for those that somebody owns, now and then; an ephemeral
 * agent ends when it was idle for `limits.ephemeralAgentIdleMs` (interface §8), and an index by the
 * second in which it would end says which are to go.
 */
import { agentKey, agentUseKey, indexKey, indexRange } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type Agent, readRecord, records, type Versioned } from '../records/records.ts'

interface Context {
  readonly store: Store
  readonly runtime: Runtime
}

export const endOfIdle = (usedAt: number): number => usedAt + limits.ephemeralAgentIdleMs

export const ephemeralEndKey = (usedAt: number, agentId: string): string =>
  indexKey('ephemeral-end', Math.ceil(endOfIdle(usedAt) / 1000), agentId)

export const ephemeralEndPut = (usedAt: number, agentId: string) => ({
  key: ephemeralEndKey(usedAt, agentId),
  value: records.handle.encode({ agentId }),
})

/** When it was last used, as far as that was noted. */
export async function lastUseOf(store: Store, agent: Agent) {
  const use = await readRecord(store, agentUseKey(agent.agentId), records.use)
  return { usedAt: use?.record.usedAt ?? agent.createdAt, noted: use }
}

/** Whether the agent is still there, which is a use of it. */
export async function useAgent(
  { store, runtime }: Context,
  { record: agent, version }: Versioned<Agent>,
): Promise<boolean> {
  const { agentId, ephemeral, ownerId } = agent
  if (ownerId === undefined) return true
  const { usedAt, noted } = await lastUseOf(store, agent)
  const now = runtime.now()
  if (ephemeral && endOfIdle(usedAt) <= now) return false
  if (noted !== undefined && now - usedAt < limits.agentUseNotedEveryMs) return true
  const use = agentUseKey(agentId)
  // Where it is not noted, somebody else noted it, or the agent is gone, which its holder finds.
  await store.commit({
    checks: [
      { key: agentKey(agentId), version },
      { key: use, version: noted?.version },
    ],
    puts: [
      { key: use, value: records.use.encode({ usedAt: now }) },
      ...(ephemeral ? [ephemeralEndPut(now, agentId)] : []),
    ],
    deletes:
      ephemeral && ephemeralEndKey(usedAt, agentId) !== ephemeralEndKey(now, agentId)
        ? [ephemeralEndKey(usedAt, agentId)]
        : [],
  })
  return true
}

/** Agents whose entry says that they have ended. */
export async function* endedAgents({ store, runtime }: Context): AsyncGenerator<string> {
  const seconds = Math.floor(runtime.now() / 1000)
  const range = { ...indexRange('ephemeral-end'), lt: indexKey('ephemeral-end', seconds, '!') }
  for await (const { value } of store.scan(range)) {
    const entry = records.handle.decode(value)
    if ('agentId' in entry) yield entry.agentId
  }
}
