/**
 * Which addresses the service may send to (extensions §6): none of this machine or its network,
 * unless the operator allows that. Whoever sends asks again for the address a name led to.
 */
import { BlockList, isIP } from 'node:net'
import { limits } from '../../schema/limits.ts'

const inner = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  inner.addSubnet(net, prefix, 'ipv4')
}
for (const [net, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const) {
  inner.addSubnet(net, prefix, 'ipv6')
}

/** Whether an IP address is of this machine, a private network, or nobody's; IPv4 in IPv6 too. */
export function isInnerAddress(address: string): boolean {
  const version = isIP(address)
  return version === 0 || inner.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** Names that lead nowhere outside. */
const innerName = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/

/** What is wrong with an address to send to; `undefined`: nothing that can be told from it. */
export function outgoingProblem(text: string, allowPrivate: boolean): string | undefined {
  if (text.length > limits.addressMaxChars) {
    return `must have at most ${limits.addressMaxChars} characters`
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return 'must be an http or https address'
  if (url.username !== '' || url.password !== '') return 'must not hold a user or a password'
  if (allowPrivate) return undefined
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const isInner =
    isIP(host) === 0 ? innerName.test(host) || !host.includes('.') : isInnerAddress(host)
  return isInner ? 'must not lead into a private network' : undefined
}
