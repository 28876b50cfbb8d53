/** Shapes of what is stored of webhook events and their deliveries, as `records.ts` of the rest. */
import { type Static, Type } from '@sinclair/typebox'
import { recordShape } from './records.ts'

/** An act as agents are sent it: references only. The text is in the body that is made of it. */
const webhookEvent = Type.Object({
  event: Type.String(),
  at: Type.Integer(),
  slug: Type.String(),
  /** Whose act it was. */
  actor: Type.String(),
  thread: Type.Optional(Type.String()),
  comment: Type.Optional(Type.String()),
  /** Agents that are not sent it, though they have a part in the document. */
  unheard: Type.Optional(Type.Array(Type.String())),
})

const attempt = Type.Object({
  at: Type.Integer(),
  ms: Type.Integer(),
  /** Of the answer; absent: there was none. */
  status: Type.Optional(Type.Integer()),
  error: Type.Optional(Type.String()),
})

const delivery = Type.Object({
  id: Type.String(),
  event: Type.String(),
  /** The document and the number of the event; absent of a test. */
  slug: Type.Optional(Type.String()),
  number: Type.Optional(Type.Integer()),
  /** When the event happened. */
  at: Type.Integer(),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('given_up')]),
  /** Of the round of attempts under way; a redelivery begins another. */
  failed: Type.Integer(),
  /** The latest ones, the oldest first. */
  attempts: Type.Array(attempt),
  /** While it waits: in which lane, and until when at least. */
  lane: Type.Optional(Type.String()),
  dueAt: Type.Optional(Type.Integer()),
  /** When it was delivered or given up. */
  endedAt: Type.Optional(Type.Integer()),
})

const webhookState = Type.Object({
  /** Of the secret that was set with the address that this is about. */
  secretId: Type.String(),
  failingSince: Type.Optional(Type.Integer()),
  lastSuccessAt: Type.Optional(Type.Integer()),
  lastError: Type.Optional(Type.String()),
  /** It answered 410. */
  gone: Type.Optional(Type.Literal(true)),
  /** The owner was told that it fails. */
  told: Type.Optional(Type.Literal(true)),
})

export type WebhookEvent = Static<typeof webhookEvent>
export type Delivery = Static<typeof delivery>
export type WebhookState = Static<typeof webhookState>

export const webhookRecords = {
  event: recordShape('webhook event', webhookEvent),
  delivery: recordShape('delivery', delivery),
  state: recordShape('webhook state', webhookState),
} as const
