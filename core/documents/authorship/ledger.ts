/**
 * The ledger of deleted runs: what an actor took away of others' words, so that whoever took it may
 * put it back without becoming its author. Invariants: an entry serves only the actor who deleted
 * it, once, and never in part; entries and characters are bounded, the oldest go first. Knows no
 * Yjs types; places are item ids.
 */
import type { ActorId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import {
  jsonRecord,
  type Participant,
  type RecordWriter,
  recordOf,
  type StoredRecord,
} from '../../commit/participant.ts'
import type { AuthorSpan } from './exceptions.ts'
import type { BlockPart } from './runs.ts'

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
  readonly movedTo?: readonly ClockRange[]
  /** The run was one of the texts of a block that was deleted whole. */
  readonly part?: BlockPart
}

export interface ClockRange {
  readonly client: number
  readonly clock: number
  readonly length: number
}

export interface LedgerEntry extends Deletion {
  readonly key: number
}

const none: ReadonlySet<LedgerEntry> = new Set()

export class Ledger implements Participant {
  readonly section = 'ledger'
  /** Oldest first. */
  readonly #entries = new Map<number, LedgerEntry>()
  readonly #ofActor = new Map<ActorId, Set<LedgerEntry>>()
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

  /** What this actor may still put back, oldest first. */
  of(actor: ActorId): ReadonlySet<LedgerEntry> {
    return this.#ofActor.get(actor) ?? none
  }

  add(deletion: Deletion): void {
    if (deletion.text.length > limits.ledgerMaxChars) return
    const key = this.#nextKey
    this.#nextKey += 1
    this.#insert({ ...deletion, key })
    this.#puts.add(key)
    for (const oldest of this.#entries.values()) {
      if (this.#entries.size <= limits.ledgerMaxEntries && this.#chars <= limits.ledgerMaxChars)
        break
      this.remove(oldest)
    }
  }

  remove(entry: LedgerEntry): void {
    if (!this.#entries.delete(entry.key)) return
    this.#chars -= entry.text.length
    const own = this.#ofActor.get(entry.actor)
    own?.delete(entry)
    if (own?.size === 0) this.#ofActor.delete(entry.actor)
    if (!this.#puts.delete(entry.key)) this.#deletes.add(entry.key)
  }

  /** Forgets the actor's deletions that begin in a range of clocks. */
  removeIn({ client, clock, length }: ClockRange, actor: ActorId): void {
    for (const entry of [...this.of(actor)]) {
      const begins = entry.client === client && entry.clock >= clock && entry.clock < clock + length
      if (begins) this.remove(entry)
    }
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
    const own = this.#ofActor.get(entry.actor)
    if (own === undefined) this.#ofActor.set(entry.actor, new Set([entry]))
    else own.add(entry)
  }
}
