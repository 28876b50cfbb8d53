/**
 * What an operator can measure (Prometheus text): requests, open documents, sockets, refused
 * frames.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { HostUsage } from '../core/documents/contract.ts'
import { isLoopbackAddress, isLoopbackHost } from '../rest/addresses/caller-address.ts'
import type { CountedEvent, MetricsCaller } from '../rest/services.ts'

export interface Gauges {
  openDocuments(): number
  /** The same by host: the main thread, or threads of documents. */
  documents(): readonly HostUsage[]
  liveSockets(): number
  changeSockets(): number
  /** Where other processes use the store too. */
  readonly node?: (() => { readonly leases: number; readonly forwarded: number }) | undefined
}

export class Metrics {
  readonly #registry = new Registry()
  readonly #requests: Histogram<'method' | 'route' | 'status'>
  readonly #troubles: Counter<'kind'>
  readonly #webhooksGivenUp: Counter
  readonly #refused: Readonly<Record<CountedEvent, Counter>>
  #isAsked = false

  constructor(gauges: Gauges) {
    const registers = [this.#registry]
    this.#requests = new Histogram({
      name: 'scriptorium_request_seconds',
      help: 'Time from a request to its answer, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    })
    this.#troubles = new Counter({
      name: 'scriptorium_troubles_total',
      help: 'Documents dropped after a failed write, sockets ended by an error, and the like',
      labelNames: ['kind'],
      registers,
    })
    this.#webhooksGivenUp = new Counter({
      name: 'scriptorium_webhook_deliveries_given_up_total',
      help: 'Deliveries to webhooks that failed at their last attempt or had no room to wait',
      registers,
    })
    this.#refused = {
      failed_sign_in: new Counter({
        name: 'scriptorium_failed_sign_ins_total',
        help: 'Failed passwords, password resets and single sign-on attempts',
        registers,
      }),
      wrong_secret: new Counter({
        name: 'scriptorium_wrong_secrets_total',
        help: 'Requests with an unknown or expired secret',
        registers,
      }),
    }
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
    gauge('scriptorium_open_documents', 'Documents in memory', gauges.openDocuments)
    const ofHosts = (name: string, help: string, read: (usage: HostUsage) => number) =>
      new Gauge({
        name,
        help,
        labelNames: ['host'],
        registers,
        collect() {
          this.reset()
          for (const usage of gauges.documents()) this.set({ host: usage.host }, read(usage))
        },
      })
    ofHosts(
      'scriptorium_host_documents',
      'Documents in memory, by where they are: main, or a thread of documents',
      ({ openCount }) => openCount,
    )
    ofHosts(
      'scriptorium_host_documents_bytes',
      'Approximate memory used by open documents',
      ({ memoryBytes }) => memoryBytes,
    )
    gauge('scriptorium_live_sockets', 'Live editors connected', gauges.liveSockets)
    gauge('scriptorium_change_sockets', 'Change stream connections', gauges.changeSockets)
    const { node } = gauges
    if (node === undefined) return
    const leases = 'Documents and duties that this node holds among several'
    gauge('scriptorium_node_leases', leases, () => node().leases)
    const forwarded = 'Requests and sockets that this node has passed on to another'
    gauge('scriptorium_node_forwarded', forwarded, () => node().forwarded)
  }

  request(seen: { method: string; route: string; status: number; ms: number }): void {
    const { method, route, status, ms } = seen
    this.#requests.observe({ method, route, status: String(status) }, ms / 1000)
  }

  count(event: CountedEvent): void {
    this.#refused[event].inc()
  }

  givenUp(deliveries: number): void {
    this.#webhooksGivenUp.inc(deliveries)
  }

  trouble(kind: string): void {
    this.#troubles.inc({ kind })
  }

  /**
   * The process itself is measured from the first time on that somebody asks: its event loop is
   * woken a hundred times a second for it.
   */
  async text(): Promise<string> {
    if (!this.#isAsked) collectDefaultMetrics({ register: this.#registry })
    this.#isAsked = true
    // What has not been measured yet has no value.
    return (await this.#registry.metrics()).replace(/^[^#\n].* Nan\n/gm, '')
  }

  close(): void {
    this.#registry.clear()
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The metrics for a caller that may read them: one on this machine that asks for this machine,
 * without a proxy in between, or one that has the metrics token. A proxy that names itself in no
 * header still passes on the `Host` that the world knows, and so does a page whose name was made to
 * lead here.
 */
export function metricsFor(metrics: Metrics, token: string | undefined) {
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`)
  return async (caller: MetricsCaller): Promise<string | undefined> => {
    const { socketAddress, host, proxied } = caller
    const isLocal = isLoopbackAddress(socketAddress) && isLoopbackHost(host) && !proxied
    const given = (caller.authorization ?? '').replace(/^bearer /i, 'Bearer ')
    const knows = expected !== undefined && timingSafeEqual(digest(given), expected)
    return isLocal || knows ? metrics.text() : undefined
  }
}
