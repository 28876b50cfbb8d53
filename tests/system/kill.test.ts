/**
 * Law: a service that is killed amid mixed load loses nothing it acknowledged, does nothing twice,
 * and answers an idempotency key as the first time. LONG=1 kills twenty times as often.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { rebuildText } from '../../core/commit/history-text.ts'
import { verifyDocument } from '../../core/documents/verify.ts'
import { allDocSlugs, openLevelStore } from '../../persistence/index.ts'
import type { Slug } from '../../schema/ids.ts'
import { systemRuntime as runtime } from '../../server/runtime.ts'
import { Chance } from '../chance.ts'
import { type Made, Service, within } from '../client.ts'
import { pause } from '../waiting.ts'
import { Live, until } from './acceptance/sockets.ts'
import { type Ground, groundOn, Load } from './load.ts'

const seed = Number(process.env['SEED'] ?? 1)
const kills = process.env['LONG'] === undefined ? 3 : 100
const service = new Service({ LOG_LEVEL: 'info' })
test.after(() => service.remove())

/**
 * Every document (or those given) is whole, with a dense history, and gives the text that each edit
 * answered with.
 */
async function assertWhole(load: Load, only?: ReadonlySet<string>): Promise<number> {
  const copy = await mkdtemp(join(tmpdir(), 'killed-'))
  await cp(join(service.environment.DATA_DIR, 'store'), copy, { recursive: true })
  const store = await openLevelStore({ directory: copy, runtime })
  let documents = 0
  try {
    for await (const slug of allDocSlugs(store)) {
      documents++
      if (only !== undefined && !only.has(`/docs/${slug}`)) continue
      assert.is(await verifyDocument(store, slug, runtime), undefined, slug)
    }
    for (const { method, path, answer } of load.requests) {
      if (method !== 'PATCH' || answer === undefined) continue
      const { revision, markdown } = answer.body
      const slug = path.slice('/docs/'.length) as Slug
      assert.is(await rebuildText(store, slug, Number(revision)), markdown, `revision ${revision}`)
    }
  } finally {
    await store.close()
    await rm(copy, { recursive: true })
  }
  return documents
}

test(`kill -9 amid mixed load, ${kills} times: nothing acknowledged is lost`, async () => {
  const chance = new Chance(seed)
  await service.start()
  const grounds: Ground[] = [await groundOn(service), await groundOn(service)]
  const outcomes = { edits: 0, creates: 0, saved: 0, unanswered: 0, documents: 0 }
  let before: Load | undefined
  for (let kill = 0; kill < kills; kill++) {
    const load = new Load(service, grounds, `k${kill}`)
    load.start()
    await until(() => load.acknowledged > 8)
    await pause(150 + chance.below(300))
    await service.end('SIGKILL')
    await load.abandon()
    const isLast = kill === kills - 1
    const paths = [...load.owed().keys(), ...grounds.map(({ made }) => made.path)]
    outcomes.documents = await assertWhole(load, isLast ? undefined : new Set(paths))
    for (const { method, answer } of load.requests) {
      if (answer === undefined) outcomes.unanswered++
      else outcomes[method === 'PATCH' ? 'edits' : 'creates']++
    }
    for (const { typist } of load.typists) outcomes.saved += typist.saved.length
    await service.start()
    await load.assertKept()
    await load.assertReplays()
    await before?.assertKept()
    before = load
  }
  assert.ok(outcomes.edits > kills && outcomes.saved > kills && outcomes.creates > kills)
  console.log(`\nseed ${seed} kills: ${kills}, ${JSON.stringify(outcomes)}, lost 0`)
})

async function closesOf(load: Load): Promise<number[]> {
  await until(() => load.typists.every(({ typist }) => typist.closes.length > 0))
  return load.typists.flatMap(({ typist }) => typist.closes.slice(0, 1))
}

test('SIGTERM under load: exit 0 within 10 s, sockets closed with 1001, nothing lost', async () => {
  const grounds: Ground[] = [await groundOn(service), await groundOn(service)]
  const load = new Load(service, grounds, 'term')
  load.start()
  await until(() => load.acknowledged > 30)
  const ended = await service.end('SIGTERM')
  assert.equal(await closesOf(load), [1001, 1001])
  await load.abandon()
  assert.is(ended.code, 0, ended.output.slice(-500))
  assert.ok(ended.ms < 10_000, `${ended.ms} ms`)
  await assertWhole(load)
  await service.start()
  await load.assertKept()
  await load.assertReplays()
})

test('a backup under load holds all that was acknowledged before it began', async () => {
  const grounds: Ground[] = [await groundOn(service), await groundOn(service)]
  const load = new Load(service, grounds, 'backup')
  load.start()
  await until(() => load.acknowledged > 30)
  const owed = load.owed()
  const target = join(service.directory, 'backup')
  const taken = service.spawn('dist/backup.js', [target], service.environment)
  let told = ''
  taken.stdout.on('data', (data) => (told += data))
  const code = await new Promise((resolve) => taken.on('close', resolve))
  assert.is(code, 0, told)
  const later = load.owed()
  await load.finish()
  await load.assertKept()
  const count = (words: Map<string, Set<string>>) =>
    [...words.values()].reduce((sum, { size }) => sum + size, 0)
  assert.ok(count(later) > count(owed), 'writes went on meanwhile')
  const restored = new Service({ DATA_DIR: target })
  await restored.start()
  try {
    await load.assertKept(owed, restored)
    for (const { made } of grounds) await assertTurnedAway(restored, made, load)
  } finally {
    for (const { typist } of load.typists) typist.stop()
    await restored.remove()
  }
  console.log(`\nseed 0 backup under load: ${count(owed)} owed, ${count(later)} by its end`)
})

/** Whoever holds edits of somebody else that the restored service never heard of. */
async function assertTurnedAway(restored: Service, { slug, path, token }: Made, load: Load) {
  const typist = load.typists.find((one) => one.slug === slug)?.typist
  const last = load.requests.filter((one) => one.path === path && one.answer).at(-1)
  assert.ok(typist && last)
  if (typist === undefined || last === undefined) return
  await until(() => typist.live.text.includes(last.word))
  typist.live.provider.disconnect()
  const ahead = new Live(restored, slug, { token, doc: typist.live.doc })
  assert.is(await within(5000, ahead.closed), 4409)
  ahead.stop()
}

test.run()
