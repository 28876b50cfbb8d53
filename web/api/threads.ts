/** What the page asks of a document's discussion (interface §4.6; extensions §13). */
import type { Body, Success } from '../../schema/wire/api.ts'
import { requestOf } from '../../schema/wire/request.ts'
import type { ThreadWithPlace, WireComment } from '../../schema/wire/threads.ts'
import { call } from './http.ts'

export type { Place, ThreadsAnswer } from '../../schema/wire/threads.ts'
export type Thread = ThreadWithPlace
export type Comment = WireComment
export type Suggestion = NonNullable<Comment['suggestion']>
export type Notify = NonNullable<Comment['notify']>
export type Sentiment = NonNullable<Comment['sentiments']>[number]['sentiment']

export interface ThreadsWish {
  /** These alone, resolved or not. */
  readonly ids?: readonly string[]
  readonly resolved?: 'true' | 'false' | 'all'
  /** The thread of this comment alone. */
  readonly comment?: string
}

/** One page, the newest first; `next` of it is an address for `threadsAt`, too. */
export const threadsAddress = (slug: string, { ids, resolved, comment }: ThreadsWish): string => {
  const query = { ids: ids?.join(), resolved, focus: comment && `comment-${comment}` }
  return requestOf('GET /docs/:slug/threads', { slug, query }).path
}

export const threadsAt = (address: string, signal: AbortSignal) =>
  call('GET /docs/:slug/threads', ['threads', 'threads_info', 'actors'], { address, signal })

/** `address`: what `comments_info.next` says. */
export const commentsAt = (address: string, signal: AbortSignal) =>
  call('GET /docs/:slug', ['comments', 'comments_info'], { address, signal })

export type NewComment = Body<'POST /docs/:slug/comments'> & { readonly text: string }

/** Sent again with the same key it is said once. */
export const say = (slug: string, body: NewComment, idempotencyKey: string) =>
  call('POST /docs/:slug/comments', ['comment_id', 'thread_id'], { slug, body, idempotencyKey })

export const changeComment = (slug: string, cid: string, text: string) =>
  call('PATCH /docs/:slug/comments/:cid', ['comment_id'], { slug, cid, body: { text } })

export const deleteComment = (slug: string, cid: string) =>
  call('DELETE /docs/:slug/comments/:cid', ['comment_id'], { slug, cid })

export const resolveThread = (slug: string, thread_id: string, text: string) =>
  call('POST /docs/:slug/threads/:thread_id/resolve', ['comment_id'], {
    slug,
    thread_id,
    body: { text },
  })

export const unresolveThread = (slug: string, thread_id: string) =>
  call('POST /docs/:slug/threads/:thread_id/unresolve', ['thread_id'], { slug, thread_id })

/** What becomes of a suggestion. */
export type Decision = 'accept' | 'reject'

export const decide = (slug: string, cid: string, as: Decision) =>
  call(`POST /docs/:slug/comments/:cid/${as}`, ['comment_id', 'revision'], { slug, cid })

export const feel = (slug: string, cid: string, sentiment: Sentiment) =>
  call('POST /docs/:slug/comments/:cid/sentiments', ['comment_id'], {
    slug,
    cid,
    body: { sentiment },
  })

export const agree = (slug: string, cid: string) =>
  call('POST /docs/:slug/comments/:cid/plusones', ['comment_id'], { slug, cid })

/** Of either kind. */
export const takeReaction = (
  slug: string,
  cid: string,
  { kind, actor }: { readonly kind: 'sentiments' | 'plusones'; readonly actor: string },
) => call(`DELETE /docs/:slug/comments/:cid/${kind}/:actor`, ['comment_id'], { slug, cid, actor })

/** `unreachable`: agents with a token of this document alone, whom a mention does not reach. */
export type MentionableAnswer = Success<'GET /docs/:slug/mentionable'>
export type Mentionable = MentionableAnswer['people'][number]

export const mentionable = (
  slug: string,
  sought: string,
  signal: AbortSignal,
): Promise<MentionableAnswer> =>
  call('GET /docs/:slug/mentionable', ['people', 'unreachable'], {
    slug,
    query: { q: sought },
    signal,
  })

/** Of one thread, or of the document. */
export const mute = (
  slug: string,
  { thread, muted }: { readonly thread?: string; readonly muted: boolean },
) => {
  const whole = 'PUT /docs/:slug/mute'
  const route = thread === undefined ? whole : 'PUT /docs/:slug/threads/:thread_id/mute'
  return call(route, [], { slug, thread_id: thread, body: { muted } })
}
