/** The routes about the service itself. */
import { Type } from '@sinclair/typebox'

export const noQuery = Type.Object({}, { additionalProperties: false })

/** Whatever a link or a balancer adds to the address is let pass. */
export const anyQuery = Type.Object({}, { additionalProperties: true })

export const okSuccess = Type.Object({ ok: Type.Literal(true) })

export const openApiSuccess = Type.Object(
  { openapi: Type.String(), paths: Type.Object({}, { additionalProperties: true }) },
  { additionalProperties: true },
)

/** A body that is not JSON; which media type it is, the route says. */
export const textSuccess = Type.String()

/** Asked for by an upgrade, never answered as a body. */
export const changesQuery = Type.Object(
  {
    since_revision: Type.Optional(Type.String({ pattern: '^[0-9]+$' })),
    token: Type.Optional(
      Type.String({ description: 'A document token, when no header can be set. Only here.' }),
    ),
  },
  { additionalProperties: false },
)

export const liveQuery = Type.Object(
  {
    events: Type.Optional(Type.Literal('json')),
    schema: Type.Optional(Type.String()),
    epoch: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
