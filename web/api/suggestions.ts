/** What the page does with suggestions (interface §4.6). */
import { call } from './http.ts'

export interface NewSuggestion {
  /** Exact markdown that stands in the document once. */
  readonly quote: string
  readonly newString: string
}

export interface MadeSuggestion {
  readonly comment_id: string
  readonly thread_id: string
}

const at = (slug: string, id: string): string => `/docs/${slug}/comments/${id}`

export const suggest = (
  slug: string,
  { quote, newString }: NewSuggestion,
): Promise<MadeSuggestion> =>
  call(`/docs/${slug}/comments`, {
    method: 'POST',
    body: { quote, suggestion: { new_string: newString } },
  })

/** What one's own pending suggestion would put there instead. */
export const suggestInstead = (slug: string, id: string, newString: string): Promise<unknown> =>
  call(at(slug, id), { method: 'PATCH', body: { suggestion: { new_string: newString } } })

export const withdraw = (slug: string, id: string): Promise<unknown> =>
  call(at(slug, id), { method: 'DELETE' })

export const accept = (slug: string, id: string): Promise<unknown> =>
  call(`${at(slug, id)}/accept`, { method: 'POST' })

export const reject = (slug: string, id: string): Promise<unknown> =>
  call(`${at(slug, id)}/reject`, { method: 'POST' })
