/** Lists that come in pages (extensions §8). */
import { Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'

export const pageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.String({
        pattern: '^(?:[1-9][0-9]?|1[0-9][0-9]|200)$',
        description: `1 to ${limits.pageMax}; ${limits.pageDefault} without one.`,
      }),
    ),
    cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
  },
  { additionalProperties: false },
)
