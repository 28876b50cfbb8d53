/** GET /docs/:slug/blocks/:bid: response (interface §4.11, extensions §4). */
import { Type } from '@sinclair/typebox'
import { actorsShape, nullable, rangeShape } from './primitives.ts'

export const tombstoneShape = Type.Object(
  {
    deleted_at_revision: Type.Integer({ minimum: 1 }),
    nearest_survivor_id: nullable(Type.String({ pattern: '^bid_' })),
    nearest_survivor_relation: Type.Union([Type.Literal('after'), Type.Literal('before')], {
      description: '`after`: retry with `after_block`; `before`: with `before_block`.',
    }),
  },
  { description: 'Position of a deleted block, relative to its nearest survivor.' },
)

export const readBlockQuery = Type.Object({}, { additionalProperties: false })

export const readBlockSuccess = Type.Object(
  {
    id: Type.String({ pattern: '^bid_' }),
    revision: Type.Integer({ minimum: 1 }),
    range: Type.Optional(rangeShape),
    quote: Type.Optional(Type.String({ description: 'The markdown of the block.' })),
    tombstone: Type.Optional(tombstoneShape),
  },
  { description: 'Either `range` and `quote`, or `tombstone`.' },
)

/** Asked for in one request. */
export const actorsAskedMax = 100

export const readActorsQuery = Type.Object(
  { ids: Type.String({ description: 'At most 100 actor ids, separated by commas.' }) },
  { additionalProperties: false },
)

export const readActorsSuccess = Type.Object({
  slug: Type.String(),
  revision: Type.Integer({ minimum: 1 }),
  actors: actorsShape,
})
