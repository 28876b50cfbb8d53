/**
 * The tables, in a schema of their own, and how an older layout becomes this one. Whoever starts
 * first migrates, in one transaction that holds the row which says the layout; who starts at the
 * same time waits for it. A layout that is newer than this program is refused.
 */
import { UnknownLayout } from '../store-errors.ts'
import { beginDurable, type Connections, type HeldConnection } from './connections.ts'
import { isDuplicate, isUndefined } from './errors.ts'

const leastServerVersion = 150_000

const schema = [
  'CREATE SCHEMA IF NOT EXISTS scriptorium',
  // key_check tells the service's key from another one; null: nobody said which it is.
  `CREATE TABLE IF NOT EXISTS scriptorium.layout (
    one boolean PRIMARY KEY CHECK (one),
    version integer NOT NULL,
    key_check bytea)`,
  'INSERT INTO scriptorium.layout (one, version) VALUES (true, 0) ON CONFLICT DO NOTHING',
]

/** What makes each layout of the one before; the first makes layout 1. */
const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE scriptorium.kv (
      key bytea PRIMARY KEY,
      value bytea NOT NULL,
      version bytea NOT NULL)`,
    // Writes by their random names, for a while: whether one came to be is asked here.
    `CREATE TABLE scriptorium.attempts (
      id bytea PRIMARY KEY,
      done boolean NOT NULL,
      at timestamptz NOT NULL DEFAULT clock_timestamp())`,
    // Every node looks for old ones each minute.
    'CREATE INDEX attempts_at ON scriptorium.attempts (at)',
    'CREATE TABLE scriptorium.blobs (id bytea PRIMARY KEY, size bigint NOT NULL, hashes bytea NOT NULL)',
    `CREATE TABLE scriptorium.blob_pieces (
      blob bytea NOT NULL REFERENCES scriptorium.blobs ON DELETE CASCADE,
      at integer NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (blob, at))`,
    // Images are compressed already.
    'ALTER TABLE scriptorium.blob_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL',
  ],
]

export const layoutVersion = migrations.length

/** Throws `UnknownLayout` for a newer one. */
export async function ensureTables(connections: Connections, waitMs: number): Promise<void> {
  await connections.waitingOut(async () => {
    const version = await connections.writing(readLayout)
    if (version > layoutVersion) throw new UnknownLayout(version)
    if (version === layoutVersion) return
    await connections.writing(migrate)
  }, waitMs)
}

/** 0: there is none. */
async function readLayout(held: HeldConnection): Promise<number> {
  const [server] = await held.query<{ number: number }>({
    text: `SELECT current_setting('server_version_num')::int AS number`,
  })
  if ((server?.number ?? 0) < leastServerVersion) {
    throw new Error(`the store needs PostgreSQL 15 or later, not ${server?.number}`)
  }
  try {
    const [row] = await held.query<{ version: number }>({
      text: 'SELECT version FROM scriptorium.layout',
    })
    return row?.version ?? 0
  } catch (error) {
    if (isUndefined(error)) return 0
    throw error
  }
}

async function migrate(held: HeldConnection): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await held.query(beginDurable)
      for (const text of schema) await held.query({ text })
      break
    } catch (error) {
      await held.query({ text: 'ROLLBACK' })
      if (!isDuplicate(error) || tries > 5) throw error
    }
  }
  const [row] = await held.query<{ version: number }>({
    text: 'SELECT version FROM scriptorium.layout FOR UPDATE',
  })
  const from = row?.version ?? 0
  if (from > layoutVersion) throw new UnknownLayout(from)
  for (const statements of migrations.slice(from)) {
    for (const text of statements) await held.query({ text })
  }
  await held.query({
    text: 'UPDATE scriptorium.layout SET version = $1',
    values: [layoutVersion],
  })
  await held.query({ text: 'COMMIT' })
}
