/**
 * Resolves the names of outgoing requests. It asks the DNS servers directly: `dns.lookup` would
 * wait in the thread pool that the disk's writes need, and two names that never resolve would hold
 * up every other. `localhost` and the system's hosts file are answered without DNS.
 */
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** The addresses of a host name, or the IP address itself. Rejects where there are none. */
export type LookUp = (host: string) => Promise<readonly string[]>

const hostsFile =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

const loopback = ['127.0.0.1', '::1']

export function systemLookUp(): LookUp {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  let hosts: Promise<ReadonlyMap<string, readonly string[]>> | undefined
  return async (host) => {
    if (isIP(host) !== 0) return [host]
    const name = host.toLowerCase().replace(/\.$/, '')
    if (name === 'localhost' || name.endsWith('.localhost')) return loopback
    hosts ??= readFile(hostsFile, 'utf8').then(hostsIn, () => new Map())
    return (await hosts).get(name) ?? resolved(resolver, name)
  }
}

/** The lines of a hosts file, by name. */
export function hostsIn(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      found.set(key, [...(found.get(key) ?? []), address])
    }
  }
  return found
}

/** Of both families: one of them may have none. */
async function resolved(resolver: Resolver, name: string): Promise<readonly string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (addresses.length > 0) return addresses
  const failed = answers.find((one) => one.status === 'rejected')
  throw failed?.reason ?? new Error('no address')
}
