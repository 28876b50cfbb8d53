/**
 * The Store in a LevelDB directory: the embedded default. Every batch is fsynced; every value
 * carries its own checksum; the files are verified before LevelDB touches them, because LevelDB
 * drops damaged records in silence. Knows bytes and keys; LevelDB is reached nowhere else.
 */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Level } from 'level'
import type { Runtime } from '../schema/runtime.ts'
import { assertKey } from './commit-shape.ts'
import { syncDirectory } from './durable-file.ts'
import { openEnvelope, sealEnvelope, wrapValue } from './envelope.ts'
import { ensureEpoch } from './epoch.ts'
import { type BatchWrite, GroupCommit } from './group-commit.ts'
import { compareKeys } from './key-order.ts'
import { type CleanStop, removeCleanStop, writeCleanStop } from './level-files/clean-stop.ts'
import { verifyDirectory } from './level-files/verify.ts'
import {
  type Commit,
  type CommitResult,
  type KeyedValue,
  type Range,
  type Store,
  StoreDamage,
  type StoredValue,
} from './store.ts'
import { DamagedFile, StoreClosed, StoreInUse } from './store-errors.ts'
import { createWatchers } from './watchers.ts'

type Database = Level<string, Buffer>
type RawRecord = KeyedValue | { readonly key: string; readonly damaged: true }

/** Holds the number of the last batch; no key of a caller begins with U+0000. */
const lastBatchKey = '\u0000last'
const firstUserKey = '\u0001'

export interface LevelStore extends Store {
  readonly directory: string
  /** The store-wide number of the last durable commit. */
  readonly lastVersion: number
}

/**
 * Opens the store in `directory`, or makes one. Throws `DamagedFile` when its files are not what
 * was written, `StoreInUse` when another process holds it.
 */
export async function openLevelStore(options: {
  readonly directory: string
  readonly runtime: Runtime
}): Promise<LevelStore> {
  const { directory, runtime } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await syncDirectory(join(directory, '..'))
  await assertNotInUse(directory)
  const cleanStop = await verifyDirectory(directory)
  const database = await openDatabase(directory)
  try {
    const lastVersion = await readLastVersion(database)
    if (cleanStop !== undefined) await acceptCleanStop(directory, cleanStop, lastVersion)
    const store = new OpenLevelStore(directory, database, lastVersion)
    await ensureEpoch(store, runtime)
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
async function assertNotInUse(directory: string): Promise<void> {
  if (!existsSync(join(directory, 'CURRENT'))) return
  await openDatabase(directory, true).catch((error: unknown) => {
    if (error instanceof StoreInUse) throw error
  })
}

async function acceptCleanStop(directory: string, { lastVersion }: CleanStop, found: number) {
  if (found !== lastVersion) {
    const problem = `its last batch is number ${found}; the last clean stop was at ${lastVersion}`
    throw new DamagedFile(directory, problem, 'Restore the directory from a backup.')
  }
  await removeCleanStop(directory)
}

class OpenLevelStore implements LevelStore {
  readonly directory: string
  readonly #database: Database
  readonly #commits: GroupCommit
  readonly #watchers = createWatchers()
  #closing: Promise<void> | undefined

  constructor(directory: string, database: Database, lastVersion: number) {
    this.directory = directory
    this.#database = database
    this.#commits = new GroupCommit({
      lastVersion,
      write: (batch) => writeBatch(database, batch),
      readVersions: (keys) => Promise.all(keys.map((key) => readVersion(database, key))),
      written: (keys) => this.#watchers.tell(keys),
    })
  }

  get lastVersion(): number {
    return this.#commits.lastVersion
  }

  commit(commit: Commit): Promise<CommitResult> {
    return this.#commits.commit(commit)
  }

  async get(key: string): Promise<StoredValue | undefined> {
    this.#assertOpen()
    assertKey(key)
    return readRecord(this.#database, key)
  }

  async getMany(keys: readonly string[]): Promise<(StoredValue | undefined)[]> {
    this.#assertOpen()
    for (const key of keys) assertKey(key)
    const envelopes = await this.#database.getMany([...keys]).catch((error: unknown) => {
      throw asDamage(error, keys.join(', '))
    })
    return envelopes.map((envelope, at) => envelope && openEnvelope(keys[at] ?? '', envelope))
  }

  scan(range: Range): AsyncGenerator<KeyedValue> {
    return undamaged(this.scanRaw(range))
  }

  /**
   * Opens its iterator at once: that is the snapshot. An unread scan holds it until the store
   * closes.
   */
  scanRaw(range: Range): AsyncGenerator<RawRecord> {
    this.#assertOpen()
    return walk(this.#database.iterator(levelRange(range)))
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

async function writeBatch(database: Database, batch: BatchWrite): Promise<void> {
  const last = wrapValue(new Uint8Array())
  sealEnvelope(lastBatchKey, batch.lastVersion, last)
  const chain = database.batch().put(lastBatchKey, last)
  for (const [key, envelope] of batch.puts) chain.put(key, envelope)
  for (const key of batch.deletes) chain.del(key)
  await chain.write({ sync: true })
}

async function readLastVersion(database: Database): Promise<number> {
  const last = await readRecord(database, lastBatchKey)
  if (last !== undefined) return last.version
  for await (const key of database.keys({ limit: 1 })) {
    throw new StoreDamage(key, 'the store holds records but not the number of its last batch')
  }
  return 0
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

async function* walk(records: AsyncIterable<[string, Buffer]>): AsyncGenerator<RawRecord> {
  let reached = 'the beginning'
  try {
    for await (const [key, envelope] of records) {
      reached = key
      yield rawRecord(key, envelope)
    }
  } catch (error) {
    if (hasCode(error, 'LEVEL_ITERATOR_NOT_OPEN')) throw new StoreClosed()
    throw asDamage(error, `after ${reached}`)
  }
}

function rawRecord(key: string, envelope: Buffer): RawRecord {
  try {
    return { key, ...openEnvelope(key, envelope) }
  } catch (error) {
    if (error instanceof StoreDamage) return { key, damaged: true }
    throw error
  }
}

async function* undamaged(records: AsyncGenerator<RawRecord>): AsyncGenerator<KeyedValue> {
  for await (const record of records) {
    if ('damaged' in record) throw new StoreDamage(record.key, 'its checksum is wrong')
    yield record
  }
}

/** One lower and one upper bound at most, and never our own records. */
function levelRange(range: Range) {
  const { gte = firstUserKey, gt, lte, lt, reverse = false, limit = -1 } = range
  const least = compareKeys(gte, firstUserKey) < 0 ? firstUserKey : gte
  const lower = gt !== undefined && compareKeys(gt, least) >= 0 ? { gt } : { gte: least }
  const upTo = lt !== undefined && (lte === undefined || compareKeys(lt, lte) <= 0)
  const upper = upTo ? { lt } : lte === undefined ? {} : { lte }
  return { ...lower, ...upper, reverse, limit }
}

/** LevelDB's own finding that a block is broken is damage too. */
function asDamage(error: unknown, key: string): unknown {
  return hasCode(error, 'LEVEL_CORRUPTION') ? new StoreDamage(key, String(error)) : error
}

/** Level wraps what went wrong: the code may be the error's or its cause's. */
function hasCode(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === code) || hasCode(error.cause, code)
}
