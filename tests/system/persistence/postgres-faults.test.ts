/**
 * PostgreSQL that is killed, restarted, or cut off while the store commits: no acknowledged commit
 * is lost, none comes twice, and what was refused as not done does not come. LONG=1 does it more
 * often.
 */

import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgresStore, StoreUnavailable } from '../../../persistence/index.ts'
import { systemRuntime as runtime } from '../../../server/runtime.ts'
import { Chance } from '../../chance.ts'
import { ChainWriter } from '../../postgres/chain-writer.ts'
import { type Cut, CuttingProxy } from '../../postgres/cutting-proxy.ts'
import { ask, hasOwnPostgres, needing } from '../../postgres/databases.ts'
import { PostgresServer } from '../../postgres/server.ts'
import { blobText, putBlob, rejection, scratchDirectory } from '../../unit/persistence/fixtures.ts'
import { until } from '../../waiting.ts'

const times = process.env['LONG'] === undefined ? 1 : 15
const seed = 11
const testOf = needing(test, hasOwnPostgres)

let server: PostgresServer
let proxy: CuttingProxy

test.before(async () => {
  // A commit that was not flushed would be lost for certain.
  if (!hasOwnPostgres) return
  server = await PostgresServer.start({ wal_writer_delay: '10s' })
  proxy = await CuttingProxy.open(server.port)
})
test.after(async () => {
  if (!hasOwnPostgres) return
  await proxy.close()
  await server.remove()
})

interface Scene {
  /** Of a database of its own. */
  readonly name: string
  readonly waitMs: number
  /** Where it is not reached itself. */
  readonly port?: number
}

/** Writers at work while `faults` happen; verified by a store of its own afterwards. */
async function underFaults(
  { name, waitMs, port }: Scene,
  faults: (acknowledged: () => number) => Promise<void>,
) {
  await ask(server.url(), `CREATE DATABASE ${name}`)
  await ask(server.url(), `ALTER DATABASE ${name} SET synchronous_commit = off`)
  const url = server.url(name, port)
  let outages = 0
  const onOutage = () => {
    outages += 1
  }
  const store = await openPostgresStore({ url, runtime, waitMs, onOutage })
  const writers = Array.from({ length: 4 }, (_, at) => new ChainWriter(store, `w${at}`))
  let isOver = false
  const running = Promise.all(writers.map((writer) => writer.run(() => isOver)))
  const acknowledged = () => writers.reduce((sum, one) => sum + one.acknowledged.length, 0)
  try {
    await Promise.race([faults(acknowledged), running])
  } finally {
    isOver = true
    await running.catch(() => {})
    await store.close()
  }
  await running
  const other = await openPostgresStore({ url: server.url(name), runtime })
  for (const writer of writers) await writer.assertWhole(other)
  await other.close()
  const sum = (what: 'refused' | 'unknown') => writers.reduce((all, one) => all + one[what], 0)
  return { acknowledged: acknowledged(), refused: sum('refused'), unknown: sum('unknown'), outages }
}

const reaches = (count: () => number, least: number) =>
  until(
    60_000,
    () => (count() >= least ? true : undefined),
    () => `${count()} of ${least} commits`,
  )

testOf('kill -9 while committing: every acknowledged commit is there, once', async () => {
  const chance = new Chance(seed)
  const waitMs = 30_000
  const told = await underFaults({ name: 'killed', waitMs }, async (acknowledged) => {
    for (let kill = 0; kill < 2 * times; kill++) {
      await reaches(acknowledged, acknowledged() + 30 + chance.below(100))
      await server.kill()
      await server.restart()
    }
    await reaches(acknowledged, acknowledged() + 50)
  })
  assert.equal([told.refused, told.unknown], [0, 0], 'a restart is waited out')
  assert.ok(told.outages > 0)
  console.log(
    `\nseed ${seed} database kills: ${2 * times}, acknowledged ${told.acknowledged}, lost 0`,
  )
})

testOf('an outage that lasts refuses commits, and they go on after it', async () => {
  const told = await underFaults({ name: 'stopped', waitMs: 300 }, async (acknowledged) => {
    for (let stop = 0; stop < times; stop++) {
      await reaches(acknowledged, acknowledged() + 50)
      const [before, outage] = [acknowledged(), performance.now()]
      await server.stop()
      const hasLasted = () => (performance.now() - outage > 1_500 ? true : undefined)
      await until(5_000, hasLasted, () => 'an outage')
      assert.ok(acknowledged() - before < 50, 'nothing is acknowledged without a database')
      await server.restart()
    }
    await reaches(acknowledged, acknowledged() + 50)
  })
  assert.ok(told.refused > 0, 'commits are refused meanwhile')
})

testOf('a database that stands still: what was sent is unknown, and is settled later', async () => {
  const told = await underFaults({ name: 'paused', waitMs: 300 }, async (acknowledged) => {
    await reaches(acknowledged, 50)
    server.pause()
    const paused = performance.now()
    const hasLasted = () => (performance.now() - paused > 1_500 ? true : undefined)
    await until(5_000, hasLasted, () => 'a pause')
    server.resume()
    await reaches(acknowledged, acknowledged() + 50)
  })
  assert.ok(told.unknown > 0)
})

testOf('a connection that is cut before, after or amid a commit: its outcome is read', async () => {
  const chance = new Chance(seed)
  const scene = { name: 'cut', waitMs: 30_000, port: proxy.port }
  const cuts: readonly Cut[] = ['before', 'after', 'late']
  const told = await underFaults(scene, async (acknowledged) => {
    for (let cut = 0; cut < 12 * times; cut++) {
      proxy.arm(chance.oneOf(cuts))
      await until(
        20_000,
        () => (proxy.isArmed ? undefined : true),
        () => 'nothing was cut',
      )
      await reaches(acknowledged, acknowledged() + chance.below(8))
    }
    await reaches(acknowledged, acknowledged() + 20)
  })
  assert.equal([told.refused, told.unknown], [0, 0])
  assert.is(proxy.cuts, 12 * times, 'each was cut')
  console.log(
    `\nseed ${seed} cut commits: ${proxy.cuts}, acknowledged ${told.acknowledged}, lost 0`,
  )
})

testOf('what arrives late, after it was written again, changes nothing any more', async () => {
  await ask(server.url(), 'CREATE DATABASE late')
  const store = await openPostgresStore({ url: server.url('late', proxy.port), runtime })
  const before = proxy.cuts
  for (let round = 0; round < 4 * times; round++) {
    proxy.arm('late')
    for (const value of ['first', 'second']) {
      const result = await store.commit({ puts: [{ key: 'a', value: Buffer.from(value) }] })
      assert.ok(result.ok)
    }
    await proxy.arrived()
    const found = await store.get('a')
    assert.is(Buffer.from(found?.value ?? []).toString(), 'second')
  }
  assert.is(proxy.cuts - before, 4 * times)
  await store.close()
})

testOf('blobs wait out a short outage, and are refused in a long one', async () => {
  await ask(server.url(), 'CREATE DATABASE blobs')
  const url = server.url('blobs', proxy.port)
  const store = await openPostgresStore({ url, runtime, waitMs: 400 })
  const directory = await scratchDirectory()
  const blobs = await store.openBlobs(directory)
  for (const cut of ['before', 'after', 'late'] as const) {
    proxy.arm(cut, /INTO scriptorium\.blobs/)
    const id = await putBlob(blobs, Buffer.from(cut))
    assert.is(await blobText(blobs, id), cut)
    proxy.arm(cut, /DELETE FROM scriptorium\.blobs/)
    await blobs.delete(id)
    assert.is(await putBlob(blobs, Buffer.from(cut)), id)
    await proxy.arrived()
    assert.is(await blobText(blobs, id), cut, 'a deletion that came late')
  }
  await server.stop()
  const refused = await rejection(putBlob(blobs, Buffer.from('refused')))
  assert.instance(refused, StoreUnavailable)
  await server.restart()
  const id = await putBlob(blobs, Buffer.from('later'))
  assert.is(await blobText(blobs, id), 'later')
  await store.close()
  await rm(directory, { recursive: true })
})

test.run()
