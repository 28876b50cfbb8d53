/** Owner keys of an account: `/auth/owner-keys` (extensions §3, §9). */
import { Type } from '@sinclair/typebox'
import { nullable } from './primitives.ts'

export const ownerKeyBody = Type.Object(
  { name: Type.Optional(Type.String({ description: 'One line, at most 80 characters.' })) },
  { additionalProperties: false },
)

export const newOwnerKeySuccess = Type.Object({
  key_id: Type.String(),
  key: Type.String({ description: 'Shown only once.' }),
  name: Type.String(),
  created_at: Type.String(),
})

export const ownerKeysSuccess = Type.Object({
  keys: Type.Array(
    Type.Object({
      key_id: Type.String(),
      name: Type.String(),
      created_at: Type.String(),
      last_used_at: nullable(Type.String()),
    }),
  ),
})

export const deletedOwnerKeySuccess = Type.Object({
  deleted: Type.Literal(true),
  key_id: Type.String(),
})
