/**
 * Whose address it is: what counts as one caller where callers are counted. Somebody with IPv6 owns
 * a whole /64, and often the /48 around it; IPv4 in IPv6 dress is IPv4.
 */
import { isIP } from 'node:net'

const groupsOf = { network: 4, site: 3, region: 2 } as const

/** The address itself for IPv4, the /64 for IPv6; what is no address is one caller. */
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
