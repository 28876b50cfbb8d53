/**
 * Whether a request was made by the service's own page (extensions §3). A browser sends its cookies
 * along whoever made the request; only `Origin` says who that was, and a script cannot set it.
 */
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../schema/errors.ts'
import { isLoopbackHost } from './loopback.ts'

/**
 * Whether `Origin` is the base address's or the request's own host; absent: no. Another scheme on
 * the same host is another service, or somebody in between: only over loopback may plain HTTP stand
 * in for https, as browsers have it with cookies that are `Secure`.
 */
export function isOwnOrigin({ headers }: IncomingMessage, baseUrl: string): boolean {
  const { origin, host } = headers
  if (origin === undefined || !URL.canParse(origin)) return false
  const base = new URL(baseUrl)
  const from = new URL(origin)
  if (origin === base.origin) return true
  if (from.host !== host) return false
  return from.protocol === base.protocol || (from.protocol === 'http:' && isLoopbackHost(host))
}

/** Refuses FORBIDDEN. For what a cookie alone would let anyone's page do. */
export function requireOwnOrigin(request: IncomingMessage, baseUrl: string): void {
  if (isOwnOrigin(request, baseUrl)) return
  throw new Refusal(
    'FORBIDDEN',
    {},
    'A request that counts by its cookie must have its own Origin.',
  )
}
