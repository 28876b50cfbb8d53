/**
 * A delivery that waits, as it lies in the store: its record, its place in a lane, and when the
 * lane is due. Deliveries of one lane are sent one after the other, in the order of their ids.
 * Invariant: while a lane is not empty, there is an entry for it no later than its first delivery
 * is due, and one for its agent.
 */
import {
  deliveryId,
  deliveryInLane,
  deliveryKey,
  deliveryOfDocument,
  laneDueKey,
  targetDueKey,
} from '../../persistence/keys.ts'
import type { Put, Version } from '../../persistence/store.ts'
import { randomName, type Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type Delivery, type WebhookEvent, webhookRecords } from '../records/webhook-records.ts'

/** A delivery with all that says that it waits. */
export type WaitingDelivery = Delivery & Required<Pick<Delivery, 'lane' | 'dueAt'>>

const nothing = new Uint8Array()

/** What a commit queued, for the one who sends it. */
export interface Queued {
  readonly agentId: string
  readonly delivery: WaitingDelivery
}

/** Told of what is on disk; `version` is that of all keys of the commit. */
export type Wake = (queued: readonly Queued[], version: Version) => void

type Named = Pick<Delivery, 'slug' | 'id'>

/** The lane of what is about one document. A test waits for no other delivery. */
export const laneOf = (delivery: Named): string => delivery.slug ?? ownLane(delivery)

/** The lane of a delivery that holds up no other any more. */
export const ownLane = ({ slug = '', id }: Named): string => `${slug}~${id}`

export function newDelivery(
  runtime: Runtime,
  number: number,
  { event, at, slug }: Pick<WebhookEvent, 'event' | 'at'> & { readonly slug?: string },
): WaitingDelivery {
  const id = deliveryId(number, randomName(runtime, 20))
  const about = slug === undefined ? {} : { slug, number }
  return {
    id,
    event,
    ...about,
    at,
    state: 'waiting',
    failed: 0,
    attempts: [],
    lane: laneOf({ id, ...about }),
    dueAt: runtime.now(),
  }
}

/** All that is stored of one that waits. */
export function waitingPuts(agentId: string, delivery: WaitingDelivery): Put[] {
  const { id, slug, lane } = delivery
  return [
    { key: deliveryKey(agentId, id), value: webhookRecords.delivery.encode(delivery) },
    { key: deliveryInLane(agentId, lane, id), value: nothing },
    ...duePuts(agentId, delivery),
    ...(slug === undefined
      ? []
      : [{ key: deliveryOfDocument(slug as Slug, agentId, id), value: nothing }]),
  ]
}

/** That its lane is to be looked at when it is due. */
export function duePuts(
  agentId: string,
  { lane, dueAt }: Pick<WaitingDelivery, 'lane' | 'dueAt'>,
): Put[] {
  const second = Math.floor(dueAt / 1000)
  return [
    { key: laneDueKey(agentId, second, lane), value: nothing },
    { key: targetDueKey(second, agentId), value: nothing },
  ]
}

/** A commit writes each key once; of two the last counts. */
export const once = (puts: readonly Put[]): Put[] => [
  ...new Map(puts.map((put) => [put.key, put])).values(),
]
