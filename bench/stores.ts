/**
 * A small commit to each durable engine, as a keystroke or an edit makes it: a head whose version
 * is checked, and a log record. PostgreSQL is one of its own on this machine, with fsync.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLevelStore, openPostgresStore } from '../persistence/index.ts'
import type { Store, Version } from '../persistence/store.ts'
import { systemRuntime as runtime } from '../server/runtime.ts'
import { PostgresServer } from '../tests/postgres/server.ts'
import { Report, type Section } from './report.ts'
import { digits, ms, quantile } from './stats.ts'

const writersAtOnce = [1, 16, 128]
const valueBytes = 300

export async function measureStores(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const directory = mkdtempSync(join(tmpdir(), 'scriptorium-stores-'))
  const server = await PostgresServer.start()
  const engines: Readonly<Record<string, () => Promise<Store>>> = {
    LevelDB: () => openLevelStore({ directory, runtime }),
    PostgreSQL: () => openPostgresStore({ url: server.url(), runtime }),
  }
  try {
    for (const [name, open] of Object.entries(engines)) {
      const store = await open()
      await commits(store, { writers: 16, seconds: 1 })
      for (const writers of writersAtOnce) {
        const { taken, seconds } = await commits(store, { writers, seconds: isQuick ? 1 : 5 })
        const rate = `${digits(taken.length / seconds)}/s`
        const times = `p50 ${ms(quantile(taken, 0.5))}, p95 ${ms(quantile(taken, 0.95))}`
        report.note(`${name}, commits of ${writers} at once`, `${rate}, ${times}`)
      }
      const read = await reads(store, isQuick ? 500 : 3_000)
      report.note(`${name}, reads of one record, one after the other, p50`, ms(quantile(read, 0.5)))
      await store.close()
    }
  } finally {
    await server.remove()
    rmSync(directory, { recursive: true, force: true })
  }
  return {
    title: 'Stores',
    how:
      'A commit checks a head and writes it and a log record of 300 bytes; each of those at once has a document ' +
      'of its own. PostgreSQL 18 on the same machine and disk with fsync; all on the cores that the client runs on.',
    rows: report.rows,
  }
}

interface Load {
  readonly writers: number
  readonly seconds: number
}

let documents = 0

async function commits(store: Store, { writers, seconds }: Load) {
  const taken: number[] = []
  const started = performance.now()
  const end = started + seconds * 1000
  const value = new Uint8Array(valueBytes)
  await Promise.all(
    Array.from({ length: writers }, async () => {
      const slug = `bench${++documents}`
      let version: Version | undefined
      for (let count = 0; performance.now() < end; count++) {
        const head = `doc/${slug}/head`
        const log = `doc/${slug}/log/${String(count).padStart(9, '0')}`
        const puts = [head, log].map((key) => ({ key, value }))
        const begun = performance.now()
        const result = await store.commit({ checks: [{ key: head, version }], puts })
        if (!result.ok) throw new Error(`${result.conflict} is not what it was`)
        version = result.version
        taken.push(performance.now() - begun)
      }
    }),
  )
  return { taken, seconds: (performance.now() - started) / 1000 }
}

async function reads(store: Store, count: number): Promise<number[]> {
  const taken: number[] = []
  for (let at = 0; at < count; at++) {
    const begun = performance.now()
    await store.get(`doc/bench${1 + (at % documents)}/head`)
    taken.push(performance.now() - begun)
  }
  return taken
}
