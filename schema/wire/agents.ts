/** POST /agents/identify (interface §4.7) and POST /agents/register (interface §4.12). */
import { Type } from '@sinclair/typebox'
import { displayNameShape } from './primitives.ts'

export const identifyBody = Type.Object(
  { display_name: displayNameShape, slug: Type.String() },
  { additionalProperties: false },
)

export const identifySuccess = Type.Object({
  actor_id: Type.String(),
  display_name: Type.String(),
})

export const registerBody = Type.Object(
  {
    name: Type.String({ description: 'One line, at most 80 characters.' }),
    // No dot, so that no handle can look like a token's identity or a later holder of an old one.
    handle: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9_-]{1,38}$',
        description: 'Without one, a handle is made from the name.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const registerSuccess = Type.Object({
  agent_id: Type.String(),
  agent_secret: Type.String({ description: 'Shown this once.' }),
  actor_id: Type.String(),
  handle: Type.String(),
  name: Type.String(),
})
