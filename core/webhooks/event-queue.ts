/**
 * Makes deliveries of notices (extensions §6), in the commit that takes the notices out of the
 * outbox: an event and a delivery for each agent that it names and that subscribed. What all in a
 * document are told is only noted here, for `fan-out.ts`, so this costs nothing that grows with
 * the number of those who have a part in the document.
 */
import {
  webhookBodyKey,
  webhookEventKey,
  webhookEventsOf,
  webhookFanOut,
} from '../../persistence/keys.ts'
import type { Put, Store, Version } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { AlsoMade } from '../outbox/delivery.ts'
import type { NoticeRecord } from '../records/records.ts'
import { type WebhookEvent, webhookRecords } from '../records/webhook-records.ts'
import { subscribersAmong } from './subscribers.ts'
import { newDelivery, type Queued, type Wake, waitingPuts } from './waiting-delivery.ts'

/** Old events that go each time one is added. */
const forgottenAtOnce = 8

interface EventQueueContext {
  readonly store: Store
  readonly runtime: Runtime
  readonly wake: Wake
}

export function eventQueue(context: EventQueueContext): AlsoMade {
  return async (notice, take) => {
    // Agents are not told of it at all.
    if (notice.slug === undefined || notice.peopleOnly) return {}
    const slug = notice.slug as Slug
    const { puts, queued } = await named(context, slug, { notice, take })
    if (notice.toAll !== undefined) puts.push(...toAll(slug, { notice, take }))
    if (puts.length === 0) return {}
    const onStored = (version: Version) => context.wake(queued, version)
    return { puts, deletes: await old(context, slug), onStored }
  }
}

interface NoticeOfEvent {
  readonly notice: NoticeRecord
  readonly take: () => number
}

const eventOf = (slug: Slug, notice: NoticeRecord, event: string): WebhookEvent => ({
  event,
  at: notice.at,
  slug,
  actor: notice.actor,
  ...(notice.thread !== undefined && { thread: notice.thread }),
  ...(notice.comment !== undefined && { comment: notice.comment }),
})

const eventPut = (slug: Slug, number: number, event: WebhookEvent): Put => ({
  key: webhookEventKey(slug, number),
  value: webhookRecords.event.encode(event),
})

/** One event for all who are sent it; each has a delivery of its own. */
async function named(
  { store, runtime }: EventQueueContext,
  slug: Slug,
  { notice, take }: NoticeOfEvent,
): Promise<{ puts: Put[]; queued: Queued[] }> {
  const eventsOf = new Map(notice.to.map(({ actor, events }) => [actor, events]))
  const subscribers = await subscribersAmong(store, slug, [...eventsOf.keys()])
  const puts: Put[] = []
  const queued: Queued[] = []
  for (const name of new Set([...eventsOf.values()].flat())) {
    const recipients = subscribers.filter(
      ({ actor, wants }) => eventsOf.get(actor)?.includes(name) && wants(name, notice.thread),
    )
    if (recipients.length === 0) continue
    const number = take()
    const event = eventOf(slug, notice, name)
    puts.push(eventPut(slug, number, event))
    for (const { agentId } of recipients) {
      const delivery = newDelivery(runtime, number, event)
      puts.push(...waitingPuts(agentId, delivery))
      queued.push({ agentId, delivery })
    }
  }
  return { puts, queued }
}

/** Who hears of it is found behind the commit. */
function toAll(slug: Slug, { notice, take }: NoticeOfEvent): Put[] {
  const number = take()
  const unheard = notice.to.filter(({ events }) => events.length === 0).map(({ actor }) => actor)
  const event = eventOf(slug, notice, notice.toAll ?? '')
  return [
    eventPut(slug, number, unheard.length === 0 ? event : { ...event, unheard }),
    { key: webhookFanOut(slug, number), value: new Uint8Array() },
  ]
}

/** A few of the events whose time is over: none outlives that for long. */
async function old({ store, runtime }: EventQueueContext, slug: Slug): Promise<string[]> {
  const keys: string[] = []
  const range = { ...webhookEventsOf(slug), limit: forgottenAtOnce }
  for await (const { key, value } of store.scan(range)) {
    const { at } = webhookRecords.event.decode(value)
    if (at > runtime.now() - limits.deliveryKeptMs) break
    keys.push(key, webhookBodyKey(slug, Number(key.split('/').at(-1))))
  }
  return keys
}
