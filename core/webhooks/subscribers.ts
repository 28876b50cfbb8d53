/**
 * Which agents have a webhook for an event (extensions §6). It asks for agents that are known to
 * have a part in a document, by their actor ids; it never looks through all agents.
 */
import { actorKey, muteKey, webhookKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { type ActorId, isNameless, type Slug } from '../../schema/ids.ts'
import { peopleRecords } from '../records/people-records.ts'
import { readRecords, records } from '../records/records.ts'

export interface Subscriber {
  readonly agentId: string
  readonly actor: ActorId
  /** Whether it wants this event, of this thread. */
  wants(event: string, thread: string | undefined): boolean
}

/** Those of these actors that have a webhook. Mutes stop all but mentions, as in the inbox. */
export async function subscribersAmong(
  store: Store,
  slug: Slug,
  actors: readonly string[],
): Promise<Subscriber[]> {
  const agents = await agentsAmong(store, actors)
  const hooks = await readRecords(
    store,
    agents.map(({ agentId }) => webhookKey(agentId)),
    peopleRecords.webhook,
  )
  const set = agents.flatMap((agent, index) => {
    const { url = null, events = [] } = hooks[index]?.record ?? {}
    return url === null ? [] : [{ ...agent, events }]
  })
  const muteKeys = set.map(({ actor }) => muteKey(slug, actor))
  const mutes = await readRecords(store, muteKeys, records.mute)
  return set.map(({ agentId, actor, events }, index) => {
    const mute = mutes[index]?.record
    const isMuted = (thread: string | undefined): boolean =>
      mute !== undefined && (mute.all || (thread !== undefined && mute.threads.includes(thread)))
    return {
      agentId,
      actor,
      wants: (event, thread) => events.includes(event) && (event === 'mention' || !isMuted(thread)),
    }
  })
}

async function agentsAmong(store: Store, actors: readonly string[]) {
  const named = actors.filter((one) => one.startsWith('ai:') && !isNameless(one as ActorId))
  const homes = await readRecords(store, named.map(actorKey), records.actorHome)
  return named.flatMap((actor, index) => {
    const home = homes[index]?.record
    if (home === undefined || !('agentId' in home)) return []
    return [{ agentId: home.agentId, actor: actor as ActorId }]
  })
}
