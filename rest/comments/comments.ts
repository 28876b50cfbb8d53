/** Comments of a document (interface §4.6): made, edited, deleted; those that were. */
import type { DeletedPage, DeletedWish } from '../../core/documents/contract.ts'
import { type ErrorCode, Refusal } from '../../schema/errors.ts'
import type { BlockId } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { CommentBody } from '../../schema/wire/comments.ts'
import type { Place } from '../../schema/wire/threads.ts'
import type { Admitted } from '../admission/admitted.ts'
import type { DocumentContext } from '../admission/document-access.ts'
import { retryable } from '../admission/retries.ts'
import { json } from '../answers/answer.ts'
import { cursorAfter, type PageAsked, pageAsked } from '../answers/cursors.ts'
import { isoTime } from '../answers/times.ts'
import { editErrors } from '../edits/edit-errors.ts'
import { keepLink } from '../edits/patch-document.ts'
import { documentRoute } from '../route.ts'
import type { Services } from '../services.ts'
import { checkComment, requireSize, requireText } from './comment-rules.ts'
import { answeredBy, speakerOf } from './discussion-caller.ts'
import { type CommentMentions, mentionsOf } from './mentions.ts'
import { wireComment } from './shown-threads.ts'

/** Every code that a new comment can end with beside those of an edit (interface §7). */
const commentErrors: readonly ErrorCode[] = [
  'INVALID_BLOCK_ID',
  'EXPECTED_REVISION_REQUIRED',
  'EXPECTED_REVISION_FUTURE',
  'GENERAL_SUGGESTION_UNSUPPORTED',
  'GENERAL_RESOLUTION_UNSUPPORTED',
  'INVALID_REPLY',
  'NOTIFICATION_REQUIRED',
  'NOTIFICATION_INVALID',
  'REPLY_TARGET_NOT_FOUND',
  'REPLY_TARGET_DELETED',
  'REPLY_TARGET_ANCHOR_LOST',
  'THREAD_NOT_FOUND',
  'THREAD_TARGET_MISMATCH',
  'THREAD_RESOLVED',
  'ALREADY_RESOLVED',
  'NOT_FOUND',
  'AMBIGUOUS',
  'BLOCK_STALE',
  'COMMENT_ANCHOR_BLOCK_NOT_FOUND',
  'MULTI_BLOCK_COMMENT_UNSUPPORTED',
  'MARK_ANCHOR_NOT_FOUND',
  'ORPHANED_ANCHOR',
  'LIMIT_REACHED',
]

export const makeComment = documentRoute(
  'POST /docs/:slug/comments',
  {
    bodyLimit: 'discussion',
    answer: 'bounded',
    summary: 'Comment on text, a block or the document, reply, or suggest',
    description:
      'The target is a `quote` (exact markdown), a `block_id`, a thread (`reply_to`, ' +
      '`thread_id`), or `general` for the whole document. With `suggestion`, the comment ' +
      'proposes replacement text.',
    access: 'comment',
    ...retryable,
    check: checkComment,
    deprecatedField: ({ block_id: id }) => (id?.startsWith('blk_') ? 'block_id' : undefined),
    success: { status: 201 },
    errors: [...commentErrors, ...editErrors],
  },
  async (input, services) => {
    // What is not to be said names nobody either.
    if (input.displayName !== undefined) await mentionsIn(input, services)
    const by = await speakerOf(input, services)
    const { discussion } = services.documents
    const answer = await discussion.comment(input.document.slug, by, async () =>
      saidIn(input, await mentionsIn(input, services)),
    )
    await keepLink(input, services)
    return answeredBy(answer)
  },
)

type CommentInput = Admitted & { readonly body: CommentBody; readonly document: DocumentContext }

/** Whom it calls; refuses NOTIFICATION_REQUIRED. */
function mentionsIn(input: CommentInput, services: Services): Promise<CommentMentions> {
  const { body, document, credential } = input
  const by = document.access.actor ?? credential?.actor
  if (by === undefined) throw new TypeError('a comment of nobody was admitted')
  const spoken = { text: body.text ?? '', entries: body.mentions ?? [], notify: body.notify, by }
  return mentionsOf(spoken, document, services)
}

const saidIn = ({ body }: CommentInput, calling: CommentMentions) => ({
  text: body.text ?? '',
  quote: body.quote,
  blockId: body.block_id,
  place: body.place && placeNamed(body.place),
  replyTo: body.reply_to?.toLowerCase(),
  threadId: body.thread_id,
  newString: body.suggestion?.new_string,
  expectedRevision: body.expected_revision,
  isResolution: body.kind === 'resolution',
  ...calling,
})

export const editComment = documentRoute(
  'PATCH /docs/:slug/comments/:cid',
  {
    bodyLimit: 'discussion',
    answer: 'bounded',
    summary: 'Edit your own comment or suggestion',
    access: 'comment',
    check({ text, suggestion }) {
      if (text === undefined && suggestion === undefined) requireText(text)
      if (text !== undefined) requireText(text)
      if (suggestion !== undefined) requireSize(suggestion.new_string, limits.suggestionMaxBytes)
    },
    errors: ['NOT_FOUND', 'NOT_A_SUGGESTION', 'SUGGESTION_CLOSED'],
  },
  async (input, services) => {
    const { body, document, params } = input
    const by = await speakerOf(input, services)
    const edited = { text: body.text, newString: body.suggestion?.new_string }
    return answeredBy(
      await services.documents.discussion.edit(document.slug, by, commentId(params), edited),
    )
  },
)

export const deleteComment = documentRoute(
  'DELETE /docs/:slug/comments/:cid',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Delete your own comment',
    description: 'It can still be read at `/tombstones`.',
    access: 'withdraw',
    errors: ['NOT_FOUND'],
  },
  async (input, services) => {
    const by = await speakerOf(input, services)
    const id = commentId(input.params)
    return answeredBy(await services.documents.discussion.remove(input.document.slug, by, id))
  },
)

export const readTombstones = documentRoute(
  'GET /docs/:slug/tombstones',
  {
    bodyLimit: 'none',
    answer: 'paged',
    summary: 'List deleted comments',
    description: 'Most recently deleted first.',
    access: 'listen',
    errors: [],
  },
  async ({ document, query, sources }, { documents }) => {
    const wish = { deletedComments: tombstonesWish(pageAsked(query)) }
    const view = await documents.read(document.slug, wish, sources)
    const { comments, next } = tombstonePage(view.deletedComments())
    return json({ comments, next_cursor: next === undefined ? null : cursorAfter(next) })
  },
)

const placeNamed = ({ from, to, words }: Place) => ({
  from: { block: from.block_id as BlockId, offset: from.offset },
  to: { block: to.block_id as BlockId, offset: to.offset },
  words,
})

/** Refuses NOT_FOUND what is no id. */
export function commentId(params: Readonly<Record<string, string>>): string {
  const id = params['cid']?.toLowerCase()
  if (id === undefined) throw new Refusal('NOT_FOUND')
  return id
}

/** Which of the deleted comments (interface §2.5) one page shows. */
function tombstonesWish({ after, limit }: PageAsked): DeletedWish {
  if (after === undefined) return { most: limit }
  const [at = 0, n = 0] = after.split('-').map(Number)
  return { most: limit, after: { at, n } }
}

const tombstonePage = ({ comments, next }: DeletedPage) => ({
  comments: comments.map(({ comment, thread }) => {
    const { deleted: _, ...living } = comment
    const { at = 0, by = comment.by } = comment.deleted ?? {}
    const shown = wireComment(living, { stale: [] })
    return { ...shown, deleted_at: isoTime(at), deleted_by: by, thread_id: thread }
  }),
  next: next && `${next.at}-${next.n}`,
})
