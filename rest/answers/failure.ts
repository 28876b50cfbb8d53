/**
 * From what was thrown to what is answered (interface §7): a refusal with its catalogue's status
 * and its details; a store that does not answer as UNAVAILABLE; anything else as INTERNAL, told to
 * the log with its stack and to the caller with nothing but the request's id.
 */
import { isStoreOutage } from '../../core/records/outage.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Answer } from './answer.ts'

export interface Failure {
  readonly answer: Answer
  /** Present when an operator has to know: a bug, the store's failure, a damaged document. */
  readonly unexpected: unknown
}

export function failureAnswer(
  thrown: unknown,
  request: { readonly id: string; readonly slug: string | undefined },
): Failure {
  const refusal = refusalOf(thrown)
  const { code, status, details, message } = refusal
  const slug = request.slug ?? textOf(details['slug'])
  const reportable = refusal.isReportable && slug !== undefined
  const body = {
    ...details,
    ...(reportable && {
      feedback: `/docs/${slug}/feedback?ref=${request.id}`,
      feedback_instruction: instruction,
    }),
    error: message,
    code,
    request_id: request.id,
  }
  return {
    answer: { status, headers: headersOf(refusal), body: { json: body } },
    unexpected: refusal === thrown && code !== 'DOC_DAMAGED' ? undefined : thrown,
  }
}

const instruction =
  'If this contradicts the reference, or following it failed: POST {message, kind} to ' +
  '`feedback`, once per problem, and include no credentials.'

function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown
  return new Refusal(isStoreOutage(thrown) ? 'UNAVAILABLE' : 'INTERNAL')
}

function headersOf({ code, status, details }: Refusal): Record<string, string> {
  const headers: Record<string, string> = {}
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer'
  if (code === 'UPGRADE_REQUIRED') headers['Upgrade'] = 'websocket'
  if (status === 429 || status === 503) {
    headers['Retry-After'] = String(details['retry_after'] ?? 1)
  }
  if (status === 416) headers['Content-Range'] = `bytes */${details['size']}`
  const allow = details['allow']
  if (status === 405 && Array.isArray(allow)) headers['Allow'] = allow.join(', ')
  return headers
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined
