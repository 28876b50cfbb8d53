/**
 * What a large transaction leaves is merged as Yjs itself merges it, in time that grows with it and
 * not with its square.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { SharedDoc } from '../../../core/yjs/shared-doc.ts'
import { pace, spentOn } from '../../pace.ts'
import { Tally } from '../../tally.ts'
import { randomOf } from '../../unit/core/documents/guard/guard-world.ts'

const seeds = process.env['LONG'] ? 40 : 2

const texts = (ydoc: Y.Doc): Y.XmlFragment => ydoc.getXmlFragment('prosemirror')

function blockOf(at: number): Y.XmlElement {
  const block = new Y.XmlElement('paragraph')
  block.setAttribute('id', `b${at}`)
  block.insert(0, [new Y.XmlText(`text ${at} of a block`)])
  return block
}

/** The same updates come to Yjs's own document and to ours. */
function both(writer: Y.Doc) {
  const [stock, ours] = [new Y.Doc(), new SharedDoc()]
  writer.on('update', (update: Uint8Array) => {
    Y.applyUpdate(stock, update)
    Y.applyUpdate(ours, update)
  })
  return { stock, ours }
}

const structs = (ydoc: Y.Doc) =>
  [...ydoc.store.clients].map(([client, list]) => [
    client,
    list.map(({ id, length, deleted }) => [id.clock, length, deleted]),
  ])

test('structs and bytes are those that Yjs leaves', () => {
  const tally = new Tally()
  for (let seed = 1; seed <= seeds; seed++) {
    const random = randomOf(seed)
    const writer = new Y.Doc()
    writer.clientID = 7
    const { stock, ours } = both(writer)
    const fragment = texts(writer)
    const undoManager = new Y.UndoManager(fragment, { captureTimeout: 0 })
    fragment.insert(
      0,
      Array.from({ length: 400 }, (_, at) => blockOf(at)),
    )
    for (let round = 0; round < 6; round++) {
      writer.transact(() => {
        for (let at = fragment.length - 1; at >= 0; at--) {
          const choice = random(5)
          const text = (fragment.get(at) as Y.XmlElement).get(0) as Y.XmlText
          if (choice === 0) fragment.delete(at, 1)
          else if (choice === 1) fragment.insert(at, [blockOf(at)])
          else if (choice === 2) text.delete(random(text.length), 1)
          else if (choice === 3) text.insert(random(text.length), 'new', { strong: true })
        }
      })
      if (random(2) === 0) undoManager.undo()
      tally.add('transactions')
      assert.equal(structs(ours), structs(stock), `seed ${seed}`)
      assert.equal(Y.encodeStateAsUpdate(ours), Y.encodeStateAsUpdate(stock), `seed ${seed}`)
    }
    assert.is(texts(ours).toString(), texts(stock).toString())
  }
  tally.tell(`1–${seeds} merging`, { transactions: 6 * seeds })
})

test('every other one of very many blocks goes in time that grows with them', () => {
  const writer = new Y.Doc()
  const count = 20_000
  texts(writer).insert(
    0,
    Array.from({ length: count }, (_, at) => blockOf(at)),
  )
  const ours = new SharedDoc()
  Y.applyUpdate(ours, Y.encodeStateAsUpdate(writer))
  const before = Y.encodeStateVector(writer)
  writer.transact((transaction) => {
    const blocks = texts(writer).toArray()
    for (let at = 0; at < count; at += 2) blocks[at]?._item?.delete(transaction)
  })
  const update = Y.encodeStateAsUpdate(writer, before)
  const spent = spentOn(() => Y.applyUpdate(ours, update))
  assert.is(texts(ours).length, count / 2)
  assert.ok(spent < 260 * pace(), `${spent} ms`)
})

test('all of very many blocks go at once in time that grows with them', () => {
  const writer = new Y.Doc()
  const count = 10_000
  texts(writer).insert(
    0,
    Array.from({ length: count }, (_, at) => blockOf(at)),
  )
  const ours = new SharedDoc()
  Y.applyUpdate(ours, Y.encodeStateAsUpdate(writer))
  const before = Y.encodeStateVector(writer)
  texts(writer).delete(0, count)
  const update = Y.encodeStateAsUpdate(writer, before)
  assert.is([...Y.decodeUpdate(update).ds.clients.values()][0]?.length, 1, 'one deleted range')
  const spent = spentOn(() => Y.applyUpdate(ours, update))
  assert.is(texts(ours).length, 0)
  // Where each block that goes looks at all the others it is seconds.
  assert.ok(spent < 500 * pace(), `${spent} ms`)
})

test.run()
