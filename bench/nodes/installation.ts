/** The service on one of the stores, as one node or several. */
import pg from 'pg'
import { PostgresServer } from '../../tests/postgres/server.ts'
import { until } from '../../tests/waiting.ts'
import { cpuMsOf } from '../process.ts'
import { BenchService } from '../service.ts'

export type Kind = 'LevelDB, one node' | 'PostgreSQL, one node' | 'PostgreSQL, two nodes'

export const kinds: readonly Kind[] = [
  'LevelDB, one node',
  'PostgreSQL, one node',
  'PostgreSQL, two nodes',
]

export interface Installation {
  readonly nodes: readonly BenchService[]
  readonly first: BenchService
  /** Undefined on LevelDB. */
  readonly database: PostgresServer | undefined
  stop(): Promise<void>
}

const startMs = 30_000

export async function install(kind: Kind): Promise<Installation> {
  const database = kind.startsWith('PostgreSQL') ? await PostgresServer.start() : undefined
  const env = database && {
    STORE_URL: database.url(),
    SECRET_KEY: 'the same for all nodes of a bench',
  }
  const nodes: BenchService[] = []
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    await database?.remove()
  }
  try {
    const first = await BenchService.start({ env: env ?? {} })
    nodes.push(first)
    if (kind.endsWith('two nodes')) nodes.push(await BenchService.start({ env: env ?? {} }))
    if (database !== undefined) await known(database, nodes.length)
    return { nodes, first, database, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** So many nodes live, and every one of them listens. */
export async function known(database: PostgresServer, count: number): Promise<void> {
  const there = async () => {
    const urls = [...(await addresses(database)).values()]
    return urls.length === count && urls.every((url) => url !== '') ? true : undefined
  }
  await until(startMs, there, () => `there are not ${count} nodes`)
}

/** The node that has the document's lease. */
export async function holderOf(
  { database, nodes }: Pick<Installation, 'database' | 'nodes'>,
  slug: string,
): Promise<BenchService | undefined> {
  if (database === undefined) return undefined
  const [lease] = await valuesBelow(database, `lease/doc/${slug}`)
  if (lease === undefined) return undefined
  const { node } = JSON.parse(lease.value)
  const url = (await addresses(database)).get(`node/${node}`)
  return nodes.find(({ port }) => url?.endsWith(`:${port}`))
}

async function addresses(database: PostgresServer): Promise<Map<string, string>> {
  const found = await valuesBelow(database, 'node/')
  return new Map(found.map(({ key, value }) => [key, String(JSON.parse(value).url)]))
}

/** A value is behind 16 bytes of checksum. */
const valuesBelow = (database: PostgresServer, prefix: string) =>
  asked<{ key: string; value: string }>(
    database,
    `SELECT convert_from(key, 'UTF8') AS key, convert_from(substr(value, 17), 'UTF8') AS value
    FROM scriptorium.kv WHERE key >= convert_to($1, 'UTF8') AND key < convert_to($2, 'UTF8')`,
    [prefix, `${prefix}~`],
  )

export async function asked<Row extends object>(
  database: PostgresServer,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(database.url())
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Milliseconds of processor time of the server's processes that live, so far. */
export async function databaseCpuMs(database: PostgresServer): Promise<number> {
  const text = 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()'
  const pids = await asked<{ pid: number }>(database, text)
  return pids.reduce((sum, { pid }) => sum + cpuMsOf(`/proc/${pid}/stat`), 0)
}
