/**
 * Which struct stands for which, since text was written again elsewhere. Intervals of each client's
 * clock, sorted and disjoint, in groups: a move is what one transaction wrote again. Bounded: the
 * oldest moves go first, and a very large one is not stored. Knows no document.
 */

import type { StructId } from '../../../schema/yjs/struct-id.ts'
import {
  type Participant,
  type RecordWriter,
  recordOf,
  type StoredRecord,
} from '../../commit/participant.ts'
import type { Deletions } from '../../yjs/deletions.ts'

/** What one transaction wrote again: a client that knows one of it deleted knows all deleted. */
export interface Move {
  readonly key: number
  readonly entries: Redirect[]
}

export interface Redirect {
  readonly client: number
  readonly clock: number
  readonly length: number
  readonly move: Move
  /** What stands for the first; undefined: nothing, but it stood right of `after`. */
  readonly copy: StructId | undefined
  after: StructId | undefined
  /** Typed in the old text when it had moved: who saw the move need not have heard of it. */
  readonly isLate: boolean
}

export interface RedirectedStruct {
  readonly id: StructId
  /** The first that took it away: who knows of that one has it deleted. */
  readonly move: Move
  /** It does not stand for the struct in question but left of it. */
  readonly isLeftOf: boolean
}

/** When there are more of either, the older half of the moves goes. */
const movesMax = 512
const entriesMax = 100_000
const storedEntriesMax = 2_000
/** Also how many invisible ones may stand in a row. */
const chainMax = 10_000

export class RedirectTable implements Participant {
  readonly section = 'move'
  readonly #entries = new Map<number, Redirect[]>()
  #moves: Move[] = []
  /** How many entries all moves have. */
  #size = 0
  #nextKey = 0
  #changed = new Set<Move>()
  #forgotten: number[] = []

  get isEmpty(): boolean {
    return this.#moves.length === 0
  }

  begin(): Move {
    const move: Move = { key: this.#nextKey++, entries: [] }
    this.#moves.push(move)
    if (this.#moves.length > movesMax || this.#size > entriesMax) this.#forget()
    return move
  }

  load(records: readonly StoredRecord[]): void {
    for (const record of records)
      this.#load(Number(record.path[0]), recordOf<StoredMoveRow[]>(record))
  }

  #load(key: number, rows: readonly StoredMoveRow[]): void {
    const move: Move = { key, entries: [] }
    for (const [client, clock, length, copy, after, isLate] of rows) {
      const place = { copy: structId(copy), after: structId(after), isLate }
      this.add({ client, clock }, { length, move, ...place })
    }
    this.#moves.push(move)
    this.#moves.sort((a, b) => a.key - b.key)
    this.#nextKey = Math.max(this.#nextKey, key + 1)
    this.#changed.clear()
  }

  commit(_: unknown, records: RecordWriter): void {
    for (const move of this.#changed) {
      if (move.entries.length <= storedEntriesMax) records.put([move.key], encodeMove(move))
    }
    for (const key of this.#forgotten) records.delete([key])
    if (this.#changed.size > 0) this.#changed = new Set()
    if (this.#forgotten.length > 0) this.#forgotten = []
  }

  /** What is known already stays as it is. */
  add({ client, clock }: StructId, facts: Omit<Redirect, 'client' | 'clock'>): void {
    const entries = this.#entries.get(client) ?? []
    this.#entries.set(client, entries)
    const index = firstEndingAfter(entries, clock)
    const next = entries[index]
    if (next !== undefined && next.clock < clock + facts.length) return
    const entry = { client, clock, ...facts }
    entries.splice(index, 0, entry)
    facts.move.entries.push(entry)
    this.#size++
    this.#changed.add(facts.move)
  }

  /** What nothing stands for stood right of this, too. */
  setAfter(id: StructId, after: StructId): void {
    const entry = this.at(id)
    if (entry === undefined || entry.copy !== undefined || entry.clock !== id.clock) return
    entry.after = after
    this.#changed.add(entry.move)
  }

  at({ client, clock }: StructId): Redirect | undefined {
    const entries = this.#entries.get(client)
    const entry = entries?.[firstEndingAfter(entries, clock)]
    return entry !== undefined && entry.clock <= clock ? entry : undefined
  }

  /** The newest struct that stands for this one, or left of where it stood. */
  resolve(id: StructId): RedirectedStruct | undefined {
    let found: RedirectedStruct | undefined
    for (let steps = 0; steps < chainMax; steps++) {
      const at: StructId = found?.id ?? id
      const entry = this.at(at)
      if (entry === undefined) return found
      const { copy, after, move } = entry
      const next = copy && { client: copy.client, clock: copy.clock + at.clock - entry.clock }
      const target = next ?? after
      if (target === undefined) return found
      found = {
        id: target,
        move: found?.move ?? move,
        isLeftOf: next === undefined || found?.isLeftOf === true,
      }
    }
    return found
  }

  /** The entries of structs in a range that have something that stands for them. */
  *clonedIn(client: number, clock: number, length: number): Generator<Redirect> {
    const entries = this.#entries.get(client) ?? []
    for (let index = firstEndingAfter(entries, clock); index < entries.length; index++) {
      const entry = entries[index]
      if (entry === undefined || entry.clock >= clock + length) return
      if (entry.copy !== undefined) yield entry
    }
  }

  /** The older half goes. */
  #forget(): void {
    for (const move of this.#moves.splice(0, this.#moves.length >> 1)) {
      this.#changed.delete(move)
      this.#forgotten.push(move.key)
      this.#size -= move.entries.length
    }
    const kept = new Set(this.#moves)
    for (const [client, entries] of this.#entries) {
      const left = entries.filter(({ move }) => kept.has(move))
      if (left.length > 0) this.#entries.set(client, left)
      else this.#entries.delete(client)
    }
  }
}

/** Whether a client that has these deletions knows of the move. */
export function isCovered(deletions: Deletions, { entries }: Move): boolean {
  return entries.every(({ client, clock, length, copy, isLate }) => {
    if (copy === undefined || isLate) return true
    const ranges = deletions.joined(client)
    const range = ranges[firstEndingAfter(ranges, clock)]
    return range !== undefined && range.clock <= clock && endOf(range) >= clock + length
  })
}

interface ClockSpan {
  readonly clock: number
  readonly length: number
}

const endOf = ({ clock, length }: ClockSpan): number => clock + length

type Pair = readonly [client: number, clock: number]
type StoredMoveRow = readonly [
  client: number,
  clock: number,
  length: number,
  copy: Pair | null,
  after: Pair | null,
  isLate: boolean,
]

const structId = (pair: Pair | null): StructId | undefined =>
  pair === null ? undefined : { client: pair[0], clock: pair[1] }
const pairOf = (id: StructId | undefined): Pair | null => (id ? [id.client, id.clock] : null)

function encodeMove({ entries }: Move): Uint8Array {
  const rows = entries.map(
    ({ client, clock, length, copy, after, isLate }): StoredMoveRow => [
      client,
      clock,
      length,
      pairOf(copy),
      pairOf(after),
      isLate,
    ],
  )
  return Buffer.from(JSON.stringify(rows))
}

function firstEndingAfter(entries: readonly ClockSpan[], clock: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    const entry = entries[middle]
    if (entry !== undefined && entry.clock + entry.length <= clock) low = middle + 1
    else high = middle
  }
  return low
}
