/**
 * This process as one of several nodes that share a store: the leases it holds, how requests reach
 * the node that holds their document, and how documents are handed over.
 */
import type { RequestListener } from 'node:http'
import type { Hosts } from '../../core/documents/front/hosts.ts'
import { LeasedHosts, leasedStore, slugOf } from '../../core/documents/front/leased-hosts.ts'
import { Duties, type Work } from '../../core/nodes/duties.ts'
import { Leases } from '../../core/nodes/leases.ts'
import { Membership } from '../../core/nodes/membership.ts'
import { skippedEntries } from '../../core/outbox/skipped-entries.ts'
import type { SecretKey } from '../../core/records/secrets.ts'
import { currentEpoch, type Store } from '../../persistence/index.ts'
import { isLoopbackHost } from '../../rest/addresses/caller-address.ts'
import type { Quotas } from '../../rest/quotas/quotas.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import type { SocketServer } from '../sockets/socket-server.ts'
import { ChangeHints } from './change-hints.ts'
import { Forwarder, nodesPath } from './forwarder.ts'
import { NodeCredentials } from './node-credentials.ts'
import { answerCall, callPath, remoteCalls } from './remote-calls.ts'
import { RequestRouter } from './request-router.ts'

const changedPath = `${nodesPath}changed/`

const deadSweptEveryMs = 3_600_000

/** Documents that leave this node at the same time. */
const leavingAtOnce = 32

export interface NodesParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly secretKey: SecretKey
  /** The name of this machine. */
  readonly machine: string
  /** Called once per outage of heartbeats, and when the other nodes have declared this one dead. */
  readonly onTrouble: (error: unknown) => void
}

const isLocal = (url: string): boolean => isLoopbackHost(new URL(url).host)

/** The parts that serve requests; they are made after the documents. */
export interface Serving {
  readonly sockets: Pick<SocketServer, 'end'>
  readonly refuse: RequestListener
  readonly quotas: Pick<Quotas, 'used' | 'setElsewhere'>
}

export class Nodes {
  readonly #parts: NodesParts
  readonly #membership: Membership
  #epoch: string
  readonly leases: Leases
  readonly duties: Duties
  /** For everything except the hosts of documents. */
  readonly store: Store
  /** For hosts of documents: its commits check leases. */
  readonly hostStore: Store
  readonly #hints: ChangeHints
  readonly #forwarder: Forwarder
  readonly #credentials: NodeCredentials
  #hosts: LeasedHosts | undefined
  #inner: Hosts | undefined
  #sockets: Serving['sockets'] | undefined
  #quotas: Serving['quotas'] | undefined
  #router: RequestRouter | undefined

  static async open(parts: NodesParts): Promise<Nodes> {
    const nodes = new Nodes(parts, await currentEpoch(parts.store, parts.runtime, skippedEntries))
    await nodes.#membership.start()
    return nodes
  }

  private constructor(parts: NodesParts, epoch: string) {
    const { store, runtime, machine, secretKey, onTrouble } = parts
    this.#parts = parts
    this.#epoch = epoch
    const membership = new Membership({
      ...{ store, runtime, machine, onTrouble },
      onBeat: () => this.#lookAtEpoch(),
      publish: () => ({ hints: this.#hints.sent, used: this.#quotas?.used() ?? {} }),
      onFenced: () => this.#fenced(),
      onNodeDead: (id) => this.#forwarder.nodeDead(id),
      onRefreshed: (others) => {
        this.#hints.compare(others)
        this.#quotas?.setElsewhere(others.map(({ used }) => used))
      },
    })
    this.#membership = membership
    this.leases = new Leases({ store, membership })
    this.duties = new Duties({ runtime, leases: this.leases, membership, onTrouble })
    this.#credentials = new NodeCredentials(secretKey, runtime, () => this.#epoch)
    this.#forwarder = new Forwarder({
      runtime,
      credentials: this.#credentials,
      onRefused: (id) => membership.suspect(id),
    })
    this.#hints = new ChangeHints({ runtime, send: (number, keys) => this.#hint(number, keys) })
    this.duties.onDuty('leases', () => this.#sweeping())
    this.store = this.#hints.around(store)
    this.hostStore = leasedStore(this.store, this.leases)
  }

  get membership(): Pick<Membership, 'others' | 'isServing'> {
    return this.#membership
  }

  /** As of the last heartbeat. */
  get epoch(): string {
    return this.#epoch
  }

  /** Whether nodes on several machines can reach each other, as far as addresses say. */
  reaches(url: string): boolean {
    const nodes = [{ url, machine: this.#parts.machine }, ...this.#membership.others]
    const [local] = nodes.filter((node) => node.url !== '' && isLocal(node.url))
    return local === undefined || nodes.every(({ machine }) => machine === local.machine)
  }

  listens(url: string): Promise<void> {
    return this.#membership.listens(url)
  }

  /** For an operator. */
  get usage() {
    return { leases: this.leases.held.length, forwarded: this.#forwarder.count }
  }

  /** Wraps the hosts of this node: a document is opened in them only under its lease. */
  around(hosts: Hosts): Hosts {
    const { runtime, onTrouble } = this.#parts
    this.#inner = hosts
    this.#hosts = new LeasedHosts({
      hosts,
      leases: this.leases,
      runtime,
      remote: remoteCalls(this.#forwarder),
      onTrouble,
    })
    return this.#hosts
  }

  /** Decides where each request is answered. */
  serve({ sockets, refuse, quotas }: Serving): RequestRouter {
    this.#sockets = sockets
    this.#quotas = quotas
    this.#router = new RequestRouter({
      runtime: this.#parts.runtime,
      membership: this.#membership,
      leases: this.leases,
      credentials: this.#credentials,
      forwarder: this.#forwarder,
      refuse,
      onPost: (url, body) => this.#posted(url, body),
    })
    return this.#router
  }

  /**
   * Hands documents and duties over to the other nodes. Requests are forwarded meanwhile and for
   * `nodeDrainMs` after. Does nothing when there is no other node.
   */
  async drain(): Promise<void> {
    const { runtime } = this.#parts
    await this.#membership.drain()
    await this.duties.close()
    if (this.#membership.others.every(({ isDraining }) => isDraining)) return
    const slugs = this.#held()
    const leave = async () => {
      for (let slug = slugs.pop(); slug !== undefined; slug = slugs.pop()) {
        await this.#handOver(slug)
      }
    }
    await Promise.all(Array.from({ length: leavingAtOnce }, leave))
    await new Promise<void>((resolve) => runtime.after(limits.nodeDrainMs, resolve))
  }

  /** Call when no document is open any more. */
  async close(): Promise<void> {
    await this.duties.close()
    this.#forwarder.close()
    await this.#membership.leave()
  }

  /** Now, and every hour. */
  #sweeping(): Work {
    const { runtime, onTrouble } = this.#parts
    let timer: Timer | undefined
    const sweep = () => {
      this.leases.sweep().catch(onTrouble)
      timer = runtime.after(deadSweptEveryMs, sweep)
    }
    sweep()
    return { close: async () => timer?.cancel() }
  }

  async #hint(number: number, keys: readonly string[]): Promise<void> {
    const path = `${changedPath}${this.#membership.id}/${number}`
    const body = Buffer.from(keys.join('\n'))
    // A node that is not reached notices by the next heartbeat.
    const { others } = this.#membership
    await Promise.all(others.map((node) => this.#forwarder.post(node, path, body)))
  }

  async #posted(url: string, body: Uint8Array): Promise<Uint8Array> {
    if (url.startsWith(changedPath)) {
      const [from = '', number] = url.slice(changedPath.length).split('/')
      this.#hints.receive(from, Number(number), Buffer.from(body).toString().split('\n'))
    }
    if (!url.startsWith(callPath)) return new Uint8Array()
    return answerCall(body, async (slug, work) => this.#hosts?.useHere(slug, work))
  }

  #held(): Slug[] {
    return this.leases.held.flatMap((key) => slugOf(key) ?? [])
  }

  async #handOver(slug: Slug): Promise<void> {
    await this.#router?.leaving(slug, limits.nodeHoldMaxMs, async () => {
      this.#sockets?.end(1001, 'the document moves to another node', slug)
      await this.#hosts?.release(slug)
    })
  }

  /** After a failover the database may lack commits that are in memory here. */
  async #lookAtEpoch(): Promise<void> {
    const { store, runtime } = this.#parts
    const epoch = await currentEpoch(store, runtime, skippedEntries)
    if (epoch === this.#epoch) return
    this.#epoch = epoch
    await this.#drop(new Error('the database has failed over, and may have lost commits'))
  }

  /** The other nodes have declared this one dead: its memory may be outdated. */
  async #fenced(): Promise<void> {
    await this.#drop(
      new Error('this node missed its heartbeat and other nodes took over its documents'),
    )
  }

  async #drop(why: Error): Promise<void> {
    const { onTrouble } = this.#parts
    onTrouble(why)
    this.#sockets?.end(1013, 'UNAVAILABLE')
    const slugs = this.#held()
    this.leases.clear()
    const dropped = slugs.map((slug) => this.#inner?.discard(slug, 'outdated'))
    for (const result of await Promise.allSettled(dropped)) {
      if (result.status === 'rejected') onTrouble(result.reason)
    }
  }
}
