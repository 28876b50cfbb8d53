/**
 * Whether a request was made by the service's own page (extensions §3). A browser sends its cookies
 * whoever made the request; only `Origin` says who that was, and a script cannot set it. Where the
 * service does not know under which scheme browsers reach it, the browser's own word counts:
 * `Sec-Fetch-Site`, or a cookie that was set on that word, for a websocket comes without it.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie } from 'cookie'
import { Refusal } from '../../schema/errors.ts'
import { isLoopbackHost } from '../addresses/caller-address.ts'
import type { Hints } from '../addresses/setting-hints.ts'

/** Only the origin itself can set it, and it goes to no other. */
export const originCookie = '__Host-origin'

export interface OwnOrigin {
  readonly baseUrl: string
  /** What the cookie of an origin holds. */
  readonly markOf: (origin: string) => string
}

interface Asking {
  readonly headers: IncomingHttpHeaders
}

/**
 * Whether `Origin` is the base address's or the request's own host; absent: no. Another scheme on
 * the same host may be another service, so the browser has to say that the page and the address it
 * calls are of one origin; only over loopback may plain HTTP stand in for https, as browsers have
 * it with cookies that are `Secure`.
 */
export function isOwnOrigin({ headers }: Asking, { baseUrl, markOf }: OwnOrigin): boolean {
  const { origin, host } = headers
  if (origin === undefined || !URL.canParse(origin)) return false
  const base = new URL(baseUrl)
  const from = new URL(origin)
  if (origin === base.origin) return true
  if (from.host !== host && from.host !== base.host) return false
  if (from.host === host && from.protocol === base.protocol) return true
  if (from.host === host && from.protocol === 'http:' && isLoopbackHost(host)) return true
  if (headers['sec-fetch-site'] !== undefined) return headers['sec-fetch-site'] === 'same-origin'
  return parseCookie(headers.cookie ?? '')[originCookie] === markOf(origin)
}

/** Refuses FORBIDDEN. For what a cookie alone would let anyone's page do. */
export function requireOwnOrigin(request: Asking, own: OwnOrigin, hints: Hints): void {
  if (isOwnOrigin(request, own)) return
  const origin = request.headers.origin?.slice(0, 300) ?? null
  const expected = new URL(own.baseUrl).origin
  const details = { origin, expected, setting: 'BASE_URL' }
  if (origin === null) {
    throw new Refusal(
      'FORBIDDEN',
      details,
      'A request authenticated by a cookie requires an Origin header.',
    )
  }
  hints.once(
    `origin ${origin}`,
    details,
    'an Origin was refused: BASE_URL takes the address that browsers use',
  )
  throw new Refusal(
    'FORBIDDEN',
    details,
    `This request came from ${origin}, but the service expects ${expected}. Open the service ` +
      'there, or set BASE_URL to the address that browsers use.',
  )
}
