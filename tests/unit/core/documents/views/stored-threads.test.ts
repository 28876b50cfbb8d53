/**
 * What is said of a document that left memory (interface §2.4, §4.4): read from its view exactly as
 * it was before, without looking at more of it than is asked for.
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeHead, encodeHead } from '../../../../../core/commit/head.ts'
import { chainHash } from '../../../../../core/commit/log-record.ts'
import type { DocumentView, ThreadWish, Writer } from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import type { NewComment } from '../../../../../core/documents/threads/commenting.ts'
import { verifyDocument } from '../../../../../core/documents/verify.ts'
import { storedThreadsNearBytes } from '../../../../../core/documents/views/stored-threads.ts'
import { viewFormat } from '../../../../../core/documents/views/stored-view.ts'
import { docFarThreads, docHead, docView } from '../../../../../persistence/keys.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { StoreDamage } from '../../../../../persistence/store.ts'
import { commentMaxBytes } from '../../../../../rest/comments/comment-rules.ts'
import { type ActorId, newSlug } from '../../../../../schema/ids.ts'
import { limits } from '../../../../../schema/limits.ts'
import { SimulatedRuntime } from '../../../../simulated-runtime.ts'
import { UnrulyStore } from '../../../server/unruly-store.ts'

const ann: Writer = { actor: 'ai:ann' as ActorId, authMethod: 'token' }
const bob = 'human:bob' as ActorId
const long = 'x'.repeat(commentMaxBytes)
/** In threads of long comments. */
const nearCount = Math.floor(storedThreadsNearBytes / commentMaxBytes)

const most = 1_000
const page = { kind: 'page', filter: {}, most, quotesMaxChars: 1_000 } as const

class WatchedStore extends UnrulyStore {
  readonly asked: string[] = []
  lost: string | undefined

  override async get(key: string) {
    this.asked.push(key)
    if (key === this.lost) throw new StoreDamage(key, 'lost')
    return super.get(key)
  }
}

async function scene() {
  const runtime = new SimulatedRuntime()
  const store = new WatchedStore(await openMemoryStore({ runtime }))
  const onTrouble = ({ error }: { error: unknown }) => assert.unreachable(String(error))
  const documents = openDocuments({ store, runtime, onTrouble })
  const slug = newSlug(runtime)
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  const markdown = 'One *two* three four.\n\nFive six.\n'
  await documents.create({ markdown, linkAccess, slug, writer: ann, puts: [], replay: null })
  const { discussion } = documents
  const say = async (what: Partial<NewComment>) => {
    const said = { text: '', isResolution: false, ...what }
    const answer = await discussion.comment(slug, { writer: ann }, async () => said)
    return { id: String(answer['comment_id']), thread: String(answer['thread_id']) }
  }
  const leave = async () => {
    await runtime.pass(limits.openDocumentIdleMs)
    assert.is(documents.openCount, 0)
    store.asked.length = 0
  }
  const read = (threads: ThreadWish = { kind: 'all' }) =>
    documents.read(slug, { threads, ...(threads.kind === 'all' && { deletedComments: { most } }) })
  const far = async () => (await store.get(docFarThreads(slug)))?.value
  const verify = () => verifyDocument(store, slug, runtime)
  return { documents, discussion, slug, store, say, leave, read, far, verify }
}

/** All that it says of its threads. */
const saidIn = (view: DocumentView): unknown =>
  JSON.parse(JSON.stringify([view.threads(), view.deletedComments()]))

test('every thread reads as it did while the document was open', async () => {
  const { documents, discussion, slug, say, leave, read, verify } = await scene()
  const by = { writer: ann }
  const one = await say({ quote: '*two*', text: 'Why?', mentions: [bob] })
  await say({ threadId: one.thread, text: 'Because.' })
  const stale = await say({ quote: 'four', newString: '4' })
  await say({ quote: 'three', newString: '3' })
  const edits = [{ old_string: 'four.', new_string: 'fours.' }]
  await documents.patch(slug, { edits, dryRun: false, writer: ann })
  await discussion.edit(slug, by, stale.id, { text: 'Or so.' })
  const closed = await say({ quote: 'Five six.', text: long })
  await discussion.resolve(slug, by, { thread: closed.thread }, 'So it is.')
  const gone = await say({ quote: 'six', text: 'No.' })
  await discussion.remove(slug, by, gone.id)
  for (let n = 0; n < nearCount + 4; n++) await say({ quote: 'Five', text: long })
  const before = saidIn(await read())
  await leave()
  assert.equal(saidIn(await read()), before)
  assert.is(documents.openCount, 0)
  assert.is(await verify(), undefined)
  await documents.close()
})

test('threads that nobody asks for are not read; those that one does are, once', async () => {
  const { documents, slug, store, say, leave, read } = await scene()
  const oldest = await say({ quote: 'Five', text: long })
  for (let n = 1; n < nearCount + 4; n++) await say({ quote: 'Five', text: long })
  await leave()
  const isAsked = () => store.asked.includes(docFarThreads(slug))
  const newest = await read({ ...page, most: 4 })
  assert.is(newest.wishedThreads().totals?.count, nearCount + 4)
  assert.is(newest.threads().length, 4)
  assert.is(newest.threads()[3]?.thread.comments[0]?.text, long)
  assert.not(isAsked())
  const [whole] = await Promise.all([read({ kind: 'named', ids: [oldest.thread] }), read()])
  assert.is(whole.threads().length, 1)
  assert.is(whole.threads().at(-1)?.thread.comments[0]?.text, long)
  assert.is(store.asked.filter((key) => key === docFarThreads(slug)).length, 1)
  await documents.close()
})

test('open threads lie before resolved ones, so that a plain read finds them at hand', async () => {
  const { documents, discussion, slug, store, say, leave, read } = await scene()
  const old = await say({ quote: 'One', text: 'The oldest.' })
  for (let n = 0; n < nearCount + 4; n++) {
    const { thread } = await say({ quote: 'Five', text: long })
    await discussion.resolve(slug, { writer: ann }, { thread }, 'Done.')
  }
  await leave()
  const view = await read(page)
  assert.is(view.threads().at(-1)?.thread.id, old.thread)
  assert.not(store.asked.includes(docFarThreads(slug)))
  await documents.close()
})

test('a record of threads that is damaged or gone is none; one that is not needed goes', async () => {
  const { documents, discussion, slug, store, say, leave, read, far, verify } = await scene()
  const said = []
  for (let n = 0; n < nearCount + 2; n++) said.push(await say({ quote: 'Five', text: long }))
  await leave()
  store.lost = docFarThreads(slug)
  assert.is((await read()).threads().length, nearCount + 2)
  assert.is(documents.openCount, 1)
  store.lost = undefined
  await leave()
  await store.commit({ puts: [{ key: docFarThreads(slug), value: Buffer.from('[]') }] })
  assert.match((await verify()) ?? '', 'something else of threads')
  assert.is((await read()).threads().at(-1)?.thread.id, said[0]?.thread)
  assert.is(documents.openCount, 1)
  for (const { id } of said.slice(4)) await discussion.remove(slug, { writer: ann }, id)
  for (const { id } of said.slice(0, 4)) {
    await discussion.edit(slug, { writer: ann }, id, { text: 'Short.' })
  }
  await leave()
  assert.is((await read()).deletedComments().comments.length, said.length - 4)
  assert.is(await far(), undefined, 'all of them lie in the view')
  await documents.close()
})

test('a view of an older format is not read, and a new one is left in its place', async () => {
  const { documents, slug, store, say, leave, read, verify } = await scene()
  await say({ quote: 'One', text: 'Hm.' })
  await leave()
  const value = Buffer.from([viewFormat - 1, 1])
  const stored = await store.get(docHead(slug))
  const { format: _, ...view } = decodeHead(slug, stored?.value ?? new Uint8Array()).view ?? {}
  const head = decodeHead(slug, stored?.value ?? new Uint8Array())
  const name = { ...view, hash: chainHash(value), bytes: value.length }
  await store.commit({
    puts: [
      { key: docView(slug), value },
      { key: docHead(slug), value: encodeHead({ ...head, view: name }) },
    ],
  })
  assert.is((await read()).threads().length, 1)
  assert.is(documents.openCount, 1)
  await leave()
  assert.is((await read()).threads().length, 1)
  assert.is(documents.openCount, 0)
  assert.is(await verify(), undefined)
  await documents.close()
})

test.run()
