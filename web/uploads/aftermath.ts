/** What becomes of a file whose upload failed: it waits, or is refused in plain words. Pure. */
import { ApiError, isPassing } from '../api/http.ts'
import { megabytes } from './judging.ts'

/** `away`: the service could not be reached, which the page may hear to be over. */
export type Hindrance = 'away' | 'busy'

export type Aftermath =
  /** Goes out again when there is a line, or after so long. */
  | {
      readonly kind: 'wait'
      readonly because: Hindrance
      readonly words: string
      readonly afterMs?: number
    }
  /** `isFinal`: trying again would end the same. */
  | { readonly kind: 'refused'; readonly words: string; readonly isFinal: boolean }

const refused = (words: string, isFinal = true): Aftermath => ({ kind: 'refused', words, isFinal })

export function aftermathOf(error: unknown): Aftermath {
  if (!(error instanceof ApiError)) throw error
  const { status, body, retryAfterS } = error
  if (isPassing(error) && status !== 500) {
    const words = waitingWords(error)
    if (status === 0) return { kind: 'wait', because: 'away', words }
    return { kind: 'wait', because: 'busy', words, afterMs: (retryAfterS ?? 5) * 1_000 }
  }
  switch (status) {
    case 413:
      return refused(tooLarge(body) ?? error.message)
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

function waitingWords({ code, message }: ApiError): string {
  switch (code) {
    case 'OFFLINE':
      return 'Goes out when you are online'
    case 'RATE_LIMITED':
      return 'Too much was uploaded from your network today. Goes out later'
    case 'BUSY':
    case 'UNAVAILABLE':
      return 'The service is busy. Trying again soon'
    default:
      return message
  }
}

/** One image is too large, or all of the document's together; undefined: nobody says how much. */
function tooLarge({ limit, size }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof limit !== 'number' || typeof size !== 'number') return undefined
  return limit >= wholeDocument
    ? `All images of a document may have ${megabytes(limit)}; with this one they have ${megabytes(size)}.`
    : `Too large: it has ${megabytes(size)}, of at most ${megabytes(limit)}.`
}

/** No single image may have so much. */
const wholeDocument = 50_000_000
