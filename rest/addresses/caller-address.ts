/**
 * The address a request counts for. Each trusted proxy appends the address it saw to
 * `X-Forwarded-For`, so with n of them the caller is the n-th from the right; what stands further
 * left is the caller's own claim and counts for nothing, nor does what is no address. With fewer
 * entries than proxies the request did not come through all of them: it counts for the socket.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** A request that another node of the service may have passed on. */
export interface ArrivedRequest extends IncomingMessage {
  /** The address of the connection on which that node got it. */
  arrivedFrom?: string
}

export function callerAddress(request: ArrivedRequest, trustedProxies: number): string {
  const socketAddress = request.arrivedFrom ?? request.socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return socketAddress
  const header = request.headers['x-forwarded-for']
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const claimed = forwarded[forwarded.length - trustedProxies]
  return claimed === undefined ? socketAddress : (addressIn(claimed) ?? socketAddress)
}

/** Some proxies add the port; what is no address is nobody's. */
function addressIn(claim: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(claim)?.[1] ?? claim.replace(/^([\d.]+):\d+$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}
