/** What the page does with suggestions (interface §4.6). */
import type { Place } from '../../schema/wire/threads.ts'
import { call } from './http.ts'

export interface NewSuggestion {
  /** Exact markdown that stands in the document once, or where the words are. */
  readonly about: { readonly quote: string } | { readonly place: Place }
  readonly newString: string
  readonly idempotencyKey: string
}

export const suggest = (slug: string, { about, newString, idempotencyKey }: NewSuggestion) =>
  call('POST /docs/:slug/comments', ['comment_id', 'thread_id'], {
    slug,
    body: { ...about, suggestion: { new_string: newString } },
    idempotencyKey,
  })

/** What one's own pending suggestion would put there instead. */
export const suggestInstead = (slug: string, cid: string, newString: string) =>
  call('PATCH /docs/:slug/comments/:cid', ['comment_id'], {
    slug,
    cid,
    body: { suggestion: { new_string: newString } },
  })

export const withdraw = (slug: string, cid: string) =>
  call('DELETE /docs/:slug/comments/:cid', ['comment_id'], { slug, cid })
