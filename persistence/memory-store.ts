/**
 * The Store in memory: for tests and throw-away servers, with the same contract as the durable
 * engines. What outlives a close is in `MemoryRecords`, so that reopening can be told from starting
 * empty. Values are copied on the way in and out; nobody holds the stored bytes.
 */
import type { Runtime } from '../schema/runtime.ts'
import { assertCommit, assertKey, deletingRange, firstConflict } from './commit-shape.ts'
import { versionOf } from './envelope.ts'
import { ensureLayout } from './format.ts'
import { compareKeys } from './key-order.ts'
import type { Commit, CommitResult, KeyedValue, Range, Store, StoredValue } from './store.ts'
import { StoreClosed } from './store-errors.ts'
import { createWatchers } from './watchers.ts'

/** The "disk" of a memory store: hand it to another `openMemoryStore` to reopen. */
export interface MemoryRecords {
  readonly values: Map<string, StoredValue>
  lastVersion: number
}

export const createMemoryRecords = (): MemoryRecords => ({ values: new Map(), lastVersion: 0 })

/** Opens an empty store, or the one whose `records` are given. */
export async function openMemoryStore(options: {
  readonly runtime: Runtime
  readonly records?: MemoryRecords
}): Promise<Store> {
  const store = new MemoryStore(options.records ?? createMemoryRecords())
  await ensureLayout(store, options.runtime)
  return store
}

class MemoryStore implements Store {
  readonly #records: MemoryRecords
  readonly #watchers = createWatchers()
  /** All keys in order. */
  readonly #keys: string[]
  #closed = false

  constructor(records: MemoryRecords) {
    this.#records = records
    this.#keys = [...records.values.keys()].sort(compareKeys)
  }

  async commit(commit: Commit): Promise<CommitResult> {
    if (this.#closed) throw new StoreClosed()
    assertCommit(commit)
    const { values } = this.#records
    const conflict = firstConflict(commit.checks ?? [], (key) => values.get(key)?.version)
    if (conflict !== undefined) return { ok: false, conflict }
    const version = versionOf(++this.#records.lastVersion)
    const written: string[] = []
    for (const { key, value } of commit.puts ?? []) {
      if (!values.has(key)) this.#keys.splice(firstAtLeast(this.#keys, key), 0, key)
      values.set(key, { value: new Uint8Array(value), version })
      written.push(key)
    }
    for (const key of commit.deletes ?? []) {
      if (values.delete(key)) this.#keys.splice(firstAtLeast(this.#keys, key), 1)
      written.push(key)
    }
    this.#watchers.tell(written)
    return { ok: true, version }
  }

  async get(key: string): Promise<StoredValue | undefined> {
    return this.#read(key)
  }

  async getMany(keys: readonly string[]): Promise<(StoredValue | undefined)[]> {
    return keys.map((key) => this.#read(key))
  }

  scan(range: Range): AsyncGenerator<KeyedValue> {
    if (this.#closed) throw new StoreClosed()
    const found = this.#keysIn(range).flatMap((key) => {
      const stored = this.#records.values.get(key)
      return stored === undefined ? [] : [{ key, ...stored }]
    })
    return this.#walk(found)
  }

  scanRaw(range: Range): AsyncGenerator<KeyedValue> {
    return this.scan(range)
  }

  deleteRange(range: Range): Promise<number> {
    return deletingRange(this, range)
  }

  async compact(): Promise<void> {}

  watch(prefix: string, listener: (key: string) => void): () => void {
    return this.#watchers.add(prefix, listener)
  }

  async close(): Promise<void> {
    this.#closed = true
  }

  async *#walk(found: readonly KeyedValue[]): AsyncGenerator<KeyedValue> {
    for (const record of found) {
      if (this.#closed) throw new StoreClosed()
      yield { ...record, value: new Uint8Array(record.value) }
    }
  }

  #read(key: string): StoredValue | undefined {
    if (this.#closed) throw new StoreClosed()
    assertKey(key)
    const stored = this.#records.values.get(key)
    return stored && { value: new Uint8Array(stored.value), version: stored.version }
  }

  #keysIn(range: Range): string[] {
    const keys = this.#keys
    const from = Math.max(
      range.gte === undefined ? 0 : firstAtLeast(keys, range.gte),
      range.gt === undefined ? 0 : firstAfter(keys, range.gt),
    )
    const to = Math.min(
      range.lt === undefined ? keys.length : firstAtLeast(keys, range.lt),
      range.lte === undefined ? keys.length : firstAfter(keys, range.lte),
    )
    const inRange = keys.slice(from, Math.max(from, to))
    if (range.reverse === true) inRange.reverse()
    return range.limit === undefined ? inRange : inRange.slice(0, range.limit)
  }
}

/** Index of the first key that is not before `bound`. */
function firstAtLeast(keys: readonly string[], bound: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareKeys(keys[middle] ?? '', bound) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function firstAfter(keys: readonly string[], bound: string): number {
  const at = firstAtLeast(keys, bound)
  return keys[at] === bound ? at + 1 : at
}
