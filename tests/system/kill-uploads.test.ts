/**
 * Law: a service that is killed amid uploads has each one that it answered with 201, whole, no blob
 * without a record, and the right totals. LONG=1 kills ten times as often.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyAssets } from '../../core/assets/verify.ts'
import { dataPaths, openBlobStore, openLevelStore } from '../../persistence/index.ts'
import { systemRuntime as runtime } from '../../server/runtime.ts'
import { Chance } from '../chance.ts'
import { asText, Service } from '../client.ts'
import { largePng } from '../pictures.ts'
import { Tally } from '../tally.ts'
import { until } from '../waiting.ts'
import { registerAgent } from './matrix/scenes.ts'

const seed = Number(process.env['SEED'] ?? 1)
const kills = process.env['LONG'] === undefined ? 2 : 20
const uploadsEach = 100
const service = new Service()
test.after(() => service.remove())

const blobsOf = () =>
  readdirSync(dataPaths(service.environment.DATA_DIR).blobs, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dataPaths(service.environment.DATA_DIR).blobs, name))
    .filter((path) => statSync(path).isFile())

/** Nothing is missing, nothing is left over, and all totals are right. */
async function assertWhole(): Promise<void> {
  const paths = dataPaths(service.environment.DATA_DIR)
  const store = await openLevelStore({ directory: paths.store, runtime })
  const blobs = await openBlobStore({ directory: paths.blobs, runtime })
  try {
    for await (const { what, problem } of verifyAssets(store, blobs)) {
      assert.unreachable(`${what}: ${problem}`)
    }
  } finally {
    await store.close()
  }
}

test(`kill -9 during ${kills * uploadsEach} uploads: each 201 is there whole, and nothing else`, async () => {
  const chance = new Chance(seed)
  const tally = new Tally()
  await service.start()
  const { secret: token } = await registerAgent(service, 'Uploader')
  const made = await service.ask('POST', '/docs', { token, body: { markdown: '# Pictures' } })
  const at = `/docs/${asText(made.body['id'])}/images`
  const kept = new Map<string, Buffer>()
  for (let kill = 0; kill < kills; kill++) {
    let answered = 0
    const uploads = Array.from({ length: uploadsEach }, async () => {
      const raw = largePng(1_000 + chance.below(200_000), chance)
      const headers = { 'content-type': 'image/png' }
      const answer = await service.ask('POST', at, { token, raw, headers }).catch(() => undefined)
      if (answer?.status !== 201) return tally.add('unanswered')
      answered += 1
      kept.set(asText(answer.body['url']), raw)
      tally.add('answered')
    })
    const enough = 5 + chance.below(40)
    await until(
      20_000,
      () => answered >= enough || undefined,
      () => `${answered} answered`,
    )
    await service.end('SIGKILL')
    await Promise.all(uploads)
    await service.start()
    await service.end('SIGTERM')
    await assertWhole()
    await service.start()
    for (const [url, bytes] of kept) {
      const got = await fetch(`${service.base}${url}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.is(got.status, 200)
      assert.ok(Buffer.from(await got.arrayBuffer()).equals(bytes), url)
    }
  }
  assert.ok(blobsOf().length >= kept.size)
  tally.tell(`${seed} kills amid uploads`, { answered: 15, unanswered: 10 })
})

test.run()
