/** Interface §2.2: which typing is one revision, when it is sealed, and whom its row names. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeHistoryRow } from '../../../core/commit/history-row.ts'
import { revisionIdleMs } from '../../../core/documents/open/revision-window.ts'
import { docHistory } from '../../../persistence/keys.ts'
import { everything } from '../core/documents/views/whole-view.ts'
import { Copy, Wire } from './wire.ts'
import { type Made, simulatedWorld } from './world.ts'

const world = await simulatedWorld()
const open: { stop(): void }[] = []
test.after(() => world.close())
test.after.each(() => {
  for (const one of open.splice(0)) one.stop()
})

async function join(made: Made, token = made.token): Promise<Copy> {
  const copy = new Copy(world.address, `/docs/${made.slug}/live`, { token })
  open.push(copy)
  return copy.synced()
}

async function types(copy: Copy, added: string): Promise<void> {
  copy.type('words', added)
  await copy.handled()
}

async function rowOf({ slug }: Made, revision: number) {
  const stored = await world.store.get(docHistory(slug, revision))
  return stored && decodeHistoryRow(stored.value)
}

async function watch(made: Made): Promise<Wire> {
  const watcher = new Wire(world.address, `/docs/${made.slug}/changes/connect`, made)
  open.push(watcher)
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  return watcher
}

const told = (watcher: Wire) =>
  watcher.texts.filter(({ type }) => type === 'doc_changed').map(({ revision }) => revision)

test('typing joins until 150 ms of silence', async () => {
  const made = await world.create('words\n')
  const [copy, watcher] = [await join(made), await watch(made)]
  await types(copy, 'a')
  await world.runtime.pass(revisionIdleMs - 1)
  await types(copy, 'b')
  await world.runtime.pass(revisionIdleMs - 51)
  assert.equal(told(watcher), [])
  await world.runtime.pass(51)
  await watcher.until(() => told(watcher).length > 0, 'doc_changed')
  assert.equal(told(watcher), [2])
})

test('typing without a pause is sealed after 250 ms', async () => {
  const made = await world.create('words\n')
  const [copy, watcher] = [await join(made), await watch(made)]
  for (let ms = 0; ms < 300; ms += 50) {
    await types(copy, 'a')
    await world.runtime.pass(50)
  }
  await watcher.until(() => told(watcher).length > 0, 'doc_changed')
  assert.equal(told(watcher), [2])
  await world.runtime.pass(revisionIdleMs)
  await watcher.until(() => told(watcher).length > 1, 'the rest')
  assert.equal(told(watcher), [2, 3])
})

test('another writer begins another revision; each row names its own', async () => {
  const made = await world.create('words\n')
  await world.identify(made.slug, made.share, 'Other')
  const [one, two] = [await join(made), await join(made, made.share)]
  await types(one, 'a')
  await types(two, 'b')
  assert.equal((await rowOf(made, 2))?.actors, [made.actor])
  const second = (await rowOf(made, 3))?.actors
  assert.is(second?.length, 1)
  assert.is.not(second?.[0], made.actor)
})

test('writers of one store commit share a revision, and its row names them all', async () => {
  const made = await world.create('words\n')
  await world.identify(made.slug, made.share, 'Other')
  const [one, two] = [await join(made), await join(made, made.share)]
  const release = world.store.holdCommits()
  one.type('words', 'a')
  await world.runtime.pass(1)
  one.type('words', 'b')
  two.type('words', 'c')
  await world.runtime.pass(1)
  release()
  await Promise.all([one.handled(), two.handled()])
  const revision = (await world.documents.read(made.slug, {})).revision
  const rows = await Promise.all([2, 3].map((number) => rowOf(made, number)))
  assert.ok(revision <= 3)
  assert.ok(
    rows.some((row) => row?.actors.length === 2),
    JSON.stringify(rows),
  )
})

test('a read seals, so that what it answers never changes', async () => {
  const made = await world.create('words\n')
  const copy = await join(made)
  await types(copy, 'a')
  const first = await world.documents.read(made.slug, everything)
  await types(copy, 'b')
  const second = await world.documents.read(made.slug, everything)
  assert.equal([first.revision, first.markdown], [2, 'wordsa\n'])
  assert.equal([second.revision, second.markdown], [3, 'wordsba\n'])
  assert.is(await world.documents.revisionText(made.slug, 2), 'wordsa\n')
})

test('a PATCH is a revision of its own between typing', async () => {
  const made = await world.create('words\n')
  const copy = await join(made)
  await types(copy, 'a')
  assert.is(await world.patch(made, 'wordsa', 'wordsX'), 3)
  await types(copy, 'b')
  assert.is((await world.documents.read(made.slug, {})).revision, 4)
})

test('a change stream begins at a sealed revision', async () => {
  const made = await world.create('words\n')
  const copy = await join(made)
  await types(copy, 'a')
  const watcher = await watch(made)
  assert.is(watcher.texts[0]?.['revision'], 2)
  await types(copy, 'b')
  await world.runtime.pass(revisionIdleMs)
  await watcher.until(() => told(watcher).length > 0, 'doc_changed')
  assert.equal(told(watcher), [3])
})

test.run()
