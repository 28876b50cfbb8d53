/**
 * When live updates are applied: what arrives together is one write and one frame, whoever sent it;
 * with many documents at once each has its turn, and the sockets are read in between.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type {
  ConnectRequest,
  Documents,
  LivePeer,
  Writer,
} from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { FairWork } from '../../../../../core/documents/live/fair-work.ts'
import { Rounds } from '../../../../../core/documents/live/rounds.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import type { Store } from '../../../../../persistence/store.ts'
import { fragmentName } from '../../../../../schema/document-schema.ts'
import { type ActorId, newSlug, type Slug } from '../../../../../schema/ids.ts'
import { editing } from '../../../../silent-peers.ts'
import { SimulatedRuntime, settled } from '../../../../simulated-runtime.ts'
import { UnrulyStore } from '../../../server/unruly-store.ts'
import { everything } from '../views/whole-view.ts'

const linkAccess = { mode: 'anyone', role: 'editor' } as const

/** Types at the end of the first paragraph of its own copy. */
class Typist implements LivePeer {
  readonly ydoc = new Y.Doc()
  frames = 0
  saved = 0
  readonly request: ConnectRequest

  constructor(name: string) {
    this.request = editing({ actor: `human:${name}` as ActorId, authMethod: 'token' })
  }

  async open(documents: Documents, slug: Slug): Promise<this> {
    const session = await documents.connect(slug, this.request, this)
    Y.applyUpdate(this.ydoc, await session.answerStep1(Uint8Array.of(0)), this)
    this.ydoc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== this) session.receive(update, false)
    })
    return this
  }

  type(words: string): void {
    const paragraph = this.ydoc.getXmlFragment(fragmentName).get(0) as Y.XmlElement
    const text = paragraph.get(0) as Y.XmlText
    text.insert(text.length, words)
  }

  onCurrent(): void {}

  onUpdate(update: Uint8Array): void {
    this.frames++
    Y.applyUpdate(this.ydoc, update, this)
  }

  onSaved({ updates }: { readonly updates: number }): void {
    this.saved = updates
  }

  onChange(): void {}
  onProvenance(): void {}
  onWrite(): void {}
  onBegun(): void {}
  onReading(): void {}

  onClose(code: number, reason: string): void {
    throw new Error(`closed: ${code} ${reason}`)
  }
}

async function documentIn(store: Store, runtime: SimulatedRuntime) {
  const onTrouble = ({ error }: { error: unknown }) => assert.unreachable(String(error))
  const documents = openDocuments({ store, runtime, onTrouble })
  const slug = newSlug(runtime)
  const writer: Writer = { actor: 'human:owner' as ActorId, authMethod: 'token' }
  await documents.create({ markdown: 'words', linkAccess, slug, writer, puts: [], replay: null })
  return { documents, slug }
}

test('what arrives in one turn of the event loop is one write and one frame for everybody', async () => {
  const runtime = new SimulatedRuntime()
  const store = new UnrulyStore(await openMemoryStore({ runtime }))
  const { documents, slug } = await documentIn(store, runtime)
  const ada = await new Typist('ada').open(documents, slug)
  const bob = await new Typist('bob').open(documents, slug)
  const before = (await documents.read(slug, {})).revision
  store.writes = 0
  ada.type(' one')
  bob.type(' two')
  ada.type(' three')
  assert.is(store.writes, 0, 'not in the turn in which they came')
  await settled()
  assert.is(store.writes, 1)
  assert.equal([ada.frames, bob.frames], [1, 1])
  assert.equal([ada.saved, bob.saved], [2, 1], 'each is told of its own messages')
  const view = await documents.read(slug, everything)
  assert.is(view.revision, before + 1)
  assert.match(view.markdown, /one/)
  assert.match(view.markdown, /two/)
  const writers = view.authorship().map(({ author }) => author)
  assert.equal([...new Set(writers)].sort(), ['human:ada', 'human:bob', 'human:owner'])
  await documents.close()
})

test('what is asked for again before its turn is done once', async () => {
  const runtime = new SimulatedRuntime()
  const rounds = new Rounds(runtime, new FairWork(runtime))
  const done: string[] = []
  const [a, b] = ['a', 'b'].map((name) => ({
    slug: name as Slug,
    applyWhenFree: () => void done.push(name),
  })) as [Working, Working]
  for (const document of [a, b, a]) rounds.join(document)
  await settled(1)
  assert.equal(done, ['a', 'b'])
})

test('after a round what comes next gathers for some time that the round took, a little at most', async () => {
  const runtime = new SimulatedRuntime()
  const rounds = new Rounds(runtime, new FairWork(runtime))
  let done = 0
  const takes = (ms: number): Working => ({
    slug: 'a' as Slug,
    applyWhenFree() {
      done++
      runtime.work(ms)
    },
  })
  rounds.join(takes(0.1))
  await settled(1)
  rounds.join(takes(1))
  await settled(1)
  assert.is(done, 2, 'a key alone is not waited behind')
  for (const rest of [3, 4]) {
    rounds.join(takes(10))
    await runtime.pass(rest - 1)
    assert.is(done, rest - 1, 'not before')
    await runtime.pass(1)
    assert.is(done, rest)
  }
})

interface Working {
  readonly slug: Slug
  applyWhenFree(): void
}

test.run()
