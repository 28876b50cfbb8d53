/**
 * What an open document does when its store fails or holds damaged records: nothing that is not
 * durable is shown, nothing is written after it died, nobody is left waiting.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { Flusher } from '../../../../../core/commit/flusher.ts'
import type { Change, LivePeer, Writer } from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { FairWork } from '../../../../../core/documents/live/fair-work.ts'
import type { OpenDocument } from '../../../../../core/documents/open/open-document.ts'
import { Registry, type RegistryHooks } from '../../../../../core/documents/open/registry.ts'
import { docHistory } from '../../../../../persistence/keys.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import {
  type KeyedValue,
  type Range,
  type Store,
  StoreDamage,
} from '../../../../../persistence/store.ts'
import { Refusal } from '../../../../../schema/errors.ts'
import { type ActorId, newSlug, type Slug } from '../../../../../schema/ids.ts'
import { limits } from '../../../../../schema/limits.ts'
import { editing, silentFollower, silentPeer } from '../../../../silent-peers.ts'
import { SimulatedRuntime, settled } from '../../../../simulated-runtime.ts'
import { UnrulyStore } from '../../../server/unruly-store.ts'

/** Some keys are out of service. */
class PatchyStore extends UnrulyStore {
  readonly #store: Store
  readonly lost = new Set<string>()

  constructor(store: Store) {
    super(store)
    this.#store = store
  }

  override async get(key: string) {
    if (this.lost.has(key)) throw new StoreDamage(key, 'lost')
    return super.get(key)
  }

  override async *scan(range: Range): AsyncGenerator<KeyedValue> {
    const { gte = '', lt = '\u{10ffff}' } = range
    for (const key of this.lost) if (key >= gte && key < lt) throw new StoreDamage(key, 'lost')
    yield* this.#store.scan(range)
  }
}

const writer: Writer = { actor: 'ai:anon.tkn.abcdefghijkl' as ActorId, authMethod: 'token' }
const words = (from: string, to: string) => ({
  edits: [{ old_string: from, new_string: to }],
  dryRun: false,
  writer,
})

async function world() {
  const runtime = new SimulatedRuntime()
  const store = new PatchyStore(await openMemoryStore({ runtime }))
  const troubles: unknown[] = []
  const onTrouble = ({ error }: { error: unknown }) => void troubles.push(error)
  const documents = openDocuments({ store, runtime, onTrouble })
  const slug = newSlug(runtime)
  await documents.create({
    markdown: 'one two\n',
    linkAccess: { mode: 'anyone', role: 'editor' },
    slug,
    writer,
    puts: [],
    replay: null,
  })
  return { runtime, store, troubles, documents, slug }
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.instance(error, Refusal, String(error))
  return error instanceof Refusal ? error.code : ''
}

/** Somebody who has the document open and writes into its first paragraph. */
async function typist({
  documents,
  slug,
}: Pick<Awaited<ReturnType<typeof world>>, 'documents' | 'slug'>) {
  const saved: Parameters<LivePeer['onSaved']>[0][] = []
  const peer: LivePeer = { ...silentPeer, onSaved: (what) => saved.push(what) }
  const session = await documents.connect(slug, editing(writer), peer)
  const copy = new Y.Doc()
  Y.applyUpdate(copy, await session.answerStep1(new Uint8Array([0])))
  const paragraph = copy.getXmlFragment('prosemirror').get(0) as Y.XmlElement
  const text = paragraph.get(0) as Y.XmlText
  /** Types this in its copy; the update that says so. */
  const typed = (words: string): Uint8Array => {
    const before = Y.encodeStateVector(copy)
    text.insert(text.length, words)
    return Y.encodeStateAsUpdate(copy, before)
  }
  return { session, saved, typed }
}

test('a follower of a document that dies is told to come back', async () => {
  const { store, documents, slug, troubles } = await world()
  const told: (Change | number)[] = []
  await documents.follow(slug, {
    ...silentFollower,
    onChange: (change) => told.push(change),
    onClose: (code) => told.push(code),
  })
  store.failure = new Error('the disk is full')
  assert.is(await refusal(documents.patch(slug, words('one', '1'))), 'UNAVAILABLE')
  assert.equal(told, [1013])
  assert.equal(troubles, [store.failure])
  store.failure = undefined
  assert.is((await documents.read(slug, { markdown: true })).markdown, 'one two\n')
  assert.is((await documents.patch(slug, words('one', '1'))).revision, 2)
  await documents.close()
})

test('saved names a revision that is durable, though a newer one is being written', async () => {
  const { store, documents, slug } = await world()
  const { session, saved, typed } = await typist({ documents, slug })
  const release = store.holdCommits()
  session.receive(typed(' three'), false)
  const edited = documents.patch(slug, words('one', '1'))
  release()
  assert.is((await edited).revision, 3)
  assert.equal(
    saved.map(({ revision }) => revision),
    [2],
  )
  session.leave()
  await documents.close()
})

test('saved counts no message while one that came before it is parked', async () => {
  const { store, documents, slug } = await world()
  const { session, saved, typed } = await typist({ documents, slug })
  const [first, second] = [typed(' three'), typed(' four')]
  session.receive(second, false)
  const release = store.holdCommits()
  session.receive(first, true)
  release()
  while (saved.length === 0) await settled()
  assert.equal(
    saved.map(({ updates }) => updates),
    [2],
  )
  assert.is((await documents.read(slug, { markdown: true })).markdown, 'one two three four\n')
  session.leave()
  await documents.close()
})

test('saved counts on while somebody types without a pause after a message was parked', async () => {
  const { store, documents, slug } = await world()
  const { session, saved, typed } = await typist({ documents, slug })
  const [first, second] = [typed(' more'), typed(' more')]
  let release = store.holdCommits()
  session.receive(second, false)
  session.receive(first, true)
  for (let written = 0; written < 4; written++) {
    while (store.writes <= written + 1) await settled()
    // There is always one more on its way when something is saved.
    session.receive(typed(' more'), false)
    const next = store.holdCommits()
    release()
    release = next
  }
  release()
  while (store.writes < 6) await settled()
  assert.ok(saved.length > 1, 'not at the end alone')
  const counts = saved.map(({ updates }) => updates)
  assert.equal(
    counts,
    [...counts].sort((one, other) => one - other),
  )
  session.leave()
  await documents.close()
})

test('a document of which any key is out of service does not open; others do', async () => {
  const { runtime, store, documents, slug } = await world()
  await documents.patch(slug, words('one', '1'))
  await runtime.pass(limits.openDocumentIdleMs)
  assert.is(documents.openCount, 0)
  store.lost.add(docHistory(slug, 1))
  assert.is(await refusal(documents.read(slug, {})), 'DOC_DAMAGED')
  assert.is(await refusal(documents.patch(slug, words('two', '2'))), 'DOC_DAMAGED')
  assert.is(await refusal(documents.revisionText(slug, 1)), 'DOC_DAMAGED')
  store.lost.clear()
  assert.is((await documents.read(slug, { markdown: true })).markdown, '1 two\n')
  await documents.close()
})

test('a sweep that meets a damaged record is reported, not fatal', async () => {
  const { runtime, store, documents, troubles } = await world()
  store.lost.add('idempotency/x')
  await runtime.pass(3_600_000)
  await settled()
  assert.is(troubles.length, 1)
  assert.instance(troubles[0], StoreDamage)
  await documents.close()
})

test('a document that cannot be stored when it leaves is reported, not fatal', async () => {
  const { runtime, store, documents, slug, troubles } = await world()
  await documents.patch(slug, words('one', '1'))
  store.failure = new Error('the disk is full')
  await runtime.pass(limits.openDocumentIdleMs)
  await settled()
  assert.equal(troubles, [store.failure], 'with what the store said')
  store.failure = undefined
  assert.is((await documents.read(slug, { markdown: true })).markdown, '1 two\n')
  await documents.close()
})

/** A flusher whose commits end when told. */
function heldFlusher() {
  const events: string[] = []
  const ends: { end(): void; fail(error: Error): void }[] = []
  const flusher = new Flusher({
    write: () =>
      new Promise((end, fail) => {
        events.push('write')
        ends.push({ end, fail })
      }),
    onDurable: () => void events.push('durable'),
    onFailed: () => void events.push('failed'),
  })
  const change = (name: string): Promise<void> => {
    flusher.pending.put(name, new Uint8Array())
    flusher.changed()
    return flusher.durable().then(
      () => void events.push(`${name} kept`),
      () => void events.push(`${name} given up`),
    )
  }
  return { flusher, events, ends, change }
}

test('what is pending when a document dies is never written; what is under way counts', async () => {
  const { flusher, events, ends, change } = heldFlusher()
  const first = change('first')
  const second = change('second')
  flusher.stop(new Error('dead'))
  await second
  assert.equal(events, ['write', 'second given up'])
  ends[0]?.end()
  await Promise.all([first, flusher.quiet()])
  assert.equal(events, ['write', 'second given up', 'durable', 'first kept'])
  await change('third')
  assert.is(events.at(-1), 'third given up')
  assert.is(ends.length, 1, 'nothing is written any more')
})

test('a commit that fails gives up what waits for it and what came after', async () => {
  const { flusher, events, ends, change } = heldFlusher()
  const changes = [change('first'), change('second')]
  ends[0]?.fail(new Error('the disk is gone'))
  await Promise.all([...changes, flusher.quiet()])
  assert.equal(events, ['write', 'failed', 'first given up', 'second given up'])
  await change('third')
  assert.is(ends.length, 1)
})

test('a document that died is not loaded before its last commit came to an end', async () => {
  const runtime = new SimulatedRuntime()
  const loaded: RegistryHooks[] = []
  const registry = new Registry({
    runtime,
    fair: new FairWork(runtime),
    limits,
    memoryMaxBytes: 1_000,
    weigh: async () => 1,
    load: async (_slug, hooks) => {
      loaded.push(hooks)
      return { bytes: 1, peers: { count: 0 } } as OpenDocument
    },
    onDead: () => {},
    onGone: () => {},
    onGrown: () => {},
  })
  const slug = newSlug(runtime) as Slug
  const nobody = { address: '', link: '' }
  await registry.use(slug, nobody, () => {})
  let end = () => {}
  const quiet = new Promise<void>((resolve) => {
    end = resolve
  })
  loaded[0]?.onDead(new Error('dead'), quiet)
  const again = registry.use(slug, nobody, () => {})
  await settled()
  assert.is(loaded.length, 1)
  end()
  await again
  assert.is(loaded.length, 2)
})

test.run()
