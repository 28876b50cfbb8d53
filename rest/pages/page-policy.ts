/**
 * What the browser page may load (its Content-Security-Policy): scripts from its own origin alone.
 * Styles may be inline, because the scroll lock of dialogs inserts a style element, and reading
 * pasted HTML meets the styles in it; images may come from elsewhere, because a reader may allow
 * them for a document, and from this device, while they are uploaded.
 */
import { pathOf } from '../addresses/own-addresses.ts'

/** `host` is the request's own, `baseUrl` the service's; a socket may go to either. */
export function pagePolicy(host: string | undefined, baseUrl: string): string {
  const hosts = new Set([new URL(baseUrl).host])
  const prefix = pathOf(baseUrl)
  if (host !== undefined && /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?$/.test(host)) {
    hosts.add(host)
  }
  const sockets = [...hosts].flatMap((one) => [`ws://${one}`, `wss://${one}`])
  // Of the own host what documents hold, and not what a link to a document does. A policy knows no
  // host that is a number of IPv6.
  const frames = [...hosts].map((one) => (one.startsWith('[') ? "'self'" : `${one}${prefix}/docs/`))
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' https: http: data: blob:",
    `connect-src 'self' ${sockets.join(' ')}`,
    "font-src 'self'",
    `frame-src ${frames.join(' ')}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
