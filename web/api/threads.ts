/** What the page asks of a document's discussion (interface §4.6; extensions §13). */
import type {
  Place,
  ThreadsAnswer,
  ThreadWithPlace,
  WireComment,
} from '../../schema/wire/threads.ts'
import { call } from './http.ts'

export type { Place, ThreadsAnswer } from '../../schema/wire/threads.ts'
export type Thread = ThreadWithPlace
export type Comment = WireComment
export type Suggestion = NonNullable<Comment['suggestion']>
export type Notify = NonNullable<Comment['notify']>
export type Sentiment = NonNullable<Comment['sentiments']>[number]['sentiment']

/** One page, the newest first; `next` of it is an address for `threadsAt`. */
export interface ThreadsWish {
  /** These alone, resolved or not. */
  readonly ids?: readonly string[]
  readonly resolved?: 'true' | 'false' | 'all'
  /** The thread of this comment alone. */
  readonly comment?: string
}

export function threadsAddress(slug: string, { ids, resolved, comment }: ThreadsWish): string {
  const query = new URLSearchParams()
  if (ids !== undefined) query.set('ids', ids.join())
  if (resolved !== undefined) query.set('resolved', resolved)
  if (comment !== undefined) query.set('focus', `comment-${comment}`)
  return `/docs/${slug}/threads?${query}`
}

export const threadsAt = (address: string, signal: AbortSignal) =>
  call<ThreadsAnswer>(address, ['threads', 'threads_info', 'actors'], { signal })

export interface CommentsAnswer {
  readonly comments: readonly Comment[]
  readonly comments_info: { readonly next: string | null }
}

/** `address`: what `comments_info.next` says. */
export const commentsAt = (address: string, signal: AbortSignal) =>
  call<CommentsAnswer>(address, ['comments', 'comments_info'], { signal })

export interface NewComment {
  readonly text: string
  readonly place?: Place
  readonly block_id?: string
  readonly thread_id?: string
}

export interface Said {
  readonly comment_id: string
  readonly thread_id: string
  readonly warning?: string
}

const at = (slug: string, path: string): string => `/docs/${slug}/${path}`
/** The answer to each act names what it was done to. */
interface Done {
  readonly comment_id: string
  readonly thread_id: string
}
const post = (path: string, what: keyof Done, body?: unknown) =>
  call<Done>(path, [what], { method: 'POST', body })

/** Sent again with the same key it is said once. */
export const say = (slug: string, body: NewComment, idempotencyKey: string) =>
  call<Said>(at(slug, 'comments'), ['comment_id', 'thread_id'], {
    method: 'POST',
    body,
    idempotencyKey,
  })

export const changeComment = (slug: string, id: string, text: string) =>
  call<Done>(at(slug, `comments/${id}`), ['comment_id'], { method: 'PATCH', body: { text } })

export const deleteComment = (slug: string, id: string) =>
  call<Done>(at(slug, `comments/${id}`), ['comment_id'], { method: 'DELETE' })

export const resolveThread = (slug: string, id: string, text: string) =>
  post(at(slug, `threads/${id}/resolve`), 'comment_id', { text })

export const unresolveThread = (slug: string, id: string) =>
  post(at(slug, `threads/${id}/unresolve`), 'thread_id')

/** What becomes of a suggestion. */
export type Decision = 'accept' | 'reject'

export const decide = (slug: string, id: string, as: Decision) =>
  post(at(slug, `comments/${id}/${as}`), 'comment_id')

export const feel = (slug: string, id: string, sentiment: Sentiment) =>
  post(at(slug, `comments/${id}/sentiments`), 'comment_id', { sentiment })

export const agree = (slug: string, id: string) =>
  post(at(slug, `comments/${id}/plusones`), 'comment_id')

/** Of either kind. */
export const takeReaction = (
  slug: string,
  id: string,
  { kind, actor }: { readonly kind: 'sentiments' | 'plusones'; readonly actor: string },
) =>
  call<Done>(at(slug, `comments/${id}/${kind}/${encodeURIComponent(actor)}`), ['comment_id'], {
    method: 'DELETE',
  })

export interface Mentionable {
  readonly actor_id: string
  readonly handle: string
  readonly name: string
}

export async function mentionable(
  slug: string,
  sought: string,
  signal: AbortSignal,
): Promise<MentionableAnswer> {
  const path = at(slug, `mentionable?q=${encodeURIComponent(sought)}`)
  return call(path, ['people', 'unreachable'], { signal })
}

export interface MentionableAnswer {
  readonly people: readonly Mentionable[]
  /** Agents that have only a token of this document: a mention does not reach them. */
  readonly unreachable: readonly Omit<Mentionable, 'handle'>[]
}

/** Of one thread, or of the document. */
export const mute = (slug: string, what: { readonly thread?: string; readonly muted: boolean }) =>
  call(at(slug, what.thread === undefined ? 'mute' : `threads/${what.thread}/mute`), [], {
    method: 'PUT',
    body: { muted: what.muted },
  })
