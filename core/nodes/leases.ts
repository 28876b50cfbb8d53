/**
 * Leases: things that only one node may hold at a time, which are open documents and duties. A
 * lease is a record with the id of a node and is valid while that node lives. It is taken in one
 * commit that checks that the record is unchanged and that its node is dead. The lease decides who
 * serves; what makes it safe is that every commit of the holder checks the lease's version.
 */
import { hash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { leases, nodeKey } from '../../persistence/keys.ts'
import type { Check, Store, Version } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { recordShape } from '../records/records.ts'
import type { Membership, Node } from './membership.ts'

const leaseSchema = Type.Object({ node: Type.String() })
const leaseRecord = recordShape('lease', leaseSchema)

interface Stored extends Static<typeof leaseSchema> {
  readonly version: Version
}

export interface LeasesParts {
  readonly store: Store
  readonly membership: Pick<Membership, 'id' | 'isJoined' | 'find'>
}

/** Another live node holds the lease. */
export class HeldElsewhere extends Error {
  readonly node: Node

  constructor(key: string, node: Node) {
    super(`${key} is held by ${node.id}`)
    this.name = 'HeldElsewhere'
    this.node = node
  }
}

/** This node was declared dead and takes nothing until it has joined again. */
export class NotJoined extends Error {
  override readonly name = 'NotJoined'
}

export class Leases {
  readonly #parts: LeasesParts
  readonly #held = new Map<string, Version>()
  /** Running operations, one at a time for each key. */
  readonly #underWay = new Map<string, Promise<unknown>>()

  constructor(parts: LeasesParts) {
    this.#parts = parts
  }

  get held(): readonly string[] {
    return [...this.#held.keys()]
  }

  has(key: string): boolean {
    return this.#held.has(key)
  }

  /** The check for commits under this lease; undefined: this node does not hold it. */
  checkOf(key: string): Check | undefined {
    const version = this.#held.get(key)
    return version && { key, version }
  }

  /** The live node that holds it according to the store. */
  async holder(key: string): Promise<Node | undefined> {
    const stored = await this.#read(key)
    return stored && this.#parts.membership.find(stored.node)
  }

  /** Throws `HeldElsewhere`, `NotJoined`. */
  async take(key: string): Promise<void> {
    if (this.#held.has(key) && !this.#underWay.has(key)) return
    await this.#inLine(key, () => this.#take(key))
  }

  async release(key: string): Promise<void> {
    await this.#inLine(key, async () => {
      const check = this.checkOf(key)
      if (check === undefined) return
      await this.#parts.store.commit({ checks: [check], deletes: [key] })
      this.#held.delete(key)
    })
  }

  /** A commit found that the lease is another node's. */
  lost(key: string): void {
    this.#held.delete(key)
  }

  /** Deletes the leases of dead nodes; returns how many. */
  async sweep(): Promise<number> {
    const { store, membership } = this.#parts
    let swept = 0
    for await (const { key, value, version } of store.scan(leases)) {
      const { node } = leaseRecord.decode(value)
      if ((await membership.find(node)) !== undefined) continue
      const dead = { key: nodeKey(node), version: undefined }
      const result = await store.commit({ checks: [{ key, version }, dead], deletes: [key] })
      if (result.ok) swept += 1
    }
    return swept
  }

  /** This node was declared dead, so all its leases are void. */
  clear(): void {
    this.#held.clear()
  }

  async #take(key: string): Promise<void> {
    const { store, membership } = this.#parts
    while (!this.#held.has(key)) {
      const before = await this.#read(key)
      const node = before?.node
      const { id, isJoined } = membership
      if (!isJoined) throw new NotJoined()
      const isOthers = node !== undefined && node !== id
      const holder = isOthers ? await membership.find(node) : undefined
      if (holder !== undefined) throw new HeldElsewhere(key, holder)
      const dead = isOthers ? [{ key: nodeKey(node), version: undefined }] : []
      const result = await store.commit({
        checks: [{ key, version: before?.version }, ...dead],
        puts: [{ key, value: leaseRecord.encode({ node: id }) }],
      })
      const isSame = membership.id === id && membership.isJoined
      if (result.ok && isSame) this.#held.set(key, result.version)
    }
  }

  async #read(key: string): Promise<Stored | undefined> {
    const stored = await this.#parts.store.get(key)
    return stored && { ...leaseRecord.decode(stored.value), version: stored.version }
  }

  async #inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#underWay.get(key) ?? Promise.resolve()
    const done = before.then(work, work)
    this.#underWay.set(key, done)
    try {
      return await done
    } finally {
      if (this.#underWay.get(key) === done) this.#underWay.delete(key)
    }
  }
}

/** The node that should open a document without a lease, by rendezvous hashing. */
export function preferredNode(
  slug: Slug,
  candidates: readonly Pick<Node, 'id'>[],
): string | undefined {
  let best: { readonly id: string; readonly weight: string } | undefined
  for (const { id } of candidates) {
    const weight = hash('sha256', `${id} ${slug}`)
    if (best === undefined || weight > best.weight) best = { id, weight }
  }
  return best?.id
}
