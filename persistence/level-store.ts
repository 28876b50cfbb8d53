/**
 * The Store in a LevelDB directory: the embedded default. Every batch is fsynced; every value
 * carries its own checksum; the files are verified before LevelDB touches them, because LevelDB
 * drops damaged records in silence. Knows bytes and keys; LevelDB is reached nowhere else.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'
import type { Runtime } from '../schema/runtime.ts'
import { assertKey, deletingRange } from './commit-shape.ts'
import { makeDirectory, syncDirectory } from './durable-file.ts'
import { batchOf, openEnvelope, sealEnvelope, wrapValue } from './envelope.ts'
import { ensureLayout, formatKey } from './format.ts'
import { type BatchWrite, GroupCommit } from './group-commit.ts'
import { asDamage, hasCode } from './level-errors.ts'
import { type CleanStop, removeCleanStop, writeCleanStop } from './level-files/clean-stop.ts'
import { verifyDirectory } from './level-files/verify.ts'
import { type Database, type RawRecord, scanDatabase, scanUndamaged } from './level-scan.ts'
import type { KeySpan, Quarantine } from './quarantine.ts'
import { extendQuarantine } from './quarantine-start.ts'
import { RecordCache } from './record-cache.ts'
import {
  type Below,
  type Commit,
  type CommitResult,
  type KeyedValue,
  type Range,
  type Store,
  StoreDamage,
  type StoredValue,
} from './store.ts'
import { DamagedFile, StoreClosed, type StoreFailed, StoreInUse } from './store-errors.ts'
import { createWatchers } from './watchers.ts'

/** Of records that are read again and again. */
const cachedRecords = 8192

/**
 * Hold the number of the last batch; no key of a caller begins with U+0000. A service that knows
 * only layout 1 looks for the first and opens nothing without it.
 */
const lastBatchKey = '\u0000batch'
const lastBatchKeyOfLayout1 = '\u0000last'

/** What LevelDB has beside what all engines of `level` have. */
interface Compacting {
  compactRange(start: string, end: string): Promise<void>
}

const firstUserKey = '\u0001'
const lastUserKey = '\u{10ffff}'

export interface LevelStore extends Store {
  readonly directory: string
  /** The store-wide number of the last durable commit. */
  readonly lastVersion: number
  /** Keys that damage put out of service: no read, scan, check or write of them is answered. */
  readonly quarantine: readonly KeySpan[]
  /** The keys that there still are around a span: all in it, the last before, the first after. */
  keysAround(span: KeySpan): Promise<string[]>
}

export interface LevelStoreOptions {
  readonly directory: string
  readonly runtime: Runtime
  /** It is opened to copy another store into it. */
  readonly isCopy?: boolean
  /** Told once when a write failed: the store must be closed and opened anew. */
  readonly onFailed?: (failure: StoreFailed) => void
}

/**
 * Opens the store in `directory`, or makes one. Blocks of records that are damaged put their keys
 * out of service, durably. Throws `DamagedFile` when other parts of its files are not what was
 * written, `StoreInUse` when another process holds it.
 */
export async function openLevelStore(options: LevelStoreOptions): Promise<LevelStore> {
  const { directory, runtime } = options
  await makeDirectory(directory)
  await syncDirectory(join(directory, '..'))
  await assertNotInUse(directory)
  const { cleanStop, damagedTables } = await verifyDirectory(directory)
  const quarantine = await extendQuarantine(directory, damagedTables)
  const database = await openDatabase(directory)
  try {
    const { lastVersion, hasOldKey } = await readLastBatch(database)
    if (cleanStop !== undefined) await acceptCleanStop(directory, cleanStop, lastVersion)
    const store = new OpenLevelStore({
      ...options,
      database,
      lastVersion,
      isLayout1: hasOldKey,
      quarantine,
    })
    await ensureLayout(store, runtime, { mayBeOlder: hasOldKey, isCopy: options.isCopy })
    return store
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Makes and opens it in one go: a Level that is only made opens itself a moment later. */
async function openDatabase(directory: string, errorIfExists = false): Promise<Database> {
  const database: Database = new Level(directory, { keyEncoding: 'utf8', valueEncoding: 'buffer' })
  await database.open({ errorIfExists }).catch((error: unknown) => {
    throw hasCode(error, 'LEVEL_LOCKED') ? new StoreInUse(directory) : error
  })
  return database
}

/**
 * Another process may be writing the files that are about to be verified. LevelDB takes its lock
 * before it looks whether a database exists, and this asks for none, so it changes nothing.
 */
export async function assertNotInUse(directory: string): Promise<void> {
  if (!existsSync(join(directory, 'CURRENT'))) return
  await openDatabase(directory, true).catch((error: unknown) => {
    if (error instanceof StoreInUse) throw error
  })
}

async function acceptCleanStop(directory: string, { lastVersion }: CleanStop, found: number) {
  if (found !== lastVersion) {
    const problem = `its last batch is number ${found}; the last clean stop was at ${lastVersion}`
    throw new DamagedFile(directory, problem)
  }
  await removeCleanStop(directory)
}

interface OpenParts extends LevelStoreOptions {
  readonly database: Database
  readonly lastVersion: number
  /** Until the commit that says otherwise. */
  readonly isLayout1: boolean
  readonly quarantine: Quarantine
}

class OpenLevelStore implements LevelStore {
  readonly directory: string
  readonly #database: Database
  readonly #quarantine: Quarantine
  readonly #commits: GroupCommit
  readonly #watchers = createWatchers()
  readonly #recent = new RecordCache(cachedRecords)
  #closing: Promise<void> | undefined

  constructor({ directory, database, lastVersion, isLayout1, quarantine, onFailed }: OpenParts) {
    this.directory = directory
    this.#database = database
    this.#quarantine = quarantine
    this.#commits = new GroupCommit({
      lastVersion,
      write: lastBatchWriter(database, isLayout1),
      readVersions: (keys) => Promise.all(keys.map((key) => readVersion(database, key))),
      written: (writes) => {
        this.#recent.written(writes)
        this.#watchers.tell(writes.keys())
      },
      failed: (failure) => onFailed?.(failure),
    })
  }

  get lastVersion(): number {
    return this.#commits.lastVersion
  }

  get quarantine(): readonly KeySpan[] {
    return this.#quarantine.spans
  }

  async commit(commit: Commit): Promise<CommitResult> {
    this.#quarantine.assertFree(keysOf(commit))
    return this.#commits.commit(commit)
  }

  async get(key: string): Promise<StoredValue | undefined> {
    this.#assertOpen()
    assertKey(key)
    this.#quarantine.assertFree([key])
    return this.#recent.get(key, () => readRecord(this.#database, key))
  }

  getMany(keys: readonly string[]): Promise<(StoredValue | undefined)[]> {
    return Promise.all(keys.map((key) => this.get(key)))
  }

  scan(range: Range): AsyncGenerator<KeyedValue> {
    this.#assertOpen()
    return scanUndamaged(this.#database, range, this.#quarantine)
  }

  /** An unread scan holds its snapshot until the store closes. */
  scanRaw(range: Range): AsyncGenerator<RawRecord> {
    this.#assertOpen()
    return scanDatabase(this.#database, range, this.#quarantine)
  }

  async keysAround({ from, to }: KeySpan): Promise<string[]> {
    this.#assertOpen()
    const bytes = { keyEncoding: 'buffer' } as const
    const keys = (range: object) => this.#database.keys<Buffer>({ ...bytes, ...range }).all()
    const around = await Promise.all([
      keys({ lt: from, reverse: true, limit: 1 }),
      keys({ gte: from, lte: to }),
      keys({ gt: to, limit: 1 }),
    ])
    return around.flat().map((key) => Buffer.from(key).toString())
  }

  deleteRange(range: Range): Promise<number> {
    return deletingRange(this, range)
  }

  /**
   * LevelDB keeps what was deleted until it compacts the files that hold it, and of the lowest only
   * what newer ones lie over: so the first time brings what is in memory into files, and two
   * deletions of nothing, at both ends, lie over all of the range the second time.
   */
  async compact(range: Below): Promise<void> {
    this.#assertOpen()
    const database: Database & Partial<Compacting> = this.#database
    const ends = [`${range.gte}${firstUserKey}`, `${range.gte}${lastUserKey}`]
    await database.compactRange?.(range.gte, range.lt)
    await this.commit({ deletes: ends })
    await database.compactRange?.(range.gte, range.lt)
  }

  watch(prefix: string, listener: (key: string) => void): () => void {
    return this.#watchers.add(prefix, listener)
  }

  /** Finishes the commits it was given, closes, and leaves the marker of a clean stop. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#commits.close()
    await this.#database.close()
    if (this.#commits.failure === undefined) await writeCleanStop(this.directory, this.lastVersion)
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new StoreClosed()
  }
}

function* keysOf({ checks = [], puts = [], deletes = [] }: Commit): Generator<string> {
  for (const { key } of checks) yield key
  for (const { key } of puts) yield key
  yield* deletes
}

/** The batch that says which layout the store has takes the old key's place by the new one. */
function lastBatchWriter(database: Database, isLayout1: boolean) {
  let lastKey = isLayout1 ? lastBatchKeyOfLayout1 : lastBatchKey
  return async ({ writes, lastVersion }: BatchWrite): Promise<void> => {
    const chain = database.batch()
    if (lastKey === lastBatchKeyOfLayout1 && writes.has(formatKey)) {
      chain.del(lastKey)
      lastKey = lastBatchKey
    }
    chain.put(lastKey, sealEnvelope(wrapValue(lastKey, new Uint8Array()), lastVersion))
    for (const [key, envelope] of writes) {
      if (envelope === undefined) chain.del(key)
      else chain.put(key, envelope)
    }
    await chain.write({ sync: true })
  }
}

async function readLastBatch(
  database: Database,
): Promise<{ readonly lastVersion: number; readonly hasOldKey: boolean }> {
  for (const key of [lastBatchKey, lastBatchKeyOfLayout1]) {
    const last = await readRecord(database, key)
    if (last === undefined) continue
    return { lastVersion: batchOf(last.version), hasOldKey: key === lastBatchKeyOfLayout1 }
  }
  for await (const key of database.keys({ limit: 1 })) {
    throw new StoreDamage(key, 'the store holds records but not the number of its last batch')
  }
  return { lastVersion: 0, hasOldKey: false }
}

async function readRecord(database: Database, key: string): Promise<StoredValue | undefined> {
  const envelope = await database.get(key).catch((error: unknown) => {
    throw asDamage(error, key)
  })
  return envelope && openEnvelope(key, envelope)
}

async function readVersion(database: Database, key: string) {
  try {
    return (await readRecord(database, key))?.version
  } catch (error) {
    if (error instanceof StoreDamage) return error
    throw error
  }
}
