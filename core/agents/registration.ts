/**
 * Agents (interface §4.12): a record, a secret, a handle. A handle belongs to one agent or account:
 * the commit that takes it requires that nobody has it. Where an agent had it before, the new one
 * is another actor, `ai:<handle>.2`, and inherits nothing.
 */
import { actorKey, agentKey, handleKey, tokenBySha256 } from '../../persistence/keys.ts'
import type { Commit, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { type ActorId, randomName } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import {
  type AttachedRecords,
  assertNoAttachedConflict,
  noAttachedRecords,
} from '../commit/attached-records.ts'
import { type Agent, readRecord, records, type Versioned } from '../records/records.ts'
import { randomSecret, sha256Hex } from '../records/secrets.ts'
import type { Uses } from '../records/uses.ts'
import { endOfIdle, idleEndPut } from './idle-life.ts'
import { agentIdsOf, agentOfKey } from './owned.ts'

/** Registered, ephemeral, bots. */
export const agentsPerAccount = 1_000

const attempts = 8

export interface AgentsContext {
  readonly store: Store
  readonly runtime: Runtime
  readonly uses: Uses
}

export interface RegisteredAgent {
  readonly agent: Agent
  /** Shown this once. */
  readonly secret: string
}

export interface AgentRequest {
  /** Has passed `displayNameFrom`. */
  readonly name: string
  /** Without one it is made from the name. */
  readonly handle?: string | undefined
  /** The account that it belongs to. */
  readonly ownerId?: string | undefined
  readonly ephemeral?: boolean
  readonly bot?: Agent['bot']
  /** Random unless it has to be known again. */
  readonly secret?: string
}

export const agentById = (store: Store, agentId: string): Promise<Versioned<Agent> | undefined> =>
  readRecord(store, agentKey(agentId), records.agent)

/** Refuses HANDLE_TAKEN; LIMIT_REACHED where its account has so many already. */
export async function registerAgent(
  context: AgentsContext,
  request: AgentRequest,
  attached: AttachedRecords<Agent> = noAttachedRecords,
): Promise<RegisteredAgent> {
  const { store, runtime } = context
  const { name, handle, ownerId } = request
  if (ownerId !== undefined) {
    const max = agentsPerAccount
    if ((await agentIdsOf(store, ownerId)).length >= max) {
      throw new Refusal('LIMIT_REACHED', { limit: 'agents', max })
    }
  }
  for (let attempt = 0; attempt < attempts; attempt++) {
    const chosen = handle ?? `${handleBase(name)}-${randomName(runtime, 6)}`
    if ((await store.get(handleKey(chosen))) !== undefined) {
      if (handle !== undefined) throw new Refusal('HANDLE_TAKEN', { handle })
      continue
    }
    const registered = draft(runtime, request, {
      handle: chosen,
      actor: await freeActor(store, chosen),
    })
    const { agent } = registered
    const result = await store.commit({
      checks: [
        { key: handleKey(chosen), version: undefined },
        { key: actorKey(agent.actor), version: undefined },
        ...attached.checks,
      ],
      puts: [...agentPuts(registered), ...attached.puts(agent)],
    })
    if (result.ok) return registered
    assertNoAttachedConflict(attached, result)
  }
  if (handle !== undefined) throw new Refusal('HANDLE_TAKEN', { handle })
  throw new TypeError('no free handle was found')
}

function agentPuts({ agent, secret }: RegisteredAgent): NonNullable<Commit['puts']> {
  const { agentId, actor, handle, createdAt, ownerId, ephemeral } = agent
  const home = { agentId }
  return [
    { key: handleKey(handle), value: records.handle.encode(home) },
    { key: agentKey(agentId), value: records.agent.encode(agent) },
    { key: actorKey(actor), value: records.actorHome.encode(home) },
    {
      key: tokenBySha256(sha256Hex(secret)),
      value: records.secret.encode({ type: 'agent', agentId, createdAt }),
    },
    ...(ownerId === undefined
      ? []
      : [{ key: agentOfKey(ownerId, agent), value: new Uint8Array() }]),
    ...(ephemeral ? [idleEndPut(endOfIdle(createdAt), agentId)] : []),
  ]
}

/** The first of `ai:<handle>`, `ai:<handle>.2` … that nobody ever was; those who were have no gap. */
async function freeActor(store: Store, handle: string): Promise<ActorId> {
  const actor = (nth: number) => (nth === 1 ? `ai:${handle}` : `ai:${handle}.${nth}`) as ActorId
  const isTaken = async (nth: number) => (await store.get(actorKey(actor(nth)))) !== undefined
  let free = 1
  while (await isTaken(free)) free *= 2
  let taken = Math.floor(free / 2)
  while (free - taken > 1) {
    const middle = Math.floor((free + taken) / 2)
    if (await isTaken(middle)) taken = middle
    else free = middle
  }
  return actor(free)
}

function draft(
  runtime: Runtime,
  { name, ownerId, ephemeral, bot, secret = randomSecret(runtime, 'as') }: AgentRequest,
  who: { readonly handle: string; readonly actor: ActorId },
): RegisteredAgent {
  const agent: Agent = {
    agentId: `ag_${randomName(runtime, 20)}`,
    ...who,
    name,
    createdAt: runtime.now(),
    secrets: [sha256Hex(secret)],
    ...(ownerId !== undefined && { ownerId }),
    ...(ephemeral && { ephemeral }),
    ...(bot !== undefined && { bot }),
  }
  return { agent, secret }
}

export function handleBase(name: string): string {
  const base = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 24)
    .replace(/-$/, '')
  return base === '' ? 'agent' : base
}
