/**
 * Laws 2 and 3 on several nodes: whatever happens to nodes, to the database or between them, no
 * acknowledged write is lost and none is done twice. LONG=1 does it many times.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyDocument } from '../../../core/documents/verify.ts'
import { allDocSlugs, openPostgresStore } from '../../../persistence/index.ts'
import { systemRuntime as runtime } from '../../../server/runtime.ts'
import { Chance } from '../../chance.ts'
import { Service } from '../../client.ts'
import { CuttingProxy } from '../../postgres/cutting-proxy.ts'
import { ask, hasOwnPostgres, needing } from '../../postgres/databases.ts'
import { PostgresServer } from '../../postgres/server.ts'
import { pause } from '../../waiting.ts'
import { until } from '../acceptance/sockets.ts'
import { type Ground, groundOn, Load } from '../load.ts'

const isLong = process.env['LONG'] !== undefined
const times = (few: number, many: number) => (isLong ? many : few)
const seed = Number(process.env['SEED'] ?? 1)
const count = isLong ? 3 : 2
/** On a machine that is busy with other tests. */
const waitMs = 30_000

const testOf = needing(test, hasOwnPostgres)
let server: PostgresServer
test.before(async () => {
  if (hasOwnPostgres) server = await PostgresServer.start()
})
test.after(async () => {
  if (hasOwnPostgres) await server.remove()
})

interface Scene {
  readonly service: Service
  readonly chance: Chance
  /** Each node's own way to the database. */
  readonly ways: readonly CuttingProxy[]
  /** One that is drawn. */
  readonly node: () => number
  restart(node: number): Promise<void>
}

const areReady = (service: Service) =>
  Promise.all(
    Array.from({ length: count }, async (_, node) => {
      const { status } = await fetch(`${service.baseOf(node)}/readyz`)
      return status === 200
    }),
  )

/** Nodes under load; `fault` happens again and again, and all is there afterwards. */
async function underFaults(name: string, rounds: number, fault: (scene: Scene) => Promise<void>) {
  await ask(server.url(), `CREATE DATABASE ${name}`)
  const url = server.url(name)
  const database = { url, drop: () => ask(server.url(), `DROP DATABASE ${name} WITH (FORCE)`) }
  const service = new Service({}, count, database)
  const chance = new Chance(seed)
  const ways = await Promise.all(
    Array.from({ length: count }, () => CuttingProxy.open(server.port)),
  )
  const settingsOf = (node: number) => ({
    STORE_URL: server.url(name, ways[node]?.port),
    ...(!isLong && { DOCUMENT_THREADS: '0' }),
  })
  let load: Load | undefined
  const outcomes = { edits: 0, creates: 0, saved: 0, unanswered: 0 }
  try {
    await service.start((node) => settingsOf(node))
    const node = () => chance.below(count)
    const restart = (of: number) => service.startNode(of, settingsOf(of))
    const scene = { service, chance, ways, node, restart }
    const ready = async () => (await areReady(service)).every((isReady) => isReady)
    await until(ready, waitMs)
    const grounds: Ground[] = [await groundOn(service), await groundOn(service)]
    for (let round = 0; round < rounds; round++) {
      const now = new Load(service, grounds, `${name}${round}`, true)
      load = now
      now.start()
      await until(() => now.acknowledged > 20, waitMs)
      await fault(scene)
      const before = now.acknowledged
      await until(() => now.acknowledged > before + 10, waitMs)
      await now.finish()
      await until(ready, waitMs)
      await now.assertReplays()
      for (const { typist } of now.typists) {
        outcomes.saved += typist.saved.length
        typist.stop()
      }
      for (const { method, answer } of now.requests) {
        if (answer === undefined) outcomes.unanswered++
        else outcomes[method === 'PATCH' ? 'edits' : 'creates']++
      }
    }
    await service.end('SIGTERM')
    const store = await openPostgresStore({ url, runtime })
    for await (const slug of allDocSlugs(store)) {
      assert.is(await verifyDocument(store, slug, runtime), undefined, slug)
    }
    await store.close()
    console.log(`\nseed ${seed} ${name}: ${rounds}, ${JSON.stringify(outcomes)}, lost 0`)
  } finally {
    await load?.abandon()
    await Promise.all(ways.map((way) => way.close()))
    await service.remove()
  }
}

testOf('a node that is killed', () =>
  underFaults('killed', times(2, 100), async ({ service, node, restart }) => {
    const killed = node()
    await service.endNode(killed, 'SIGKILL')
    await pause(500)
    await restart(killed)
  }),
)

testOf('a node that stands still for longer than its lease, amid commits', () =>
  underFaults('paused', times(1, 20), async ({ service, node }) => {
    const paused = node()
    service.signal(paused, 'SIGSTOP')
    await pause(4_000)
    service.signal(paused, 'SIGCONT')
  }),
)

testOf('a node that does not reach the database', () =>
  underFaults('parted', times(1, 20), async ({ ways, node }) => {
    const way = ways[node()]
    if (way === undefined) throw new TypeError('a node without a way')
    way.isSilent = true
    await pause(4_000)
    way.isSilent = false
    way.cutAll()
  }),
)

testOf('a database that is killed and comes back', () =>
  underFaults('restarted', times(1, 20), async () => {
    await server.kill()
    await pause(300)
    await server.restart()
  }),
)

test.run()
