/**
 * Ephemeral agents end when they were idle for `ephemeralAgentIdleMs` (interface §8), which
 * every use puts off. An index says by the second which would have ended had nobody used them; the
 * sweep moves on those that somebody did, so that no use writes to it.
 */
import { agentUseKey, indexKey, indexRange } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type Agent, readRecord, records } from '../records/records.ts'
import { agentUse, type Uses } from '../records/uses.ts'

const ephemeralAgentIdleMs = 30 * 24 * 3_600_000

interface IdleContext {
  readonly store: Store
  readonly runtime: Runtime
  readonly uses: Uses
}

export const endOfIdle = (usedAt: number): number => usedAt + ephemeralAgentIdleMs

/** When it ends unless it is used; `undefined`: by nothing but somebody's act. */
export async function idleEndOf(
  { uses }: Pick<IdleContext, 'uses'>,
  agent: Agent,
): Promise<number | undefined> {
  if (agent.ephemeral === undefined) return undefined
  return endOfIdle((await uses.lastUse(agentUse(agent.agentId))) ?? agent.createdAt)
}

/** Whether it was idle for too long, swept or not. */
export async function hasEnded(
  context: Pick<IdleContext, 'uses' | 'runtime'>,
  agent: Agent,
): Promise<boolean> {
  const end = await idleEndOf(context, agent)
  return end !== undefined && end <= context.runtime.now()
}

/** What the store knows of its last use. */
export async function storedUseOf(store: Store, agent: Agent) {
  const use = await readRecord(store, agentUseKey(agent.agentId), records.use)
  return { usedAt: use?.record.usedAt ?? agent.createdAt, version: use?.version }
}

const entryKey = (endsAt: number, agentId: string): string =>
  indexKey('ephemeral-end', Math.ceil(endsAt / 1000), agentId)

export const idleEndPut = (endsAt: number, agentId: string) => ({
  key: entryKey(endsAt, agentId),
  value: records.handle.encode({ agentId }),
})

export interface DueEntry {
  readonly key: string
  readonly agentId: string
}

/** Entries whose time has come. */
export async function* dueEntries({ store, runtime }: IdleContext): AsyncGenerator<DueEntry> {
  const seconds = Math.floor(runtime.now() / 1000)
  const range = { ...indexRange('ephemeral-end'), lt: indexKey('ephemeral-end', seconds, '!') }
  for await (const { key, value } of store.scan(range)) {
    const entry = records.handle.decode(value)
    if ('agentId' in entry) yield { key, agentId: entry.agentId }
  }
}
