/**
 * The estimate of what Yjs spends on an update holds for updates of anyone's making: random
 * insertions with neighbours near, far and crowded, by several clients, never make Yjs look at more
 * items than were counted.
 */
import * as encoding from 'lib0/encoding'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { applyDividing } from '../../../core/documents/guard/dividing.ts'
import { Guard } from '../../../core/documents/guard/guard.ts'
import { serverActor } from '../../../core/documents/state/document-state.ts'
import { fragmentName } from '../../../schema/document-schema.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { Tally } from '../../tally.ts'
import {
  ada,
  admitted,
  bytesOf,
  eves,
  id,
  idOf,
  info,
  judge,
  refused,
  right,
  str,
  type,
} from '../../unit/core/documents/guard/guard-bytes.ts'
import { type Random, randomOf } from '../../unit/core/documents/guard/guard-world.ts'

const rounds = process.env['LONG'] ? 50_000 : 200
const service = 10
const eve = 'human:eve' as ActorId

type Spot = readonly [client: number, clock: number]

function textDocument(random: Random): { ydoc: Y.Doc; text: Y.XmlText; id: Y.ID } {
  const ydoc = new Y.Doc()
  ydoc.clientID = service
  const paragraph = new Y.XmlElement('paragraph')
  const text = new Y.XmlText()
  paragraph.insert(0, [text])
  ydoc.getXmlFragment(fragmentName).insert(0, [paragraph])
  for (let left = 5 + random(60); left > 0; left--) text.insert(random(text.length + 1), 'd')
  if (text._item === null) throw new TypeError('not in a document')
  return { ydoc, text, id: text._item.id }
}

function writeString(
  encoder: encoding.Encoder,
  [left, right]: (Spot | undefined)[],
  id: Y.ID,
): void {
  encoding.writeUint8(encoder, 4 | (left ? 0x80 : 0) | (right ? 0x40 : 0))
  for (const spot of [left, right]) {
    for (const number of spot ?? []) encoding.writeVarUint(encoder, number)
  }
  if (left !== undefined || right !== undefined) return
  for (const number of [0, id.client, id.clock]) encoding.writeVarUint(encoder, number)
}

/** Insertions into the text with neighbours among all that exist by then, some of them favoured. */
function randomUpdate(random: Random, ydoc: Y.Doc, id: Y.ID): Uint8Array {
  const clients = [3, 5, 20, 30].slice(0, 1 + random(4))
  const sections = clients.map((client) => ({
    client,
    clock: 0,
    structs: encoding.createEncoder(),
    count: 0,
  }))
  const spots: Spot[] = []
  for (let clock = id.clock + 1; clock < Y.getState(ydoc.store, service); clock++) {
    spots.push([service, clock])
  }
  const any = (): Spot | undefined => spots[random(spots.length)]
  const hot = [any(), any()]
  const choose = (): Spot | undefined => {
    const kind = random(10)
    if (kind < 2) return undefined
    if (kind < 5) return hot[random(2)]
    return kind < 8 ? spots[spots.length - 1 - random(3)] : any()
  }
  const total = 50 + random(400)
  const mode = random(4)
  for (let at = 0; at < total; at++) {
    const turn = mode === 1 ? Math.floor((at * sections.length) / total) : random(sections.length)
    const section = sections[turn]
    if (section === undefined) continue
    const left = mode === 3 ? (random(3) > 0 ? hot[0] : undefined) : choose()
    writeString(section.structs, [left, mode === 2 ? undefined : choose()], id)
    const length = 1 + random(3)
    encoding.writeVarString(section.structs, 'abc'.slice(0, length))
    section.count++
    for (let end = section.clock + length; section.clock < end; section.clock++) {
      spots.push([section.client, section.clock])
    }
    if (random(20) === 0) hot[random(2)] = spots[spots.length - 1 - random(5)]
  }
  const encoder = encoding.createEncoder()
  const used = sections.filter(({ count }) => count > 0)
  encoding.writeVarUint(encoder, used.length)
  for (const { client, structs, count } of used) {
    for (const number of [count, client, 0]) encoding.writeVarUint(encoder, number)
    encoding.writeUint8Array(encoder, encoding.toUint8Array(structs))
  }
  encoding.writeVarUint(encoder, 0)
  return encoding.toUint8Array(encoder)
}

/** Items that Yjs looks at between neighbours: it adds each to two sets. */
function countLooks(apply: () => void): number {
  const { add } = Set.prototype
  let added = 0
  Set.prototype.add = function (value) {
    added++
    return add.call(this, value)
  }
  try {
    apply()
  } finally {
    Set.prototype.add = add
  }
  return added / 2
}

/** The service's 2,000 paragraphs, the last one with a text of 200,000 characters. */
function longSetting() {
  const ydoc = new Y.Doc()
  ydoc.clientID = service
  const fragment = ydoc.getXmlFragment('prosemirror')
  for (let at = 0; at < 2_000; at++) fragment.insert(at, [new Y.XmlElement('paragraph')])
  const text = new Y.XmlText('x'.repeat(200_000))
  const last = fragment.get(1_999)
  if (last instanceof Y.XmlElement) last.insert(0, [text])
  return { ydoc, text: idOf(text), guard: new Guard({ ydoc, ownerOf: ownerOfService }) }
}
const ownerOfService = (client: number) => (client === service ? serverActor : undefined)

test('insertions that name far neighbours are refused before Yjs walks between them', () => {
  const far = (count: number, client = eves): Uint8Array => {
    const structs = Array.from({ length: count }, () => [info(type), 1, 'prosemirror', 3, 'image'])
    return bytesOf(1, count, client, 0, ...structs.flat(), 0)
  }
  const { guard } = longSetting()
  refused(judge(guard, far(2_000)), 4413, /too long/)
  assert.ok(admitted(judge(guard, far(50))).facts.effort > 50 * 2_000)
  admitted(judge(guard, far(20, 5), ada))
})

test('a crowd beside one neighbour', () => {
  const { guard, text } = longSetting()
  const beside = (client: number, count: number): Uint8Array => {
    const structs = Array.from({ length: count }, (_, at) =>
      at === 0 ? [info(str), 0, ...id(text), 'x'] : [info(str, right), ...id(end), 'x'],
    )
    return bytesOf(1, count, client, 0, ...structs.flat(), 0)
  }
  const end = { client: service, clock: 2_001 }
  admitted(judge(guard, beside(3, 300)))
  refused(judge(guard, beside(4, 2_000)), 4413, /too long/)
})

test('keys in front of each other, where others wrote meanwhile, cost a few steps each', () => {
  for (const client of [3, 30]) {
    const keys = 5_000
    const { ydoc, text } = textDocument(randomOf(1))
    const copy = new Y.Doc()
    copy.clientID = client
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(ydoc))
    for (let key = 0; key < 4; key++) text.insert(0, 'm')
    const paragraph = copy.getXmlFragment(fragmentName).get(0) as Y.XmlElement
    const words = paragraph.get(0) as Y.XmlText
    const before = Y.encodeStateVector(copy)
    for (let key = 0; key < keys; key++) words.insert(0, 'k')
    const guard = new Guard({ ydoc, ownerOf: ownerOfService })
    const sent = Y.encodeStateAsUpdate(copy, before)
    const { facts, update } = admitted(judge(guard, sent))
    assert.ok(facts.effort <= 6 * keys, `${facts.effort} steps`)
    assert.ok(countLooks(() => Y.applyUpdate(ydoc, update)) <= facts.effort)
  }
})

test('a text cut into pieces by deletions costs a step for each', () => {
  const { guard } = longSetting()
  const ranges = Array.from({ length: 20_000 }, (_, at) => [2_100 + 2 * at, 1])
  const verdict = judge(guard, bytesOf(0, 1, service, ranges.length, ...ranges.flat()))
  assert.ok(admitted(verdict).facts.effort < 100_000)
})

const manyBlocks = 10_000

function paragraphOf(number: number): Y.XmlElement {
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.setAttribute('id', `block-${number}`)
  const text = new Y.XmlText()
  text.insert(0, `the first and the last of ${number}`, { authored: { by: eve } })
  text.insert(text.length, 'emphasis', { authored: { by: eve }, em: {} })
  paragraph.insert(0, [text])
  return paragraph
}

/** What a change of ten thousand blocks is to a guard: the update, and the document it changes. */
function changeOfMany(change: (blocks: Y.XmlFragment) => void) {
  const ydoc = new Y.Doc()
  ydoc.clientID = service
  const blocks = ydoc.getXmlFragment(fragmentName)
  blocks.insert(
    0,
    Array.from({ length: manyBlocks }, (_, number) => paragraphOf(number)),
  )
  const copy = new Y.Doc()
  copy.clientID = 3
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(ydoc))
  const before = Y.encodeStateVector(copy)
  copy.transact(() => change(copy.getXmlFragment(fragmentName)))
  const verdict = judge(
    new Guard({ ydoc, ownerOf: ownerOfService }),
    Y.encodeStateAsUpdate(copy, before),
  )
  return { ydoc, copy, ...admitted(verdict) }
}

test('ten thousand blocks become a list', () => {
  const { facts } = changeOfMany((blocks) => {
    blocks.delete(0, blocks.length)
    const list = new Y.XmlElement('bullet_list')
    const items = Array.from({ length: manyBlocks }, (_, number) => {
      const item = new Y.XmlElement('list_item')
      item.setAttribute('id', `item-${number}`)
      item.insert(0, [paragraphOf(number)])
      return item
    })
    list.insert(0, items)
    blocks.insert(0, [list])
  })
  assert.ok(facts.effort > 160_000, `${facts.effort} steps`)
})

test('a word is replaced twice in each of ten thousand blocks, which costs what it brings', () => {
  const { facts, update, ydoc, copy } = changeOfMany((blocks) => {
    for (const block of blocks.toArray()) {
      const text = (block as Y.XmlElement).get(0) as Y.XmlText
      for (const at of [14, 0]) {
        text.insert(at, 'THE')
        text.delete(at + 3, 3)
      }
    }
  })
  assert.ok(facts.effort < 5 * 2 * manyBlocks, `${facts.effort} steps`)
  applyDividing(ydoc, update)
  const read = (doc: Y.Doc) => doc.getXmlFragment(fragmentName).toString()
  assert.ok(read(ydoc) === read(copy), 'something else came of it')
})

test('Yjs never looks at more than was counted', () => {
  let highest = 0
  const tally = new Tally()
  for (let seed = 1; seed <= rounds; seed++) {
    const random = randomOf(seed)
    const { ydoc, id } = textDocument(random)
    const ownerOf = (client: number) => (client === service ? serverActor : undefined)
    const guard = new Guard({ ydoc, ownerOf })
    const update = randomUpdate(random, ydoc, id)
    const verdict = guard.judge(update, eve, { mayPark: false })
    if (verdict.kind === 'refuse' && verdict.close === 4413) {
      tally.add('refused as too much')
      continue
    }
    if (verdict.kind !== 'admit') throw new Error(`seed ${seed}: ${JSON.stringify(verdict)}`)
    const looks = countLooks(() => Y.applyUpdate(ydoc, verdict.update))
    assert.is(ydoc.store.pendingStructs, null)
    tally.add('updates')
    tally.add('looks', Math.round(looks))
    highest = Math.max(highest, looks / verdict.facts.effort)
  }
  tally.add('percent of what was counted at most', Math.round(100 * highest))
  tally.tell(`1–${rounds} guard effort`, { updates: rounds, looks: 100 * rounds })
  assert.ok(highest <= 1, `${highest} of what was counted`)
})

test.run()
