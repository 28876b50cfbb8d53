/**
 * Tombstones through the whole document: stored with the write that deletes, found again after a
 * restart, gone when the block comes back.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { Documents, Writer } from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { verifyDocument } from '../../../../../core/documents/verify.ts'
import { docSectionRange } from '../../../../../persistence/keys.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import type { Store } from '../../../../../persistence/store.ts'
import { fragmentName } from '../../../../../schema/document-schema.ts'
import { type ActorId, newSlug, type Slug } from '../../../../../schema/ids.ts'
import { editing, silentPeer } from '../../../../silent-peers.ts'
import { SimulatedRuntime } from '../../../../simulated-runtime.ts'
import { everything } from '../views/whole-view.ts'

const writer: Writer = { actor: 'ai:anon.tkn.abcdefghijkl' as ActorId, authMethod: 'token' }

class World {
  readonly runtime = new SimulatedRuntime()
  readonly slug: Slug = newSlug(this.runtime)
  readonly store: Store
  documents: Documents

  private constructor(store: Store) {
    this.store = store
    this.documents = this.#open()
  }

  static async of(markdown: string): Promise<World> {
    const made = new World(await openMemoryStore({ runtime: new SimulatedRuntime() }))
    const { documents, slug } = made
    const linkAccess = { mode: 'anyone', role: 'editor' } as const
    await documents.create({ markdown, linkAccess, slug, writer, puts: [], replay: null })
    return made
  }

  async restart(): Promise<void> {
    await this.documents.close()
    assert.is(await verifyDocument(this.store, this.slug, this.runtime), undefined)
    this.documents = this.#open()
  }

  async erase(text: string): Promise<void> {
    const edits = [{ old_string: text, new_string: '' }]
    await this.documents.patch(this.slug, { edits, dryRun: false, writer })
  }

  async ids(): Promise<string[]> {
    const view = await this.documents.read(this.slug, everything)
    return view.contentBlocks().map(({ id }) => String(id))
  }

  /** `b:quote`, `after b`, or a code. */
  async find(id: string, names: readonly string[]): Promise<string> {
    const found = await this.documents.block(this.slug, id).catch(({ code }) => String(code))
    if (typeof found === 'string') return found
    if (found.kind === 'block') return found.quote
    const { survivor, relation, deletedAtRevision } = found.place
    return `${relation} ${'abcdefgh'.charAt(names.indexOf(String(survivor)))} ${deletedAtRevision}`
  }

  async stored(): Promise<number> {
    let count = 0
    for await (const _ of this.store.scan(docSectionRange(this.slug, 'tombstone'))) count++
    return count
  }

  #open(): Documents {
    const { store, runtime } = this
    const onTrouble = ({ error }: { error: unknown }) => assert.unreachable(String(error))
    return openDocuments({ store, runtime, onTrouble })
  }
}

test('chains lead to the same block before and after a restart', async () => {
  const world = await World.of('a\n\nb\n\nc\n\nd\n\ne\n')
  const ids = await world.ids()
  for (const letter of ['c', 'b', 'd']) await world.erase(`${letter}\n\n`)
  const all = () => Promise.all(ids.map((id) => world.find(id, ids)))
  const expected = ['a', 'after a 3', 'after a 2', 'after a 4', 'e']
  assert.equal(await all(), expected)
  await world.restart()
  assert.equal(await all(), expected)
  await world.erase('a\n\n')
  assert.equal(await all(), ['before e 5', 'before e 3', 'before e 2', 'before e 4', 'e'])
  assert.is(await world.stored(), 4)
  await world.documents.close()
})

test('typing stores no tombstones, and a block that an undo brings back loses its own', async () => {
  const world = await World.of('a\n\nb\n\nc\n')
  const { documents, slug } = world
  const ids = await world.ids()
  const session = await documents.connect(slug, editing(writer), {
    ...silentPeer,
    onClose: (code, reason) => assert.unreachable(`${code} ${reason}`),
  })
  const copy = new Y.Doc()
  Y.applyUpdate(copy, await session.answerStep1(new Uint8Array([0])))
  const fragment = copy.getXmlFragment(fragmentName)
  const undo = new Y.UndoManager(fragment, { captureTimeout: 0 })
  copy.on('update', (update: Uint8Array) => session.receive(update, false))
  const text = (fragment.get(2) as Y.XmlElement).get(0) as Y.XmlText
  text.insert(1, '!')
  await documents.read(slug, everything)
  assert.is(await world.stored(), 0)
  fragment.delete(1, 1)
  assert.is(await world.find(String(ids[1]), ids), 'after a 3')
  assert.is(await world.stored(), 1)
  undo.undo()
  assert.is(await world.find(String(ids[1]), ids), 'b')
  assert.is(await world.stored(), 0)
  session.leave()
  await world.restart()
  assert.is(await world.find(String(ids[1]), ids), 'b')
  await world.documents.close()
})

test.run()
