/** Extensions §5 from inside: roles of open sockets, events, time, slow readers, stopping. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { provenanceEveryMs } from '../../../../core/documents/live/live-peers.ts'
import { revisionIdleMs } from '../../../../core/documents/open/revision-window.ts'
import { limits } from '../../../../schema/limits.ts'
import { socketPingEveryMs } from '../../../../server/sockets/socket-server.ts'
import { SimulatedRuntime, settled } from '../../../simulated-runtime.ts'
import { Copy, step2Of, stock, textsOf, updateOf, Wire, type WireOptions, within } from '../wire.ts'
import { type Made, openWorld, simulatedWorld } from '../world.ts'

const world = await simulatedWorld()
const open: { stop(): void }[] = []
test.after(() => world.close())
test.after.each(async () => {
  for (const one of open.splice(0)) one.stop()
  await settled()
})

const liveOf = ({ slug }: Made, query = '') => `/docs/${slug}/live${query}`

async function join(made: Made, options: WireOptions & { ydoc?: Y.Doc } = made): Promise<Copy> {
  const copy = new Copy(world.address, liveOf(made), { token: made.token, ...options })
  open.push(copy)
  return copy.synced()
}

async function told(made: Made): Promise<Copy> {
  const copy = new Copy(world.address, liveOf(made, '?events=json'), made)
  open.push(copy)
  return copy.synced()
}

async function eventually(claim: () => boolean | Promise<boolean>, what: string): Promise<void> {
  let isOver = false
  const look = async () => {
    while (!isOver && !(await claim())) await settled()
  }
  await within(look(), what).finally(() => {
    isOver = true
  })
}

const savedOf = (copy: Copy) => copy.events('saved').at(-1)?.['data'] as { updates: number }

test('a stock provider syncs both ways', async () => {
  const made = await world.create('words\n')
  const one = stock(world.address, made.slug, made.token)
  const two = stock(world.address, made.slug, made.token)
  open.push(one, two)
  await Promise.all([one.synced(), two.synced()])
  const [text] = textsOf(one.ydoc)
  text?.insert(0, 'more ')
  await eventually(() => [...textsOf(two.ydoc)][0]?.length === 10, 'the words on the other side')
  assert.is(await world.markdown(made), 'more words\n')
})

for (const role of ['viewer', 'commenter'] as const) {
  test(`a ${role} reads and is told; what it writes closes with 4403`, async () => {
    const made = await world.create('words\n')
    const reader = await join(made, { token: await world.token(made.slug, role, 'Reader') })
    await world.patch(made, 'words', 'other words')
    await reader.untilText('other words')
    reader.type('other', ' eve')
    assert.is(await reader.code(), 4403)
    assert.is(await world.markdown(made), 'other words\n')
  })

  test(`a ${role}'s clean-up is dropped without a word`, async () => {
    const made = await world.create('words here\n')
    const reader = await join(made, { token: await world.token(made.slug, role, 'Reader') })
    const [text] = textsOf(reader.ydoc)
    text?.delete(0, 3)
    await reader.handled()
    assert.is(reader.closeCode, undefined)
    assert.is(await world.markdown(made), 'words here\n')
  })
}

test('extensions §4: live typing past the limit is refused with 4413', async () => {
  const small = await openWorld(new SimulatedRuntime(), { markdownMaxBytes: 4_000 })
  const made = await small.create(`start ${'é'.repeat(1_800)}\n`)
  const copy = new Copy(small.address, liveOf(made), made)
  await copy.synced()
  copy.type('start', ' more')
  await copy.handled()
  const before = await small.markdown(made)
  assert.match(before, /^start more/)
  copy.type('start', ' x'.repeat(600))
  assert.is(await copy.code(), 4413)
  assert.is(await small.markdown(made), before)

  const again = new Copy(small.address, liveOf(made), made)
  await again.synced()
  const [text] = textsOf(again.ydoc)
  text?.delete(10, 1_000)
  await again.handled()
  again.type('start', ' x'.repeat(400))
  await again.handled()
  assert.is(again.closeCode, undefined)
  assert.match(await small.markdown(made), /^start x x/)
  again.stop()
  await small.close()
})

test('extensions §5: a role that is lost while the socket is open: 4403, and it writes no more', async () => {
  const made = await world.create('words\n')
  const token = await world.token(made.slug, 'editor', 'Ann')
  const copy = await join(made, { token })
  copy.type('words', ' one')
  await copy.handled()
  await world.setRole(token, 'viewer')
  assert.is(await copy.code(), 4403)
  assert.is(await world.markdown(made), 'words one\n')
})

test('extensions §5: a role that is gained: 4503, after which a stock client comes back', async () => {
  const made = await world.create('words\n')
  const token = await world.token(made.slug, 'viewer', 'Ann')
  const copy = await join(made, { token })
  await world.setRole(token, 'editor')
  assert.is(await copy.code(), 4503)
})

test('a token that is deleted: 4401, for editors and watchers', async () => {
  const made = await world.create('words\n')
  const token = await world.token(made.slug, 'editor', 'Ann')
  const copy = await join(made, { token })
  const watcher = new Wire(world.address, `/docs/${made.slug}/changes/connect`, { token })
  open.push(watcher)
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  await world.revoke(token)
  assert.is(await copy.code(), 4401)
  assert.is(await watcher.code(), 4401)
})

test('who lost its token writes no more, even when it does not answer the close', async () => {
  const made = await world.create('words\n')
  const token = await world.token(made.slug, 'editor', 'Eve')
  const copy = await join(made, { token })
  const raw = Reflect.get(copy.socket, '_socket') as { pause(): void; resume(): void }
  raw.pause()
  await world.revoke(token)
  await settled(50)
  copy.type('words', ' eve')
  await settled(50)
  assert.is(await world.markdown(made), 'words\n')
  raw.resume()
  assert.is(await copy.code(), 4401)
})

test('a nameless token: 4412 on its first write; after it identified it writes on', async () => {
  const made = await world.create('words\n', '')
  const eager = await join(made)
  eager.type('words', ' lost')
  assert.is(await eager.code(), 4412)
  const copy = await join(made)
  await world.identify(made.slug, made.token, 'Late')
  copy.type('words', ' kept')
  await copy.handled()
  assert.is(copy.closeCode, undefined)
  assert.is(await world.markdown(made), 'words kept\n')
})

test('keys typed by a stock client before it answers step 1 wait for that answer', async () => {
  const made = await world.create('words\n')
  const first = await join(made)
  const ydoc = new Y.Doc()
  Y.applyUpdate(ydoc, Y.encodeStateAsUpdate(first.ydoc))
  const [text] = textsOf(ydoc)
  text?.insert(5, ' offline')
  const offline = Y.encodeStateAsUpdate(ydoc)
  const before = Y.encodeStateVector(ydoc)
  text?.insert(13, ' new')
  const wire = new Wire(world.address, liveOf(made), made)
  open.push(wire)
  await wire.opened
  wire.send(updateOf(Y.encodeStateAsUpdate(ydoc, before)))
  await wire.handled()
  assert.is(await world.markdown(made), 'words\n', 'it waits')
  wire.send(step2Of(offline))
  await wire.handled()
  assert.is(await world.markdown(made), 'words offline new\n')
})

/** An update whose earlier part the service never gets. */
async function gapped(made: Made, words: string): Promise<{ wire: Wire; update: Uint8Array }> {
  const first = await join(made)
  const ydoc = new Y.Doc()
  Y.applyUpdate(ydoc, Y.encodeStateAsUpdate(first.ydoc))
  const [text] = textsOf(ydoc)
  text?.insert(5, 'missing')
  const before = Y.encodeStateVector(ydoc)
  text?.insert(12, words)
  const wire = new Wire(world.address, liveOf(made), made)
  open.push(wire)
  await wire.opened
  return { wire, update: Y.encodeStateAsUpdate(ydoc, before) }
}

test('updates with gaps wait at most 10 s', async () => {
  const made = await world.create('words\n')
  const { wire, update } = await gapped(made, 'x')
  wire.send(updateOf(update))
  await wire.handled()
  await world.runtime.pass(limits.parkedUpdateMaxMs - 1)
  await wire.handled()
  assert.is(wire.closeCode, undefined)
  await world.runtime.pass(1)
  assert.is(await wire.code(), 4409)
})

test('updates with gaps wait in at most 256 KiB', async () => {
  const made = await world.create('words\n')
  const { wire, update } = await gapped(made, 'x'.repeat(100_000))
  for (let n = 0; n < 3; n++) wire.send(updateOf(update))
  assert.is(await wire.code(), 4409)
})

test('after its answer to step 1 nothing with a gap waits', async () => {
  const made = await world.create('words\n')
  const { wire, update } = await gapped(made, 'x')
  wire.send(step2Of(Uint8Array.of(0, 0)))
  wire.send(updateOf(update))
  assert.is(await wire.code(), 4409)
})

test('saved counts every update message, stored or dropped; others are not told', async () => {
  const made = await world.create('words\n')
  const [copy, quiet] = [await told(made), await join(made)]
  await copy.until(() => savedOf(copy)?.updates === 1, 'its step 2 to be settled')
  copy.type('words', ' a')
  copy.send(updateOf(Uint8Array.of(0, 0)))
  copy.type('a', 'b')
  await copy.until(() => savedOf(copy)?.updates === 4, 'all to be settled')
  assert.equal(quiet.texts, [])
})

test('saved comes when the disk has it and not before', async () => {
  const made = await world.create('words\n')
  const [copy, other] = [await told(made), await join(made)]
  await copy.until(() => savedOf(copy)?.updates === 1, 'its step 2')
  const release = world.store.holdCommits()
  copy.type('words', ' slow')
  await settled(50)
  assert.is(savedOf(copy).updates, 1)
  assert.not(other.text.includes('slow'), 'nor is it shown')
  release()
  await copy.until(() => savedOf(copy).updates === 2, 'the disk')
  await other.untilText('slow')
})

test('provenance at most every 200 ms, the last state always', async () => {
  const made = await world.create('words\n')
  const copy = await told(made)
  for (let n = 0; n < 10; n++) {
    await world.patch(made, 'words', 'xwords')
    await world.runtime.pass(50)
  }
  assert.ok(copy.events('provenance').length <= 3, `${copy.events('provenance').length} frames`)
  await world.runtime.pass(provenanceEveryMs)
  await copy.handled()
  const last = copy.events('provenance').at(-1)?.['data'] as { ranges: { to: number }[] }
  assert.is(last.ranges.at(-1)?.to, 'xxxxxxxxxxwords\n'.length)
})

test('typing is one revision, sealed after 150 ms of silence; then doc_changed', async () => {
  const made = await world.create('words\n')
  const copy = await told(made)
  const changes = () => copy.texts.filter(({ type }) => type === 'doc_changed')
  for (const letter of 'abc') {
    copy.type('words', letter)
    await copy.handled()
    await world.runtime.pass(revisionIdleMs - 80)
  }
  assert.equal(changes(), [])
  await world.runtime.pass(revisionIdleMs)
  await copy.until(() => changes().length > 0, 'doc_changed')
  const { slug } = made
  const change = { type: 'doc_changed', slug, revision: 2, since_revision: 1, event: 'edit' }
  const [{ actors, ...said } = { actors: [] }] = changes()
  assert.equal(said, change)
  assert.is((actors as string[]).length, 1)
  assert.is(changes().length, 1)
})

test('an idle editor hears something at least every 30 s, and its pings keep it', async () => {
  const made = await world.create('words\n')
  const copy = await join(made)
  await copy.handled()
  let pings = 0
  copy.socket.on('ping', () => pings++)
  for (let minute = 0; minute < 6; minute++) {
    const before = copy.heard.length
    await world.runtime.pass(25_000)
    await copy.until(() => copy.heard.length > before, 'an echo')
  }
  await eventually(() => pings >= 4, 'pings')
  assert.is(copy.closeCode, undefined)
})

test('a peer that answers no ping is dropped', async () => {
  const made = await world.create('words\n')
  const copy = await join(made)
  const before = world.sockets.liveCount
  const raw = Reflect.get(copy.socket, '_socket') as { pause(): void }
  raw.pause()
  await world.runtime.pass(socketPingEveryMs)
  assert.is(world.sockets.liveCount, before)
  await world.runtime.pass(socketPingEveryMs)
  await eventually(() => world.sockets.liveCount === before - 1, 'the silent one to be dropped')
})

test('a reader with more than 1 MiB waiting is dropped; the others are not', async () => {
  const made = await world.create('words\n')
  const [writer, slow, other] = [await join(made), await join(made), await join(made)]
  const before = world.sockets.liveCount
  const raw = Reflect.get(slow.socket, '_socket') as { pause(): void }
  raw.pause()
  const large = 'y'.repeat(200_000)
  for (let n = 0; n < 60 && world.sockets.liveCount === before; n++) {
    const [text] = textsOf(writer.ydoc)
    text?.delete(5, text.length - 5)
    text?.insert(5, ` ${large}${n}`)
    await writer.handled()
    await world.runtime.pass(1_000)
  }
  assert.is(world.sockets.liveCount, before - 1)
  writer.type('words', ' end')
  await other.untilText('words end')
})

test('who asks for the state over and over and does not read holds two of them at most', async () => {
  const made = await world.create(`${'word '.repeat(200)}\n\n`.repeat(1_000))
  const copy = await join(made)
  const raw = Reflect.get(copy.socket, '_socket') as { pause(): void }
  raw.pause()
  const rss = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
  for (let n = 0; n < 300; n++) copy.send(Uint8Array.of(0, 0, 1, 0))
  await settled(400)
  const grown = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - rss
  assert.ok(grown < 48 * 1024 * 1024, `${grown} bytes`)
})

test('what a socket sends while its document loads is bounded', async () => {
  const made = await world.create('words\n')
  await world.runtime.pass(limits.openDocumentIdleMs)
  const wire = new Wire(world.address, liveOf(made), made)
  open.push(wire)
  const release = world.store.holdReads()
  wire.socket.on('open', () => {
    for (let n = 0; n < 20; n++) wire.send(updateOf(new Uint8Array(1024 * 1024)))
  })
  await settled(50)
  release()
  const code = await wire.code()
  assert.ok([1013, 4403].includes(code), `closed with ${code}`)
})

test('stopping closes every socket with 1001', async () => {
  const other = await simulatedWorld()
  const made = await other.create('words\n')
  const copy = await new Copy(other.address, liveOf(made), made).synced()
  const watcher = new Wire(other.address, `/docs/${made.slug}/changes/connect`, made)
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  other.sockets.close()
  assert.equal([await copy.code(), await watcher.code()], [1001, 1001])
  const late = new Wire(other.address, liveOf(made), made)
  assert.is((await late.opened)?.status, 503)
  await other.close()
})

test('nothing of all this was the fault of the service', () => {
  assert.equal(world.troubles, [])
})

test.run()
