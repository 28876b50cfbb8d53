/**
 * The statement that checks and writes a group of commits, and so is a transaction of its own: the
 * named rows are locked in the order of keys, for update where they are written and for share where
 * they are only checked; when each has the version that is expected, all is written. One statement,
 * so that no lock waits for this process.
 */
import type { Version } from '../store.ts'
import { insertAttempt } from './attempts.ts'
import { byteaArray } from './binary-array.ts'
import { beginDurable, durableSql, type HeldConnection, type Statement } from './connections.ts'
import type { NamedKey } from './plan.ts'
import { versionOfBytes } from './sealed-value.ts'

/** No commit has it: the row that holds the place of a key whose absence is checked. */
const placeholder = Buffer.alloc(0)

/**
 * `$1` is the attempt, the rest are columns of the named keys. A commit is durable when it is
 * answered, whatever the database's default for that is.
 */
const writeSql = `
WITH named AS MATERIALIZED (
  SELECT * FROM unnest($2::bytea[], $3::bool[], $4::bool[], $5::bytea[], $6::bytea[], $7::bytea[])
    AS named (key, is_written, is_checked, expected, value, version)
), locked AS MATERIALIZED (
  SELECT named.key, is_checked, expected, coalesce(written.version, shared.version) AS found
  FROM named
  LEFT JOIN LATERAL (
    SELECT version FROM scriptorium.kv WHERE kv.key = named.key AND is_written FOR UPDATE
  ) written ON true
  LEFT JOIN LATERAL (
    SELECT version FROM scriptorium.kv WHERE kv.key = named.key AND NOT is_written FOR SHARE
  ) shared ON true
), other AS MATERIALIZED (
  SELECT key, found FROM locked WHERE is_checked AND found IS DISTINCT FROM expected
), agreed AS MATERIALIZED (
  SELECT ${durableSql} WHERE NOT EXISTS (SELECT FROM other)
), attempt AS (
  ${insertAttempt.replace('VALUES ($1, true)', 'SELECT $1, true FROM agreed')}
), deleted AS (
  DELETE FROM scriptorium.kv USING agreed WHERE key = ANY ($8::bytea[])
), made AS (
  INSERT INTO scriptorium.kv (key, value, version)
  SELECT key, value, named.version FROM named, agreed
  WHERE value IS NOT NULL AND is_checked AND expected IS NULL
), written AS (
  INSERT INTO scriptorium.kv (key, value, version)
  SELECT key, value, named.version FROM named, agreed
  WHERE value IS NOT NULL AND NOT (is_checked AND expected IS NULL)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = excluded.version
)
SELECT key, found FROM other`

interface OtherRow {
  readonly key: Buffer
  readonly found: Buffer | null
}

/**
 * Writes all of it, or nothing and answers which keys have another version than expected. Throws
 * what the driver throws; a unique violation says that somebody made a key meanwhile.
 */
export async function writeNamed(
  held: HeldConnection,
  id: Buffer,
  named: readonly NamedKey[],
): Promise<Map<string, Version | undefined>> {
  const absent = named.filter(isAbsenceOnly).map(({ key }) => key)
  const write = writeStatement(id, named)
  const results =
    absent.length === 0
      ? await held.pipeline([write])
      : await held.pipeline([beginDurable, hold(absent), write, letGo(absent), { text: 'COMMIT' }])
  const { rows } = results[absent.length === 0 ? 0 : 2] ?? { rows: [] }
  return new Map(
    (rows as OtherRow[]).map(({ key, found }) => [
      key.toString(),
      found === null || found.equals(placeholder) ? undefined : versionOfBytes(found),
    ]),
  )
}

/** Absence that no insert of its own checks. */
const isAbsenceOnly = ({ isChecked, expected, put }: NamedKey): boolean =>
  isChecked && expected === null && put === undefined

/** Nobody else can make these keys until the transaction ends. */
const hold = (keys: readonly Buffer[]): Statement => ({
  text: `INSERT INTO scriptorium.kv (key, value, version)
    SELECT key, '', '' FROM unnest($1::bytea[]) AS absent (key) ON CONFLICT DO NOTHING`,
  values: [byteaArray(keys)],
})

const letGo = (keys: readonly Buffer[]): Statement => ({
  text: `DELETE FROM scriptorium.kv WHERE key = ANY ($1::bytea[]) AND version = ''`,
  values: [byteaArray(keys)],
})

function writeStatement(id: Buffer, named: readonly NamedKey[]): Statement {
  const expected = named.map((one) => (isAbsenceOnly(one) ? placeholder : one.expected))
  const deleted = named.filter(({ isWritten, put }) => isWritten && put === undefined)
  return {
    text: writeSql,
    values: [
      id,
      byteaArray(named.map(({ key }) => key)),
      named.map(({ isWritten }) => isWritten),
      named.map(({ isChecked }) => isChecked),
      byteaArray(expected),
      byteaArray(named.map(({ put }) => put?.sealed ?? null)),
      byteaArray(named.map(({ put }) => put?.version ?? null)),
      byteaArray(deleted.map(({ key }) => key)),
    ],
  }
}
