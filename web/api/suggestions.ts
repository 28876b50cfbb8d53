/** What the page does with suggestions (interface §4.6). */
import type { Place } from '../../schema/wire/threads.ts'
import { call } from './http.ts'

export interface NewSuggestion {
  /** Exact markdown that stands in the document once, or where the words are. */
  readonly about: { readonly quote: string } | { readonly place: Place }
  readonly newString: string
  readonly idempotencyKey: string
}

export interface MadeSuggestion {
  readonly comment_id: string
  readonly thread_id: string
}

const at = (slug: string, id: string): string => `/docs/${slug}/comments/${id}`

export const suggest = (
  slug: string,
  { about, newString, idempotencyKey }: NewSuggestion,
): Promise<MadeSuggestion> =>
  call(`/docs/${slug}/comments`, ['comment_id', 'thread_id'], {
    method: 'POST',
    body: { ...about, suggestion: { new_string: newString } },
    idempotencyKey,
  })

/** What one's own pending suggestion would put there instead. */
export const suggestInstead = (
  slug: string,
  id: string,
  newString: string,
): Promise<MadeSuggestion> =>
  call(at(slug, id), ['comment_id'], {
    method: 'PATCH',
    body: { suggestion: { new_string: newString } },
  })

export const withdraw = (slug: string, id: string): Promise<MadeSuggestion> =>
  call(at(slug, id), ['comment_id'], { method: 'DELETE' })
