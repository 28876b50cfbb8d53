/**
 * Where a credential can stand in a request: the `Authorization` header, and named cookies. The
 * cookie `session` says whose browser it is, `link` by which token it came to one document (its
 * path is that document's), `visitor` tells browsers apart and authenticates nobody.
 */
import type { IncomingMessage } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import { type Credential, rootOf } from '../../core/access/credentials.ts'
import type { Slug } from '../../schema/ids.ts'
import { addressesFor, pathOf } from '../addresses/own-addresses.ts'
import type { Services } from '../services.ts'
import { type OwnOrigin, requireOwnOrigin } from './own-origin.ts'

export const sessionCookie = 'session'
export const linkCookie = 'link'
export const visitorCookie = 'visitor'

/** Browsers keep no cookie longer. */
const cookieMaxAgeSeconds = 400 * 24 * 3600

/** The secret of a Bearer header; `undefined`: the header is something else. */
export function bearerOf(header: string): string | undefined {
  return /^Bearer +([!-~]+) *$/i.exec(header)?.[1]
}

/** The first cookie of this name. */
export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  return parseCookie(request.headers.cookie ?? '', { decode: asItIs })[name]
}

/** Our values need no escaping; what else comes is compared with them as it came. */
const asItIs = (value: string): string => value

/**
 * What a caller came through: of a token that was minted through another, that one; nothing where
 * no credential came.
 */
export function linkOf(credential: Credential | undefined): string {
  const token = credential?.kind === 'browser' ? credential.link : credential
  return token?.kind === 'token' ? rootOf(token) : (credential?.holder ?? '')
}

/** As a browser knows a path of the service. */
export function underPath(baseUrl: string, path: string): string {
  const prefix = pathOf(baseUrl)
  return prefix !== '' && path === '/' ? prefix : `${prefix}${path}`
}

/** A `Set-Cookie` value for this origin only, out of reach of scripts. */
export function cookieHeader(
  name: string,
  value: string,
  options: {
    readonly baseUrl: string
    readonly path?: string
    readonly maxAgeSeconds?: number
    readonly sameSite?: 'lax' | 'strict'
  },
): string {
  const { baseUrl, path = '/', maxAgeSeconds = cookieMaxAgeSeconds, sameSite = 'lax' } = options
  return stringifySetCookie(name, value, {
    path: underPath(baseUrl, path),
    httpOnly: true,
    sameSite,
    maxAge: maxAgeSeconds,
    secure: baseUrl.startsWith('https:'),
    encode: asItIs,
  })
}

/**
 * The browser that these cookies stand for; `undefined`: none of them is good. Refuses FORBIDDEN
 * when the request could do something and comes from another page.
 */
export async function browserOf(
  request: IncomingMessage,
  slug: Slug | undefined,
  { people, config, hints }: Pick<Services, 'people' | 'config' | 'hints'>,
): Promise<Credential | undefined> {
  const credential = await people.access.browser({
    session: cookieOf(request, sessionCookie),
    link: slug === undefined ? undefined : cookieOf(request, linkCookie),
    slug,
  })
  if (credential !== undefined && !isSafe(request))
    requireOwnOrigin(request, ownOrigin(request, { people, config }), hints)
  return credential
}

/** What an own `Origin` is for this request. */
export const ownOrigin = (
  request: IncomingMessage,
  { people, config }: Pick<Services, 'people' | 'config'>,
): OwnOrigin => ({
  baseUrl: addressesFor(request, config).baseUrl,
  markOf: people.access.originMark,
})

/** An upgrade opens a way to write, so it is no plain GET. */
function isSafe({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.upgrade === undefined
}
