/** Which documents are in memory: loaded once, never served early, gone when idle. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Change } from '../../../../core/documents/contract.ts'
import { type ActorId, newSlug } from '../../../../schema/ids.ts'
import { limits } from '../../../../schema/limits.ts'
import { silentFollower } from '../../../silent-peers.ts'
import { settled } from '../../../simulated-runtime.ts'
import { everything } from '../../core/documents/views/whole-view.ts'
import { Copy, Wire, within } from '../wire.ts'
import { simulatedWorld } from '../world.ts'

const nobody = silentFollower
const idle = limits.openDocumentIdleMs

async function idleWorld(markdown = 'words\n') {
  const world = await simulatedWorld()
  const made = await world.create(markdown)
  await world.runtime.pass(idle)
  assert.is(world.documents.openCount, 0, 'a document that nobody uses leaves')
  world.store.loads = 0
  return { world, made }
}

test('a document is loaded once, however many ask at the same time', async () => {
  const { world, made } = await idleWorld()
  const { slug } = made
  const release = world.store.holdReads()
  const asked = Array.from({ length: 50 }, () => world.documents.follow(slug, nobody))
  await settled()
  release()
  for (const { revision } of await Promise.all(asked)) assert.is(revision, 1)
  assert.is(world.store.loads, 1)
  assert.is(world.documents.openCount, 1)
  await world.close()
})

test('a document is never served before it has loaded', async () => {
  const { world, made } = await idleWorld()
  const path = `/docs/${made.slug}/live`
  const release = world.store.holdReads()
  const copy = new Copy(world.address, path, { token: made.token })
  await settled(20)
  release()
  await copy.synced()
  assert.is(copy.text, 'words')
  const first = copy.heard.find(({ kind }) => kind !== 'awareness')
  assert.is(first?.kind === 'step1' && first.payload.length > 1, true, 'its vector is not empty')
  copy.stop()
  await world.close()
})

test('a document that was created is not opened before somebody works with it', async () => {
  const world = await simulatedWorld()
  const made = await world.create('word\n\n'.repeat(10_000))
  assert.is(world.documents.openCount, 0)
  assert.is((await world.documents.read(made.slug, {})).revision, 1)
  assert.is(world.documents.openCount, 0, 'to be read it need not be open')
  assert.is(world.documents.memoryBytes, 0)
  const following = await world.documents.follow(made.slug, nobody)
  assert.is(world.documents.openCount, 1)
  following.stop()
  await world.runtime.pass(idle)
  await settled(50)
  assert.is(world.documents.openCount, 0)
  await world.close()
})

test('§2.2 of what was created readers are told the same before and after it is opened', async () => {
  const world = await simulatedWorld()
  const leaves = '![p](https://example.org/a.png) <kbd>x</kbd>\\\nand **bold**'
  const made = await world.create(
    `# A\n\n${leaves}\n\n---\n\n- [x] b\n\n<div>\n\n| c | d |\n| - | - |\n| e | |\n`,
  )
  const told = async () => {
    const view = await world.documents.read(made.slug, everything)
    const { revision, title, markdown, changedAt, facts } = view
    const [runs, blocks] = [view.authorship(), view.contentBlocks()]
    const hues = view.authors().map((author) => [author, view.hueOf(author)])
    return { revision, title, markdown, changedAt, facts, runs, blocks, hues }
  }
  const before = await told()
  assert.is(world.documents.openCount, 0)
  const following = await world.documents.follow(made.slug, nobody)
  assert.is(world.documents.openCount, 1)
  assert.equal(await told(), before)
  assert.ok(before.runs.length > 0 && before.blocks.length > 8 && before.hues.length === 1)
  following.stop()
  await world.close()
})

test('what is used stays, and leaves a minute after the last one went', async () => {
  const { world, made } = await idleWorld()
  const copy = new Copy(world.address, `/docs/${made.slug}/live`, { token: made.token })
  await copy.synced()
  await world.runtime.pass(idle - 1_000)
  assert.is(world.documents.openCount, 1)
  copy.stop()
  await within(
    gone(() => world.sockets.liveCount === 0),
    'the socket to be gone',
  )
  await world.runtime.pass(idle - 1)
  assert.is(world.documents.openCount, 1)
  await world.runtime.pass(1)
  assert.is(world.documents.openCount, 0)
  await world.close()
})

test('a document that is asked for while it leaves is loaded after its last commit', async () => {
  const { world, made } = await idleWorld()
  await world.patch(made, 'words', 'later')
  const release = world.store.holdCommits()
  await world.runtime.pass(idle)
  assert.is(world.documents.openCount, 0)
  const read = world.documents.read(made.slug, { markdown: true })
  const followed = world.documents.follow(made.slug, nobody)
  await settled()
  release()
  assert.is((await read).markdown, 'later\n')
  assert.is((await followed).revision, 2)
  await world.close()
})

test('when the last commit fails on leaving, the service lives and the document is loaded anew', async () => {
  const { world, made } = await idleWorld()
  await world.patch(made, 'words', 'later')
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  world.store.failure = new Error('the disk is full')
  await world.runtime.pass(idle)
  await settled(20)
  world.store.failure = undefined
  process.off('unhandledRejection', onRejection)
  assert.equal(rejections, [])
  assert.is(world.troubles.length, 1, 'it is logged')
  assert.is(await world.markdown(made), 'later\n')
  await world.close()
})

test('a load that fails is tried again', async () => {
  const { world, made } = await idleWorld()
  const { get } = world.store
  world.store.get = () => Promise.reject(new Error('no answer'))
  const outcome = await world.documents.read(made.slug, {}).catch((error: Error) => error.message)
  assert.is(outcome, 'no answer')
  world.store.get = get
  assert.is(await world.markdown(made), 'words\n')
  await world.close()
})

test('a write that cannot be stored ends editors and watchers with 1013; then all goes on', async () => {
  const { world, made } = await idleWorld()
  const copy = new Copy(world.address, `/docs/${made.slug}/live`, { token: made.token })
  await copy.synced()
  const watcher = new Wire(world.address, `/docs/${made.slug}/changes/connect`, made)
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  world.store.failure = new Error('the disk is full')
  copy.type('words', ' lost')
  assert.is(await copy.code(), 1013)
  assert.is(await watcher.code(), 1013)
  world.store.failure = undefined
  assert.is(await world.markdown(made), 'words\n')
  assert.is(world.troubles.length, 1)
  await world.patch(made, 'words', 'more')
  await world.close()
})

test('a follower of core hears the end', async () => {
  const { world, made } = await idleWorld()
  const heard: Change[] = []
  let ends = 0
  await world.documents.follow(made.slug, {
    ...silentFollower,
    onChange: (change) => void heard.push(change),
    onClose: () => {
      ends++
    },
  })
  await world.patch(made, 'words', 'more')
  assert.equal(
    heard.map(({ revision, event }) => [revision, event]),
    [[2, 'edit']],
  )
  assert.is(heard[0]?.actors.length, 1)
  world.store.failure = new Error('the disk is full')
  const patched = await world.call('PATCH', `/docs/${made.slug}`, made.token, {
    edits: [{ old_string: 'more', new_string: 'most' }],
  })
  assert.is(patched.status, 503)
  assert.is(ends, 1)
  await world.close()
})

test('300 documents opened and left leave nothing behind', async () => {
  const world = await simulatedWorld()
  const slugs = []
  for (let n = 0; n < 300; n++) {
    const slug = newSlug(world.runtime)
    await world.documents.create({ ...anyDocument, slug })
    slugs.push(slug)
    if (n % 100 === 99) await world.runtime.pass(idle)
  }
  const timers = world.runtime.waiting
  const followings = await Promise.all(slugs.map((slug) => world.documents.follow(slug, nobody)))
  assert.is(world.documents.openCount, 300)
  for (const following of followings) following.stop()
  await world.runtime.pass(idle)
  assert.is(world.documents.openCount, 0)
  assert.is(world.runtime.waiting, timers, 'no timer is left')
  await world.close()
})

const anyDocument = {
  markdown: 'words\n',
  linkAccess: { mode: 'anyone', role: 'editor' },
  writer: { actor: 'human:ada' as ActorId, authMethod: 'token' },
  puts: [],
  replay: null,
} as const

async function gone(claim: () => boolean): Promise<void> {
  while (!claim()) await settled()
}

test.run()
