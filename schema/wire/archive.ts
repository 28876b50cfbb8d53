/** A document's life and its flags (interface §3, §4.1; extensions §3, §9). */
import { Type } from '@sinclair/typebox'
import { actorsShape, nullable, roleShape } from './primitives.ts'

const time = (description: string) => nullable(Type.String({ description }))

const archiveFields = {
  id: Type.String(),
  title: Type.String(),
  archived: Type.Boolean(),
  archived_at: time('ISO 8601; null while the document is active.'),
  archived_by: nullable(Type.String({ description: 'The actor who archived it.' })),
  restorable_until: time('ISO 8601, 30 days later. After that the document is deleted forever.'),
  purging: Type.Boolean({ description: 'True while the document is being deleted forever.' }),
  your_role: roleShape,
  actors: actorsShape,
}

export const archiveShape = Type.Object({
  ...archiveFields,
  markdown: Type.Optional(Type.String({ description: 'The text, when requested.' })),
})

export const archiveQuery = Type.Object(
  {
    include: Type.Optional(
      Type.Literal('markdown', { description: 'Requires permission to restore the document.' }),
    ),
  },
  { additionalProperties: false },
)

export const archivedSuccess = Type.Object({
  ...archiveFields,
  revision: Type.Integer({ minimum: 1 }),
})

export const purgingSuccess = Type.Object({ id: Type.String(), purging: Type.Literal(true) })

export const settingsBody = Type.Object(
  {
    read_only: Type.Optional(Type.Boolean({ description: 'Only the owner can edit the text.' })),
    comments_disabled: Type.Optional(
      Type.Boolean({ description: 'Comments and reactions are turned off.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)

export const settingsSuccess = Type.Object({
  read_only: Type.Boolean(),
  comments_disabled: Type.Boolean(),
  revision: Type.Integer({ minimum: 1 }),
})
