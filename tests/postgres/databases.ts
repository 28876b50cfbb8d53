/**
 * Databases for tests: one for each, in one server for the whole process. That is the server of
 * `DATABASE_URL`, or one of its own. Where there is neither, tests that need one are skipped, but
 * never where CI is set.
 */
import pg from 'pg'
import type { uvu } from 'uvu'
import { hasBinaries } from './binaries.ts'
import { PostgresServer } from './server.ts'

const given = process.env['DATABASE_URL']

/** It may want a password, or TLS. */
export const isGivenPostgres = given !== undefined

/** Whether there is a server for tests. */
export const hasPostgres = given !== undefined || hasBinaries() || process.env['CI'] !== undefined

/** Whether there is one that a test may kill. */
export const hasOwnPostgres = hasBinaries() || process.env['CI'] !== undefined

/** Registers tests that need PostgreSQL. */
export const needing = <T>(test: uvu.Test<T>, isThere = hasPostgres) =>
  function needingTest(name: string, run: uvu.Callback<T>): void {
    if (isThere) test(name, run)
    else test.skip(name, run)
  }

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

let server: Promise<string> | undefined
let count = 0

/** It is never killed, so that nothing has to be on the disk. */
async function ownServer(): Promise<string> {
  const own = await PostgresServer.start({ fsync: 'off', full_page_writes: 'off' })
  return own.url()
}

/** A new empty database. */
export async function newDatabase(): Promise<TestDatabase> {
  server ??= given === undefined ? ownServer() : Promise.resolve(given)
  const admin = await server
  const name = `test_${process.pid}_${++count}`
  await ask(admin, `CREATE DATABASE ${name}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => ask(admin, `DROP DATABASE ${name} WITH (FORCE)`) }
}

/** One statement by a connection of its own. */
export async function rows<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export async function ask(url: string, text: string): Promise<void> {
  await rows(url, text)
}
