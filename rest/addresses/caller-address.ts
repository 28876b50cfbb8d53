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

const groupsOf = { network: 4, site: 3, region: 2 } as const

/**
 * What counts as one caller where callers are counted: the address itself for IPv4, the /64 for
 * IPv6, which somebody owns whole; IPv4 in IPv6 dress is IPv4, and what is no address is one
 * caller.
 */
export const networkOf = (address: string): string => part(address, 'network')

/** The /48 of an IPv6 address; `undefined` for IPv4, whose neighbours are other people. */
export const siteOf = (address: string): string | undefined =>
  isIP(plain(address)) === 6 ? part(address, 'site') : undefined

/** The /32 of an IPv6 address, the /16 of IPv4: who is told apart when there are too many. */
export function regionOf(address: string): string {
  const known = plain(address)
  return isIP(known) === 4 ? known.split('.').slice(0, 2).join('.') : part(address, 'region')
}

function plain(address: string): string {
  const [known = ''] = address.split('%')
  return known.replace(/^::ffff:(?=\d+\.)/i, '')
}

function part(address: string, size: keyof typeof groupsOf): string {
  const known = plain(address)
  const version = isIP(known)
  if (version !== 6) return version === 4 ? known : 'unknown'
  const [head = '', tail] = known.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  // The last group may be written as IPv4, which stands for two.
  const rightCount = right.length + (right.at(-1)?.includes('.') === true ? 1 : 0)
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - rightCount)
  return [...left, ...Array.from({ length: gap }, () => '0'), ...right]
    .slice(0, groupsOf[size])
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')
}

const ofV4 = /^127(?:\.\d{1,3}){3}$/

/** Whether the address of a socket is this machine: 127.0.0.0/8, also in IPv6 dress, and ::1. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || ofV4.test(address.replace(/^::ffff:/i, ''))

/** A `Host` header: localhost, 127.0.0.0/8 or [::1], with any port or none. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = (host ?? '').replace(/:\d{1,5}$/, '').toLowerCase()
  return name === 'localhost' || name === '[::1]' || ofV4.test(name)
}
