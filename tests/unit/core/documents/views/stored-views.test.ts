/**
 * Plain reads of a document that left memory (interface §4.4): answered from the view it left
 * behind, which is never older than what was acknowledged, and never in the way.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Writer } from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { verifyDocument } from '../../../../../core/documents/verify.ts'
import { docView } from '../../../../../persistence/keys.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { type Store, StoreDamage } from '../../../../../persistence/store.ts'
import { type ActorId, newSlug } from '../../../../../schema/ids.ts'
import { limits } from '../../../../../schema/limits.ts'
import { silentFollower } from '../../../../silent-peers.ts'
import { SimulatedRuntime, settled } from '../../../../simulated-runtime.ts'
import { UnrulyStore } from '../../../server/unruly-store.ts'
import { everything } from './whole-view.ts'

const writer: Writer = { actor: 'ai:one' as ActorId, authMethod: 'token' }
const words = (from: string, to: string) => ({
  edits: [{ old_string: from, new_string: to }],
  dryRun: false,
  writer,
})

/** Counts what is asked for, and loses a record when told. */
class CountingStore extends UnrulyStore {
  readonly asked: string[] = []
  lost: string | undefined

  override async get(key: string) {
    this.asked.push(key)
    if (key === this.lost) throw new StoreDamage(key, 'lost')
    return super.get(key)
  }
}

/** Each look at the clock takes a millisecond. */
class BusyRuntime extends SimulatedRuntime {
  override elapsed(): number {
    this.work(1)
    return super.elapsed()
  }
}

async function world(runtime = new SimulatedRuntime()) {
  const store = new CountingStore(await openMemoryStore({ runtime }))
  const open = (on: Store = store) =>
    openDocuments({
      store: on,
      runtime,
      onTrouble: ({ error }) => assert.unreachable(String(error)),
    })
  const documents = open()
  const slug = newSlug(runtime)
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  const markdown = '# Title\n\none two\n'
  await documents.create({ markdown, linkAccess, slug, writer, puts: [], replay: null })
  const leave = async () => {
    await runtime.pass(limits.openDocumentIdleMs)
    assert.is(documents.openCount, 0)
  }
  const verify = () => verifyDocument(store, slug, runtime)
  return { runtime, store, documents, slug, leave, verify }
}

test('a document that left is read without being opened', async () => {
  const { documents, slug, leave, store, verify } = await world()
  await documents.patch(slug, words('one', '1'))
  await leave()
  store.asked.length = 0
  const [view, again] = await Promise.all([
    documents.read(slug, everything),
    documents.read(slug, everything),
  ])
  assert.is(view.markdown, '# Title\n\n1 two\n')
  assert.is(view.title, 'Title')
  assert.is(view.revision, 2)
  assert.is(view.authorship().length, 1)
  assert.is(again.markdown, view.markdown)
  assert.is(documents.openCount, 0)
  assert.is(store.asked.filter((key) => key === docView(slug)).length, 1, 'read once for both')
  assert.is(await verify(), undefined)
  await documents.close()
})

test('what is written afterwards is read, however the document left again', async () => {
  const { documents, slug, leave, verify } = await world()
  await leave()
  await documents.read(slug, everything)
  for (const [from, to] of [
    ['one', '1'],
    ['two', '2'],
  ] as const) {
    await documents.patch(slug, words(from, to))
    assert.match((await documents.read(slug, { markdown: true })).markdown, to, 'while it is open')
    await leave()
    assert.match((await documents.read(slug, { markdown: true })).markdown, to, 'after it left')
    assert.is(await verify(), undefined)
  }
  await documents.configure(slug, { readOnly: true }, { writer })
  assert.ok((await documents.read(slug, {})).facts.readOnly)
  await leave()
  const view = await documents.read(slug, everything)
  assert.ok(view.facts.readOnly)
  assert.is(view.revision, 4)
  await documents.close()
})

test('a read while the document leaves waits for what it leaves behind', async () => {
  const { documents, slug, runtime } = await world()
  await documents.patch(slug, words('one', '1'))
  const leaving = runtime.pass(limits.openDocumentIdleMs)
  const view = await documents.read(slug, everything)
  await leaving
  assert.match(view.markdown, '1 two')
  await documents.close()
})

test('a view that is gone, damaged, or another is no view: the document is opened', async () => {
  const { documents, slug, leave, store, verify } = await world()
  await leave()
  store.lost = docView(slug)
  assert.match((await documents.read(slug, { markdown: true })).markdown, 'one two')
  assert.is(documents.openCount, 1)
  store.lost = undefined
  await leave()
  await store.commit({ puts: [{ key: docView(slug), value: Buffer.from([1, 2, 3]) }] })
  assert.match((await documents.read(slug, { markdown: true })).markdown, 'one two')
  assert.is(documents.openCount, 1)
  assert.match((await verify()) ?? '', 'the stored view is another one')
  await leave()
  await store.commit({ deletes: [docView(slug)] })
  assert.match((await documents.read(slug, { markdown: true })).markdown, 'one two')
  assert.match((await verify()) ?? '', 'the stored view is missing')
  await documents.close()
})

test('a document that is only opened and left again is not written anew', async () => {
  const { documents, slug, leave, store } = await world()
  await leave()
  const view = await store.get(docView(slug))
  await documents.follow(slug, silentFollower).then(({ stop }) => stop())
  await leave()
  assert.is((await store.get(docView(slug)))?.version, view?.version)
  await documents.close()
})

test('between many reads of documents that are away others come', async () => {
  const { documents, slug } = await world(new BusyRuntime())
  await documents.read(slug, everything)
  await settled(1)
  assert.is(documents.openCount, 0)
  let done = 0
  const turns: number[] = []
  const reads = Array.from({ length: 20 }, () =>
    documents.read(slug, everything).then(() => {
      done++
    }),
  )
  while (done < reads.length) {
    const before = done
    await settled(1)
    turns.push(done - before)
  }
  await Promise.all(reads)
  assert.ok(Math.max(...turns) <= 5, `in each turn of the event loop: ${turns.join(', ')}`)
  await documents.close()
})

test.run()
