/** GET /docs/:slug: query and response (interface §2.2, §2.4, §4.4). */
import { Type } from '@sinclair/typebox'
import { actorsShape, nullable, rangeShape, roleShape } from './primitives.ts'
import { commentShape, threadShape, threadsInfoShape } from './threads.ts'

export const readDocumentQuery = Type.Object(
  {
    docs: Type.Optional(
      Type.String({
        description: 'A flag. Adds `quickstart`. For the first read through a share link.',
      }),
    ),
    include: Type.Optional(
      Type.String({
        pattern: '^(authorship|block_quotes|manifest)(,(authorship|block_quotes|manifest))*$',
        description: '`authorship`, `block_quotes`, `manifest`; separate several with commas.',
      }),
    ),
    revision: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,8}$',
        description:
          'Editors only: the document at that revision. Of the other parameters, only ' +
          '`include=authorship` and `format=okf` apply. Fields that describe the present are ' +
          'left out.',
      }),
    ),
    format: Type.Optional(
      Type.Literal('okf', { description: 'The document as one OKF 0.1 concept file.' }),
    ),
    focus: Type.Optional(
      Type.String({
        pattern:
          '^comment-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
      }),
    ),
    resolved: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false'), Type.Literal('all')]),
    ),
    mentions: Type.Optional(Type.Literal('me')),
    since_revision: Type.Optional(Type.String({ pattern: '^[0-9]+$' })),
    suggestions: Type.Optional(
      Type.Union([Type.Literal('pending'), Type.Literal('stale'), Type.Literal('open')]),
    ),
    thread_id: Type.Optional(Type.String({ pattern: '^thr_[0-9A-Za-z_-]{1,64}$' })),
    cursor: Type.Optional(
      Type.String({ description: 'A page of threads or comments, as given in `next`.' }),
    ),
  },
  { additionalProperties: false },
)

/** The parameters whose malformed values are INVALID_FILTER (interface §4.4, rule 5). */
export const readFilters: ReadonlySet<string> = new Set([
  'focus',
  'resolved',
  'mentions',
  'since_revision',
  'suggestions',
  'thread_id',
])

export const linkAccessShape = Type.Object({
  mode: Type.Union([Type.Literal('restricted'), Type.Literal('anyone')]),
  role: Type.Union([Type.Literal('viewer'), Type.Literal('commenter'), Type.Literal('editor')]),
})

export const quickstartShape = Type.Object({
  summary: Type.String(),
  steps: Type.Array(
    Type.Object({ step: Type.String(), why: Type.String(), request: Type.String() }),
  ),
})

export const manifestShape = Type.Object({
  type: Type.Optional(Type.String()),
  title: Type.String(),
  description: nullable(Type.String()),
  resource: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  timestamp: Type.String(),
  extensions: Type.Record(Type.String(), Type.Unknown()),
})

export const readDocumentSuccess = Type.Object({
  id: Type.String(),
  title: Type.String(),
  revision: Type.Integer({ minimum: 1 }),
  your_role: roleShape,
  read_only: Type.Boolean(),
  comments_disabled: Type.Boolean(),
  markdown: Type.String(),
  content_blocks: Type.Array(
    Type.Object({
      id: nullable(Type.String({ pattern: '^bid_' })),
      range: rangeShape,
      quote: Type.Optional(Type.String()),
    }),
  ),
  threads: Type.Array(threadShape),
  threads_info: threadsInfoShape,
  suggestions_info: Type.Object({ pending: Type.Integer(), stale: Type.Integer() }),
  actors: actorsShape,
  link_access: linkAccessShape,
  your_token: Type.Optional(Type.String({ description: 'Use this token from now on.' })),
  display_name: Type.Optional(Type.String()),
  api_reference_url: Type.String(),
  quickstart: Type.Optional(quickstartShape),
  content_hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  live_etag: Type.String(),
  authorship: Type.Optional(
    Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer(), author: Type.String() })),
  ),
  manifest: Type.Optional(manifestShape),
  focused: Type.Optional(nullable(commentShape)),
})
