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
  { description: 'A role on a document, from highest to lowest.' },
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
        description:
          'One of ten hues, assigned when the actor first writes in the document. It does not ' +
          'change.',
      }),
    ),
  },
  { description: 'The actor of an actor id.' },
)

export const actorsShape = Type.Record(Type.String(), actorShape)

export const displayNameShape = Type.String({
  description: 'The display name of the caller: one line, at most 80 characters.',
})
