/** What the page asks of a document's discussion (interface §4.6; extensions §13). */
import type { ThreadsAnswer, ThreadWithPlace, WireComment } from '../../schema/wire/threads.ts'
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
  call<ThreadsAnswer>(address, { signal })

export interface CommentsAnswer {
  readonly comments: readonly Comment[]
  readonly comments_info: { readonly next: string | null }
}

/** `address`: what `comments_info.next` says. */
export const commentsAt = (address: string, signal: AbortSignal) =>
  call<CommentsAnswer>(address, { signal })
