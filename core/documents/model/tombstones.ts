/**
 * The tombstones of one document: for each block that was deleted not too long ago, when, and
 * next to which block its place is now (interface §4.11, §7). Invariants: no block that stands
 * has one; the newest `tombstonesMax` are kept, so that memory and store are bounded
 * however much is deleted.
 */
import type { BlockId } from '../../../schema/ids.ts'
import {
  type GoneBlock,
  jsonRecord,
  type Participant,
  type RecordWriter,
  recordOf,
  type StoredRecord,
  type Write,
} from '../../commit/participant.ts'

/** Deleted blocks that a document remembers; about 300 bytes each. */
export const tombstonesMax = 20_000

/** Where the place of a deleted block is, told by a block that stands (interface §7). */
export interface FormerPosition {
  readonly deletedAtRevision: number
  /** Null: the place is the start of the document. */
  readonly survivor: BlockId | null
  /** `after`: retry with `after_block`; `before`: with `before_block`. */
  readonly relation: 'after' | 'before'
}

/** What is kept of a deleted block: the nearest block that survived that very write, and when. */
export interface TombstoneFacts {
  /** Null: no block was left, the place is the start of the document. */
  readonly survivor: BlockId | null
  /** `after`: the place is after the survivor. */
  readonly relation: 'after' | 'before'
  readonly revision: number
}

export interface StoredTombstone {
  readonly id: BlockId
  readonly facts: TombstoneFacts
}

/** What one write did to the tombstones: the records to store and those to delete. */
export interface TombstoneChanges {
  readonly puts: readonly StoredTombstone[]
  readonly deletes: readonly BlockId[]
}

const nothing: TombstoneChanges = { puts: [], deletes: [] }

export interface TombstonesHost {
  /** Whether a block with this id stands in the document now. */
  stands(id: BlockId): boolean
}

export class Tombstones implements Participant {
  readonly section = 'tombstone'
  readonly #host: TombstonesHost
  /** The oldest first. A survivor's own tombstone, when it has one, is newer. */
  readonly #facts = new Map<BlockId, TombstoneFacts>()
  /** Where the chains from a block end, as of the last write. */
  readonly #ends = new Map<BlockId, TombstoneFacts>()

  constructor(host: TombstonesHost) {
    this.#host = host
  }

  get count(): number {
    return this.#facts.size
  }

  load(records: readonly StoredRecord[]): void {
    this.takeOver(
      records.map((record) => ({
        id: record.path[0] as BlockId,
        facts: recordOf<TombstoneFacts>(record),
      })),
    )
  }

  commit(write: Write, records: RecordWriter): void {
    const { puts, deletes } = this.follow(write, write.revision)
    for (const id of deletes) records.delete([id])
    for (const { id, facts } of puts) records.put([id], jsonRecord(facts))
  }

  verify(): string | undefined {
    for (const id of this.#facts.keys()) {
      if (this.#host.stands(id)) return `the block ${id} stands and has a tombstone`
    }
    return undefined
  }

  /** Stored tombstones, in any order. */
  takeOver(stored: readonly StoredTombstone[]): void {
    const byAge = stored.toSorted((a, b) => a.facts.revision - b.facts.revision)
    for (const { id, facts } of byAge) this.#facts.set(id, facts)
  }

  /** Follows a write of this revision; what it answers is to be stored with the write. */
  follow(
    write: { readonly deleted: readonly GoneBlock[]; readonly revived: readonly BlockId[] },
    revision: number,
  ): TombstoneChanges {
    if (write.deleted.length + write.revived.length === 0) return nothing
    const gone = new Set<BlockId>()
    for (const id of write.revived) if (this.#facts.delete(id)) gone.add(id)
    const added = new Map<BlockId, TombstoneFacts>()
    for (const { id, survivor, relation } of write.deleted.slice(-tombstonesMax)) {
      added.set(id, { survivor, relation, revision })
      this.#facts.delete(id)
    }
    for (const [id, facts] of added) this.#facts.set(id, facts)
    for (const id of this.#oldest()) {
      this.#facts.delete(id)
      gone.add(id)
    }
    for (const id of added.keys()) gone.delete(id)
    this.#ends.clear()
    return { puts: Array.from(added, ([id, facts]) => ({ id, facts })), deletes: [...gone] }
  }

  /**
   * Where a deleted block would stand now: the chain from survivor to survivor is followed to one
   * that stands. Undefined for a block that stands, that never was or that was deleted too long
   * ago.
   */
  resolve(id: BlockId): FormerPosition | undefined {
    const facts = this.#facts.get(id)
    if (facts === undefined || this.#host.stands(id)) return undefined
    const end = this.#endOf(id)
    if (end === undefined) return undefined
    const { survivor, relation } = end
    return { deletedAtRevision: facts.revision, survivor, relation }
  }

  /**
   * The last tombstone of the chain. Its relation holds for the whole chain: what lay beside a
   * block lies, once that is gone too, on the side of the next survivor on which the block lay.
   * Undefined when the chain leads to a block that is forgotten.
   */
  #endOf(id: BlockId): TombstoneFacts | undefined {
    const passed: BlockId[] = []
    let end: TombstoneFacts | undefined
    let at: BlockId | null = id
    while (at !== null && !this.#host.stands(at)) {
      const known = this.#ends.get(at)
      const facts: TombstoneFacts | undefined = known ?? this.#facts.get(at)
      if (facts === undefined || passed.length > this.#facts.size) return undefined
      passed.push(at)
      end = facts
      at = facts.survivor
    }
    if (end !== undefined) for (const one of passed) this.#ends.set(one, end)
    return end
  }

  /** Those beyond the bound. */
  #oldest(): BlockId[] {
    const excess = this.#facts.size - tombstonesMax
    const oldest: BlockId[] = []
    for (const id of this.#facts.keys()) {
      if (oldest.length >= excess) break
      oldest.push(id)
    }
    return oldest
  }
}
