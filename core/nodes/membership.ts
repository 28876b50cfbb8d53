/**
 * The nodes that share one store, as one of them sees them. Each writes its record anew with every
 * heartbeat; one whose record stays as it is for `nodeLeaseMs` is declared dead by deleting it, on
 * the condition that it has not changed. So no clocks are compared, and a node that was declared
 * dead learns it from its next heartbeat, which fails: it is then *fenced*, drops all that it holds
 * and joins anew under another id. An id is never alive again.
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
  /** The name of the machine that it runs on. */
  machine: Type.String(),
  /** Draining: it takes no more documents. */
  isDraining: Type.Boolean(),
  /** How many hints of changes it has sent to the others. */
  hints: Type.Integer(),
  /** What callers have used of their quotas there of late, by quota and caller. */
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
  /** What is told to the others with each heartbeat. */
  readonly says: () => Pick<Node, 'hints' | 'used'>
  /** Before each heartbeat. */
  readonly onBeat: () => Promise<void>
  /** With each heartbeat, what the others said with theirs. */
  readonly onLooked: (others: readonly Node[]) => void
  /**
   * The others have given this node up: whatever it holds is another's. It joins anew once this
   * resolves.
   */
  readonly onFenced: () => Promise<void>
  /** Another node is no more. */
  readonly onGone: (id: string) => void
  /** A heartbeat failed; told once until one succeeds again. */
  readonly onTrouble: (error: unknown) => void
}

interface Seen {
  readonly node: Node
  readonly version: Version
  /** When its record was first seen as it is, in `elapsed` of this node. */
  readonly since: number
}

export class Membership {
  readonly #parts: MembershipParts
  #id = ''
  #url = ''
  #version: Version | undefined
  /** When the last heartbeat that was stored was sent. */
  #renewedAt = Number.NEGATIVE_INFINITY
  #seen: ReadonlyMap<string, Seen> = new Map()
  #lookedAt = Number.NEGATIVE_INFINITY
  /** Nodes at whose address nobody listens. */
  readonly #suspects = new Set<string>()
  #isDraining = false
  #isTroubled = false
  #beating: Promise<void> = Promise.resolve()
  #timer: Timer | undefined
  #isOver = false

  constructor(parts: MembershipParts) {
    this.#parts = parts
  }

  /** Resolves when the others can know of this node, and it knows of them. */
  async start(): Promise<void> {
    await this.#join()
    await this.#look()
    this.#beatSoon()
  }

  get id(): string {
    return this.#id
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** False: others may have given this node up already, and what it has in memory may be old. */
  get isServing(): boolean {
    const age = this.#parts.runtime.elapsed() - this.#renewedAt
    return age < limits.nodeLeaseMs - limits.nodeLeaseMarginMs
  }

  /** The other live nodes, as of a heartbeat ago. */
  get others(): readonly Node[] {
    return [...this.#seen.values()].map(({ node }) => node).filter(({ id }) => id !== this.#id)
  }

  /** The node of this id; undefined: it is dead, or was never there. */
  async find(id: string): Promise<Node | undefined> {
    const known = this.#seen.get(id)
    if (known !== undefined) return known.node
    const stored = await this.#parts.store.get(nodeKey(id))
    return stored && { id, ...nodeRecord.decode(stored.value) }
  }

  /** Nobody listens at the node's address: it is waited for half as long. */
  suspect(id: string): void {
    this.#suspects.add(id)
  }

  /**
   * This node listens at the address now: another one of the same address is its own former life,
   * which did not come to its end.
   */
  async listens(url: string): Promise<void> {
    this.#url = url
    for (const [id, { node, version }] of this.#seen) {
      if (id !== this.#id && node.url === url) await this.#declareDead(id, version)
    }
    await this.#beat()
  }

  /** Takes no more documents from now on; resolves once the others can know. */
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

  /** Rejects with what the store rejects with; false: this node was given up. */
  async #renew(): Promise<boolean> {
    const { store, runtime, machine, says } = this.#parts
    const sentAt = runtime.elapsed()
    const key = nodeKey(this.#id)
    const record = { url: this.#url, machine, isDraining: this.#isDraining, ...says() }
    const puts = [{ key, value: nodeRecord.encode(record) }]
    const result = await store.commit({ checks: [{ key, version: this.#version }], puts })
    if (result.ok) {
      this.#version = result.version
      this.#renewedAt = sentAt
      return true
    }
    // Others delete the record and never write it: one that is there is of a heartbeat whose answer
    // was lost.
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
          await this.#parts.onFenced()
          await this.#join()
        }
        await this.#look()
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

  /** Who is there, and who has been silent for too long. */
  async #look(): Promise<void> {
    const { store, runtime } = this.#parts
    const seen = new Map<string, Seen>()
    // What did not reach this node is no sign of the others' silence.
    const wasAway = runtime.elapsed() - this.#lookedAt > limits.nodeLeaseMs / 2
    this.#lookedAt = runtime.elapsed()
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
    for (const id of before) if (!seen.has(id)) this.#parts.onGone(id)
    this.#parts.onLooked(this.others)
  }
  /** False: it has said something meanwhile. */
  async #declareDead(id: string, version: Version): Promise<boolean> {
    const key = nodeKey(id)
    const commit = { checks: [{ key, version }], deletes: [key] }
    return (await this.#parts.store.commit(commit)).ok
  }
}
