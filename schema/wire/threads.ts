/** Threads and comments as they are read (interface §2.4, §2.5), and pages of them. */
import { type Static, Type } from '@sinclair/typebox'
import { actorsShape, nullable, rangeShape } from './primitives.ts'

export const sentimentShape = Type.Union([
  Type.Literal('excited'),
  Type.Literal('grateful'),
  Type.Literal('curious'),
  Type.Literal('surprised'),
  Type.Literal('uneasy'),
])

export const notifyShape = Type.Object(
  {
    kind: Type.Union([
      Type.Literal('blocked'),
      Type.Literal('decision'),
      Type.Literal('heads_up'),
      Type.Literal('done'),
    ]),
    line: Type.String(),
    options: Type.Optional(
      Type.Array(Type.Object({ label: Type.String(), answer: Type.String() })),
    ),
  },
  { description: 'What an agent asks of the people it mentions: `subject — request`.' },
)

const infoShape = {
  returned: Type.Integer({ minimum: 0 }),
  total: Type.Integer({ minimum: 0 }),
  next: nullable(Type.String({ description: 'Follow it with the same credential.' })),
}

export const commentShape = Type.Object({
  id: Type.String(),
  by: Type.String({ description: 'An actor id of `actors`.' }),
  at: Type.String(),
  text: Type.String(),
  edited_at: Type.Optional(Type.String()),
  deleted: Type.Optional(Type.Literal(true)),
  suggestion: Type.Optional(
    Type.Object({
      kind: Type.Literal('replace'),
      old_string: Type.String(),
      new_string: Type.String(),
      status: Type.Union([
        Type.Literal('pending'),
        Type.Literal('stale'),
        Type.Literal('accepted'),
        Type.Literal('rejected'),
      ]),
      created_against_revision: Type.Integer(),
    }),
  ),
  notify: Type.Optional(notifyShape),
  mentions: Type.Optional(Type.Array(Type.String())),
  sentiments: Type.Optional(
    Type.Array(Type.Object({ actor_id: Type.String(), sentiment: sentimentShape })),
  ),
  plus_ones: Type.Optional(Type.Array(Type.String())),
})

export const commentsInfoShape = Type.Object({ ...infoShape, omitted: Type.Integer() })

export const threadShape = Type.Object({
  id: Type.String(),
  block_id: nullable(Type.String()),
  range: rangeShape,
  quote: nullable(Type.String()),
  whole_block: Type.Boolean(),
  orphaned: Type.Boolean(),
  words: Type.Optional(
    Type.String({
      description: 'For an orphaned thread: the text that it was about, as plain text.',
    }),
  ),
  resolved: Type.Boolean(),
  resolution: Type.Optional(
    Type.Object({
      id: Type.String(),
      by: Type.String(),
      at: Type.String(),
      text: Type.String(),
      notify: Type.Optional(notifyShape),
      mentions: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  suggestions: Type.Object({ pending: Type.Integer(), stale: Type.Integer() }),
  comments: Type.Array(commentShape),
  comments_info: commentsInfoShape,
})

export const threadsInfoShape = Type.Object({
  ...infoShape,
  doc_total: Type.Optional(Type.Integer()),
})

const endShape = Type.Object({
  block_id: Type.String(),
  offset: Type.Integer({ minimum: 0, description: 'Offset in the plain text of the block.' }),
})

/** Where the words of a thread are, by the blocks that they begin and end in (extensions §13). */
export const placeShape = Type.Object({
  from: endShape,
  to: endShape,
  words: Type.String({
    description:
      'The plain text of the range, or its beginning when it is long. Blocks are separated ' +
      'by line breaks.',
  }),
})

export const threadWithPlaceShape = Type.Intersect([
  threadShape,
  Type.Object({
    place: nullable(placeShape),
    muted: Type.Optional(Type.Literal(true, { description: 'Written by the caller.' })),
  }),
])

export const threadsQuery = Type.Object(
  {
    ids: Type.Optional(
      Type.String({
        pattern: '^thr_[0-9A-Za-z_-]{1,64}(?:,thr_[0-9A-Za-z_-]{1,64}){0,99}$',
        description:
          'Only these threads, at most 100, separated by commas. Deleted threads are left out.',
      }),
    ),
    resolved: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false'), Type.Literal('all')]),
    ),
    focus: Type.Optional(
      Type.String({
        pattern: '^comment-[0-9a-fA-F-]{36}$',
        description: 'Only the thread of this comment.',
      }),
    ),
    cursor: Type.Optional(Type.String({ description: 'As given in `next`.' })),
  },
  { additionalProperties: false },
)

/** What GET /docs/:slug/threads answers with. */
export const threadsSuccess = Type.Object({
  revision: Type.Integer({ minimum: 1 }),
  threads: Type.Array(threadWithPlaceShape),
  threads_info: threadsInfoShape,
  muted: Type.Boolean({ description: 'Whether the caller has muted the document.' }),
  actors: actorsShape,
})

/** What `threads_info.next` answers with. */
export const threadPageShape = Type.Object({
  revision: Type.Integer({ minimum: 1 }),
  threads: Type.Array(threadShape),
  threads_info: threadsInfoShape,
  actors: actorsShape,
})

/** What `comments_info.next`, and a read of one thread, answer with. */
export const commentPageShape = Type.Object({
  revision: Type.Integer({ minimum: 1 }),
  thread_id: Type.String(),
  comments: Type.Array(commentShape),
  comments_info: commentsInfoShape,
  actors: actorsShape,
})

/** What an edit did to the words of threads (extensions §13). */
export const fatesShape = Type.Object(
  {
    moved: Type.Array(Type.String()),
    degraded: Type.Array(Type.String()),
    orphaned: Type.Array(Type.String()),
  },
  { description: 'IDs of threads whose anchors were affected.' },
)

export type WireComment = Static<typeof commentShape>
export type Place = Static<typeof placeShape>
export type ThreadWithPlace = Static<typeof threadWithPlaceShape>
export type ThreadsAnswer = Static<typeof threadsSuccess>
export type WireThread = Static<typeof threadShape>
