/**
 * The nodes that share one store, as one of them sees them. Each node rewrites its record with
 * every heartbeat. A node whose record has not changed for `nodeLeaseMs` is declared dead: its
 * record is deleted, on the condition that it is still unchanged. Each node measures with its own
 * monotonic clock, so clocks are never compared. A node that was declared dead notices when its
 * next heartbeat fails: it is *fenced*, drops what it holds and joins under a new id. An id never
 * comes back.
 */
import { type Static, Type } from '@sinclair/typebox'
import { nodeKey, nodes } from '../../persistence/keys.ts'
import type { Store, Version } from '../../persistence/store.ts'
import { randomName } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { recordShape } from '../records/records.ts'

const nodeSchema = Type.Object({
  /** Where other nodes reach it, without a slash at the end; empty: it does not listen yet. */
  url: Type.String(),
  /** The host name of its machine. */
  machine: Type.String(),
  /** It takes no more documents. */
  isDraining: Type.Boolean(),
  /** How many change hints it has sent. */
  hints: Type.Integer(),
  /** What heavy callers have used of their quotas there, by quota and caller. */
  used: Type.Record(Type.String(), Type.Number()),
})
const nodeRecord = recordShape('node', nodeSchema)

/** A node as its last heartbeat described it. */
export interface Node extends Static<typeof nodeSchema> {
  readonly id: string
}

export interface MembershipParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly machine: string
  /** What each heartbeat publishes. */
  readonly publish: () => Pick<Node, 'hints' | 'used'>
  /** Before each heartbeat. */
  readonly onBeat: () => Promise<void>
  /** Called after each heartbeat with the other live nodes. */
  readonly onRefreshed: (others: readonly Node[]) => void
  /**
   * The other nodes have declared this one dead, so its leases are void. It joins again when this
   * resolves.
   */
  readonly onFenced: () => Promise<void>
  /** Another node has left or was declared dead. */
  readonly onNodeDead: (id: string) => void
  /** A heartbeat failed; called once until one succeeds again. */
  readonly onTrouble: (error: unknown) => void
}

interface ObservedNode {
  readonly node: Node
  readonly version: Version
  /** When this version of the record was first seen, by this node's `elapsed`. */
  readonly since: number
}

export class Membership {
  readonly #parts: MembershipParts
  #id = ''
  #url = ''
  #version: Version | undefined
  /** When the last successful heartbeat was sent. */
  #renewedAt = Number.NEGATIVE_INFINITY
  #seen: ReadonlyMap<string, ObservedNode> = new Map()
  #refreshedAt = Number.NEGATIVE_INFINITY
  /** Nodes that refused a connection. */
  readonly #suspects = new Set<string>()
  #isDraining = false
  #isJoined = false
  #isTroubled = false
  #beating: Promise<void> = Promise.resolve()
  #timer: Timer | undefined
  #isOver = false

  constructor(parts: MembershipParts) {
    this.#parts = parts
  }

  /** Joins and reads the other nodes. */
  async start(): Promise<void> {
    await this.#join()
    await this.#refresh()
    this.#beatSoon()
  }

  get id(): string {
    return this.#id
  }

  /** False: this node has been declared dead and has not joined again. */
  get isJoined(): boolean {
    return this.#isJoined
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** False: others may have declared this node dead, and its memory may be outdated. */
  get isServing(): boolean {
    const age = this.#parts.runtime.elapsed() - this.#renewedAt
    return age < limits.nodeLeaseMs - limits.nodeLeaseMarginMs
  }

  /** The other live nodes as of the last heartbeat. */
  get others(): readonly Node[] {
    return [...this.#seen.values()].map(({ node }) => node).filter(({ id }) => id !== this.#id)
  }

  /** The live node with this id. */
  async find(id: string): Promise<Node | undefined> {
    const known = this.#seen.get(id)
    if (known !== undefined) return known.node
    const stored = await this.#parts.store.get(nodeKey(id))
    return stored && { id, ...nodeRecord.decode(stored.value) }
  }

  /** The node refused a connection: it is declared dead after half the time. */
  suspect(id: string): void {
    this.#suspects.add(id)
  }

  /**
   * Publishes the address at which this node listens now. Another node with the same address is an
   * earlier process that was killed, and is declared dead at once.
   */
  async listens(url: string): Promise<void> {
    this.#url = url
    for (const [id, { node, version }] of this.#seen) {
      if (id !== this.#id && node.url === url) await this.#declareDead(id, version)
    }
    await this.#beat()
  }

  /** Takes no more documents; resolves when the record says so. */
  async drain(): Promise<void> {
    this.#isDraining = true
    await this.#beat()
  }

  /** The node is no more. */
  async leave(): Promise<void> {
    this.#isOver = true
    this.#timer?.cancel()
    await this.#beating
    const checks = [{ key: nodeKey(this.#id), version: this.#version }]
    await this.#parts.store.commit({ checks, deletes: [nodeKey(this.#id)] })
  }

  async #join(): Promise<void> {
    this.#id = `node_${randomName(this.#parts.runtime, 16)}`
    this.#version = undefined
    await this.#renew()
  }

  /** False: this node was declared dead. Rejects like the store. */
  async #renew(): Promise<boolean> {
    const { store, runtime, machine, publish } = this.#parts
    const sentAt = runtime.elapsed()
    const key = nodeKey(this.#id)
    const record = { url: this.#url, machine, isDraining: this.#isDraining, ...publish() }
    const puts = [{ key, value: nodeRecord.encode(record) }]
    const result = await store.commit({ checks: [{ key, version: this.#version }], puts })
    if (result.ok) {
      this.#version = result.version
      this.#renewedAt = sentAt
      this.#isJoined = true
      return true
    }
    // Other nodes delete this record and never write it. If it is there, the answer to an earlier
    // heartbeat was lost.
    this.#version = (await store.get(key))?.version
    return this.#version !== undefined
  }

  /** One at a time. */
  #beat(): Promise<void> {
    this.#beating = this.#beating.then(async () => {
      try {
        await this.#parts.onBeat()
        if (!(await this.#renew())) {
          this.#renewedAt = Number.NEGATIVE_INFINITY
          this.#isJoined = false
          await this.#parts.onFenced()
          await this.#join()
        }
        await this.#refresh()
        this.#isTroubled = false
      } catch (error) {
        if (!this.#isTroubled) this.#parts.onTrouble(error)
        this.#isTroubled = true
      }
    })
    return this.#beating
  }

  #beatSoon(): void {
    if (this.#isOver) return
    this.#timer = this.#parts.runtime.after(limits.nodeHeartbeatMs, () => {
      void this.#beat().then(() => this.#beatSoon())
    })
  }

  /** Reads all nodes, and declares silent ones dead. */
  async #refresh(): Promise<void> {
    const { store, runtime } = this.#parts
    const seen = new Map<string, ObservedNode>()
    // After an outage of this node's own it cannot know who was silent.
    const wasAway = runtime.elapsed() - this.#refreshedAt > limits.nodeLeaseMs / 2
    this.#refreshedAt = runtime.elapsed()
    for await (const { key, value, version } of store.scan(nodes)) {
      const id = key.slice(nodeKey('-').length - 1)
      const before = this.#seen.get(id)
      const isSame = before?.version === version && !wasAway
      const since = isSame ? before.since : runtime.elapsed()
      seen.set(id, { node: { id, ...nodeRecord.decode(value) }, version, since })
    }
    for (const [id, { version, since }] of seen) {
      const patienceMs = limits.nodeLeaseMs / (this.#suspects.has(id) ? 2 : 1)
      if (id === this.#id || runtime.elapsed() - since < patienceMs) continue
      if (await this.#declareDead(id, version)) seen.delete(id)
    }
    for (const id of this.#suspects) if (!seen.has(id)) this.#suspects.delete(id)
    const before = [...this.#seen.keys()]
    this.#seen = seen
    for (const id of before) if (!seen.has(id)) this.#parts.onNodeDead(id)
    this.#parts.onRefreshed(this.others)
  }
  /** False: the node has written its record meanwhile. */
  async #declareDead(id: string, version: Version): Promise<boolean> {
    const key = nodeKey(id)
    const commit = { checks: [{ key, version }], deletes: [key] }
    return (await this.#parts.store.commit(commit)).ok
  }
}
