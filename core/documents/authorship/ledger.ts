/**
 * The ledger of deleted runs: what an actor took away of others' words, so that whoever took it may
 * put it back without becoming its author. Invariants: an entry serves only the actor who deleted
 * it, once, and never in part; entries and characters are bounded, the oldest go first; what is put
 * back is looked up by its place, text or block, however much was deleted. Knows no Yjs types;
 * places are item ids.
 */

import type { ActorId } from '../../../schema/ids.ts'
import { addTo, removeFrom } from '../../../schema/keyed-sets.ts'
import { lastAtMost } from '../../../schema/markdown/bisect.ts'
import type { StructId, StructRange } from '../../../schema/yjs/struct-id.ts'
import {
  jsonRecord,
  type Participant,
  type RecordWriter,
  recordOf,
  type StoredRecord,
} from '../../commit/participant.ts'
import type { AuthorSpan } from './exceptions.ts'
import type { BlockPart } from './runs.ts'

export const ledgerMaxChars = 1024 * 1024

/** Runs of others' words that were deleted, of a document; about 500 bytes each. */
export const ledgerMaxEntries = 4_096

export interface Deletion {
  /** Who deleted. */
  readonly actor: ActorId
  readonly text: string
  readonly authors: readonly AuthorSpan[]
  /** The run was all the content of its element. */
  readonly isBlock: boolean
  /** The id of the run's first character: its tombstone marks the place. */
  readonly client: number
  readonly clock: number
  /** Where the same update put a part of the run: while that stands, the entry does not serve. */
  readonly movedTo?: readonly StructRange[]
  /** The run was one of the texts of a block that was deleted whole. */
  readonly part?: BlockPart
}

export interface LedgerEntry extends Deletion {
  readonly key: number
}

/** An actor's deletions, found by what they are. */
export interface Deletions {
  /** Those that begin in a range of clocks, by clock. */
  beginningIn(range: StructRange): readonly LedgerEntry[]
  /** Those of this whole text, oldest first. */
  ofText(text: string): Iterable<LedgerEntry>
  /** Those of the texts of the block with this id. */
  ofBlock(block: StructId): Iterable<LedgerEntry>
}

const blockOf = ({ client, clock }: StructId): string => `${client}/${clock}`

class OwnDeletions implements Deletions {
  #size = 0
  /** By client, by clock. */
  readonly #places = new Map<number, LedgerEntry[]>()
  /** Each in the order in which they were deleted. */
  readonly #texts = new Map<string, Set<LedgerEntry>>()
  readonly #blocks = new Map<string, Set<LedgerEntry>>()

  get size(): number {
    return this.#size
  }

  add(entry: LedgerEntry): void {
    this.#size++
    const { client, clock, text, part } = entry
    const ofClient = this.#places.get(client)
    if (ofClient === undefined) this.#places.set(client, [entry])
    else ofClient.splice(indexBehind(ofClient, clock), 0, entry)
    addTo(this.#texts, text, entry)
    if (part) addTo(this.#blocks, blockOf(part), entry)
  }

  remove(entry: LedgerEntry): void {
    this.#size--
    const { client, text, part } = entry
    const ofClient = this.#places.get(client) ?? []
    ofClient.splice(ofClient.indexOf(entry, indexBehind(ofClient, entry.clock - 1)), 1)
    if (ofClient.length === 0) this.#places.delete(client)
    removeFrom(this.#texts, text, entry)
    if (part) removeFrom(this.#blocks, blockOf(part), entry)
  }

  beginningIn({ client, clock, length }: StructRange): readonly LedgerEntry[] {
    const ofClient = this.#places.get(client)
    if (ofClient === undefined) return []
    return ofClient.slice(
      indexBehind(ofClient, clock - 1),
      indexBehind(ofClient, clock + length - 1),
    )
  }

  ofText(text: string): Iterable<LedgerEntry> {
    return this.#texts.get(text) ?? []
  }

  ofBlock(block: StructId): Iterable<LedgerEntry> {
    return this.#blocks.get(blockOf(block)) ?? []
  }
}

/** Of entries by clock the first behind this one. */
const indexBehind = (entries: readonly LedgerEntry[], clock: number): number =>
  lastAtMost(entries.length, clock, (index) => entries[index]?.clock ?? 0) + 1

export class Ledger implements Participant {
  readonly section = 'ledger'
  /** Oldest first. */
  readonly #entries = new Map<number, LedgerEntry>()
  readonly #ofActor = new Map<ActorId, OwnDeletions>()
  readonly #puts = new Set<number>()
  readonly #deletes = new Set<number>()
  #chars = 0
  #nextKey = 0

  load(records: readonly StoredRecord[]): void {
    for (const record of records) {
      const key = Number(record.path[0])
      this.#insert({ ...recordOf<Deletion>(record), key })
      this.#nextKey = Math.max(this.#nextKey, key + 1)
    }
  }

  /** What this actor may still put back; undefined: nothing. */
  of(actor: ActorId): Deletions | undefined {
    return this.#ofActor.get(actor)
  }

  /** `trim` is to follow, once for all that is added. */
  add(deletion: Deletion): void {
    if (deletion.text.length > ledgerMaxChars) return
    const key = this.#nextKey
    this.#nextKey += 1
    this.#insert({ ...deletion, key })
    this.#puts.add(key)
  }

  /** Forgets the oldest beyond what is kept. */
  trim(): void {
    const isFull = () => this.#entries.size > ledgerMaxEntries || this.#chars > ledgerMaxChars
    if (!isFull()) return
    // One walk for all: each that begins at the front passes over what was removed there.
    for (const oldest of this.#entries.values()) {
      if (!isFull()) return
      this.remove(oldest)
    }
  }

  remove(entry: LedgerEntry): void {
    if (!this.#entries.delete(entry.key)) return
    this.#chars -= entry.text.length
    const own = this.#ofActor.get(entry.actor)
    own?.remove(entry)
    if (own?.size === 0) this.#ofActor.delete(entry.actor)
    if (!this.#puts.delete(entry.key)) this.#deletes.add(entry.key)
  }

  /** Forgets the actor's deletions that begin in a range of clocks. */
  removeIn(range: StructRange, actor: ActorId): void {
    for (const entry of this.of(actor)?.beginningIn(range) ?? []) this.remove(entry)
  }

  commit(_: unknown, records: RecordWriter): void {
    for (const key of this.#puts) {
      const entry = this.#entries.get(key)
      if (entry === undefined) continue
      const { key: _, ...deletion } = entry
      records.put([key], jsonRecord(deletion))
    }
    for (const key of this.#deletes) records.delete([key])
    // Clearing an empty set makes it a new table.
    if (this.#puts.size > 0) this.#puts.clear()
    if (this.#deletes.size > 0) this.#deletes.clear()
  }

  #insert(entry: LedgerEntry): void {
    this.#entries.set(entry.key, entry)
    this.#chars += entry.text.length
    const own = this.#ofActor.get(entry.actor) ?? new OwnDeletions()
    this.#ofActor.set(entry.actor, own)
    own.add(entry)
  }
}
