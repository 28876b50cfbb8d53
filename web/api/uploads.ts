/**
 * Bytes to the service (interface §4.8), with word of how far they are. By XMLHttpRequest, which
 * alone tells that; failures are those of `http.ts`.
 */

import type { Success } from '../../schema/wire/api.ts'
import { requestOf, type WireRequest } from '../../schema/wire/request.ts'
import { signInWays } from './account.ts'
import { under } from './base.ts'
import { notReached, successOf } from './http.ts'

export interface Sending {
  /** Called with how much of it has left, 0 to 1. */
  readonly onProgress: (part: number) => void
  /** Rejects with its reason once it is aborted. */
  readonly signal: AbortSignal
}

/** `url` is a path of this host. */
export type Stored = Pick<Success<'POST /docs/:slug/images'>, 'id' | 'url'>

/** The media type is the blob's own. */
export const sendImage = (slug: string, image: Blob, sending: Sending): Promise<Stored> =>
  sendBytes(requestOf('POST /docs/:slug/images', { slug }), image, sending)

/** An artifact; the blob is HTML. */
export const sendArtifact = (slug: string, page: Blob, sending: Sending): Promise<Stored> =>
  sendBytes(requestOf('POST /docs/:slug/artifacts', { slug }), page, sending)

/** A picture for a report of a problem (interface §4.9). */
export const sendReportImage = (slug: string, image: Blob, sending: Sending): Promise<Stored> =>
  sendBytes(requestOf('POST /docs/:slug/feedback/images', { slug }), image, sending)

function sendBytes(
  { method, path }: WireRequest,
  bytes: Blob,
  { onProgress, signal }: Sending,
): Promise<Stored> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => {
      request.abort()
      reject(signal.reason)
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total)
    })
    request.addEventListener('error', () => void whyNotReached().then(reject))
    request.addEventListener('load', () => {
      const { status, responseText: text } = request
      const type = request.getResponseHeader('content-type') ?? ''
      const retryAfter = request.getResponseHeader('retry-after')
      try {
        resolve(successOf<Stored>({ status, type, text, retryAfter }, ['id', 'url']))
      } catch (error) {
        reject(error)
      }
    })
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    request.open(method, under(path))
    request.setRequestHeader('Content-Type', bytes.type)
    request.send(bytes)
  })
}

/** A request of this kind is not told that it was sent to a page to sign in; others are. */
const whyNotReached = (): Promise<unknown> => signInWays().then(notReached, (error) => error)
