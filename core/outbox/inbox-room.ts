/**
 * Keeps inboxes bounded: where one is full, whoever has most entries in it gives way. The oldest of
 * those are told by the `count` of its latest, so one who writes much takes no room from those who
 * write little; of very many writers the oldest give way, told by `earlier` of the oldest that is
 * left. So nothing goes that nobody is told of.
 */
import { LRUCache } from 'lru-cache'
import { inboxBehind, parseKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { entriesMax } from '../../schema/entries-max.ts'
import { type EntryRecord, records } from '../records/records.ts'

/** Of which is known how much room they have. */
const inboxRoomsKept = 20_000

/** Unread ones kept of one inbox; then those of whoever has most are told together. */
export const inboxEntriesMax = 3_000

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
  readonly #room = new LRUCache<string, number>(entriesMax(inboxRoomsKept))

  constructor(store: Store) {
    this.#store = store
  }

  /** Before any are added together; undefined: there is room. */
  async make(actor: string): Promise<Folding | undefined> {
    if ((this.#room.get(actor) ?? 0) >= addedTogetherMax) return undefined
    const entries: Stored[] = []
    const range = { ...inboxBehind(actor, 0), limit: inboxEntriesMax }
    for await (const { key, value } of this.#store.scan(range)) {
      entries.push({ ...records.entry.decode(value), id: Number(parseKey(key)?.path.at(-1)) })
    }
    const room = inboxEntriesMax - entries.length
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

/**
 * At least so many go, of those who have most; where one of each is still too many, the oldest of
 * these, which the oldest that is left tells of.
 */
function folded(entries: readonly Stored[], count: number): Folding {
  const byWriter = new Map<string, Stored[]>()
  for (const entry of entries) {
    const own = byWriter.get(entry.actor)
    if (own === undefined) byWriter.set(entry.actor, [entry])
    else own.push(entry)
  }
  const lengths = [...byWriter.values()].map(({ length }) => length)
  const left = Math.max(1, levelOf(lengths, count))
  const gone: Stored[] = []
  const kept = new Map<number, Stored>()
  for (const own of byWriter.values()) {
    const latest = own.at(-1)
    if (latest === undefined || own.length <= left) continue
    const over = own.slice(0, own.length - left)
    gone.push(...over)
    kept.set(latest.id, { ...withEarlier(latest, over), count: latest.count + sumOf(over, actsOf) })
  }
  const isGone = new Set(gone)
  const staying = entries.flatMap((one) => (isGone.has(one) ? [] : [kept.get(one.id) ?? one]))
  const oldest = staying.splice(0, Math.max(0, count - gone.length))
  const [next] = staying
  for (const { id } of oldest) kept.delete(id)
  if (oldest.length > 0 && next !== undefined) {
    const earlier = (next.earlier ?? 0) + sumOf(oldest, (one) => actsOf(one) + (one.earlier ?? 0))
    kept.set(next.id, { ...next, earlier })
  }
  return { gone: [...gone, ...oldest], kept: [...kept.values()] }
}

/** What those told of others goes over to it. */
function withEarlier(entry: Stored, gone: readonly Stored[]): Stored {
  const earlier = sumOf([entry, ...gone], (one) => one.earlier ?? 0)
  return earlier === 0 ? entry : { ...entry, earlier }
}

const actsOf = ({ count }: Stored): number => count

const sumOf = (entries: readonly Stored[], of: (entry: Stored) => number): number =>
  entries.reduce((sum, entry) => sum + of(entry), 0)

/** How many each may keep that at least `count` go. */
function levelOf(lengths: readonly number[], count: number): number {
  const over = (level: number) =>
    lengths.reduce((sum, length) => sum + Math.max(0, length - level), 0)
  let [low, high] = [0, inboxEntriesMax]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (over(middle) >= count) low = middle
    else high = middle - 1
  }
  return low
}
