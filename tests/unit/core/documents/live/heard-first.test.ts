/**
 * Law 3 for who comes back: an editor that wrote while its line was down is heard before it is
 * told of anything. A stock editor that hears first that its text stands elsewhere now throws away
 * what it wrote there, and has nothing left to say when its line breaks once more.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type {
  ConnectRequest,
  Documents,
  LivePeer,
  LiveSession,
  Writer,
} from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import { fragmentName } from '../../../../../schema/document-schema.ts'
import { type ActorId, newSlug, type Slug } from '../../../../../schema/ids.ts'
import { limits } from '../../../../../schema/limits.ts'
import { editing } from '../../../../silent-peers.ts'
import { SimulatedRuntime, settled } from '../../../../simulated-runtime.ts'
import { UnrulyStore } from '../../../server/unruly-store.ts'

const linkAccess = { mode: 'anyone', role: 'editor' } as const
const agent: Writer = { actor: 'ai:agent' as ActorId, authMethod: 'token' }
const ada: Writer = { actor: 'human:ada' as ActorId, authMethod: 'token' }

/** A stock editor: it has one Y.Doc for as long as it lives, and a session at a time. */
class Editor implements LivePeer {
  readonly ydoc = new Y.Doc()
  frames = 0
  isAnswered = false
  answers = 0
  failed: unknown
  role: 'editor' | 'viewer' = 'editor'
  #session: LiveSession | undefined
  #asked: Uint8Array = new Uint8Array()

  /** Sends its step 1 and is sent the service's. */
  async open(documents: Documents, slug: Slug): Promise<void> {
    this.isAnswered = false
    this.#session = await documents.connect(slug, this.#request, this)
    this.#asked = this.#session.stateVector
    this.ask()
    await settled()
  }

  ask(): void {
    void this.#session?.answerStep1(Y.encodeStateVector(this.ydoc)).then(
      (state) => {
        this.isAnswered = true
        this.answers++
        Y.applyUpdate(this.ydoc, state)
      },
      (error: unknown) => {
        this.failed = error
      },
    )
  }

  /** Its step 2, which may be long on its way. */
  answer(answersStep1 = true): void {
    this.#session?.receive(Y.encodeStateAsUpdate(this.ydoc, this.#asked), answersStep1)
  }

  leave(): void {
    this.#session?.leave()
  }

  type(words: string, block: number): void {
    const paragraph = this.ydoc.getXmlFragment(fragmentName).get(block) as Y.XmlElement
    const text = paragraph.get(0) as Y.XmlText
    text.insert(text.length, words)
  }

  get #request(): ConnectRequest {
    const request = editing(ada)
    if (this.role === 'editor') return request
    return { ...request, access: { ...request.access, role: 'viewer', writer: undefined } }
  }

  onCurrent(): void {}

  onUpdate(update: Uint8Array): void {
    this.frames++
    Y.applyUpdate(this.ydoc, update)
  }

  onChange(): void {}
  onSaved(): void {}
  onProvenance(): void {}
  onWrite(): void {}
  onBegun(): void {}
  onReading(): void {}

  onClose(code: number, reason: string): void {
    throw new Error(`closed: ${code} ${reason}`)
  }
}

async function world() {
  const runtime = new SimulatedRuntime()
  const store = new UnrulyStore(await openMemoryStore({ runtime }))
  const onTrouble = ({ error }: { error: unknown }) => assert.unreachable(String(error))
  const documents = openDocuments({ store, runtime, onTrouble })
  const slug = newSlug(runtime)
  const markdown = 'one\n\ntwo\n'
  await documents.create({ markdown, linkAccess, slug, writer: agent, puts: [], replay: null })
  const editor = new Editor()
  await editor.open(documents, slug)
  editor.answer()
  await settled()
  const replace = async (old: string, words: string): Promise<void> => {
    const { revision: baseRevision } = await documents.read(slug, {})
    const edits = [{ old_string: old, new_string: words }]
    await documents.patch(slug, { edits, baseRevision, dryRun: false, writer: agent })
  }
  /** While nobody is there, the paragraph that ada writes in becomes an item. */
  const meanwhile = async () => {
    editor.leave()
    editor.type(' from ada', 1)
    await replace('two', '- two')
  }
  const read = async () => (await documents.read(slug, { markdown: true })).markdown
  return { runtime, store, documents, slug, editor, replace, meanwhile, read }
}

test('what was written offline is stored before its writer hears where the text went', async () => {
  const { documents, slug, editor, replace, meanwhile, read } = await world()
  await meanwhile()
  await editor.open(documents, slug)
  assert.not(editor.isAnswered)
  await replace('one', 'now one')
  assert.is(editor.frames, 0, 'nor is it shown what is written meanwhile')
  editor.answer()
  await settled()
  assert.ok(editor.isAnswered)
  assert.is(await read(), 'now one\n\n- two from ada\n')
  const shown = editor.ydoc.getXmlFragment(fragmentName).toString()
  assert.match(shown, /now one/)
  assert.match(shown, /from ada/)
  const before = editor.frames
  await replace('now', 'then')
  assert.is(editor.frames, before + 1, 'from then on it is shown everything')
  await documents.close()
})

test('a line that breaks before the words are here costs none of them', async () => {
  const { documents, slug, editor, meanwhile, read } = await world()
  await meanwhile()
  await editor.open(documents, slug)
  editor.leave()
  await settled()
  assert.instance(editor.failed, Error, 'nobody is left to be answered')
  assert.match(editor.ydoc.getXmlFragment(fragmentName).toString(), /from ada/)
  await editor.open(documents, slug)
  editor.answer()
  await settled()
  assert.is(await read(), 'one\n\n- two from ada\n')
  await documents.close()
})

test('it may say what it has in an update of its own, and ask twice', async () => {
  const { documents, slug, editor, meanwhile, read } = await world()
  await meanwhile()
  await editor.open(documents, slug)
  editor.ask()
  assert.not(editor.isAnswered)
  editor.answer(false)
  await settled()
  assert.is(editor.answers, 3)
  assert.is(await read(), 'one\n\n- two from ada\n')
  await documents.close()
})

test('its words are on disk before it is answered', async () => {
  const { store, documents, slug, editor, meanwhile, read } = await world()
  await meanwhile()
  await editor.open(documents, slug)
  const go = store.holdCommits()
  editor.answer()
  await settled(20)
  assert.not(editor.isAnswered)
  go()
  await settled(20)
  assert.ok(editor.isAnswered)
  assert.is(await read(), 'one\n\n- two from ada\n')
  await documents.close()
})

test('who does not say what it has is answered after a while, who may not write at once', async () => {
  const { runtime, documents, slug, editor, meanwhile } = await world()
  await meanwhile()
  await editor.open(documents, slug)
  await runtime.pass(limits.parkedUpdateMaxMs - 1)
  assert.not(editor.isAnswered)
  await runtime.pass(1)
  assert.ok(editor.isAnswered)
  editor.leave()
  editor.type(' and more', 0)
  editor.role = 'viewer'
  await editor.open(documents, slug)
  assert.ok(editor.isAnswered)
  await documents.close()
})

test.run()
