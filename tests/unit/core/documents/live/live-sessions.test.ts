/**
 * Interface §6.2: what is sent to a live session is handled in its order, whether or not its
 * document is in memory. An access counts for the updates after it, a reserved clientID too.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { Current, Documents, Writer } from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { type ActorId, newSlug, type Slug } from '../../../../../schema/ids.ts'
import { limits } from '../../../../../schema/limits.ts'
import { editing, observing, silentFollower, silentPeer } from '../../../../silent-peers.ts'
import { SimulatedRuntime, settled } from '../../../../simulated-runtime.ts'

const ada: Writer = { actor: 'human:ada' as ActorId, authMethod: 'token' }
const bob: Writer = { actor: 'human:bob' as ActorId, authMethod: 'token' }

async function scene() {
  const runtime = new SimulatedRuntime()
  const store = await openMemoryStore({ runtime })
  const onTrouble = ({ error }: { readonly error: unknown }) => {
    throw error
  }
  const documents = openDocuments({ store, runtime, onTrouble })
  const slug = newSlug(runtime)
  const linkAccess = { mode: 'anyone', role: 'editor' } as const
  await documents.create({
    markdown: 'words\n',
    linkAccess,
    slug,
    writer: ada,
    puts: [],
    replay: 0,
  })
  const close = async () => {
    await documents.close()
    await store.close()
  }
  return { runtime, documents, slug, close }
}

/** A session, and what a key under some clientID is as an update. */
async function enter(documents: Documents, slug: Slug, request = editing(ada)) {
  const closed: number[] = []
  const session = await documents.connect(slug, request, {
    ...silentPeer,
    onClose: (code) => void closed.push(code),
  })
  const state = await session.answerStep1(Uint8Array.of(0))
  const keyOf = (client: number, words: string): Uint8Array => {
    const ydoc = new Y.Doc()
    Y.applyUpdate(ydoc, state)
    ydoc.clientID = client
    const before = Y.encodeStateVector(ydoc)
    const paragraph = ydoc.getXmlFragment('prosemirror').get(0) as Y.XmlElement
    ;(paragraph.get(0) as Y.XmlText).insert(0, words)
    return Y.encodeStateAsUpdate(ydoc, before)
  }
  return { session, closed, keyOf }
}

const sleep = async (runtime: SimulatedRuntime, documents: Documents) => {
  await runtime.pass(2 * limits.openDocumentIdleMs)
  assert.is(documents.openCount, 0)
}

test('an access counts for the updates that come after it, and for none before', async () => {
  const { documents, slug, close } = await scene()
  const { session, closed, keyOf } = await enter(documents, slug, observing)
  session.access(editing(ada).access)
  session.receive(keyOf(7, 'taken '), false)
  session.access({ ...editing(ada).access, role: 'viewer' })
  session.receive(keyOf(8, 'lost '), false)
  await settled()
  assert.equal(closed, [4403])
  assert.is((await documents.read(slug, { markdown: true })).markdown, 'taken words\n')
  await close()
})

test('an access that comes while the document is away counts for the updates after it', async () => {
  const { runtime, documents, slug, close } = await scene()
  const { session, closed, keyOf } = await enter(documents, slug)
  await sleep(runtime, documents)
  session.access({ ...editing(ada).access, role: 'viewer' })
  session.receive(keyOf(7, 'lost '), false)
  await runtime.pass(1_000)
  assert.equal(closed, [4403])
  assert.is((await documents.read(slug, { markdown: true })).markdown, 'words\n')
  await close()
})

test('a clientID is reserved before the updates that come after, also of a document that is away', async () => {
  for (const isAway of [false, true]) {
    const { runtime, documents, slug, close } = await scene()
    const { session, closed, keyOf } = await enter(documents, slug, {
      ...editing(ada),
      knowsEpoch: false,
    })
    if (isAway) await sleep(runtime, documents)
    const reserved = session.reserve([7])
    session.receive(keyOf(8, "another's "), false)
    assert.equal(await reserved, [7])
    await runtime.pass(1_000)
    assert.equal(closed, [4409], 'it announced another clientID')
    assert.is((await documents.read(slug, { markdown: true })).markdown, 'words\n')
    await close()
  }
})

test('of several clientIDs those are reserved that are not kept for somebody else', async () => {
  const { documents, slug, close } = await scene()
  const [one, other] = [await enter(documents, slug), await enter(documents, slug, editing(bob))]
  assert.equal(await one.session.reserve([7, 8]), [7, 8])
  assert.equal(await other.session.reserve([8, 9]), [9])
  await close()
})

test('a session that leaves while its document is opened keeps no clientID', async () => {
  const { runtime, documents, slug, close } = await scene()
  const { session } = await enter(documents, slug)
  const other = await enter(documents, slug, editing(bob))
  await sleep(runtime, documents)
  const reserved = session.reserve([7])
  session.leave()
  assert.equal(await reserved, [])
  assert.equal(await other.session.reserve([7]), [7])
  await close()
})

test('what is current is told before the change, to who follows and who writes', async () => {
  const { documents, slug, close } = await scene()
  const told: string[] = []
  const onCurrent = ({ revision, readOnly }: Current) =>
    void told.push(`current ${revision}${readOnly ? ' locked' : ''}`)
  const onChange = ({ revision, event }: { readonly revision: number; readonly event: string }) =>
    void told.push(`change ${revision} ${event}`)
  const following = await documents.follow(slug, { ...silentFollower, onCurrent, onChange })
  assert.is(following.revision, 1)
  await documents.configure(slug, { readOnly: true }, { writer: ada })
  assert.equal(told.splice(0), ['current 2 locked', 'change 2 settings'])
  following.stop()
  const session = await documents.connect(slug, editing(ada), {
    ...silentPeer,
    onCurrent,
    onChange,
  })
  assert.equal(session.current, { revision: 2, readOnly: true, commentsDisabled: false })
  await documents.configure(slug, { readOnly: false }, { writer: ada })
  assert.equal(told, ['current 3', 'change 3 settings'])
  await close()
})

test('typing is current as soon as it is stored, before it is sealed', async () => {
  const { runtime, documents, slug, close } = await scene()
  const told: number[] = []
  const onCurrent = ({ revision }: Current) => void told.push(revision)
  await documents.follow(slug, { ...silentFollower, onCurrent })
  const { session, keyOf } = await enter(documents, slug)
  session.receive(keyOf(7, 'more '), false)
  await settled()
  assert.equal(told, [2])
  await runtime.pass(1_000)
  assert.equal(told, [2])
  await close()
})

test.run()
