/**
 * Keeps inboxes bounded: where one is full, whoever has most entries in it gives way. The oldest of
 * those are told by the `count` of its latest, so one who writes much takes no room from those who
 * write little, and nothing goes that nobody is told of.
 */
import { LRUCache } from 'lru-cache'
import { inboxBehind, parseKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { limits } from '../../schema/limits.ts'
import { type EntryRecord, records } from '../records/records.ts'

interface Stored extends EntryRecord {
  readonly id: number
}

/** What is to be done in the commit that adds entries. */
export interface Folding {
  readonly gone: readonly Stored[]
  /** With what went before them in their count. */
  readonly kept: readonly Stored[]
}

export class InboxRoom {
  readonly #store: Store
  /** For how many more each inbox has room, at least. */
  readonly #room = new LRUCache<string, number>({ max: limits.inboxRoomsKept })

  constructor(store: Store) {
    this.#store = store
  }

  /** Before any are added together; undefined: there is room. */
  async make(actor: string): Promise<Folding | undefined> {
    if ((this.#room.get(actor) ?? 0) >= addedTogetherMax) return undefined
    const entries: Stored[] = []
    const range = { ...inboxBehind(actor, 0), limit: limits.inboxEntriesMax }
    for await (const { key, value } of this.#store.scan(range)) {
      entries.push({ ...records.entry.decode(value), id: Number(parseKey(key)?.path.at(-1)) })
    }
    const room = limits.inboxEntriesMax - entries.length
    const folding = room >= addedTogetherMax ? undefined : folded(entries, foldedAtOnce)
    this.#room.set(actor, room + (folding?.gone.length ?? 0))
    return folding
  }

  added(actor: string): void {
    this.#room.set(actor, (this.#room.get(actor) ?? 0) - 1)
  }

  /** What was to be added was not. */
  forget(): void {
    this.#room.clear()
  }
}

/** Of one batch: its notices, each of at most three events. */
const addedTogetherMax = 300

/** So many go together, that a full inbox is not looked through for each that comes. */
const foldedAtOnce = 600

/** At least so many go, of those who have most; all of nobody, as long as that is enough. */
function folded(entries: readonly Stored[], count: number): Folding {
  const byWriter = new Map<string, Stored[]>()
  for (const entry of entries) {
    const own = byWriter.get(entry.actor)
    if (own === undefined) byWriter.set(entry.actor, [entry])
    else own.push(entry)
  }
  const left = levelOf(
    [...byWriter.values()].map(({ length }) => length),
    count,
  )
  if (left === 0) return { gone: entries.slice(0, count), kept: [] }
  const gone: Stored[] = []
  const kept: Stored[] = []
  for (const own of byWriter.values()) {
    const latest = own.at(-1)
    if (latest === undefined || own.length <= left) continue
    const over = own.slice(0, own.length - left)
    gone.push(...over)
    kept.push({ ...latest, count: over.reduce((sum, each) => sum + each.count, latest.count) })
  }
  return { gone, kept }
}

/** How many each may keep that at least `count` go. */
function levelOf(lengths: readonly number[], count: number): number {
  const over = (level: number) =>
    lengths.reduce((sum, length) => sum + Math.max(0, length - level), 0)
  let [low, high] = [0, limits.inboxEntriesMax]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (over(middle) >= count) low = middle
    else high = middle - 1
  }
  return low
}
