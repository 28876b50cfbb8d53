/** The inbox of a person or an agent, mutes, and who may be mentioned (extensions §13). */
import { Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { displayNameShape, nullable } from './primitives.ts'
import { commentShape, notifyShape } from './threads.ts'

const actor = Type.Object({ actor_id: Type.String(), handle: Type.String(), name: Type.String() })

export const inboxQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,12}$', description: '`next` of the previous answer.' }),
    ),
    wait: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,9}$',
        description:
          `Seconds to wait for an entry before an empty list is returned. At most ` +
          `${limits.inboxWaitMaxMs / 1000}. Higher values count as that.`,
      }),
    ),
    limit: Type.Optional(Type.String({ pattern: '^(?:[1-9][0-9]?|1[0-9][0-9]|200)$' })),
  },
  { additionalProperties: false },
)

export const inboxSuccess = Type.Object({
  entries: Type.Array(
    Type.Object({
      id: Type.String(),
      event: Type.String(),
      at: Type.String(),
      document: nullable(
        Type.Object(
          { id: Type.String(), title: Type.String(), apiUrl: Type.String() },
          { description: 'Null when the entry is about the agent in `actor`.' },
        ),
      ),
      actor,
      thread_id: nullable(Type.String()),
      comment: nullable(commentShape),
      quote: nullable(Type.String()),
      block: nullable(Type.Object({ id: Type.String(), quote: Type.String() })),
      notify: nullable(notifyShape),
      count: Type.Integer({ minimum: 1 }),
      earlier: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
  ),
  next: Type.String({ description: 'Send it as `after`.' }),
  unread: Type.Integer({ minimum: 0 }),
})

export const ackBody = Type.Object(
  { up_to: Type.String({ pattern: '^[0-9]{1,12}$', description: 'The id of an entry.' }) },
  { additionalProperties: false },
)
export const ackSuccess = Type.Object({ acked: Type.String(), unread: Type.Integer() })

export const muteBody = Type.Object(
  { muted: Type.Boolean(), display_name: Type.Optional(displayNameShape) },
  { additionalProperties: false },
)
export const muteSuccess = Type.Object({
  id: Type.String(),
  thread_id: Type.Optional(Type.String()),
  muted: Type.Boolean(),
})

export const mentionableQuery = Type.Object(
  { q: Type.Optional(Type.String({ maxLength: 100 })) },
  { additionalProperties: false },
)
export const mentionableSuccess = Type.Object({
  people: Type.Array(actor, { maxItems: 20 }),
  unreachable: Type.Array(Type.Object({ actor_id: Type.String(), name: Type.String() }), {
    maxItems: 20,
    description:
      'Agents that only have a token of this document. They have no handle and no inbox.',
  }),
})
