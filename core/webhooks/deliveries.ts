/**
 * What an agent sees of its deliveries, and how it has some sent again (extensions §6): under the
 * same id, with a new timestamp and signature. A repair begins a new round of attempts.
 */
import { deliveriesOf, deliveryInLane, deliveryKey, metaKey } from '../../persistence/keys.ts'
import type { KeyedValue, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import type { Limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { DocumentFacts } from '../documents/contract.ts'
import { listed } from '../library/lists.ts'
import { readRecord, records } from '../records/records.ts'
import { type Delivery, webhookRecords } from '../records/webhook-records.ts'
import type { WaitingCounts } from './bounds.ts'
import { hookOf } from './target-state.ts'
import { laneOf, newDelivery, once, type Wake, waitingPuts } from './waiting-delivery.ts'

export interface DeliveriesContext {
  readonly store: Store
  readonly runtime: Runtime
  readonly limits: Limits
  readonly wake: Wake
  readonly counts: WaitingCounts
  readonly hasOwnPart: (agentId: string, facts: DocumentFacts) => Promise<boolean>
}

export interface WebhookStatus {
  readonly state: 'off' | 'ok' | 'failing' | 'gone'
  /** Milliseconds since the epoch, as the next. */
  readonly failingSince: number | undefined
  readonly lastSuccessAt: number | undefined
  readonly lastError: string | undefined
  readonly waiting: number
}

export interface DeliveryPage {
  /** The newest first. */
  readonly deliveries: readonly Delivery[]
  /** Of their documents, as far as the agent may read them now. */
  readonly titles: ReadonlyMap<string, string>
  /** The id that the next page goes on behind; `undefined`: this was the last. */
  readonly next: string | undefined
}

export interface DeliveryChoice {
  readonly state: Delivery['state'] | undefined
  readonly after: string | undefined
  readonly limit: number
}

export async function webhookStatus(
  { store, limits, counts }: DeliveriesContext,
  agentId: string,
): Promise<WebhookStatus> {
  const hook = await hookOf(store, agentId)
  const waiting = await counts.of(agentId, limits.deliveriesWaitingMax + 1_000)
  const { failingSince, lastSuccessAt, lastError, gone } = hook?.state ?? {}
  const isFailing = failingSince !== undefined
  const state = hook === undefined ? 'off' : gone ? 'gone' : isFailing ? 'failing' : 'ok'
  return { state, failingSince, lastSuccessAt, lastError, waiting }
}

/** A page may hold fewer than were asked for, with more behind it. */
export async function deliveryPage(
  context: DeliveriesContext,
  agentId: string,
  choice: DeliveryChoice,
): Promise<DeliveryPage> {
  const page = await foundDeliveries(context, agentId, choice)
  const slugs = new Set(page.deliveries.flatMap(({ slug }) => slug ?? []))
  const titles = new Map<string, string>()
  for (const { slug, title, facts } of await listed(context.store, [...slugs] as Slug[])) {
    const mayRead = facts.life.state === 'active' && (await context.hasOwnPart(agentId, facts))
    if (mayRead && title !== undefined) titles.set(slug, title)
  }
  return { ...page, titles }
}

async function foundDeliveries(
  { store, runtime, limits }: DeliveriesContext,
  agentId: string,
  { state, after, limit }: DeliveryChoice,
): Promise<Omit<DeliveryPage, 'titles'>> {
  const oldest = runtime.now() - limits.deliveryKeptMs
  const deliveries: Delivery[] = []
  let looked = 0
  const range = { ...deliveriesOf(agentId, after), reverse: true }
  const most = limits.deliveriesLookedThroughMax
  let last: string | undefined
  for await (const { value } of store.scan({ ...range, limit: most })) {
    if (deliveries.length === limit) return { deliveries, next: last }
    const delivery = webhookRecords.delivery.decode(value)
    if (delivery.at < oldest) return { deliveries, next: undefined }
    if (state === undefined || delivery.state === state) deliveries.push(delivery)
    last = delivery.id
    looked += 1
  }
  return { deliveries, next: looked < most ? undefined : last }
}

/** Refuses NOT_FOUND, WEBHOOK_OFF. */
export async function redeliver(
  context: DeliveriesContext,
  agentId: string,
  id: string,
): Promise<void> {
  const { store } = context
  await requireTarget(store, agentId)
  for (;;) {
    const key = deliveryKey(agentId, id)
    const stored = await store.get(key)
    if (stored === undefined) throw new Refusal('NOT_FOUND')
    if (await sentAgain(context, agentId, [{ key, ...stored }])) return
  }
}

/** Queues what was given up since; answers how many. Refuses WEBHOOK_OFF. */
export async function replay(
  context: DeliveriesContext,
  agentId: string,
  since: number,
): Promise<number> {
  const { store } = context
  await requireTarget(store, agentId)
  let queued = 0
  let portion: KeyedValue[] = []
  const send = async () => {
    const all = portion
    portion = []
    if (await sentAgain(context, agentId, all)) queued += all.length
    // One of them was written meanwhile: by another replay, or it is gone.
    else for (const one of all) if (await sentAgain(context, agentId, [one])) queued += 1
  }
  for await (const found of store.scan(deliveriesOf(agentId))) {
    const { state, endedAt = 0 } = webhookRecords.delivery.decode(found.value)
    if (state !== 'given_up' || endedAt < since) continue
    portion.push(found)
    if (portion.length === portionMax) await send()
  }
  if (portion.length > 0) await send()
  return queued
}

const portionMax = 100

/** A signed `ping`, whatever events are subscribed; answers its id. Refuses WEBHOOK_OFF. */
export async function sendTest(
  { store, runtime, wake }: DeliveriesContext,
  agentId: string,
): Promise<string> {
  await requireTarget(store, agentId)
  const head = await readRecord(store, metaKey('last-entry'), records.lastEntry)
  const at = runtime.now()
  const delivery = newDelivery(runtime, head?.record.id ?? 0, { event: 'ping', at })
  const result = await store.commit({ puts: waitingPuts(agentId, delivery) })
  if (result.ok) wake([{ agentId, delivery }], result.version)
  return delivery.id
}

async function requireTarget(store: Store, agentId: string): Promise<void> {
  const hook = await hookOf(store, agentId)
  if (hook === undefined || hook.state.gone) throw new Refusal('WEBHOOK_OFF')
}

/** False: one of them was written meanwhile, and nothing is done. */
async function sentAgain(
  { store, runtime, wake }: DeliveriesContext,
  agentId: string,
  found: readonly KeyedValue[],
): Promise<boolean> {
  const dueAt = runtime.now()
  const before = found.map(({ value }) => webhookRecords.delivery.decode(value))
  const after = before.map(({ endedAt: _ended, ...delivery }) => ({
    ...delivery,
    state: 'waiting' as const,
    failed: 0,
    lane: laneOf(delivery),
    dueAt,
  }))
  const deletes = before.flatMap((delivery) => {
    const { id, lane } = delivery
    const isMoved = lane !== undefined && lane !== laneOf(delivery)
    return isMoved ? [deliveryInLane(agentId, lane, id)] : []
  })
  const result = await store.commit({
    checks: found.map(({ key, version }) => ({ key, version })),
    puts: once(after.flatMap((delivery) => waitingPuts(agentId, delivery))),
    deletes,
  })
  if (result.ok)
    wake(
      after.map((delivery) => ({ agentId, delivery })),
      result.version,
    )
  return result.ok
}
