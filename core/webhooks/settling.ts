/**
 * Stores what became of a delivery (extensions §6): its record, its place in the queue, what is
 * known of the target, and whether its owner is told, in one commit.
 */
import {
  deliveryInLane,
  deliveryKey,
  deliveryOfDocument,
  targetDueKey,
} from '../../persistence/keys.ts'
import type { Check, Commit, Put } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import type { Versioned } from '../records/records.ts'
import { type Delivery, type WebhookState, webhookRecords } from '../records/webhook-records.ts'
import type { DeliveryContext } from './bounds.ts'
import { type DeliveryOutcome, settled } from './outcome.ts'
import type { EmptyLanes, Lane, Target } from './target.ts'
import { ownerPuts, statePut } from './target-state.ts'
import { duePuts, once, type WaitingDelivery } from './waiting-delivery.ts'

interface Parts extends DeliveryContext {
  /** Milliseconds from each failed attempt to the next one. */
  readonly retriesMs: readonly number[]
  readonly emptyLanes: EmptyLanes
}

/** Puts and deletes of one commit, on the condition that the record is as it was. */
interface Change {
  readonly checks: readonly Check[]
  readonly puts: readonly Put[]
  readonly deletes: readonly string[]
}

export class Settling {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * What became of the first of the lane, after which the lane goes on, waits or is over. Answers
   * when the delivery is made again; `undefined`: it is not.
   */
  async settle(target: Target, lane: Lane, outcome: DeliveryOutcome): Promise<number | undefined> {
    const [first] = lane.queue
    if (first === undefined) throw new TypeError('nothing was sent of this lane')
    if (outcome.kind === 'orphaned') {
      await this.#store(target, lane, { change: this.#forget(target, first), isWaiting: false })
      return undefined
    }
    const { runtime, retriesMs, onGivenUp } = this.#parts
    const before = target.state ?? { secretId: '' }
    const at = { now: runtime.now(), retriesMs }
    const { delivery, state, isExhausted } = settled(first.record, before, { outcome, at })
    target.state = state
    const isWaiting = delivery.lane === lane.name
    const puts = await this.#statePuts(target, before)
    const change = changeOf(target.agentId, first, { delivery, puts })
    await this.#store(target, lane, { change, isWaiting })
    const error = state.lastError ?? ''
    if (isExhausted) onGivenUp({ agentId: target.agentId, id: delivery.id, count: 1, error })
    return delivery.dueAt
  }

  /** Once, when the target has failed for long enough. */
  async tellOwner(target: Target): Promise<void> {
    const { state } = target
    if (state === undefined || !this.#isToBeTold(state)) return
    const puts = await this.#statePuts(target, state)
    await this.#parts.store.commit({ puts })
  }

  #isToBeTold({ failingSince, told }: WebhookState): boolean {
    const { runtime, limits } = this.#parts
    const since = failingSince ?? Number.POSITIVE_INFINITY
    return !told && runtime.now() - since >= limits.webhookFailingToldAfterMs
  }

  /** What is known of the target, and what its owner is told of that. */
  async #statePuts(target: Target, before: WebhookState): Promise<Put[]> {
    const { state = before, agentId } = target
    // No address is set.
    if (state.secretId === '') return []
    if (this.#isToBeTold(state)) {
      const told = { ...state, told: true as const }
      target.state = told
      const puts = await ownerPuts(this.#parts, agentId, 'webhook.failing')
      return [statePut(agentId, told), ...puts]
    }
    const hasRecovered = before.told === true && state.told !== true
    return [
      ...(state === before ? [] : [statePut(agentId, state)]),
      ...(hasRecovered ? await ownerPuts(this.#parts, agentId, 'webhook.recovered') : []),
      ...this.#reminder(agentId, before, state),
    ]
  }

  /** The target is looked at when its owner is to be told. */
  #reminder(agentId: string, before: WebhookState, state: WebhookState): Put[] {
    if (state.failingSince === undefined || before.failingSince !== undefined) return []
    const at = state.failingSince + this.#parts.limits.webhookFailingToldAfterMs
    return [{ key: targetDueKey(Math.ceil(at / 1000), agentId), value: new Uint8Array() }]
  }

  #forget({ agentId }: Target, { record, version }: Versioned<WaitingDelivery>): Change {
    const { id, slug, lane } = record
    const key = deliveryKey(agentId, id)
    const ofDocument = slug === undefined ? [] : [deliveryOfDocument(slug as Slug, agentId, id)]
    const deletes = [key, deliveryInLane(agentId, lane, id), ...ofDocument]
    return { checks: [{ key, version }], puts: [], deletes }
  }

  /**
   * Where the lane is over or waits, the entries that say that it is due go with the commit, unless
   * one was written again: then there is more in the lane.
   */
  async #store(
    target: Target,
    lane: Lane,
    { change, isWaiting }: { readonly change: Change; readonly isWaiting: boolean },
  ): Promise<void> {
    const { store, emptyLanes } = this.#parts
    const isEnd = isWaiting || (lane.queue.length === 1 && !lane.hasMore)
    const hasEnded = isEnd && (await this.#end(target, lane, change))
    const isStored = hasEnded || (await store.commit(change)).ok
    lane.queue.shift()
    // More may have been queued meanwhile.
    if (isStored && !isWaiting && lane.queue.length > 0) return target.toTheEnd(lane)
    // What is left of it is read anew, also where somebody else has written the record.
    target.lanes.delete(lane.name)
    const isEmpty = hasEnded && !isWaiting && !lane.hasMore && !target.hasMore
    if (isEmpty) emptyLanes.add(target.agentId, lane.name)
  }

  /** False: an entry was written again, and nothing is stored. */
  async #end(target: Target, lane: Lane, change: Change): Promise<boolean> {
    const due = [...lane.due]
    const seen = target.seenWith(lane)
    const result = await this.#parts.store.commit(without(change, [...due, ...seen]))
    if (!result.ok) return false
    lane.due = lane.due.filter((entry) => !due.includes(entry))
    for (const { key, version } of seen) {
      if (target.seen.get(key) === version) target.seen.delete(key)
    }
    return true
  }
}

function without({ checks, puts, deletes }: Change, due: readonly Check[]): Commit {
  const written = new Set(puts.map(({ key }) => key))
  const over = due.filter(({ key }) => !written.has(key))
  return {
    checks: [...checks, ...over],
    puts,
    deletes: [...deletes, ...over.map(({ key }) => key)],
  }
}

function changeOf(
  agentId: string,
  { record, version }: Versioned<WaitingDelivery>,
  { delivery, puts }: { readonly delivery: Delivery; readonly puts: readonly Put[] },
): Change {
  const { id, lane, dueAt } = delivery
  const key = deliveryKey(agentId, id)
  const isMoved = lane !== record.lane
  const waiting = lane === undefined || dueAt === undefined ? [] : duePuts(agentId, { lane, dueAt })
  return {
    checks: [{ key, version }],
    puts: once([
      { key, value: webhookRecords.delivery.encode(delivery) },
      ...(isMoved && lane !== undefined
        ? [{ key: deliveryInLane(agentId, lane, id), value: new Uint8Array() }]
        : []),
      ...waiting,
      ...puts,
    ]),
    deletes: isMoved ? [deliveryInLane(agentId, record.lane, id)] : [],
  }
}
