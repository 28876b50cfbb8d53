/** The headers of every response: nothing here is to be framed, sniffed or scripted. */
import type { ServerResponse } from 'node:http'

export const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"

export function setSecurityHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('X-Request-Id', requestId)
  response.setHeader('Content-Security-Policy', apiPolicy)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  response.setHeader('Cache-Control', 'no-store')
}

/** Where secrets can stand in what is logged; for the logger that the composition makes. */
export const secretPaths: readonly string[] = [
  'authorization',
  'cookie',
  'token',
  'access_token',
  'agent_secret',
  'your_token',
  'share_url',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
