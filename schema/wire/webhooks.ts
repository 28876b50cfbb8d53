/** The state of a webhook and its deliveries (extensions §6). */
import { Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { nullable } from './primitives.ts'

const time = nullable(Type.String())

export const webhookStatusShape = Type.Object({
  state: Type.Union(
    [Type.Literal('off'), Type.Literal('ok'), Type.Literal('failing'), Type.Literal('gone')],
    { description: '`off`: no address is set. `gone`: the receiver answered 410.' },
  ),
  failing_since: time,
  last_success_at: time,
  last_error: nullable(Type.String()),
  waiting: Type.Integer({ minimum: 0, description: 'Number of pending deliveries.' }),
})

export const ownedWebhookSuccess = Type.Object({
  webhook_url: nullable(Type.String()),
  webhook_events: Type.Array(Type.String()),
  webhook_status: webhookStatusShape,
})

const states = [
  Type.Literal('waiting'),
  Type.Literal('delivered'),
  Type.Literal('given_up'),
] as const

export const deliveriesQuery = Type.Object(
  {
    state: Type.Optional(Type.Union([...states])),
    limit: Type.Optional(
      Type.String({
        pattern: '^(?:[1-9][0-9]?|1[0-9][0-9]|200)$',
        description: `1 to ${limits.pageMax}; ${limits.pageDefault} without one.`,
      }),
    ),
    cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
  },
  { additionalProperties: false },
)

export const deliveriesSuccess = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The `webhook-id` of every attempt.' }),
      event: Type.String(),
      document: nullable(
        Type.Object({
          id: Type.String(),
          title: nullable(
            Type.String({ description: 'Null when the agent has no access to it now.' }),
          ),
          apiUrl: Type.String(),
        }),
      ),
      created_at: Type.String(),
      state: Type.Union([...states]),
      attempts: Type.Array(
        Type.Object({
          at: Type.String(),
          status: nullable(Type.Integer()),
          error: nullable(Type.String()),
          ms: Type.Integer(),
        }),
        { maxItems: limits.deliveryAttemptsKept },
      ),
      next_attempt_at: time,
    }),
  ),
  next_cursor: nullable(Type.String()),
})

export const queuedDeliverySuccess = Type.Object({ id: Type.String() })

export const replayBody = Type.Object(
  { since: Type.String({ description: 'ISO 8601, at most 30 days back.' }) },
  { additionalProperties: false },
)
export const replaySuccess = Type.Object({ queued: Type.Integer({ minimum: 0 }) })
