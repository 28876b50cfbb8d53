/**
 * What is open and what is being made share one bound of memory (extensions §8): whoever is not
 * used leaves, whoever works stays, and who finds no room is told so.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Memory, memoryWaitMaxMs } from '../../../core/documents/open/memory.ts'
import type { Refusal } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { silentFollower } from '../../silent-peers.ts'
import { SimulatedRuntime, settled } from '../../simulated-runtime.ts'
import { Copy, Wire, within } from './wire.ts'
import { simulatedWorld } from './world.ts'

/** Some 200 KB of memory. */
const text = 'words of some length\n\n'.repeat(50)
/** More columns than a table may have. */
const tooWide = `${'|'.repeat(200)}\n${'|-'.repeat(199)}|\n`
const cost = 200 * 1024
const nobody = silentFollower
const attacker = { address: '10.6.6.6', link: '' }
const other = { address: '10.0.0.1', link: '' }

type World = Awaited<ReturnType<typeof simulatedWorld>>
type Made = Awaited<ReturnType<World['create']>>

test('documents nobody is in leave for the next one, the least recently used first', async () => {
  const world = await simulatedWorld({ memoryMaxBytes: 5 * cost })
  const made = []
  for (let count = 0; count < 12; count++) {
    made.push(await createOpen(world))
    await world.runtime.pass(1)
    assert.ok(world.documents.memoryBytes <= 5 * cost)
  }
  assert.ok(world.documents.openCount >= 2 && world.documents.openCount <= 5)
  world.store.loads = 0
  const [first] = made
  const last = made.at(-1)
  if (first === undefined || last === undefined) throw new Error('none was made')
  await world.documents.follow(last.slug, nobody)
  assert.is(world.store.loads, 0, 'the newest stayed')
  await world.documents.follow(first.slug, nobody)
  assert.is(world.store.loads, 1, 'the oldest had left')
  assert.ok(world.documents.memoryBytes <= 5 * cost)
  assert.equal(world.troubles, [])
  await world.close()
})

test('what leaves memory is given back: at rest nothing is counted', async () => {
  const world = await simulatedWorld()
  for (let count = 0; count < 5; count++) {
    const made = await world.create(text)
    await world.patch(made, text.trimEnd(), 'other words')
  }
  const refused = await world.call('POST', '/docs', undefined, { markdown: tooWide })
  assert.is(refused.status, 422)
  assert.ok(world.documents.memoryBytes > 0)
  await world.runtime.pass(limits.openDocumentIdleMs)
  assert.is(world.documents.openCount, 0)
  assert.is(world.documents.memoryBytes, 0)
  await world.close()
})

test('a document that only idle editors and watchers hold sleeps, a large one too; they lose nothing', async () => {
  const large = 'many words\n\n'.repeat(4_096)
  const world = await simulatedWorld({ memoryMaxBytes: 36 * 1024 * 1024 })
  const made = await world.create(large)
  const copy = new Copy(world.address, `/docs/${made.slug}/live?events=json`, made)
  await copy.synced()
  const watcher = new Wire(world.address, `/docs/${made.slug}/changes/connect`, made)
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  copy.type('many', ' more')
  await copy.until(() => copy.events('saved').length > 0, 'saved')
  await world.runtime.pass(limits.inUseMs * 2)
  const next = await world.create(large)
  assert.is(world.documents.openCount, 0, 'it made room for the other')
  assert.is(world.sockets.liveCount, 1, 'and its editor stays')
  await world.runtime.pass(limits.inUseMs * 2)
  const told = watcher.texts.length
  copy.type('more', ' more')
  assert.ok(await within(heardOf(world, made, 'many more more'), 'the key'), 'it woke for the key')
  await watcher.until(() => watcher.texts.length > told, 'the watcher is told')
  assert.is(await world.markdown(next), `${large.trimEnd()}\n`)
  assert.equal(world.troubles, [])
  await world.close()
})

test('a document in use is not thrown out: 429 BUSY to who makes one, 503 and 1013 to who opens one', async () => {
  const world = await simulatedWorld({ memoryMaxBytes: 3.5 * cost })
  const made = [await world.create(text), await world.create(text), await world.create(text)]
  const [one, two, three] = made
  if (one === undefined || two === undefined || three === undefined) throw new Error('three')
  const copies = [one, two].map((of) => new Copy(world.address, `/docs/${of.slug}/live`, of))
  for (const copy of copies) await copy.synced()
  const body = { markdown: text.repeat(2) }
  const busy = world.call('POST', '/docs', undefined, body)
  const edit = { edits: [{ old_string: 'words', new_string: 'more' }] }
  const unavailable = world.call('PATCH', `/docs/${three.slug}`, three.token, edit)
  const late = new Copy(world.address, `/docs/${three.slug}/live`, three)
  for (let passed = 0; passed <= memoryWaitMaxMs + 1_000; passed += 1_000) {
    for (const copy of copies) copy.type('words', '.')
    await settled(20)
    await world.runtime.pass(1_000)
  }
  const [refused, unread] = [await busy, await unavailable]
  assert.is(refused.status, 429)
  assert.is(refused.body['code'], 'BUSY')
  assert.is(refused.headers.get('ratelimit-limit'), null)
  assert.is(unread.status, 503)
  assert.is(unread.body['code'], 'UNAVAILABLE')
  for (const { headers } of [refused, unread]) assert.ok(Number(headers.get('retry-after')) >= 1)
  assert.is(await late.code(), 1013)
  assert.is(world.documents.openCount, 2)
  assert.is(world.sockets.liveCount, 2, 'who was in one still is')
  for (const copy of copies) copy.stop()
  const gone = async () => {
    while (world.sockets.liveCount > 0) await settled()
  }
  await within(gone(), 'the sockets to be gone')
  const read = await world.call('GET', `/docs/${three.slug}`, three.token)
  assert.is(read.status, 200, 'as soon as they have gone there is room')
  await world.close()
})

test('extensions §8: for the aim what is idle leaves, and nothing that is in use', async () => {
  const world = await simulatedWorld({ memoryAimBytes: 2.5 * cost })
  const made = [await world.create(text), await world.create(text)]
  const copies = made.map((of) => new Copy(world.address, `/docs/${of.slug}/live`, of))
  for (const copy of copies) await copy.synced()
  for (let count = 0; count < 5; count++) {
    for (const copy of copies) copy.type('words', '.')
    await settled(20)
    const next = createOpen(world)
    await settled(20)
    await world.runtime.pass(1)
    await next
  }
  world.store.loads = 0
  for (const [index, copy] of copies.entries()) {
    copy.type('words', ' more')
    assert.ok(await within(heardOf(world, made[index] as (typeof made)[0], 'words more'), 'a key'))
  }
  assert.is(world.store.loads, 0, 'who types stayed')
  assert.is(world.documents.openCount, 3, 'and the newest')
  await world.close()
})

test('an open waits in line and goes on when there is room; sources take turns', async () => {
  const runtime = new SimulatedRuntime()
  const memory = new Memory({ runtime, maxBytes: 100, makeRoom: () => {} })
  const whole = await memory.reserve({ bytes: 100, source: attacker, refusal: 'BUSY' })
  const order: string[] = []
  const ask = (name: string, source: typeof other) =>
    memory.reserve({ bytes: 50, source, refusal: 'UNAVAILABLE' }).then((share) => {
      order.push(name)
      return share
    })
  const shares = [ask('bad 1', attacker), ask('bad 2', attacker), ask('bad 3', attacker)]
  const good = ask('good', other)
  whole.resize(50)
  await settled()
  assert.equal(order, ['bad 1'])
  whole.release()
  await good
  assert.equal(order, ['bad 1', 'good'])
  ;(await good).release()
  assert.is(memory.usedBytes, 50 + 50)
  const late = shares[2]?.catch((error: Refusal) => error.code)
  await runtime.pass(memoryWaitMaxMs)
  assert.is(await late, 'UNAVAILABLE')
  assert.is(runtime.waiting, 0, 'no timer is left')
})

test('what is taken for more than all finds room beside what is open', async () => {
  const runtime = new SimulatedRuntime()
  const memory = new Memory({ runtime, maxBytes: 100, makeRoom: () => {} })
  const source = { address: 'a', link: 'a' }
  const open = await memory.reserve({ bytes: 30, source, refusal: 'UNAVAILABLE' })
  const large = await memory.reserve({ bytes: 1_000, source, refusal: 'BUSY' })
  assert.ok(memory.usedBytes <= 100, `${memory.usedBytes}`)
  large.release()
  open.release()
  assert.is(memory.usedBytes, 0)
})

test('extensions §8: beyond MEMORY_MB documents are asked to leave, and nobody waits for them', async () => {
  const runtime = new SimulatedRuntime()
  const asked: number[] = []
  const makeRoom = (bytes: number) => void asked.push(bytes)
  const memory = new Memory({ runtime, maxBytes: 100, aimBytes: 40, makeRoom })
  const need = (bytes: number) => ({ bytes, source: other, refusal: 'UNAVAILABLE' as const })
  const first = await memory.reserve(need(30))
  assert.equal(asked, [])
  const second = await memory.reserve(need(60))
  assert.equal(asked, [50])
  const third = memory.reserve(need(20)).catch((error: Refusal) => error.code)
  await runtime.pass(memoryWaitMaxMs)
  assert.is(await third, 'UNAVAILABLE', 'the bound holds')
  assert.ok(asked.filter((bytes) => bytes === 70).length > 2, 'and room is looked for meanwhile')
  const fourth = memory.reserve(need(20))
  first.release()
  second.release()
  ;(await fourth).release()
  assert.is(memory.usedBytes, 0)
  await runtime.pass(memoryWaitMaxMs)
  assert.is(runtime.waiting, 0, 'no timer is left')
})

test('a share counts what it turned out to cost, until it is released', async () => {
  const runtime = new SimulatedRuntime()
  const memory = new Memory({ runtime, maxBytes: 100, makeRoom: () => {} })
  const share = await memory.reserve({ bytes: 60, source: other, refusal: 'BUSY' })
  share.resize(130)
  assert.is(memory.usedBytes, 130)
  share.resize(20)
  assert.is(memory.usedBytes, 20)
  share.release()
  share.release()
  share.resize(50)
  assert.is(memory.usedBytes, 0)
})

/** Somebody looked into what was created, and left. */
async function createOpen(world: World): Promise<Made> {
  const made = await world.create(text)
  const following = await world.documents.follow(made.slug, nobody)
  following.stop()
  return made
}

async function heardOf(world: World, made: Pick<Made, 'slug'>, words: string): Promise<boolean> {
  while (!(await world.markdown(made)).startsWith(words)) await settled()
  return true
}

test.run()
