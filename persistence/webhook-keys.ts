/** The keys of events that agents are sent and of their deliveries; part of `keys.ts`. */
import type { Slug } from '../schema/ids.ts'
import { below, indexKey, indexRange, padded, segment } from './key-parts.ts'
import type { Below, Range } from './store.ts'

/** An event that agents are sent, by its number among all entries; and the bytes that are sent. */
export const webhookEventKey = (slug: Slug, event: number): string =>
  `webhook-event/${slug}/${padded(event)}`
export const webhookEventsOf = (slug: Slug): Range => below(`webhook-event/${slug}`)
export const webhookBodyKey = (slug: Slug, event: number): string =>
  `webhook-body/${slug}/${padded(event)}`
export const webhookBodiesOf = (slug: Slug): Range => below(`webhook-body/${slug}`)
/** Events whose recipients are still to be found among those with a part in the document. */
export const webhookFanOut = (slug: Slug, event: number): string =>
  indexKey('webhook-fan-out', slug, event)
/** How an agent's webhook fares; where it leads is in `webhook`. */
export const webhookStateKey = (agentId: string): string => `webhook-state/${segment(agentId)}`
/** The id of a delivery: ids of later events order behind those of earlier ones. */
export const deliveryId = (event: number, random: string): string => `msg_${padded(event)}${random}`
export const deliveryKey = (agentId: string, id: string): string =>
  `delivery/${segment(agentId)}/${segment(id)}`
/** All of an agent; those before `id` alone. */
export const deliveriesOf = (agentId: string, id?: string): Below => ({
  ...below(`delivery/${segment(agentId)}`),
  ...(id !== undefined && { lt: deliveryKey(agentId, id) }),
})
/** Deliveries that wait, by the lane in which they keep their order. */
export const deliveryInLane = (agentId: string, lane: string, id: string): string =>
  indexKey('delivery-lane', agentId, lane, id)
/** When the first delivery of a lane is to be sent; and when something of an agent is. */
export const laneDueKey = (agentId: string, second: number, lane: string): string =>
  indexKey('lane-due', agentId, second, lane)
export const lanesDueBy = (agentId: string, second: number): Range => ({
  ...indexRange('lane-due', agentId),
  lt: indexKey('lane-due', agentId, second + 1),
})
export const targetDueKey = (second: number, agentId: string): string =>
  indexKey('target-due', second, agentId)
export const targetsDueBy = (second: number): Range => ({
  ...indexRange('target-due'),
  lt: indexKey('target-due', second + 1),
})
/** Deliveries that are about a document, finished ones too. */
export const deliveryOfDocument = (slug: Slug, agentId: string, id: string): string =>
  indexKey('delivery-of', slug, agentId, id)
