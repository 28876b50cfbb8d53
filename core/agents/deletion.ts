/**
 * The end of an agent (interface §4.12): its secrets, its handle and what it was given are gone,
 * its actor keeps the last name for the texts that it wrote.
 */
import {
  actorKey,
  agentKey,
  agentUseKey,
  deliveriesOf,
  deliveryOfDocument,
  grantKey,
  handleKey,
  indexRange,
  tokenBySha256,
  webhookKey,
  webhookStateKey,
} from '../../persistence/keys.ts'
import type { Commit, KeyedValue, Store } from '../../persistence/store.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { type Agent, records } from '../records/records.ts'
import { webhookRecords } from '../records/webhook-records.ts'
import { dueEntries, endOfIdle, idleEndPut, storedUseOf } from './idle-life.ts'
import { agentIdsOf, agentOfKey } from './owned.ts'
import { type AgentsContext, agentById } from './registration.ts'

export interface DeletionContext extends AgentsContext {
  /** Ends what the agent has where it made links; these belong to their documents then. */
  readonly endMade: (actor: ActorId) => Promise<void>
}

export interface DeletionRequest {
  /** The secret by which it deletes itself: an agent of before has it written down nowhere. */
  readonly used?: string
  /** Refuses, where the agent may not be deleted so; false: it is left alone. */
  readonly judge?: (agent: Agent, usedAt: number) => boolean
  /** What else goes with it. */
  readonly attached?: (agent: Agent) => Pick<Commit, 'deletes' | 'puts'>
}

/** False: there is no such agent, or it was left alone. */
export async function deleteAgent(
  { store, endMade }: DeletionContext,
  agentId: string,
  { used, judge = () => true, attached = () => ({}) }: DeletionRequest,
): Promise<boolean> {
  for (;;) {
    const found = await agentById(store, agentId)
    if (found === undefined) return false
    const agent = found.record
    const { usedAt, version: useVersion } = await storedUseOf(store, agent)
    if (!judge(agent, usedAt)) return false
    const secrets = agent.secrets ?? (used === undefined ? [] : [used])
    const more = attached(agent)
    const result = await store.commit({
      checks: [
        { key: agentKey(agentId), version: found.version },
        { key: agentUseKey(agentId), version: useVersion },
      ],
      puts: [
        { key: actorKey(agent.actor), value: records.actorHome.encode({ name: agent.name }) },
        ...(more.puts ?? []),
      ],
      deletes: [
        agentKey(agentId),
        agentUseKey(agentId),
        handleKey(agent.handle),
        webhookKey(agentId),
        webhookStateKey(agentId),
        ...secrets.map(tokenBySha256),
        ...(agent.ownerId === undefined ? [] : [agentOfKey(agent.ownerId, agent)]),
        ...(more.deletes ?? []),
      ],
    })
    if (!result.ok) continue
    await endMade(agent.actor as ActorId)
    await forgetGrants(store, agent.actor)
    await forgetDeliveries(store, agentId)
    return true
  }
}

/** The grants of who is gone are worth nothing to anybody: they go in portions. */
async function forgetGrants(store: Store, actor: string): Promise<void> {
  const found = store.scan(indexRange('grant-of', actor))
  for await (const keys of inPortions(found, ({ key }) => {
    return [key, grantKey((key.split('/').at(-1) ?? '') as Slug, actor)]
  })) {
    await store.commit({ deletes: keys })
  }
}

const portion = 500

async function* inPortions(
  found: AsyncIterable<KeyedValue>,
  keysOf: (one: KeyedValue) => readonly string[],
): AsyncGenerator<readonly string[]> {
  let keys: string[] = []
  for await (const one of found) {
    keys.push(...keysOf(one))
    if (keys.length < portion) continue
    yield keys
    keys = []
  }
  if (keys.length > 0) yield keys
}

/** What was sent to it, and what waits; in portions too. */
async function forgetDeliveries(store: Store, agentId: string): Promise<void> {
  const found = store.scan(deliveriesOf(agentId))
  for await (const keys of inPortions(found, ({ key, value }) => {
    const { id, slug } = webhookRecords.delivery.decode(value)
    return slug === undefined ? [key] : [key, deliveryOfDocument(slug as Slug, agentId, id)]
  })) {
    await store.commit({ deletes: keys })
  }
  await store.deleteRange(indexRange('delivery-lane', agentId))
  await store.deleteRange(indexRange('lane-due', agentId))
}

/** Deletes the ephemeral agents that were idle for too long; returns how many. */
export async function sweepEndedAgents(context: DeletionContext): Promise<number> {
  const { store, runtime, uses } = context
  await uses.store()
  let swept = 0
  for await (const { key, agentId } of dueEntries(context)) {
    let endsAt: number | undefined
    const judge = (_: Agent, usedAt: number) => {
      endsAt = endOfIdle(usedAt)
      return endsAt <= runtime.now()
    }
    if (await deleteAgent(context, agentId, { judge })) swept += 1
    const isLeft = endsAt !== undefined && endsAt > runtime.now()
    const puts = isLeft && endsAt !== undefined ? [idleEndPut(endsAt, agentId)] : []
    await store.commit({ puts, deletes: [key] })
  }
  return swept
}

/** All of an account that is deleted. */
export async function deleteAgentsOf(context: DeletionContext, accountId: string): Promise<void> {
  for (const agentId of await agentIdsOf(context.store, accountId)) {
    await deleteAgent(context, agentId, {})
  }
}
