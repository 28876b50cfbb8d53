/**
 * The Store in a PostgreSQL database, for installations of several nodes or whose database is
 * elsewhere. Others may write to it at any time, so it remembers no record. While the database does
 * not answer, calls wait for a while and are then refused UNAVAILABLE; the store goes on when it
 * answers again.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Runtime } from '../../schema/runtime.ts'
import { assertKey, deletingRange } from '../commit-shape.ts'
import { epochKey, newEpoch } from '../epoch.ts'
import { ensureLayout } from '../format.ts'
import {
  type Commit,
  type CommitResult,
  type DamagedRecords,
  type KeyedValue,
  type Range,
  type Store,
  StoreDamage,
  type StoredValue,
} from '../store.ts'
import { StoreClosed } from '../store-errors.ts'
import { createWatchers } from '../watchers.ts'
import { CommitAttempts } from './attempts.ts'
import { CommitQueue } from './commit-queue.ts'
import { type ConnectionParts, Connections } from './connections.ts'
import { ensureTables } from './layout.ts'
import { PostgresBlobs } from './postgres-blobs.ts'
import { Reads } from './reads.ts'
import { Scans } from './scans.ts'
import { isIntactSql, openRow, type StoredRow } from './sealed-value.ts'

export interface PostgresParts extends ConnectionParts {
  /** It is opened to copy another store into it. */
  readonly isCopy?: boolean | undefined
  /** For tests: how long it waits for the database. */
  readonly startWaitMs?: number
}

/** How long a start waits for the database. */
const startWaitMs = 15_000

export interface PostgresStore extends Store {
  /** Its blobs; what is on its way lies in `directory`. */
  openBlobs(directory: string): Promise<PostgresBlobs>
  /**
   * Whether this database belongs to the service with this key. One that nobody has used, or one
   * whose key is unknown when `isExplicit`, belongs to it from now on.
   */
  belongsTo(secretKey: Uint8Array, isExplicit: boolean): Promise<'yes' | 'other key' | 'unknown'>
}

/**
 * Opens the store, and makes its tables in a database that has none. Throws `StoreUnavailable`
 * where the database does not answer for 15 s, and `UnknownLayout` where a newer version has
 * migrated it.
 */
export async function openPostgresStore(parts: PostgresParts): Promise<PostgresStore> {
  const connections = new Connections(parts)
  const store = new OpenPostgresStore(connections, parts)
  try {
    await ensureTables(connections, parts.startWaitMs ?? startWaitMs)
    await ensureLayout(store, parts.runtime, { isCopy: parts.isCopy })
    if (parts.isCopy !== true) await ensureEpoch(store, parts.runtime)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** An operator takes it away after a restore. */
async function ensureEpoch(store: Store, runtime: Runtime): Promise<void> {
  await store.commit({
    checks: [{ key: epochKey, version: undefined }],
    puts: [{ key: epochKey, value: newEpoch(runtime) }],
  })
}

class OpenPostgresStore implements PostgresStore {
  readonly #connections: Connections
  readonly #runtime: Runtime
  readonly #attempts: CommitAttempts
  readonly #commits: CommitQueue
  readonly #reads: Reads
  readonly #scans: Scans
  readonly #watchers = createWatchers()
  #closing: Promise<void> | undefined

  constructor(connections: Connections, { runtime }: ConnectionParts) {
    this.#connections = connections
    this.#runtime = runtime
    this.#attempts = new CommitAttempts({ connections, runtime })
    this.#reads = new Reads(connections)
    this.#scans = new Scans(connections)
    this.#commits = new CommitQueue({
      attempts: this.#attempts,
      runtime,
      waitMs: connections.waitMs,
      snapshotsTaken: () => this.#scans.snapshotsTaken(),
      written: (keys) => this.#watchers.tell(keys),
    })
  }

  commit(commit: Commit): Promise<CommitResult> {
    return this.#commits.commit(commit)
  }

  async get(key: string): Promise<StoredValue | undefined> {
    this.#assertOpen()
    assertKey(key)
    return this.#reads.get(key)
  }

  getMany(keys: readonly string[]): Promise<(StoredValue | undefined)[]> {
    return Promise.all(keys.map((key) => this.get(key)))
  }

  scan(range: Range): AsyncGenerator<KeyedValue> {
    this.#assertOpen()
    return opened(this.#scans.scan<StoredRow>('key, value, version', range))
  }

  scanRaw(range: Range): AsyncGenerator<KeyedValue | DamagedRecords> {
    this.#assertOpen()
    return openedRaw(this.#scans.scan<StoredRow>('key, value, version', range))
  }

  deleteRange(range: Range): Promise<number> {
    const scanRaw = (within: Range) => this.#intactKeys(within)
    return deletingRange({ scanRaw, commit: (commit) => this.commit(commit) }, range)
  }

  /** The database's own vacuum gives room back. */
  async compact(): Promise<void> {
    this.#assertOpen()
  }

  watch(prefix: string, listener: (key: string) => void): () => void {
    return this.#watchers.add(prefix, listener)
  }

  async timeline(): Promise<string> {
    this.#assertOpen()
    const text = 'SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline'
    const [row] = await this.#connections.read<{ timeline: string }>({ text, values: [] })
    if (row === undefined) throw new TypeError('no row of a query without a table')
    return row.timeline
  }

  openBlobs(directory: string): Promise<PostgresBlobs> {
    const [connections, attempts] = [this.#connections, this.#attempts]
    return PostgresBlobs.open({ connections, attempts, directory, runtime: this.#runtime })
  }

  belongsTo(secretKey: Uint8Array, isExplicit: boolean) {
    return checkKey(this.#connections, { secretKey, isExplicit })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#commits.close()
    this.#attempts.close()
    this.#scans.close()
    await this.#connections.close()
  }

  /** Without their values, which the database verifies. */
  async *#intactKeys(range: Range): AsyncGenerator<KeyedValue | DamagedRecords> {
    const nothing = Buffer.alloc(0)
    const columns = `key, version, ${isIntactSql} AS "isIntact"`
    for await (const row of this.#scans.scan<StoredRow & { isIntact: boolean }>(columns, range)) {
      const key = row.key.toString()
      yield row.isIntact
        ? { key, value: nothing, version: row.version as never }
        : { key, damaged: true }
    }
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new StoreClosed()
  }
}

async function* opened(rows: AsyncGenerator<StoredRow>): AsyncGenerator<KeyedValue> {
  for await (const row of rows) yield openRow(row)
}

async function* openedRaw(
  rows: AsyncGenerator<StoredRow>,
): AsyncGenerator<KeyedValue | DamagedRecords> {
  for await (const row of rows) {
    try {
      yield openRow(row)
    } catch (error) {
      if (!(error instanceof StoreDamage)) throw error
      yield { key: row.key.toString(), damaged: true }
    }
  }
}

const checkOf = (secretKey: Uint8Array): Buffer =>
  createHmac('sha256', secretKey).update('scriptorium: whose database this is').digest()

export interface Claim {
  readonly secretKey: Uint8Array
  /** It was set by the operator. One that was just made up cannot be that of used data. */
  readonly isExplicit: boolean
}

/**
 * Whose database it is: a value derived from the service's key is kept in it, never the key. A
 * service with another key would take every token for a wrong one, so it does not start on it.
 */
async function checkKey(
  connections: Connections,
  { secretKey, isExplicit }: Claim,
): Promise<'yes' | 'other key' | 'unknown'> {
  const check = checkOf(secretKey)
  const claim = () =>
    connections.writing((held) => held.query<{ check: Buffer | null }>({ text, values }))
  const values = [check, isExplicit]
  return connections.waitingOut(async () => {
    // Where somebody else claims it at the same time, the second look finds that.
    const [stored] = await claim().then((first) => (first[0]?.check ? first : claim()))
    if (!stored?.check) return 'unknown'
    return timingSafeEqual(stored.check, check) ? 'yes' : 'other key'
  })
}

/** What every store says of itself from the start is no use of it. */
const text = `
WITH used AS (
  SELECT EXISTS (SELECT FROM scriptorium.kv WHERE key >= 'meta0' OR key < 'meta/') AS is_used
), claimed AS (
  UPDATE scriptorium.layout SET key_check = $1
  FROM used WHERE key_check IS NULL AND ($2 OR NOT is_used) RETURNING key_check
)
SELECT coalesce(layout.key_check, claimed.key_check) AS check
FROM scriptorium.layout LEFT JOIN claimed ON true`
