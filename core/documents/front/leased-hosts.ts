/**
 * The hosts of one of several nodes that share a store. A document is opened here only while this
 * node holds its lease, and each of its commits checks that lease. Calls on a document that another
 * node holds go to that node.
 */

import { docHead, documentLease, parseKey } from '../../../persistence/keys.ts'
import type { Commit, Store } from '../../../persistence/store.ts'
import { wrappedStore } from '../../../persistence/wrapped-store.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime, Timer } from '../../../schema/runtime.ts'
import { DocumentDamage } from '../../commit/damage.ts'
import { HeldElsewhere, type Leases, NotJoined } from '../../nodes/leases.ts'
import type { Node } from '../../nodes/membership.ts'
import type { HostUsage } from '../contract.ts'
import type { HostPort } from '../host/host-port.ts'
import type {
  ConnectRequest,
  Follower,
  Following,
  LivePeer,
  LiveSession,
  Sources,
} from '../live/live-peer.ts'
import type { DiscardReason } from '../live/live-peers.ts'
import type { CallPort, Hosts } from './hosts.ts'

/** Ports to the hosts of other nodes. Calls throw `MovedOn`. */
export type RemotePorts = (node: Node) => CallPort

/** The node does not hold the document or was not reached; nothing was done. */
export class MovedOn extends Error {}

/** Pause before the holder of a lease is read again. */
const retryAfterMs = 100

export interface LeasedHostsParts {
  readonly hosts: Hosts
  readonly leases: Leases
  readonly runtime: Runtime
  readonly remote: RemotePorts
  readonly onTrouble: (error: unknown) => void
}

export class LeasedHosts implements Hosts {
  readonly #parts: LeasedHostsParts
  /** Leases of documents that were not in memory at the last sweep. */
  #unused = new Set<string>()
  /** Running calls by document. */
  readonly #users = new Map<Slug, number>()
  readonly #onUnused = new Map<Slug, () => void>()
  readonly #leaving = new Map<Slug, Promise<void>>()
  #sweep: Timer

  constructor(parts: LeasedHostsParts) {
    this.#parts = parts
    this.#sweep = this.#sweepSoon()
  }

  get usage(): readonly HostUsage[] {
    return this.#parts.hosts.usage
  }

  use<T>(slug: Slug, work: (host: CallPort) => Promise<T>, chars?: number): Promise<T> {
    const { hosts, remote } = this.#parts
    return this.#trying(
      () => this.#holding(slug, () => hosts.use(slug, work, chars)),
      (node) => work(remote(node)),
    )
  }

  /** A call of another node. Throws `MovedOn` if this node does not hold the document. */
  async useHere<T>(slug: Slug, work: (host: CallPort) => Promise<T>): Promise<T> {
    if (!this.#parts.leases.has(documentLease(slug))) throw new MovedOn()
    return this.#holding(slug, () => this.#parts.hosts.use(slug, work))
  }

  useFor<T>(slug: Slug, chars: number, work: (host: HostPort) => Promise<T>): Promise<T> {
    return this.#parts.hosts.useFor(slug, chars, work)
  }

  isAway(slug: Slug): Promise<boolean> {
    return this.#parts.hosts.isAway(slug)
  }

  connect(slug: Slug, request: ConnectRequest, peer: LivePeer): Promise<LiveSession> {
    return this.#trying(() =>
      this.#holding(slug, () => this.#parts.hosts.connect(slug, request, peer)),
    )
  }

  follow(slug: Slug, follower: Follower, sources: Sources): Promise<Following> {
    return this.#trying(() =>
      this.#holding(slug, () => this.#parts.hosts.follow(slug, follower, sources)),
    )
  }

  /** Waits for running calls; new ones wait until the lease is released. */
  release(slug: Slug): Promise<void> {
    return this.#leave(slug, () => this.#parts.hosts.release(slug))
  }

  discard(slug: Slug, because: DiscardReason): Promise<void> {
    return this.#trying(
      () => this.#holding(slug, () => this.#parts.hosts.discard(slug, because)),
      async (node) => void (await this.#parts.remote(node).call('discard', { slug, because })),
    )
  }

  async close(): Promise<void> {
    this.#sweep.cancel()
    await this.#parts.hosts.close()
  }

  /** Does the work while this node has the lease. Throws `HeldElsewhere`, `NotJoined`. */
  async #holding<T>(slug: Slug, work: () => Promise<T>): Promise<T> {
    const { leases } = this.#parts
    const key = documentLease(slug)
    do {
      await this.#leaving.get(slug)
      await leases.take(key)
    } while (this.#leaving.has(slug))
    this.#users.set(slug, (this.#users.get(slug) ?? 0) + 1)
    const version = leases.checkOf(key)?.version
    try {
      return await work()
    } catch (error) {
      // Read while another node was writing, it looks torn.
      const isLost = leases.checkOf(key)?.version !== version
      throw error instanceof DocumentDamage && isLost ? new Refusal('UNAVAILABLE') : error
    } finally {
      const left = (this.#users.get(slug) ?? 0) - 1
      if (left > 0) this.#users.set(slug, left)
      else {
        this.#users.delete(slug)
        this.#onUnused.get(slug)?.()
      }
    }
  }

  async #leave(slug: Slug, release: () => Promise<void>): Promise<void> {
    const before = this.#leaving.get(slug)
    if (before !== undefined) return before
    const left = this.#leaveNow(slug, release)
    this.#leaving.set(slug, left)
    try {
      await left
    } finally {
      this.#leaving.delete(slug)
    }
  }

  async #leaveNow(slug: Slug, release: () => Promise<void>): Promise<void> {
    if (this.#users.has(slug)) {
      await new Promise<void>((resolve) => this.#onUnused.set(slug, resolve))
      this.#onUnused.delete(slug)
    }
    await release()
    await this.#parts.leases.release(documentLease(slug))
  }

  /**
   * Works here, or at the node that holds the document. Refuses UNAVAILABLE after `nodeHoldMaxMs`.
   * Without `there` it only works here.
   */
  async #trying<T>(here: () => Promise<T>, there?: (node: Node) => Promise<T>): Promise<T> {
    const { runtime } = this.#parts
    const until = runtime.elapsed() + limits.nodeHoldMaxMs
    for (;;) {
      try {
        return await here().catch((error: unknown) => {
          if (!(error instanceof HeldElsewhere)) throw error
          if (there === undefined) throw new MovedOn()
          return there(error.node)
        })
      } catch (error) {
        if (!(error instanceof MovedOn || error instanceof NotJoined)) throw error
        if (runtime.elapsed() > until) throw new Refusal('UNAVAILABLE')
      }
      await this.#pause()
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#parts.runtime.after(retryAfterMs, resolve))
  }

  #sweepSoon(): Timer {
    const { runtime, onTrouble } = this.#parts
    return runtime.after(limits.nodeLeaseSweepEveryMs, () => {
      this.#releaseUnused()
        .catch(onTrouble)
        .finally(() => {
          this.#sweep = this.#sweepSoon()
        })
    })
  }

  /** Releases leases of documents that were not in memory at two sweeps in a row. */
  async #releaseUnused(): Promise<void> {
    const { leases, hosts } = this.#parts
    const unused = new Set<string>()
    for (const key of leases.held) {
      const slug = slugOf(key)
      if (slug === undefined || !(await hosts.isAway(slug))) continue
      if (this.#unused.has(key)) await this.#leave(slug, async () => {})
      else unused.add(key)
    }
    this.#unused = unused
  }
}

/** The document of a lease. */
export function slugOf(key: string): Slug | undefined {
  const parsed = parseKey(key)
  if (parsed?.kind !== 'lease' || !('path' in parsed)) return undefined
  const [kind, slug] = parsed.path
  return kind === 'doc' ? (slug as Slug) : undefined
}

/**
 * The store for the hosts of this node. A commit that writes a document's head also checks its
 * lease. If another node holds it, the commit reports a conflict at the head, and the host drops
 * the document.
 */
export function leasedStore(store: Store, leases: Leases): Store {
  const commit = async (given: Commit) => {
    const heads = (given.puts ?? []).flatMap(({ key }) => headOf(key) ?? [])
    const known = heads.filter(
      (slug) => !given.checks?.some(({ key, version }) => key === docHead(slug) && !version),
    )
    const checks = [...(given.checks ?? [])]
    for (const slug of known) {
      const check = leases.checkOf(documentLease(slug))
      if (check === undefined) return { ok: false, conflict: docHead(slug) } as const
      checks.push(check)
    }
    const result = await store.commit({ ...given, checks })
    if (result.ok) return result
    const lost = known.find((slug) => documentLease(slug) === result.conflict)
    if (lost === undefined) return result
    leases.lost(result.conflict)
    return { ok: false, conflict: docHead(lost) } as const
  }
  return wrappedStore(store, { commit })
}

function headOf(key: string): Slug | undefined {
  if (!key.startsWith('doc/') || !key.endsWith('/head')) return undefined
  const parsed = parseKey(key)
  return parsed?.kind === 'doc' && parsed.section === 'head' ? parsed.slug : undefined
}
