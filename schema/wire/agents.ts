/** POST /agents/identify (interface §4.7), and the routes of agents (interface §4.12). */
import { Type } from '@sinclair/typebox'
import { displayNameShape, nullable, roleShape } from './primitives.ts'
import { webhookStatusShape } from './webhooks.ts'

export const identifyBody = Type.Object(
  { display_name: displayNameShape, slug: Type.String() },
  { additionalProperties: false },
)

export const identifySuccess = Type.Object({
  actor_id: Type.String(),
  display_name: Type.String(),
})

export const joinBody = Type.Object(
  {
    slug: Type.String(),
    token: Type.String({
      maxLength: 200,
      description: 'A token of the document, as in a share address.',
    }),
  },
  { additionalProperties: false },
)

export const joinSuccess = Type.Object({
  id: Type.String(),
  actor_id: Type.String(),
  handle: Type.String(),
  your_role: roleShape,
})

export const registerBody = Type.Object(
  {
    name: Type.String({ description: 'One line, at most 80 characters.' }),
    // No dot, so that no handle can look like a token's identity or a later holder of an old one.
    handle: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9_-]{1,38}$',
        description: 'If left out, the handle is derived from the name.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const registerSuccess = Type.Object({
  agent_id: Type.String(),
  agent_secret: Type.String({ description: 'Shown only once.' }),
  actor_id: Type.String(),
  handle: Type.String(),
  name: Type.String(),
})

const kindShape = Type.Union([
  Type.Literal('registered'),
  Type.Literal('ephemeral'),
  Type.Literal('bot'),
])

export const agentProfileSuccess = Type.Object({
  agent_id: Type.String(),
  actor_id: Type.String(),
  handle: Type.String(),
  name: Type.String(),
  kind: kindShape,
  avatar_url: nullable(Type.String()),
  webhook_url: nullable(Type.String()),
  webhook_events: Type.Array(Type.String()),
  webhook_headers: Type.Record(Type.String(), Type.String(), {
    description: 'Values are masked. Sending a masked value back changes nothing.',
  }),
  webhook_status: webhookStatusShape,
  created_at: Type.String(),
  expires_at: Type.Optional(
    Type.String({ description: 'For an ephemeral agent: when it expires unless it is used.' }),
  ),
  webhook_secret: Type.Optional(
    Type.String({
      description: 'The secret that signs its events. Returned only once, when the address is set.',
    }),
  ),
})

export const agentChangesBody = Type.Object(
  {
    name: Type.Optional(Type.String({ description: 'One line, at most 80 characters.' })),
    avatar_url: Type.Optional(nullable(Type.String({ description: 'An http or https address.' }))),
    webhook_url: Type.Optional(
      nullable(Type.String({ description: 'Where events are sent. null turns the webhook off.' })),
    ),
    webhook_events: Type.Optional(Type.Array(Type.String())),
    webhook_headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'All headers to send. Headers that are left out are removed.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const rotatedKeySuccess = Type.Object({
  agent_id: Type.String(),
  agent_secret: Type.String({ description: 'Shown only once.' }),
  previous_valid_until: Type.String(),
})

export const deletedAgentSuccess = Type.Object({
  deleted: Type.Literal(true),
  agent_id: Type.String(),
})

export const ephemeralBody = Type.Object(
  { name: Type.Optional(Type.String({ description: 'One line, at most 80 characters.' })) },
  { additionalProperties: false },
)

export const ephemeralSuccess = Type.Object({
  agent_id: Type.String(),
  agent_secret: Type.String({ description: 'Shown only once.' }),
  actor_id: Type.String(),
  handle: Type.String(),
  name: Type.String(),
  expires_at: Type.String({ description: 'When it expires. Each use extends this.' }),
})

export const ownedAgentsSuccess = Type.Object({
  agents: Type.Array(
    Type.Object({
      agent_id: Type.String(),
      actor_id: Type.String(),
      handle: Type.String(),
      name: Type.String(),
      kind: kindShape,
      created_at: Type.String(),
      last_used_at: nullable(Type.String()),
      expires_at: Type.Optional(Type.String({ description: 'Only for ephemeral agents.' })),
    }),
  ),
  next_cursor: nullable(Type.String()),
})
