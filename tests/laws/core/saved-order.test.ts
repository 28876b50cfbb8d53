/**
 * What a session is told is saved (extensions §5): "this many of your messages" is said only when
 * each of them is on disk, however they were held up and whatever stood between them that needed
 * no storing. Another seed: SEED=….
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { Documents, LivePeer, LiveSession, Writer } from '../../../core/documents/contract.ts'
import { openDocuments } from '../../../core/documents/front/documents.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import { fragmentName } from '../../../schema/document-schema.ts'
import { type ActorId, newSlug, type Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { Chance } from '../../chance.ts'
import { editing } from '../../silent-peers.ts'
import { SimulatedRuntime, settled } from '../../simulated-runtime.ts'
import { Tally } from '../../tally.ts'
import { UnrulyStore } from '../../unit/server/unruly-store.ts'

const seed = Number(process.env['SEED'] ?? 20_261_121)
const runs = process.env['LONG'] ? 600 : 20

const writer: Writer = { actor: 'human:typist' as ActorId, authMethod: 'token' }

/** Time flies at every look at the clock, so that each broadcast is followed by a rest. */
class HastyRuntime extends SimulatedRuntime {
  #looks = 0

  override elapsed(): number {
    return super.elapsed() + 5 * this.#looks++
  }
}

/** Types into a copy of its own, and holds what it is told against what it was shown before. */
class Desk implements LivePeer {
  readonly saved: number[] = []
  /** What each message brought; '': nothing. */
  readonly sent: string[] = []
  /** What was told before it was so. */
  readonly wrong: string[] = []
  readonly #copy = new Y.Doc()
  readonly #shown = new Y.Doc()
  #known: Uint8Array = new Uint8Array()
  #session: LiveSession | undefined

  async open(documents: Documents, slug: Slug): Promise<this> {
    const session = await documents.connect(slug, editing(writer), this)
    this.#session = session
    this.#copy.clientID = seed
    this.#known = await session.answerStep1(Uint8Array.of(0))
    for (const ydoc of [this.#copy, this.#shown]) Y.applyUpdate(ydoc, this.#known)
    this.#copy.on('update', (update: Uint8Array) => session.receive(update, false))
    return this
  }

  type(): void {
    const words = `<${this.sent.length}>`
    this.sent.push(words)
    textOf(this.#copy).insert(0, words)
  }

  /** A message without anything new in it, as the answer to step 1 of a copy that is in step. */
  repeat(): void {
    this.sent.push('')
    this.#session?.receive(this.#known, false)
  }

  leave(): void {
    this.#session?.leave()
  }

  onCurrent(): void {}

  onUpdate(update: Uint8Array): void {
    Y.applyUpdate(this.#shown, update)
  }

  onSaved({ updates }: { readonly updates: number }): void {
    this.saved.push(updates)
    const shown = textOf(this.#shown).toString()
    for (const words of this.sent.slice(0, updates)) {
      if (!shown.includes(words)) this.wrong.push(`${updates} saved, without ${words}`)
    }
  }

  onChange(): void {}
  onProvenance(): void {}
  onWrite(): void {}
  onBegun(): void {}
  onReading(): void {}

  onClose(code: number, reason: string): void {
    this.wrong.push(`closed: ${code} ${reason}`)
  }
}

function textOf(ydoc: Y.Doc): Y.XmlText {
  const paragraph = ydoc.getXmlFragment(fragmentName).get(0) as Y.XmlElement
  return paragraph.get(0) as Y.XmlText
}

const lines = Array.from({ length: 10 }, (_, index) => index)

/** An edit takes many turns. */
const small = { ...limits, editWeightAtOnce: 1, planHeldMaxMs: Number.POSITIVE_INFINITY }

class Scene {
  readonly runtime = new HastyRuntime()
  readonly troubles: unknown[] = []
  readonly desk = new Desk()
  readonly slug = newSlug(this.runtime)
  readonly store: UnrulyStore
  readonly documents: Documents
  #edits = 0

  private constructor(store: UnrulyStore) {
    this.store = store
    const { runtime, troubles } = this
    const onTrouble = ({ error }: { error: unknown }) => void troubles.push(error)
    this.documents = openDocuments({ store, runtime, limits: small, onTrouble })
  }

  static async open(): Promise<Scene> {
    const memory = await openMemoryStore({ runtime: new SimulatedRuntime() })
    const scene = new Scene(new UnrulyStore(memory))
    const { documents, slug } = scene
    const linkAccess = { mode: 'anyone', role: 'editor' } as const
    const markdown = ['words', ...lines.map((line) => `(${line}:0)`)].join('\n\n')
    await documents.create({ markdown, linkAccess, slug, writer, puts: [], replay: null })
    await scene.desk.open(documents, slug)
    return scene
  }

  /** An edit of many blocks, which holds the document for many turns. */
  edit(): Promise<unknown> {
    const round = this.#edits++
    const edits = lines.map((line) => ({
      old_string: `(${line}:${round})`,
      new_string: `(${line}:${round + 1})`,
    }))
    return this.documents.patch(this.slug, { edits, dryRun: false, writer })
  }

  /** Everything comes to its end, and every message was told of. */
  async close(): Promise<void> {
    const { desk } = this
    for (let round = 0; round < 200 && desk.saved.at(-1) !== desk.sent.length; round++) {
      await this.runtime.pass(100)
    }
    assert.equal(desk.wrong, [])
    assert.equal(this.troubles, [])
    assert.is(desk.saved.at(-1), desk.sent.length)
    desk.leave()
    await this.documents.close()
  }
}

test('a message that brings nothing waits for one before it that waits for a broadcast', async () => {
  const scene = await Scene.open()
  const { desk, store } = scene
  const release = store.holdCommits()
  desk.type()
  await settled()
  desk.type()
  desk.repeat()
  release()
  const releaseNext = store.holdCommits()
  await settled()
  assert.equal(desk.saved, [1])
  releaseNext()
  await settled()
  assert.equal(desk.saved, [1, 2, 3])
  await scene.close()
})

test('a message that brings nothing waits for one before it that waits for an edit', async () => {
  const scene = await Scene.open()
  const edited = scene.edit()
  await settled()
  scene.desk.type()
  scene.desk.repeat()
  await edited
  await scene.close()
})

test('a message that brings nothing waits for one before it that an edit keeps off the disk', async () => {
  const scene = await Scene.open()
  const { desk, store } = scene
  const release = store.holdCommits()
  desk.type()
  await settled()
  desk.type()
  const edited = scene.edit()
  await settled()
  release()
  await settled()
  desk.repeat()
  await edited
  await scene.close()
})

test('whatever happens, nothing is told of as saved before it is', async () => {
  const tally = new Tally()
  for (let run = 0; run < runs; run++) {
    const chance = new Chance(seed + run)
    const scene = await Scene.open()
    const { desk, store, runtime, documents, slug } = scene
    let release = () => {}
    const under: Promise<unknown>[] = []
    const steps: readonly (() => unknown)[] = [
      () => desk.type(),
      () => desk.type(),
      () => desk.repeat(),
      () => desk.repeat(),
      () => {
        release()
        release = store.holdCommits()
      },
      () => release(),
      () => void (under.length < 3 && under.push(scene.edit())),
      () => void under.push(documents.read(slug, {})),
      () => settled(chance.below(4)),
      () => runtime.pass(chance.below(50)),
    ]
    for (let step = 0; step < 40; step++) await chance.pick(steps)?.()
    release()
    await Promise.all(under)
    await scene.close()
    tally.add('messages', desk.sent.length)
    tally.add('told', desk.saved.length)
  }
  tally.tell(`${seed} saved in order`, { messages: 5 * runs, told: runs })
})

test.run()
