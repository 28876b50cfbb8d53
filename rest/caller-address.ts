/**
 * The address a request counts for. Each trusted proxy appends the address it saw to
 * `X-Forwarded-For`, so with n of them the caller is the n-th from the right; what stands further
 * left is the caller's own claim and counts for nothing.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export function callerAddress(request: IncomingMessage, trustedProxies: number): string {
  const socketAddress = request.socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return socketAddress
  const header = request.headers['x-forwarded-for']
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const index = Math.max(0, forwarded.length - trustedProxies)
  return forwarded[index] ?? socketAddress
}

/** SHA-256 in hex: what history keeps of an address (interface §2.7). */
export const hashedAddress = (address: string): string =>
  createHash('sha256').update(address).digest('hex')

/** What counts as one address: an IPv6 caller owns its whole /64. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.replace(/^::ffff:/i, '')
  const [head = '', tail = ''] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const gap = address.includes('::') ? 8 - left.length - right.length : 0
  const groups = [...left, ...Array.from({ length: Math.max(0, gap) }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')
}
