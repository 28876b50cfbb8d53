/**
 * Keeps the deliveries of one agent bounded (extensions §6): of too many that wait the oldest are
 * given up, and finished ones go when they are old or too many.
 */
import { LRUCache } from 'lru-cache'
import {
  deliveriesOf,
  deliveryInLane,
  deliveryOfDocument,
  indexRange,
} from '../../persistence/keys.ts'
import type { KeyedValue, Range, Store } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import type { Limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type Delivery, webhookRecords } from '../records/webhook-records.ts'

/** What all that changes deliveries works with. */
export interface DeliveryContext {
  readonly store: Store
  readonly runtime: Runtime
  readonly limits: Limits
  /** Told of deliveries that are given up after their last attempt, or for want of room. */
  readonly onGivenUp: (what: GivenUp) => void
}

/** Of each kind, in one commit. */
const atOnce = 500
const overflowError = 'too many pending deliveries; the oldest was dropped'

export async function keepBounds(agentId: string, context: DeliveryContext): Promise<void> {
  await giveUpOldest(agentId, context)
  await forgetOld(agentId, context)
}

/** How many keys there are, as far as they are counted. */
export async function countKeys(store: Store, range: Range, most: number): Promise<number> {
  let count = 0
  for await (const _ of store.scan({ ...range, limit: most })) count += 1
  return count
}

/** Those that wait. */
export const countWaiting = (store: Store, agentId: string, most: number): Promise<number> =>
  countKeys(store, indexRange('delivery-lane', agentId), most)

/** The same for whoever asks: a large number is not counted again at once. */
export class WaitingCounts {
  readonly #store: Store
  readonly #runtime: Runtime
  readonly #known = new LRUCache<string, { readonly count: number; readonly at: number }>({
    max: countsKept,
  })

  constructor(store: Store, runtime: Runtime) {
    this.#store = store
    this.#runtime = runtime
  }

  async of(agentId: string, most: number): Promise<number> {
    const now = this.#runtime.elapsed()
    const known = this.#known.get(agentId)
    if (known !== undefined && now - known.at < countKeptMs) return known.count
    const count = await countWaiting(this.#store, agentId, most)
    if (count > atOnce) this.#known.set(agentId, { count, at: now })
    return count
  }
}

const countsKept = 1_000
const countKeptMs = 1_000

async function giveUpOldest(
  agentId: string,
  { store, runtime, limits, onGivenUp }: DeliveryContext,
): Promise<void> {
  const most = limits.deliveriesWaitingMax
  const over = (await countWaiting(store, agentId, most + atOnce)) - most
  if (over <= 0) return
  const oldest: { found: KeyedValue; delivery: Delivery & { lane: string } }[] = []
  for await (const found of store.scan(deliveriesOf(agentId))) {
    const delivery = webhookRecords.delivery.decode(found.value)
    const { lane } = delivery
    if (lane !== undefined) oldest.push({ found, delivery: { ...delivery, lane } })
    if (oldest.length === over) break
  }
  const now = runtime.now()
  const result = await store.commit({
    checks: oldest.map(({ found: { key, version } }) => ({ key, version })),
    puts: oldest.map(({ found, delivery }) => ({
      key: found.key,
      value: webhookRecords.delivery.encode(givenUp(delivery, now)),
    })),
    deletes: oldest.map(({ delivery: { id, lane } }) => deliveryInLane(agentId, lane, id)),
  })
  if (result.ok) onGivenUp({ agentId, count: oldest.length, error: overflowError })
}

function givenUp({ lane: _lane, dueAt: _dueAt, ...delivery }: Delivery, now: number): Delivery {
  const attempts = [...delivery.attempts, { at: now, ms: 0, error: overflowError }]
  return { ...delivery, state: 'given_up', attempts, endedAt: now }
}

async function forgetOld(
  agentId: string,
  { store, runtime, limits }: DeliveryContext,
): Promise<void> {
  const most = limits.deliveriesKeptMax
  const over = (await countKeys(store, deliveriesOf(agentId), most + atOnce)) - most
  const oldest = runtime.now() - limits.deliveryKeptMs
  const deletes: string[] = []
  const checks: { key: string; version: KeyedValue['version'] }[] = []
  for await (const { key, version, value } of store.scan(deliveriesOf(agentId))) {
    const { id, slug, at, lane } = webhookRecords.delivery.decode(value)
    if (checks.length >= Math.max(over, 0) && at > oldest) break
    if (lane !== undefined) continue
    checks.push({ key, version })
    deletes.push(key)
    if (slug !== undefined) deletes.push(deliveryOfDocument(slug as Slug, agentId, id))
    if (checks.length === atOnce) break
  }
  if (checks.length > 0) await store.commit({ checks, deletes })
}

export interface GivenUp {
  readonly agentId: string
  /** Of one; absent: the oldest of too many. */
  readonly id?: string
  readonly count: number
  readonly error: string
}
