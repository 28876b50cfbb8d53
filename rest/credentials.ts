/** Where a credential can stand in a request: the `Authorization` header, and named cookies. */
import type { IncomingMessage } from 'node:http'

/** The secret of a Bearer header; `undefined`: the header is something else. */
export function bearerOf(header: string): string | undefined {
  return /^Bearer +([!-~]+) *$/i.exec(header)?.[1]
}

/** The first cookie of this name. */
export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/** A `Set-Cookie` value for this origin only, out of reach of scripts. */
export function cookieHeader(
  name: string,
  value: string,
  options: { readonly secure: boolean; readonly maxAgeSeconds: number },
): string {
  const secure = options.secure ? '; Secure' : ''
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${options.maxAgeSeconds}${secure}`
}
