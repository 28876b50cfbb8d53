/**
 * Registered agents (interface §4.12): a record, a secret, a handle. A handle belongs
 * to one agent: the commit that takes it requires that nobody has it.
 */
import { actorKey, agentKey, handleKey, tokenBySha256 } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { type ActorId, randomName } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type Agent, readRecord, records, type Versioned } from '../records/records.ts'
import { randomSecret, sha256Hex } from '../records/secrets.ts'

const attempts = 8

export interface RegisteredAgent {
  readonly agent: Agent
  /** Shown this once. */
  readonly secret: string
}

export const agentById = (store: Store, agentId: string): Promise<Versioned<Agent> | undefined> =>
  readRecord(store, agentKey(agentId), records.agent)

/**
 * Makes an agent; without a `handle` one is made from the name. `name` has passed
 * `displayNameFrom`. Refuses HANDLE_TAKEN.
 */
export async function registerAgent(
  { store, runtime }: { readonly store: Store; readonly runtime: Runtime },
  request: { readonly name: string; readonly handle?: string | undefined },
): Promise<RegisteredAgent> {
  const { name, handle } = request
  for (let attempt = 0; attempt < attempts; attempt++) {
    const chosen = handle ?? `${handleBase(name)}-${randomName(runtime, 6)}`
    const registered = draft(runtime, name, chosen)
    const { agent, secret } = registered
    const key = handleKey(chosen)
    const result = await store.commit({
      checks: [{ key, version: undefined }],
      puts: [
        { key, value: records.handle.encode({ agentId: agent.agentId }) },
        { key: agentKey(agent.agentId), value: records.agent.encode(agent) },
        {
          key: actorKey(agent.actor as ActorId),
          value: records.actorHome.encode({ agentId: agent.agentId }),
        },
        {
          key: tokenBySha256(sha256Hex(secret)),
          value: records.secret.encode({
            type: 'agent',
            agentId: agent.agentId,
            createdAt: agent.createdAt,
          }),
        },
      ],
    })
    if (result.ok) return registered
    if (handle !== undefined) throw new Refusal('HANDLE_TAKEN', { handle })
  }
  throw new TypeError('no free handle was found')
}

function draft(runtime: Runtime, name: string, handle: string): RegisteredAgent {
  const agent: Agent = {
    agentId: `ag_${randomName(runtime, 20)}`,
    actor: `ai:${handle}`,
    handle,
    name,
    createdAt: runtime.now(),
  }
  return { agent, secret: randomSecret(runtime, 'as') }
}

function handleBase(name: string): string {
  const base = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24)
  return base === '' ? 'agent' : base
}
