/** Comments: what is sent to make, edit, decide and answer them (interface §4.6). */
import { type Static, Type } from '@sinclair/typebox'
import { displayNameShape, nullable } from './primitives.ts'
import { fatesShape, placeShape, sentimentShape } from './threads.ts'

const id = Type.String({ minLength: 1, maxLength: 100 })
const revision = Type.Integer({ minimum: 1 })
const text = Type.String({ description: 'Not blank, at most 16 KiB.' })

export const commentBody = Type.Object(
  {
    text: Type.Optional(text),
    quote: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Exact markdown of the document, including markup. It must occur exactly once. At ' +
          'most 64 KiB.',
      }),
    ),
    block_id: Type.Optional(id),
    place: Type.Optional(placeShape),
    general: Type.Optional(
      Type.Boolean({
        description: 'A comment on the whole document. Other targets take precedence.',
      }),
    ),
    reply_to: Type.Optional(id),
    thread_id: Type.Optional(id),
    suggestion: Type.Optional(
      Type.Object({ new_string: Type.String() }, { additionalProperties: false }),
    ),
    expected_revision: Type.Optional(Type.Integer({ minimum: 0 })),
    kind: Type.Optional(Type.Literal('resolution')),
    notify: Type.Optional(
      Type.Unknown({
        description:
          '`{kind: blocked|decision|heads_up|done, line, options?: [{label, answer}]}`; `line` ' +
          'has at most 120 characters and the form `subject — request`.',
      }),
    ),
    mentions: Type.Optional(
      Type.Array(id, { maxItems: 100, description: 'Handles or actor ids.' }),
    ),
    display_name: Type.Optional(displayNameShape),
  },
  { additionalProperties: false },
)
export type CommentBody = Static<typeof commentBody>

export const anchorShape = Type.Object({
  version: Type.Literal(2),
  kind: Type.Literal('block_segments'),
  scope: Type.Union([Type.Literal('range'), Type.Literal('block')]),
  segments: Type.Array(
    Type.Object({
      block_id: Type.String(),
      start_offset: Type.Integer(),
      end_offset: Type.Integer(),
      quote: Type.String(),
    }),
  ),
  quote: Type.String(),
})

export const commentSuccess = Type.Object({
  comment_id: Type.String(),
  created_at: Type.String(),
  revision,
  thread_id: Type.String(),
  anchor: anchorShape,
  anchor_block_id: Type.Optional(Type.String({ pattern: '^bid_' })),
  resolved: Type.Optional(Type.Literal(true)),
  warning: Type.Optional(Type.String()),
})

const named = { display_name: Type.Optional(displayNameShape) }
const closed = { additionalProperties: false }

export const resolveBody = Type.Object({ text, ...named }, closed)
export const resolveSuccess = Type.Object({
  comment_id: Type.String(),
  resolution_id: Type.String(),
  resolved: Type.Literal(true),
  revision,
})

export const unresolveSuccess = Type.Object({
  thread_id: Type.String(),
  resolved: Type.Literal(false),
  removed_resolution_ids: Type.Array(Type.String()),
  revision,
})

export const editCommentBody = Type.Object(
  {
    text: Type.Optional(text),
    suggestion: Type.Optional(Type.Object({ new_string: Type.String() }, closed)),
    ...named,
  },
  closed,
)
export const editCommentSuccess = Type.Object({
  comment_id: Type.String(),
  text: Type.String(),
  edited_at: Type.String(),
  suggestion: Type.Optional(Type.Object({ new_string: Type.String() })),
  revision,
})

export const deletedCommentSuccess = Type.Object({
  deleted: Type.Literal(true),
  comment_id: Type.String(),
  revision,
})

export const acceptSuccess = Type.Object({
  comment_id: Type.String(),
  status: Type.Literal('accepted'),
  markdown: Type.String(),
  revision,
  comments: Type.Optional(fatesShape),
  orphaned_threads: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Threads that lost their text when the edit was accepted.',
    }),
  ),
})
export const rejectSuccess = Type.Object({
  comment_id: Type.String(),
  status: Type.Literal('rejected'),
  revision,
})

export const sentimentBody = Type.Object({ sentiment: sentimentShape, ...named }, closed)
const reacted = { comment_id: Type.String(), actor_id: Type.String(), revision }
export const sentimentSuccess = Type.Object({ ...reacted, sentiment: sentimentShape })
export const plusOneSuccess = Type.Object(reacted)
export const reactionGoneSuccess = Type.Object({ deleted: Type.Literal(true), ...reacted })

export const tombstonesSuccess = Type.Object({
  comments: Type.Array(
    Type.Object(
      { deleted_at: Type.String(), deleted_by: Type.String(), thread_id: Type.String() },
      { additionalProperties: true },
    ),
  ),
  next_cursor: nullable(Type.String()),
})
