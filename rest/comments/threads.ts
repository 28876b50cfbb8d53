/** Threads resolved and opened again, suggestions decided, reactions (interface §3, §4.6). */
import type { Static } from '@sinclair/typebox'
import type { ActorId } from '../../schema/ids.ts'
import type { resolveBody } from '../../schema/wire/comments.ts'
import type { Admitted } from '../admission/admitted.ts'
import type { DocumentContext } from '../admission/document-access.ts'
import { retryable } from '../admission/retries.ts'
import type { Answer } from '../answers/answer.ts'
import { charged } from '../edits/edit-charges.ts'
import { editErrors } from '../edits/edit-errors.ts'
import { keepLink, withText } from '../edits/patch-document.ts'
import { documentRoute } from '../route.ts'
import type { Services } from '../services.ts'
import { requireText } from './comment-rules.ts'
import { commentId } from './comments.ts'
import { answeredBy, speakerOf } from './discussion-caller.ts'

/** Of a thread, named by itself or by one of its comments. */
const resolving = {
  bodyLimit: 'discussion',
  answer: 'bounded',
  access: 'comment',
  ...retryable,
  check: ({ text }: ResolveBody) => requireText(text),
} as const

type ResolveBody = Static<typeof resolveBody>

async function resolve(
  input: Admitted & { readonly document: DocumentContext; readonly body: ResolveBody },
  services: Services,
  what: { readonly comment: string } | { readonly thread: string },
): Promise<Answer<never>> {
  const by = await speakerOf(input, services)
  const { discussion } = services.documents
  return answeredBy(await discussion.resolve(input.document.slug, by, what, input.body.text))
}

export const resolveComment = documentRoute(
  'POST /docs/:slug/comments/:cid/resolve',
  {
    ...resolving,
    summary: 'Resolve the thread of a comment',
    errors: [
      'IDEMPOTENCY_KEY_REUSED',
      'NOT_FOUND',
      'ALREADY_RESOLVED',
      'MARK_ANCHOR_NOT_FOUND',
      'LIMIT_REACHED',
    ],
  },
  (input, services) => resolve(input, services, { comment: commentId(input.params) }),
)

export const resolveThread = documentRoute(
  'POST /docs/:slug/threads/:thread_id/resolve',
  {
    ...resolving,
    summary: 'Resolve a thread',
    description: 'Also works when the commented text was deleted.',
    errors: ['IDEMPOTENCY_KEY_REUSED', 'THREAD_NOT_FOUND', 'ALREADY_RESOLVED', 'LIMIT_REACHED'],
  },
  (input, services) => resolve(input, services, { thread: input.params['thread_id'] ?? '' }),
)

export const unresolveThread = documentRoute(
  'POST /docs/:slug/threads/:thread_id/unresolve',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Reopen a resolved thread',
    access: 'comment',
    errors: ['THREAD_NOT_FOUND', 'THREAD_RESOLUTION_AMBIGUOUS'],
  },
  async (input, services) => {
    const { document, params } = input
    const by = await speakerOf(input, services)
    const thread = params['thread_id'] ?? ''
    return answeredBy(await services.documents.discussion.unresolve(document.slug, by, thread))
  },
)

export const acceptSuggestion = documentRoute(
  'POST /docs/:slug/comments/:cid/accept',
  {
    bodyLimit: 'none',
    answer: 'document',
    summary: 'Accept a suggestion',
    description:
      'Applies the suggested text as an edit of its author, in one revision with the decision.',
    access: 'accept',
    errors: [
      'NOT_FOUND',
      'NOT_A_SUGGESTION',
      'SUGGESTION_CLOSED',
      'ORPHANED_ANCHOR',
      'BLOCK_STALE',
      'PAYLOAD_TOO_LARGE',
      'BUSY',
      ...editErrors,
    ],
  },
  async (input, services) => {
    const { document, params } = input
    try {
      const by = await speakerOf(input, services)
      const { discussion } = services.documents
      const answer = await charged(input, services, (costs) =>
        discussion.accept(document.slug, { ...by, ...costs }, commentId(params)),
      )
      await keepLink(input, services)
      return answeredBy(answer)
    } catch (error) {
      throw await withText(error, input, services)
    }
  },
)

export const rejectSuggestion = documentRoute(
  'POST /docs/:slug/comments/:cid/reject',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Reject a suggestion',
    access: 'decide',
    errors: ['NOT_FOUND', 'NOT_A_SUGGESTION', 'SUGGESTION_CLOSED'],
  },
  async (input, services) => {
    const { document, params } = input
    const by = await speakerOf(input, services)
    return answeredBy(
      await services.documents.discussion.reject(document.slug, by, commentId(params)),
    )
  },
)

export const setSentiment = documentRoute(
  'POST /docs/:slug/comments/:cid/sentiments',
  {
    bodyLimit: 'discussion',
    answer: 'bounded',
    summary: 'React to a comment',
    description: 'One reaction per actor. The last one counts.',
    access: 'comment',
    errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  },
  async (input, services) => {
    const { body, document, params } = input
    const by = await speakerOf(input, services)
    const { discussion } = services.documents
    return answeredBy(await discussion.feel(document.slug, by, commentId(params), body.sentiment))
  },
)

/** Of both kinds of reaction. */
const taking = {
  summary: 'Remove your reaction',
  bodyLimit: 'none',
  answer: 'bounded',
  access: 'comment',
  errors: ['NOT_FOUND'],
} as const

export const takeSentiment = documentRoute(
  'DELETE /docs/:slug/comments/:cid/sentiments/:actor',
  taking,
  async (input, services) => {
    const by = await speakerOf(input, services)
    const { discussion } = services.documents
    const [id, of] = [commentId(input.params), actorIn(input.params)]
    return answeredBy(await discussion.unfeel(input.document.slug, by, id, of))
  },
)

export const givePlusOne = documentRoute(
  'POST /docs/:slug/comments/:cid/plusones',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Add a +1 to a comment',
    access: 'comment',
    errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  },
  async (input, services) => {
    const by = await speakerOf(input, services)
    const { discussion } = services.documents
    return answeredBy(await discussion.plusOne(input.document.slug, by, commentId(input.params)))
  },
)

export const takePlusOne = documentRoute(
  'DELETE /docs/:slug/comments/:cid/plusones/:actor',
  taking,
  async (input, services) => {
    const by = await speakerOf(input, services)
    const { discussion } = services.documents
    const [id, of] = [commentId(input.params), actorIn(input.params)]
    return answeredBy(await discussion.takePlusOne(input.document.slug, by, id, of))
  },
)

/** Whose reaction is named (interface §2.5). */
const actorIn = (params: Readonly<Record<string, string>>): ActorId =>
  (params['actor'] ?? '') as ActorId
