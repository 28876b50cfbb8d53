/**
 * Everything that the page asks of the service goes through here, to our own origin only. An answer
 * counts only when the service gave it: JSON with the fields that the caller names. A refusal of
 * the service becomes an `ApiError` with its code. What something in front of it answered (a page
 * to sign in, a gateway), or what got no answer, is an `ApiError` too, and counts as not done.
 */

import type { ApiRoute, Field, SuccessWith } from '../../schema/wire/api.ts'
import { type Asked, requestOf } from '../../schema/wire/request.ts'
import { under } from './base.ts'
import { rememberFailure } from './failures.ts'

interface Said {
  /** When it is worth trying again, seconds. */
  readonly retryAfterS?: number | undefined
  /** All of the answer. */
  readonly body?: Readonly<Record<string, unknown>>
}

export class ApiError extends Error {
  /** 0: the service did not answer. */
  readonly status: number
  readonly code: string
  readonly retryAfterS: number | undefined
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, said: Said = {}) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterS = said.retryAfterS
    this.body = said.body ?? {}
  }
}

interface Options {
  readonly signal?: AbortSignal
  /** Without the cookies by which the service knows this browser. */
  readonly asNobody?: true
  /** The entity tag of an earlier answer, `''` for none: the browser's own cache is left out. */
  readonly tag?: string
}

/** What a route needs may be nothing. */
type Asking<R extends ApiRoute> =
  object extends Asked<R> ? [asked?: Asked<R> & Options] : [asked: Asked<R> & Options]

/** What a success holds; `fields` are those without which it is none. */
export async function call<R extends ApiRoute, F extends Field<R> = never>(
  route: R,
  fields: readonly F[],
  ...[asked]: Asking<R>
): Promise<SuccessWith<R, F>> {
  return successOf(await answerTo<R>(route, asked), fields)
}

/** A success with its entity tag; `undefined`: nothing has changed since the answer of `tag`. */
export async function callIfChanged<R extends ApiRoute, F extends Field<R> = never>(
  route: R,
  fields: readonly F[],
  asked: Asked<R> & { readonly tag: string },
): Promise<{ readonly body: SuccessWith<R, F>; readonly tag: string } | undefined> {
  const answer = await answerTo<R>(route, asked)
  if (answer.status === 304) return undefined
  return { body: successOf(answer, fields), tag: answer.tag ?? '' }
}

/** A success that is text. */
export async function readText<R extends ApiRoute>(route: R, asked: Asked<R>): Promise<string> {
  const answer = await answerTo<R>(route, asked)
  judge(answer)
  if (!/^text\/(?:plain|markdown)\b/.test(answer.type)) throw notOfService(answer)
  return answer.text
}

/** What came back, whoever gave it. */
export interface Answer {
  /** 0: it leads elsewhere. */
  readonly status: number
  /** Its media type. */
  readonly type: string
  readonly text: string
  readonly retryAfter: string | null
  /** Its entity tag. */
  readonly tag?: string | null
  /** Only its head was asked for. */
  readonly isHead?: boolean | undefined
}

async function answerTo<R extends ApiRoute>(
  route: R,
  asked = {} as Asked<R> & Options,
): Promise<Answer> {
  const { signal, asNobody, isHead, tag } = asked
  const request = requestOf<R>(route, asked)
  try {
    const response = await fetch(under(request.path), {
      ...request,
      // The service leads nowhere else; what does is a page to sign in.
      redirect: 'manual',
      ...(asNobody && { credentials: 'omit' }),
      ...(tag !== undefined && { cache: 'no-store' }),
      signal: signal ?? null,
    })
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      // An answer that breaks off has not been given.
      text: await response.text(),
      retryAfter: response.headers.get('retry-after'),
      tag: response.headers.get('etag'),
      isHead,
    }
  } catch (error) {
    if (signal?.aborted) throw error
    throw notReached()
  }
}

function judge(answer: Answer): void {
  if (answer.status < 200 || answer.status >= 300) throw refusalOf(answer)
}

/** Throws unless the answer is a success of the service. */
export function successOf<T>(answer: Answer, fields: readonly string[]): T {
  judge(answer)
  if (answer.status === 204 && fields.length === 0) return {} as T
  const body = bodyOf(answer)
  if (!body || fields.some((field) => !(field in body))) throw notOfService(answer)
  return body as T
}

type Body = Readonly<Record<string, unknown>>

/** `undefined`: this is nothing that the service says. */
function bodyOf({ type, text, isHead }: Answer): Body | undefined {
  if (!/^application\/json\b/.test(type)) return undefined
  if (isHead) return {}
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Body) : undefined
  } catch {
    return undefined
  }
}

function refusalOf(answer: Answer): ApiError {
  const body = bodyOf(answer)
  const { code, error, feedback, request_id: ref } = body ?? {}
  const isOfService = body && (answer.isHead || typeof code === 'string')
  if (!isOfService) return notOfService(answer)
  const { status, retryAfter } = answer
  const words = typeof error === 'string' ? error : wordsOf(status)
  if (typeof feedback === 'string' && typeof ref === 'string') {
    rememberFailure({ ref, status, words, at: performance.now() })
  }
  const after = Number(retryAfter ?? Number.NaN)
  return new ApiError(status, (code as string | undefined) ?? 'UNKNOWN', words, {
    retryAfterS: after >= 0 ? after : undefined,
    body,
  })
}

/** Something in front of the service answered. */
function notOfService({ status, type }: Answer): ApiError {
  if (status === 413) return new ApiError(status, 'PAYLOAD_TOO_LARGE', wordsOf(status))
  if (status === 429) return new ApiError(status, 'RATE_LIMITED', wordsOf(status))
  if (status >= 500) return new ApiError(status, 'GATEWAY', wordsOf(status))
  const isPage = status < 400 && (status < 200 || status >= 300 || type.startsWith('text/html'))
  return isPage || [401, 403, 407, 511].includes(status)
    ? new ApiError(0, 'SIGN_IN_ENDED', signInEnded)
    : new ApiError(0, 'NOT_OF_SERVICE', wordsOf(status))
}

export const signInEnded = 'Your sign-in at the proxy has ended. Reload the page to sign in.'

/** HTTP/2 has no words beside its numbers. */
function wordsOf(status: number): string {
  switch (status) {
    case 413:
      return 'This exceeds the upload limit of the proxy in front of the server. Ask your administrator.'
    case 429:
      return 'Too many requests.'
    case 502:
      return 'The proxy could not reach the server. Try again in a moment.'
    case 503:
      return 'The server is unavailable. Try again in a moment.'
    case 504:
      return 'The server took too long to answer. Try again in a moment.'
    default:
      return `Unexpected answer (status ${status}). Try again.`
  }
}

/** What never reached the service. */
export const notReached = (): ApiError => new ApiError(0, 'OFFLINE', 'Could not reach the server.')

/** It will be otherwise in a while, whatever was asked. */
export const isPassing = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
