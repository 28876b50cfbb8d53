/** What becomes of a file whose upload failed: it waits, or is refused in plain words. Pure. */
import { ApiError } from '../api/http.ts'
import { megabytes } from './judging.ts'

/** `much`: as much was uploaded from this network as may be in a day. */
export type Hindrance = 'offline' | 'busy' | 'much'

export type Aftermath =
  /** Goes out again when there is a line, or after so long. */
  | { readonly kind: 'wait'; readonly because: Hindrance; readonly afterMs?: number }
  /** `isFinal`: trying again would end the same. */
  | { readonly kind: 'refused'; readonly words: string; readonly isFinal: boolean }

const refused = (words: string, isFinal = true): Aftermath => ({ kind: 'refused', words, isFinal })

export function aftermathOf(error: unknown): Aftermath {
  if (!(error instanceof ApiError)) throw error
  const { status, code, body, retryAfterS } = error
  if (code === 'OFFLINE') return { kind: 'wait', because: 'offline' }
  if (status === 429 || status === 503 || status >= 502) {
    const afterMs = (retryAfterS ?? 5) * 1_000
    return { kind: 'wait', because: code === 'RATE_LIMITED' ? 'much' : 'busy', afterMs }
  }
  switch (status) {
    case 413:
      return refused(tooLarge(body))
    case 422:
      return refused('This is no HTML page in UTF-8 that can be read.')
    case 415:
      return refused('This is not what its name says: no PNG, JPEG, WebP, GIF or HTML.')
    case 401:
      return refused('Sign in to put files in.', false)
    case 403:
      return refused('You may not put files into this document.', false)
    case 404:
      return refused('The document is not there any more.')
    case 423:
      return refused('The document was archived.', false)
    default:
      return refused(`This was not taken: ${error.message}`, false)
  }
}

/** One image is too large, or all of the document's together. */
function tooLarge({ limit, size }: Readonly<Record<string, unknown>>): string {
  if (typeof limit !== 'number' || typeof size !== 'number') return 'This is too large.'
  return limit >= wholeDocument
    ? `All images of a document may have ${megabytes(limit)}; with this one they have ${megabytes(size)}.`
    : `Too large: it has ${megabytes(size)}, of at most ${megabytes(limit)}.`
}

/** No single image may have so much. */
const wholeDocument = 50_000_000
