/**
 * JSON over fetch, to our own origin only. A refusal of the service becomes an `ApiError` with its
 * code; what never reached the service is an `ApiError` with the code `OFFLINE`.
 */

import { under } from './base.ts'
import { rememberFailure } from './failures.ts'

export interface Issue {
  /** The field, such as `/name`. */
  readonly path: string
  readonly message: string
}

interface Said {
  readonly issues?: readonly Issue[]
  /** When it is worth trying again, seconds. */
  readonly retryAfterS?: number
  /** All of the answer. */
  readonly body?: Readonly<Record<string, unknown>>
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly issues: readonly Issue[]
  readonly retryAfterS: number | undefined
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, said: Said = {}) {
    super(message)
    this.status = status
    this.code = code
    this.issues = said.issues ?? []
    this.retryAfterS = said.retryAfterS
    this.body = said.body ?? {}
  }
}

export interface Call {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** A retry of the same request with the same key is done once. */
  readonly idempotencyKey?: string
  /** Without the cookies by which the service knows this browser. */
  readonly asNobody?: true
}

/** The parsed body of a success. */
export async function call<T>(path: string, options: Call = {}): Promise<T> {
  const { method = 'GET', body, signal, asNobody, idempotencyKey } = options
  let response: Response
  let text: string
  try {
    response = await fetch(under(path), {
      method,
      credentials: asNobody ? 'omit' : 'same-origin',
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    // An answer that breaks off has not been given.
    text = await response.text()
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw notReached()
  }
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const isParsed = isJson && method !== 'HEAD'
  const parsed: unknown = isParsed ? JSON.parse(text) : text
  if (response.ok) return parsed as T
  throw refusal(response, parsed)
}

interface Answered {
  readonly status: number
  readonly statusText: string
  readonly headers: { get(name: string): string | null }
}

/** An answer that is no success, by its parsed body; of one without JSON, its text. */
export function refusal({ status, statusText, headers }: Answered, parsed: unknown): ApiError {
  const said = parsed as { code?: string; error?: string; issues?: readonly Issue[] }
  const after = Number(headers.get('retry-after') ?? Number.NaN)
  const { feedback, request_id: ref } = (parsed ?? {}) as { feedback?: string; request_id?: string }
  if (feedback !== undefined && ref !== undefined) {
    rememberFailure({ ref, status, words: said?.error ?? statusText, at: performance.now() })
  }
  return new ApiError(status, said?.code ?? 'UNKNOWN', said?.error ?? statusText, {
    ...(Array.isArray(said?.issues) && { issues: said.issues }),
    ...(after >= 0 && { retryAfterS: after }),
    ...(typeof parsed === 'object' && parsed && { body: parsed as Record<string, unknown> }),
  })
}

/** What never reached the service. */
export const notReached = (): ApiError =>
  new ApiError(0, 'OFFLINE', 'The service could not be reached.')
