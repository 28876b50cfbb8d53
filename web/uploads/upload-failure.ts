/** What becomes of a file whose upload failed: it waits, or is refused in plain words. Pure. */
import { ApiError, isPassing } from '../api/http.ts'
import { megabytes } from './file-rules.ts'

/** `away`: the service could not be reached, which the page may hear to be over. */
export type WaitReason = 'away' | 'busy'

export type UploadFailure =
  /** Goes out again when there is a line, or after so long. */
  | {
      readonly kind: 'wait'
      readonly because: WaitReason
      readonly words: string
      readonly afterMs?: number
    }
  /** `isFinal`: trying again would end the same. */
  | { readonly kind: 'refused'; readonly words: string; readonly isFinal: boolean }

const refused = (words: string, isFinal = true): UploadFailure => ({
  kind: 'refused',
  words,
  isFinal,
})

export function uploadFailureOf(error: unknown): UploadFailure {
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
      return refused('This file is not a valid HTML page in UTF-8.')
    case 415:
      return refused('The file type is not supported. Use PNG, JPEG, WebP, GIF or HTML.')
    case 401:
      return refused('Sign in to upload files.', false)
    case 403:
      return refused('You do not have permission to upload files to this document.', false)
    case 404:
      return refused('This document was deleted.')
    case 423:
      return refused('This document was archived.', false)
    default:
      return refused(`Upload failed: ${error.message}`, false)
  }
}

function waitingWords({ code, message }: ApiError): string {
  switch (code) {
    case 'OFFLINE':
      return 'Waiting for a connection'
    case 'RATE_LIMITED':
      return 'Upload limit reached for your network. Trying again later'
    case 'BUSY':
    case 'UNAVAILABLE':
      return 'The server is busy. Trying again soon'
    default:
      return message
  }
}

/** One image is too large, or all of the document's together; undefined: nobody says how much. */
function tooLarge({ limit, size }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof limit !== 'number' || typeof size !== 'number') return undefined
  return limit >= wholeDocument
    ? `Images in a document are limited to ${megabytes(limit)} in total. With this image the total is ${megabytes(size)}.`
    : `Too large: ${megabytes(size)} (limit ${megabytes(limit)}).`
}

/** No single image may have so much. */
const wholeDocument = 50_000_000
