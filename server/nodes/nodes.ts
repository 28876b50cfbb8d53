/**
 * This process as one node of several that share a store: what it holds, how requests find the node
 * that has their document, and how documents leave it.
 */
import type { RequestListener } from 'node:http'
import type { Hosts } from '../../core/documents/front/hosts.ts'
import { LeasedHosts, leasedStore, slugOf } from '../../core/documents/front/leased-hosts.ts'
import { Duties } from '../../core/nodes/duties.ts'
import { Leases } from '../../core/nodes/leases.ts'
import { Membership, type MembershipParts } from '../../core/nodes/membership.ts'
import type { SecretKey } from '../../core/records/secrets.ts'
import { readEpoch, type Store } from '../../persistence/index.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { SocketServer } from '../sockets/socket-server.ts'
import { Forwarder } from './forwarder.ts'
import { NodeCredentials } from './node-credentials.ts'
import { pathOfHandOver, RequestRouter } from './request-router.ts'

/** Documents that leave this node at the same time. */
const leavingAtOnce = 32

export interface NodesParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly secretKey: SecretKey
  /** Where other nodes reach this one; no slash at the end. */
  readonly url: string
  readonly used?: MembershipParts['used']
  /** Told once in each outage of heartbeats, and when the others have given this node up. */
  readonly onTrouble: (error: unknown) => void
}

/** What serves requests here, which is made after the documents are. */
export interface Serving {
  readonly sockets: Pick<SocketServer, 'end'>
  readonly refuse: RequestListener
}

export class Nodes {
  readonly #parts: NodesParts
  readonly leases: Leases
  readonly duties: Duties
  /** For hosts of documents. */
  readonly store: Store
  readonly #membership: Membership
  readonly #forwarder: Forwarder
  readonly #credentials: NodeCredentials
  #hosts: LeasedHosts | undefined
  #inner: Hosts | undefined
  #sockets: Serving['sockets'] | undefined
  #router: RequestRouter | undefined

  static async open(parts: NodesParts): Promise<Nodes> {
    const { store } = parts
    const heard = { onFenced: async () => {}, onGone: (_id: string): void => {} }
    const membership = await Membership.join({
      ...parts,
      onFenced: () => heard.onFenced(),
      onGone: (id) => heard.onGone(id),
    })
    const nodes = new Nodes(parts, membership, await readEpoch(store))
    heard.onFenced = () => nodes.#fenced()
    heard.onGone = (id) => nodes.#forwarder.gone(id)
    return nodes
  }

  private constructor(parts: NodesParts, membership: Membership, epoch: string) {
    const { store, runtime, secretKey, onTrouble } = parts
    this.#parts = parts
    this.#membership = membership
    this.leases = new Leases({ store, membership })
    this.duties = new Duties({ runtime, leases: this.leases, membership, onTrouble })
    this.store = leasedStore(store, this.leases)
    this.#credentials = new NodeCredentials(secretKey, runtime, () => epoch)
    this.#forwarder = new Forwarder({ runtime, credentials: this.#credentials })
  }

  get membership(): Pick<Membership, 'others' | 'isServing'> {
    return this.#membership
  }

  /** The hosts of this node, each document in them under its lease. */
  around(hosts: Hosts): Hosts {
    const { runtime, onTrouble } = this.#parts
    this.#inner = hosts
    this.#hosts = new LeasedHosts({
      hosts,
      leases: this.leases,
      runtime,
      ask: async (node, slug) => void (await this.#forwarder.post(node, pathOfHandOver(slug))),
      onTrouble,
    })
    return this.#hosts
  }

  /** What decides where a request is answered. */
  serve({ sockets, refuse }: Serving): RequestRouter {
    this.#sockets = sockets
    this.#router = new RequestRouter({
      runtime: this.#parts.runtime,
      membership: this.#membership,
      leases: this.leases,
      credentials: this.#credentials,
      forwarder: this.#forwarder,
      refuse,
      handOver: (slug) => this.#handOver(slug),
    })
    return this.#router
  }

  /**
   * Documents and duties go to the other nodes; requests that come meanwhile, and for a moment
   * after, are passed on. Without another node there is nothing to do.
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

  /** Once nothing is open here any more. */
  async close(): Promise<void> {
    await this.duties.close()
    this.#forwarder.close()
    await this.#membership.leave()
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

  /** The others have given this node up: what it has in memory may be old. */
  async #fenced(): Promise<void> {
    const { onTrouble } = this.#parts
    onTrouble(new Error('this node was silent for too long, and the others have taken over'))
    this.#sockets?.end(1013, 'UNAVAILABLE')
    const slugs = this.#held()
    this.leases.clear()
    const dropped = slugs.map((slug) => this.#inner?.discard(slug))
    for (const result of await Promise.allSettled(dropped)) {
      if (result.status === 'rejected') onTrouble(result.reason)
    }
  }
}
