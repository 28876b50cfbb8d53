/**
 * Actor objects (interface §2.6): what is shown for an actor id. A name has one home, the token's,
 * the agent's or the account's record, and `actor` records only say which, so a rename is seen everywhere at
 * once.
 */
import { accountKey, actorKey, agentKey, tokenBySha256 } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { type ActorId, unattributed } from '../../schema/ids.ts'
import { readRecords, records } from '../records/records.ts'

/** Wire spelling, as in `actors` of a read. */
export interface ActorObject {
  readonly actor_id: ActorId
  readonly handle: string
  readonly name: string
  readonly is_human: boolean
  readonly kind_label: string
}

const unnamed = 'Unnamed agent'

/** What is kept of an actor; a handle only where it can be another than when the id was made. */
interface ActorName {
  readonly name: string
  readonly handle?: string
}

function actorObject(actor: ActorId, kept: ActorName | undefined): ActorObject {
  const colon = actor.indexOf(':')
  const handle = kept?.handle ?? actor.slice(colon + 1)
  const name = kept?.name
  if (actor === unattributed) {
    return { actor_id: actor, handle, name: 'Unknown', is_human: false, kind_label: 'Unknown' }
  }
  const human = actor.startsWith('human:')
  const anonymous = handle.startsWith('anon.tkn.')
  return {
    actor_id: actor,
    handle,
    name: name ?? (anonymous ? unnamed : handle),
    is_human: human,
    kind_label: human ? 'Human' : 'AI agent',
  }
}

/**
 * An object for every id, in the order of their first occurrence. The handle is the present one,
 * else that of the id; one nobody knows goes by it.
 */
export async function actorObjects(
  store: Store,
  actors: Iterable<ActorId>,
): Promise<Record<string, ActorObject>> {
  const ids = [...new Set(actors)]
  const names = await namesOf(store, ids)
  return Object.fromEntries(ids.map((id) => [id, actorObject(id, names.get(id))]))
}

async function namesOf(store: Store, ids: readonly ActorId[]): Promise<Map<ActorId, ActorName>> {
  const names = new Map<ActorId, ActorName>()
  const known = ids.filter((id) => id !== unattributed)
  const homes = await readRecords(store, known.map(actorKey), records.actorHome)
  const tokens: [ActorId, string][] = []
  const agents: [ActorId, string][] = []
  const accounts: [ActorId, string][] = []
  for (const [index, id] of known.entries()) {
    const home = homes[index]?.record
    if (home === undefined) continue
    if ('token' in home) tokens.push([id, tokenBySha256(home.token)])
    else if ('agentId' in home) agents.push([id, agentKey(home.agentId)])
    else if ('name' in home) names.set(id, { name: home.name })
    else accounts.push([id, accountKey(home.accountId)])
  }
  const keys = (pairs: readonly [ActorId, string][]) => pairs.map(([, key]) => key)
  const tokenRecords = await readRecords(store, keys(tokens), records.secret)
  for (const [index, [id]] of tokens.entries()) {
    const record = tokenRecords[index]?.record
    if (record?.type === 'document' && record.displayName)
      names.set(id, { name: record.displayName })
  }
  const agentRecords = await readRecords(store, keys(agents), records.agent)
  for (const [index, [id]] of agents.entries()) {
    const record = agentRecords[index]?.record
    if (record !== undefined) names.set(id, { name: record.name, handle: record.handle })
  }
  const accountRecords = await readRecords(store, keys(accounts), records.account)
  for (const [index, [id]] of accounts.entries()) {
    const record = accountRecords[index]?.record
    if (record !== undefined) names.set(id, { name: record.name, handle: record.handle })
  }
  return names
}
