/**
 * Intervals of a client's clock whose author is not the client's owner. Invariant: the intervals of
 * a client are sorted, disjoint and never joined backwards: an interval once stored under its first
 * clock keeps that clock, so that the store needs only puts. Knows no document and no marks.
 */
import type { ActorId } from '../../../schema/ids.ts'
import {
  jsonRecord,
  type Participant,
  type RecordWriter,
  recordOf,
  type StoredRecord,
} from '../../commit/participant.ts'

export interface Interval {
  readonly client: number
  readonly clock: number
  readonly length: number
  readonly actor: ActorId
}

/** `length` UTF-16 units by one author; runs stand one after the other. */
export interface AuthorSpan {
  readonly length: number
  readonly author: ActorId
}

const endOf = (interval: Interval): number => interval.clock + interval.length

export class Exceptions implements Participant {
  readonly section = 'exception'
  readonly #byClient = new Map<number, Interval[]>()
  /** By client and clock, under which they are stored. */
  #changed = new Map<string, Interval>()

  load(records: readonly StoredRecord[]): void {
    for (const record of records) {
      const [client, clock] = record.path.map(Number)
      if (client === undefined || clock === undefined) throw new TypeError('not an exception')
      const { length, actor } = recordOf<Pick<Interval, 'length' | 'actor'>>(record)
      this.set({ client, clock, length, actor })
    }
  }

  commit(_: unknown, records: RecordWriter): void {
    if (this.#changed.size === 0) return
    for (const { client, clock, length, actor } of this.#changed.values()) {
      records.put([client, clock], jsonRecord({ length, actor }))
    }
    this.#changed = new Map()
  }

  /** As `set`, to be stored. */
  credit(interval: Interval): void {
    for (const changed of this.set(interval)) {
      this.#changed.set(`${changed.client}/${changed.clock}`, changed)
    }
  }

  at(client: number, clock: number): ActorId | undefined {
    const list = this.#byClient.get(client)
    if (list === undefined) return undefined
    const found = list[firstEndingAfter(list, clock)]
    return found !== undefined && found.clock <= clock ? found.actor : undefined
  }

  overlaps(client: number, clock: number, length: number): boolean {
    const list = this.#byClient.get(client)
    if (list === undefined) return false
    const found = list[firstEndingAfter(list, clock)]
    return found !== undefined && found.clock < clock + length
  }

  /**
   * The authors of a range, neighbours of one author joined; `owner` fills what no interval covers.
   */
  runs(range: { client: number; clock: number; length: number }, owner: ActorId): AuthorSpan[] {
    const list = this.#byClient.get(range.client)
    if (list === undefined) return [{ length: range.length, author: owner }]
    const runs: AuthorSpan[] = []
    const end = range.clock + range.length
    let cursor = range.clock
    for (let index = firstEndingAfter(list, cursor); cursor < end; index += 1) {
      const interval = list[index]
      const from = interval === undefined ? end : Math.min(interval.clock, end)
      if (from > cursor) appendRun(runs, from - cursor, owner)
      cursor = Math.max(cursor, from)
      if (interval === undefined || cursor >= end) break
      const to = Math.min(endOf(interval), end)
      appendRun(runs, to - cursor, interval.actor)
      cursor = to
    }
    return runs
  }

  /** Lays an interval over what is there; returns every interval that is new or changed by it. */
  set(interval: Interval): Interval[] {
    const { client, clock, actor } = interval
    const end = endOf(interval)
    const list = this.#byClient.get(client) ?? []
    this.#byClient.set(client, list)
    const first = firstEndingAfter(list, clock)
    const before = list[first - 1]
    const next = list[first]
    if (next === undefined || next.clock >= end) {
      const grows = before !== undefined && before.actor === actor && endOf(before) === clock
      const put = grows
        ? { client, clock: before.clock, length: before.length + interval.length, actor }
        : interval
      list.splice(grows ? first - 1 : first, grows ? 1 : 0, put)
      return [put]
    }
    const puts: Interval[] = []
    const add = (from: number, to: number, author: ActorId): void => {
      if (to > from) puts.push({ client, clock: from, length: to - from, actor: author })
    }
    add(next.clock, clock, next.actor)
    let cursor = clock
    let last = first
    for (; last < list.length; last += 1) {
      const covered = list[last]
      if (covered === undefined || covered.clock >= end) break
      add(cursor, covered.clock, actor)
      cursor = Math.max(cursor, covered.clock)
    }
    add(cursor, end, actor)
    const tail = list[last - 1]
    if (tail !== undefined) add(end, endOf(tail), tail.actor)
    list.splice(first, last - first, ...puts)
    return puts
  }
}

/** Lengthens the last run of the same author or starts another. */
export function appendRun(runs: AuthorSpan[], length: number, author: ActorId): void {
  const last = runs[runs.length - 1]
  if (last === undefined || last.author !== author) runs.push({ length, author })
  else runs[runs.length - 1] = { length: last.length + length, author }
}

function firstEndingAfter(list: readonly Interval[], clock: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const interval = list[middle]
    if (interval !== undefined && endOf(interval) <= clock) low = middle + 1
    else high = middle
  }
  return low
}
