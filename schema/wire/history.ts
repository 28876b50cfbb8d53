/** The history (interface §2.7, §4.11; extensions §12): queries, bodies, responses. */
import { Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { outcomeShape } from './patch-document.ts'
import { displayNameShape, nullable } from './primitives.ts'

const revisionNameMaxChars = 100

const revision = Type.Integer({ minimum: 1 })
const revisionParameter = Type.String({ pattern: '^[1-9][0-9]{0,8}$' })

/** The cursor is what `next_cursor` said. */
const cursor = Type.Optional(Type.String({ pattern: '^r[1-9][0-9]{0,8}$' }))

export const historyQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9][0-9]?|1[0-9]{2}|200)$',
        description: `1 to ${limits.pageMax}, ${limits.pageDefault} unless given.`,
      }),
    ),
    cursor,
  },
  { additionalProperties: false },
)

export const logQuery = Type.Object({ cursor }, { additionalProperties: false })

export const historySuccess = Type.Object({
  entries: Type.Array(
    Type.Object({
      revision,
      at: Type.String(),
      event: Type.String(),
      actor_id: Type.String(),
      actor_ids: Type.Optional(Type.Array(Type.String())),
      auth_method: Type.Union([
        Type.Literal('session'),
        Type.Literal('agent'),
        Type.Literal('token'),
        Type.Literal('anonymous'),
        Type.Literal('owner_key'),
      ]),
      ip_hash: nullable(Type.String()),
      markdown_sha256_before: Type.Optional(Type.String()),
      markdown_sha256_after: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
    }),
  ),
  next_cursor: nullable(Type.String()),
})

export const formerSuccess = Type.Object({
  id: Type.String(),
  revision,
  title: Type.String(),
  markdown: Type.String(),
  content_hash: Type.String(),
  at: Type.String(),
  actor_id: Type.String(),
  authorship: Type.Optional(
    Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer(), author: Type.String() })),
  ),
})

/** Made by `next_cursor`; means nothing to a client. */
const pageCursor = Type.Optional(Type.String({ pattern: '^p[0-9]{1,10}-[0-9]{1,10}$' }))

export const diffQuery = Type.Object(
  { from: revisionParameter, to: revisionParameter, cursor: pageCursor },
  { additionalProperties: false },
)

export const diffSuccess = Type.Object({
  from: revision,
  to: revision,
  changes: Type.Array(
    Type.Object({
      kind: Type.Union([Type.Literal('insert'), Type.Literal('delete')]),
      text: Type.String(),
      from: Type.Optional(
        Type.Integer({ description: 'For a deletion: its position in the older markdown.' }),
      ),
      to: Type.Optional(
        Type.Integer({ description: 'For an insertion: its position in the newer markdown.' }),
      ),
      author: Type.String({ description: 'Who made the change.' }),
    }),
  ),
  next_cursor: nullable(Type.String()),
})

export const sinceQuery = Type.Object(
  { revision: revisionParameter, cursor: pageCursor },
  { additionalProperties: false },
)

export const sinceSuccess = Type.Object({
  from: revision,
  to: revision,
  changes: Type.Array(
    Type.Object({
      block_id: Type.String(),
      kind: Type.Union([Type.Literal('added'), Type.Literal('changed'), Type.Literal('deleted')]),
      actor_ids: Type.Array(Type.String()),
    }),
  ),
  next_cursor: nullable(Type.String()),
})

export const nameBody = Type.Object(
  {
    name: nullable(
      Type.String({
        minLength: 1,
        maxLength: revisionNameMaxChars,
        pattern:
          '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
      }),
    ),
    display_name: Type.Optional(displayNameShape),
  },
  { additionalProperties: false },
)

export const nameSuccess = Type.Object({ revision, name: nullable(Type.String()) })

export const revertBody = Type.Object(
  {
    revision,
    base_revision: Type.Optional(Type.Integer({ minimum: 0 })),
    comment_outcomes: Type.Optional(Type.Array(outcomeShape, { maxItems: 1000 })),
    display_name: Type.Optional(displayNameShape),
  },
  { additionalProperties: false },
)
