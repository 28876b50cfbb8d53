/**
 * Connections that stay open between requests, for the next request to the same target. Targets
 * never share one, even where they name the same host. A connection is used again only while the
 * name leads to the same addresses, all of which were judged again. One idle connection of each of
 * a few targets is kept, for a short time.
 */
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { LRUCache } from 'lru-cache'

const idleMax = 128
/** Shorter than the time for which servers keep theirs, which is 5 s and more. */
const idleMs = 4_000

export class KeptConnections {
  readonly #agents = new LRUCache<string, HttpAgent>({
    max: idleMax,
    dispose: closeIdle,
  })

  /** `addresses`: to which a new connection may go. */
  agentFor(target: string, url: string, addresses: readonly string[]): HttpAgent {
    const { protocol, host } = new URL(url)
    const key = JSON.stringify([target, protocol, host, addresses.toSorted()])
    const known = this.#agents.get(key)
    if (known !== undefined) return known
    const options = { keepAlive: true, maxFreeSockets: 1, timeout: idleMs }
    const agent = protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)
    this.#agents.set(key, agent)
    return agent
  }

  close(): void {
    this.#agents.clear()
  }
}

/** What is in use ends with its request, or is idle for a short time. */
function closeIdle({ freeSockets }: HttpAgent): void {
  for (const sockets of Object.values(freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy()
  }
}
