/**
 * Large live updates are applied in parts: what becomes of the document, of the messages behind
 * them, of whoever leaves or is refused meanwhile, and which updates go whole.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { LivePeer, LiveSession, Writer } from '../../core/documents/contract.ts'
import { openDocuments } from '../../core/documents/documents.ts'
import { verifyDocument } from '../../core/documents/verify.ts'
import { openMemoryStore } from '../../persistence/memory-store.ts'
import { fragmentName } from '../../schema/document-schema.ts'
import { type ActorId, newBlockId, newSlug, type Slug } from '../../schema/ids.ts'
import { SimulatedRuntime, settled } from '../simulated-runtime.ts'
import { sources } from '../sources.ts'

const alice: Writer = { actor: 'human:alice' as ActorId, authMethod: 'token' }
const bob: Writer = { actor: 'human:bob' as ActorId, authMethod: 'token' }

class World {
  readonly runtime = new SimulatedRuntime()
  readonly troubles: unknown[] = []
  readonly store = openMemoryStore({ runtime: this.runtime })
  readonly slug: Slug = newSlug(this.runtime)
  documents = this.#open()

  async #open() {
    const onTrouble = ({ error }: { error: unknown }) => void this.troubles.push(error)
    return openDocuments({ store: await this.store, runtime: this.runtime, onTrouble })
  }

  async begin(markdown: string): Promise<this> {
    const linkAccess = { mode: 'anyone', role: 'editor' } as const
    const { slug } = this
    const request = { markdown, linkAccess, slug, writer: alice, puts: [], replay: null }
    await (await this.documents).create(request)
    return this
  }

  async read() {
    return (await this.documents).read(this.slug)
  }

  async check(): Promise<void> {
    assert.equal(this.troubles, [])
    assert.is(await verifyDocument(await this.store, this.slug, this.runtime), undefined)
  }
}

/** An editor with a copy of its own, which sends what its user does when told to. */
class Desk implements LivePeer {
  readonly events = true
  readonly knowsEpoch = true
  readonly ydoc = new Y.Doc()
  readonly fragment = this.ydoc.getXmlFragment(fragmentName)
  readonly heard = new Y.Doc()
  readonly saved: number[] = []
  frames = 0
  closed: number | undefined
  role: 'editor' | 'viewer' = 'editor'
  session: LiveSession | undefined
  readonly #writer: Writer
  #vector: Uint8Array = new Uint8Array()

  private constructor(writer: Writer) {
    this.#writer = writer
  }

  static async at(world: World, writer = alice): Promise<Desk> {
    const desk = new Desk(writer)
    desk.session = await (await world.documents).connect(world.slug, desk)
    const state = await desk.session.answerStep1(Uint8Array.of(0))
    Y.applyUpdate(desk.ydoc, state)
    Y.applyUpdate(desk.heard, state)
    desk.#vector = Y.encodeStateVector(desk.ydoc)
    return desk
  }

  /** One message with all that was done since the last. */
  send(change?: (update: Uint8Array) => Uint8Array): void {
    const update = Y.encodeStateAsUpdate(this.ydoc, this.#vector)
    this.#vector = Y.encodeStateVector(this.ydoc)
    this.session?.receive(change?.(update) ?? update, false)
  }

  get blocks(): string[] {
    return this.heard.getXmlFragment(fragmentName).toArray().map(String)
  }

  access() {
    const { actor } = this.#writer
    return { role: this.role, actor, writer: this.#writer, holder: actor, sources } as const
  }

  onUpdate(update: Uint8Array): void {
    this.frames++
    Y.applyUpdate(this.heard, update)
  }

  onSaved({ updates }: { readonly updates: number }): void {
    this.saved.push(updates)
  }

  onClose(code: number): void {
    this.closed = code
    this.session?.leave()
  }

  onChange(): void {}
  onProvenance(): void {}
  onWrite(): void {}
  onReading(): void {}
}

const idOf = () => newBlockId(new SimulatedRuntime())

function element(name: string, children: (Y.XmlElement | Y.XmlText)[], attributes = {}) {
  const made = new Y.XmlElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value as string)
  made.insert(0, children)
  return made
}

function text(words: string, by = alice.actor): Y.XmlText {
  const made = new Y.XmlText()
  made.insert(0, words, { authored: { by } })
  return made
}

const paragraph = (words: string, id = idOf()) => element('paragraph', [text(words)], { id })

const cell = (name: string, words: string) =>
  element(name, [text(words)], { align: null, colspan: 1, rowspan: 1 })

const table = (words: string) =>
  element(
    'table',
    ['table_header', 'table_cell'].map((name) =>
      element('table_row', [cell(name, `${words} a`), cell(name, `${words} b`)], { id: idOf() }),
    ),
    { id: idOf() },
  )

/** Paragraphs and tables in turns. */
const pasted = (count: number): Y.XmlElement[] =>
  Array.from({ length: count }, (_, index) =>
    index % 5 === 4
      ? table(`table ${index}`)
      : paragraph(`paragraph ${index} ${'word '.repeat(9)}`),
  )

const textOf = (markdown: string) => markdown.replace(/\s+/g, ' ')

test('a large paste is applied in parts, told part by part, and saved as one message', async () => {
  const world = await new World().begin('# Before\n')
  const [desk, other] = [await Desk.at(world), await Desk.at(world, bob)]
  desk.fragment.push(pasted(600))
  desk.send()
  assert.equal(desk.saved, [])
  while (desk.saved.length === 0) await settled()
  assert.ok(other.frames > 5, `${other.frames} frames`)
  assert.equal(desk.saved, [1])
  const { markdown } = await world.read()
  const tables = markdown.match(/\| --- \| --- \|/g) ?? []
  assert.is(tables.length, 120)
  assert.ok(textOf(markdown).includes('paragraph 598'))
  assert.equal(other.blocks, desk.fragment.toArray().map(String))
  await world.check()
})

test('what is sent behind a large message comes after it', async () => {
  const world = await new World().begin('# Before\n')
  const desk = await Desk.at(world)
  desk.fragment.push(pasted(600))
  desk.send()
  const last = desk.fragment.get(598) as Y.XmlElement
  ;(last.get(0) as Y.XmlText).insert(0, 'typed at once ')
  desk.send()
  desk.fragment.push(pasted(200))
  desk.send()
  while (desk.saved.at(-1) !== 3) await settled()
  assert.equal(desk.saved, [1, 2, 3])
  assert.equal(desk.closed, undefined)
  assert.ok((await world.read()).markdown.includes('typed at once'))
  await world.check()
})

test('what was received is applied though its sender leaves, and before the document does', async () => {
  const world = await new World().begin('# Before\n')
  const desk = await Desk.at(world)
  desk.fragment.push(pasted(600))
  desk.send()
  desk.session?.leave()
  await (await world.documents).close()
  assert.is(await verifyDocument(await world.store, world.slug, world.runtime), undefined)
  const stored = openDocuments({
    store: await world.store,
    runtime: world.runtime,
    onTrouble: () => assert.unreachable(),
  })
  assert.ok((await stored.read(world.slug)).markdown.includes('paragraph 598'))
})

test('of an update that is malformed, or of a stranger, nothing is applied', async () => {
  for (const spoil of [
    (update: Uint8Array) => update.subarray(0, update.length - 3),
    (update: Uint8Array) => {
      const copy = update.slice()
      const at = Buffer.from(copy).lastIndexOf('table_cell')
      copy.set(Buffer.from('Table_cell'), at)
      return copy
    },
  ]) {
    const world = await new World().begin('# Before\n')
    const desk = await Desk.at(world)
    desk.fragment.push(pasted(600))
    desk.send(spoil)
    await settled(50)
    assert.is(desk.closed, 4403)
    assert.is((await world.read()).markdown, '# Before\n')
  }
  const world = await new World().begin('# Before\n')
  const [desk, thief] = [await Desk.at(world), await Desk.at(world, bob)]
  desk.fragment.push([paragraph('mine')])
  desk.send()
  await settled()
  thief.ydoc.clientID = desk.ydoc.clientID
  Y.applyUpdate(thief.ydoc, Y.encodeStateAsUpdate(desk.ydoc))
  thief.ydoc.clientID = desk.ydoc.clientID
  thief.fragment.push(pasted(600))
  thief.send()
  await settled(50)
  assert.is(thief.closed, 4409)
  assert.is((await world.read()).markdown, '# Before\n\nmine\n')
})

test('who loses the right to write while a paste is applied is closed', async () => {
  const world = await new World().begin('# Before\n')
  const desk = await Desk.at(world)
  desk.fragment.push(pasted(600))
  desk.send()
  await settled(10)
  desk.role = 'viewer'
  await settled(100)
  assert.is(desk.closed, 4403)
  assert.equal(desk.saved, [])
  assert.not.ok((await world.read()).markdown.includes('paragraph 598'))
  await world.check()
})

test("a paste over one's own words deletes them last, over others' goes whole", async () => {
  for (const writer of [alice, bob]) {
    const world = await new World().begin('# Before\n\nold words\n')
    const desk = await Desk.at(world, writer)
    desk.ydoc.transact(() => {
      desk.fragment.delete(0, desk.fragment.length)
      desk.fragment.push(pasted(600))
    })
    desk.send()
    while (desk.saved.length === 0) await settled()
    assert.is(desk.frames > 1, writer === alice)
    const { markdown } = await world.read()
    assert.not.ok(markdown.includes('old words'))
    assert.ok(markdown.startsWith('paragraph 0'))
    await world.check()
  }
})

const typing = {
  'in front of what was typed': (_: Y.XmlText, add: (at: number) => void) => {
    for (let key = 0; key < 8_000; key++) add(0)
  },
  everywhere: (words: Y.XmlText, add: (at: number) => void) => {
    for (let key = 0; key < 8_000; key++) add((key * 7_919) % words.length)
  },
}

for (const [where, type] of Object.entries(typing)) {
  for (const by of [alice.actor, bob.actor]) {
    test(`long typing offline in one paragraph, ${where}, comes in parts (${by})`, async () => {
      const world = await new World().begin(`# Before\n\n${'old '.repeat(500)}words\n`)
      const [desk, other] = [await Desk.at(world, bob), await Desk.at(world)]
      const words = (desk.fragment.get(1) as Y.XmlElement).get(0) as Y.XmlText
      type(words, (at) => words.insert(at, 'x', { authored: { by } }))
      desk.send()
      while (desk.saved.length === 0) await settled()
      assert.ok(other.frames > 3, `${other.frames} frames`)
      assert.equal(desk.saved, [1])
      const view = await world.read()
      assert.is(view.markdown.split('x').length, 8_001)
      const typed = view.authorship().filter(({ author }) => author === bob.actor)
      const letters = typed.map(({ from, to }) => view.markdown.slice(from, to)).join('')
      assert.ok(/^\s*x{8000}\s*$/.test(letters), 'all of what was typed is its writer’s')
      assert.is(
        view.markdown.split('\n\n')[1]?.trim(),
        words.toDelta().reduce((all: string, { insert }: { insert: string }) => all + insert, ''),
      )
      await world.check()
    })
  }
}

test('what is typed in one place beside a mark that begins and ends there comes whole', async () => {
  const world = await new World().begin('# Before\n\nold words\n')
  const desk = await Desk.at(world)
  const words = (desk.fragment.get(1) as Y.XmlElement).get(0) as Y.XmlText
  for (let key = 0; key < 3_000; key++) words.insert(0, 'x', { authored: { by: alice.actor } })
  words.format(0, words.length, { strong: {} })
  desk.send()
  while (desk.saved.length === 0) await settled()
  assert.is(desk.frames, 1)
  assert.ok((await world.read()).markdown.includes('**xxx'))
  await world.check()
})

test('a block that is written again keeps its id, also in a large update', async () => {
  const world = await new World().begin('# Before\n\nold words\n')
  const desk = await Desk.at(world)
  const id = (desk.fragment.get(1) as Y.XmlElement).getAttribute('id') ?? ''
  desk.ydoc.transact(() => {
    desk.fragment.push(pasted(600))
    desk.fragment.insert(200, [paragraph('old words again', id as ReturnType<typeof idOf>)])
    desk.fragment.delete(1, 1)
  })
  desk.send()
  while (desk.saved.length === 0) await settled()
  const view = await world.read()
  const block = view.contentBlocks().find((one) => one.id === id)
  assert.ok(block)
  assert.is(view.markdown.slice(block.range.from, block.range.to), 'old words again')
  await world.check()
})

test('a block that gets its content after others began is not cut off from it', async () => {
  const world = await new World().begin('# Before\n')
  const desk = await Desk.at(world)
  desk.ydoc.transact(() => {
    const empty = [new Y.XmlElement('table'), new Y.XmlElement('table')] as const
    desk.fragment.push([empty[0]])
    desk.fragment.push(pasted(300))
    desk.fragment.push([empty[1]])
    desk.fragment.push(pasted(300))
    for (const hollow of empty) {
      hollow.setAttribute('id', idOf())
      hollow.insert(0, [element('table_row', [cell('table_header', 'late')], { id: idOf() })])
    }
  })
  desk.send()
  while (desk.saved.length === 0) await settled()
  const late = (await world.read()).markdown.match(/\| late \|/g) ?? []
  assert.is(late.length, 2)
  await world.check()
})

test('a column that a table gets beside a large paste comes at once', async () => {
  const world = await new World().begin('| a | b |\n| --- | --- |\n| c | d |\n')
  const desk = await Desk.at(world)
  desk.ydoc.transact(() => {
    const [head, row] = (desk.fragment.get(0) as Y.XmlElement).toArray() as Y.XmlElement[]
    head?.push([cell('table_header', 'new')])
    desk.fragment.push(pasted(600))
    row?.push([cell('table_cell', 'too')])
  })
  desk.send()
  while (desk.saved.length === 0) await settled()
  assert.is(desk.frames, 1)
  const { markdown } = await world.read()
  assert.ok(markdown.startsWith('| a | b | new |\n| --- | --- | --- |\n| c | d | too |\n\n'))
  await world.check()
})

test('of several clients only what each wrote in one go is parted', async () => {
  const world = await new World().begin('# Before\n')
  const desk = await Desk.at(world)
  const clients = [desk.ydoc.clientID, desk.ydoc.clientID + 1]
  for (let turn = 0; turn < 8; turn++) {
    desk.ydoc.clientID = clients[turn % 2] as number
    desk.fragment.push(pasted(100))
  }
  desk.send()
  while (desk.saved.length === 0) await settled()
  assert.equal(desk.blocks, desk.fragment.toArray().map(String))
  await world.check()
})

test('what came and went before it was sent is in no part', async () => {
  const world = await new World().begin('# Before\n')
  const [desk, other] = [await Desk.at(world), await Desk.at(world, bob)]
  const shown = new Set<string>()
  other.heard.on('update', () => {
    for (const block of other.blocks) shown.add(block)
  })
  desk.ydoc.gc = false
  desk.fragment.push(pasted(600))
  desk.fragment.delete(100, 250)
  desk.send()
  while (desk.saved.length === 0) await settled()
  assert.ok(other.frames > 2, `${other.frames} frames`)
  assert.not.ok([...shown].some((block) => block.includes('paragraph 200 ')))
  await world.check()
})

test.run()
