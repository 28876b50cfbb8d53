/** What a live socket says first, read over HTTP (extensions §5). */
import { Type } from '@sinclair/typebox'
import { nullable, roleShape } from './primitives.ts'

/** Node refuses requests whose headers, address included, have more than 16 KB. */
export const haveMaxChars = 8_192

export const liveStateQuery = Type.Object(
  {
    have: Type.Optional(
      Type.String({
        maxLength: haveMaxChars,
        pattern: '^[A-Za-z0-9_-]+$',
        description: 'A Yjs state vector in base64url. Without it, the whole document is returned.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const liveStateSuccess = Type.Object(
  {
    epoch: Type.String(),
    revision: Type.Integer(),
    role: roleShape,
    actor_id: nullable(Type.String()),
    name: nullable(Type.String()),
    read_only: Type.Boolean(),
    comments_disabled: Type.Boolean(),
    schema: Type.Integer(),
    claimable: Type.Optional(Type.Literal(true)),
    linkless: Type.Optional(Type.Literal(true)),
    update: Type.String({ description: 'A Yjs update (V1) in base64.' }),
  },
  { additionalProperties: false },
)
