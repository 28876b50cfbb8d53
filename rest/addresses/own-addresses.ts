/**
 * Under which address the service is known to whoever asks: the one it was given (`BASE_URL`), or
 * else the name by which this request came, so that a link that is copied on a page leads back to
 * where the page is.
 */
import type { IncomingMessage } from 'node:http'
import type { RestConfig } from '../services.ts'

export interface Addresses {
  /** Origin and path that all addresses begin with; no slash at the end. */
  readonly baseUrl: string
  /** What short links begin with; no slash at the end. */
  readonly shortLinkBase: string
}

type Settings = Pick<RestConfig, keyof Addresses | 'followsHost' | 'trustProxy'>

/** The path of the base address, which a proxy in front strips; empty where there is none. */
export const pathOf = (baseUrl: string): string =>
  new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/, '')

export function addressesFor(request: IncomingMessage, settings: Settings): Addresses {
  const { baseUrl, shortLinkBase } = settings
  const origin = settings.followsHost ? originOf(request, settings.trustProxy) : undefined
  if (origin === undefined) return { baseUrl, shortLinkBase }
  const isBelow = shortLinkBase === `${baseUrl}/s`
  return { baseUrl: origin, shortLinkBase: isBelow ? `${origin}/s` : shortLinkBase }
}

/** A host name, or an address of IPv4 or (in brackets) IPv6, and perhaps a port. */
const hostForm = /^(?:[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

function originOf({ headers }: IncomingMessage, trustedProxies: number): string | undefined {
  const { host } = headers
  if (host === undefined || !hostForm.test(host)) return undefined
  const origin = `${isSecure(headers, trustedProxies) ? 'https' : 'http'}://${host}`
  return URL.canParse(origin) ? new URL(origin).origin : undefined
}

/** What the nearest proxy that is believed says of the line to it. */
function isSecure(headers: IncomingMessage['headers'], trustedProxies: number): boolean {
  if (trustedProxies === 0) return false
  const said = [headers['x-forwarded-proto'] ?? ''].flat().join(',').split(',')
  return said.at(-Math.min(trustedProxies, said.length))?.trim().toLowerCase() === 'https'
}
