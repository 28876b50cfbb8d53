/**
 * Large live updates are applied in parts: what becomes of the document, of the messages behind
 * them, of whoever leaves or is refused meanwhile, and which updates go whole.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { openDocuments } from '../../../core/documents/front/documents.ts'
import { Guard } from '../../../core/documents/guard/guard.ts'
import { verifyDocument } from '../../../core/documents/verify.ts'
import { settled } from '../../simulated-runtime.ts'
import { Tally } from '../../tally.ts'
import { countParts } from '../count-parts.ts'
import {
  alice,
  bob,
  cell,
  Desk,
  element,
  idOf,
  paragraph,
  pasted,
  textOf,
  World,
} from './parted-world.ts'

const tally = new Tally()
const letters = 20_000
const stopCounting = countParts(tally)

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
  assert.ok((await stored.read(world.slug, { markdown: true })).markdown.includes('paragraph 598'))
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
  desk.loseRole()
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

test('law 5: where a message is cut is found in steps that are short whatever it brings', async () => {
  const world = await new World().begin('# Before\n')
  const desk = await Desk.at(world)
  desk.fragment.push([paragraph('-')])
  const text = (desk.fragment.get(1) as Y.XmlElement).get(0) as Y.XmlText
  desk.ydoc.transact(() => {
    // Each in front of the last, so that no two are one.
    for (let letter = 0; letter < letters; letter++) text.insert(0, 'x')
  })
  const { parting } = Guard.prototype
  let steps = 0
  Guard.prototype.parting = function* (...given) {
    const finding = parting.apply(this, given)
    for (;;) {
      const step = finding.next()
      if (step.done === true) return step.value
      steps++
      yield
    }
  }
  desk.send()
  while (desk.saved.length === 0) await settled()
  Guard.prototype.parting = parting
  // Each struct is looked at five times.
  assert.ok(steps >= (5 * letters) / 1_024, `${steps} steps`)
  assert.ok(textOf((await world.read()).markdown).includes('x'.repeat(letters)))
  await world.check()
})

test('messages were applied in parts', () => {
  stopCounting()
  tally.tell('none parted updates', { 'messages in parts': 8, parts: 100 })
})

test.run()
