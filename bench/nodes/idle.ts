/** What a cluster costs whose documents nobody has open, beside one node on LevelDB. */
import type { PostgresServer } from '../../tests/postgres/server.ts'
import { until } from '../../tests/waiting.ts'
import type { Report } from '../report.ts'
import { digits } from '../stats.ts'
import { asked, databaseCpuMs, type Installation, install, type Kind } from './installation.ts'

const writersAtOnce = 16
const seconds = 30
/** A document leaves memory after a minute, and its lease is given back within two more. */
const dormantMs = 75_000
const leasesMs = 300_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function fill({ nodes }: Installation, count: number): Promise<void> {
  let made = 0
  const write = async (at: number) => {
    const node = nodes[at % nodes.length]
    while (made++ < count) {
      await node?.must('POST', '/docs', { body: { markdown: `# Document ${made}\n\nText.\n` } })
    }
  }
  await Promise.all(Array.from({ length: writersAtOnce }, (_, at) => write(at)))
}

async function leasesGone(database: PostgresServer): Promise<void> {
  const text = `SELECT count(*)::int AS count FROM scriptorium.kv
    WHERE key >= 'lease/doc/'::bytea AND key < 'lease/doc0'::bytea`
  const gone = async () => {
    await pause(2_000)
    return (await asked<{ count: number }>(database, text))[0]?.count === 0 ? true : undefined
  }
  await until(leasesMs, gone, () => 'documents keep their leases')
}

interface Counted {
  readonly transactions: number
  readonly cpuMs: number
  readonly at: number
}

/** Transactions, which idle nodes make of one statement each, and what the server's processes used. */
async function count(database: PostgresServer): Promise<Counted> {
  const [stats] = await asked<{ transactions: number }>(
    database,
    `SELECT (xact_commit + xact_rollback)::int AS transactions FROM pg_stat_database
    WHERE datname = current_database()`,
  )
  const cpuMs = await databaseCpuMs(database)
  return { transactions: stats?.transactions ?? 0, cpuMs, at: performance.now() }
}

async function measure(kind: Kind, documents: number) {
  const installation = await install(kind)
  const { nodes, database } = installation
  try {
    await fill(installation, documents)
    if (database === undefined) await pause(dormantMs)
    else await leasesGone(database)
    const used = () => nodes.map(({ process }) => process.cpuMs())
    const [before, counted] = [used(), database && (await count(database))]
    const began = performance.now()
    await pause(seconds * 1000)
    const after = used()
    const took = performance.now() - began
    const cpu = after.map((ms, at) => ((ms - (before[at] ?? 0)) / took) * 1000)
    if (database === undefined || counted === undefined) return { cpu }
    const then = await count(database)
    const passed = (then.at - counted.at) / 1000
    return {
      cpu,
      // Counting made three itself.
      rate: (then.transactions - counted.transactions - 3) / passed,
      databaseCpu: (then.cpuMs - counted.cpuMs) / passed,
    }
  } finally {
    await installation.stop()
  }
}

export async function measureIdle(report: Report, isQuick: boolean): Promise<void> {
  const documents = isQuick ? 500 : 10_000
  const idle = `idle, ${digits(documents)} documents`
  const each = (cpu: readonly number[]) => cpu.map((ms) => `${digits(ms)} ms`).join(', ')
  const level = await measure('LevelDB, one node', documents)
  report.note(`${idle}: LevelDB, one node, processor time a second`, each(level.cpu))
  const two = await measure('PostgreSQL, two nodes', documents)
  report.note(`${idle}: PostgreSQL, two nodes, processor time a second of each`, each(two.cpu))
  report.note('… of PostgreSQL', `${digits(two.databaseCpu ?? Number.NaN)} ms`)
  report.note('… transactions a second', digits(two.rate ?? Number.NaN))
}
