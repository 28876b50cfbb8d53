/** The small shapes that several requests and responses share (interface §2). */
import { type TSchema, Type } from '@sinclair/typebox'

/** JSON Schema writes `null` unions this way; OpenAPI 3.1 takes it as it is. */
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const roleShape = Type.Union(
  [
    Type.Literal('owner'),
    Type.Literal('editor'),
    Type.Literal('commenter'),
    Type.Literal('viewer'),
  ],
  { description: 'A role on a document, the highest first.' },
)

/** Positions are UTF-16 code units into the `markdown` of the same response (interface §2.2). */
export const rangeShape = Type.Object({
  from: Type.Integer({ minimum: 0 }),
  to: Type.Integer({ minimum: 0 }),
})

export const actorShape = Type.Object(
  {
    actor_id: Type.String(),
    handle: Type.String(),
    name: Type.String(),
    is_human: Type.Boolean(),
    kind_label: Type.String(),
    hue: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 9,
        description: 'Who has written in the document has one of ten hues in it, for good.',
      }),
    ),
  },
  { description: 'Who an actor id stands for.' },
)

export const actorsShape = Type.Record(Type.String(), actorShape)

export const displayNameShape = Type.String({
  description: 'What the caller wants to be called: one line, at most 80 characters.',
})
