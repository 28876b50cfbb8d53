/** GET /docs/:slug/actors: query and response (extensions §4). */
import { Type } from '@sinclair/typebox'
import { actorsShape } from './primitives.ts'

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
