/**
 * Which IP addresses the service may send requests to: public unicast addresses, and the ranges
 * that an operator adds. The tables are the IANA special-purpose registries for IPv4 and IPv6. An
 * address that is not in the range of global unicast addresses is refused, so a range that IANA
 * sets aside later is refused too. It judges addresses and looks up no names.
 */
import { BlockList, isIP } from 'node:net'

/** IANA IPv4 special-purpose address registry, multicast, and what is reserved behind it. */
const specialIpv4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private use
  '100.64.0.0/10', // shared address space
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link local, metadata services of clouds among them
  '172.16.0.0/12', // private use
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relay anycast
  '192.168.0.0/16', // private use
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, limited broadcast
]

/** The only range of IPv6 that is assigned to global unicast addresses. */
const globalIpv6 = '2000::/3'

/** IANA IPv6 special-purpose address registry, as far as it lies in that range. */
const specialIpv6 = [
  '2001::/23', // IETF protocol assignments: Teredo, ORCHID, benchmarking
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const { address, prefix, family } = rangeOf(range)
    list.addSubnet(address, prefix, family)
  }
  return list
}

type Family = 'ipv4' | 'ipv6'

const familyOf = (address: string): Family | undefined =>
  (({ 4: 'ipv4', 6: 'ipv6' }) as const)[isIP(address) as 4 | 6]

function rangeOf(text: string): { address: string; prefix: number; family: Family } {
  const [, address = '', digits = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = familyOf(address)
  const prefix = Number(digits)
  if (family === undefined || prefix > (family === 'ipv4' ? 32 : 128)) {
    throw new TypeError(`not a CIDR range: ${text}`)
  }
  return { address, prefix, family }
}

/** Whether `text` is a CIDR range such as `10.1.0.0/16`. */
export function isRange(text: string): boolean {
  try {
    rangeOf(text)
    return true
  } catch {
    return false
  }
}

export interface AddressRules {
  /** Every address is allowed. */
  readonly allowPrivate?: boolean | undefined
  /** CIDR ranges that are allowed beside public addresses. */
  readonly allow?: readonly string[] | undefined
}

export class AddressPolicy {
  readonly #specialIpv4 = listOf(specialIpv4)
  readonly #globalIpv6 = listOf([globalIpv6])
  readonly #specialIpv6 = listOf(specialIpv6)
  readonly #allowed: BlockList
  readonly #allowsAll: boolean

  /** Throws TypeError for a range that is none. */
  constructor({ allowPrivate = false, allow = [] }: AddressRules = {}) {
    this.#allowsAll = allowPrivate
    this.#allowed = listOf(allow)
  }

  /** Whether requests may go to this IP address. A text that is no address is refused. */
  allows(address: string): boolean {
    const family = familyOf(address)
    if (family === undefined || address.includes('%')) return false
    if (this.#allowsAll || this.#allowed.check(address, family)) return true
    if (family === 'ipv4') return !this.#specialIpv4.check(address, family)
    return this.#globalIpv6.check(address, family) && !this.#specialIpv6.check(address, family)
  }
}
