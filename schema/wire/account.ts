/** `/auth/…` and `POST /docs/:slug/claim` (extensions §3). */
import { Type } from '@sinclair/typebox'

export const guestBody = Type.Object(
  { name: Type.String({ description: 'One line, at most 80 characters.' }) },
  { additionalProperties: false },
)

export const accountSuccess = Type.Object({
  actor_id: Type.String({ pattern: '^human:' }),
  handle: Type.String(),
  name: Type.String(),
  guest: Type.Boolean({ description: 'It has no password: only its session leads back to it.' }),
})

export const claimSuccess = Type.Object({
  id: Type.String(),
  your_role: Type.Literal('owner'),
})
