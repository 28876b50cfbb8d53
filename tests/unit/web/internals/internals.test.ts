/**
 * What the page reads of the private fields of Yjs (web/internals). A test fails here when a new
 * version of the library names or fills these fields in another way.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { deleteChild } from '../../../../web/internals/children.ts'
import { idOf, insertionsOf } from '../../../../web/internals/item-ids.ts'
import {
  clockBefore,
  type Written,
  writtenBy,
} from '../../../../web/internals/transaction-writes.ts'
import { slicesOf } from '../../../../web/internals/update-slices.ts'

function blockOf(words: string): Y.XmlElement {
  const block = new Y.XmlElement('paragraph')
  block.insert(0, [new Y.XmlText(words)])
  return block
}

/** A document by client 1 with a block for each of these. */
function copyOf(...words: readonly string[]): { ydoc: Y.Doc; blocks: Y.XmlFragment } {
  const ydoc = new Y.Doc()
  ydoc.clientID = 1
  const blocks = ydoc.getXmlFragment('blocks')
  blocks.insert(0, words.map(blockOf))
  return { ydoc, blocks }
}

const textOf = (blocks: Y.XmlFragment, at: number): Y.XmlText =>
  (blocks.get(at) as Y.XmlElement).get(0) as Y.XmlText

/** Another document with the same in it, by client 2. */
function otherOf(ydoc: Y.Doc): { ydoc: Y.Doc; blocks: Y.XmlFragment } {
  const other = new Y.Doc()
  other.clientID = 2
  Y.applyUpdate(other, Y.encodeStateAsUpdate(ydoc))
  return { ydoc: other, blocks: other.getXmlFragment('blocks') }
}

test('a child is deleted where it stands', () => {
  const { ydoc, blocks } = copyOf('one', 'two', 'three')
  const two = blocks.get(1) as Y.XmlElement
  ydoc.transact((transaction) => deleteChild(transaction, two))
  assert.equal([blocks.length, textOf(blocks, 1).toString()], [2, 'three'])
})

test('an element and a text have the id of who inserted them', () => {
  const { ydoc, blocks } = copyOf('one')
  const other = otherOf(ydoc)
  other.blocks.insert(1, [blockOf('two')])
  assert.is(idOf(other.blocks.get(0) as Y.XmlElement)?.client, 1)
  assert.is(idOf(other.blocks.get(1) as Y.XmlElement)?.client, 2)
  assert.is(idOf(textOf(blocks, 0))?.clock, 1)
  assert.is(idOf(new Y.XmlElement('paragraph')), undefined)
})

test('the characters of a text have the ids of who inserted them', () => {
  const { ydoc } = copyOf('one three')
  const { blocks } = otherOf(ydoc)
  const text = textOf(blocks, 0)
  text.insert(4, 'two ', { strong: {} })
  text.delete(0, 1)
  const found = insertionsOf(text).map(({ id, chars }) => [id.client, id.clock, chars])
  assert.equal(found, [
    [1, 3, 'ne '],
    [2, 1, 'two '],
    [1, 6, 'three'],
  ])
})

/** What a transaction of another client, which `write` is, wrote into the first one's document. */
function written(write: (blocks: Y.XmlFragment) => void) {
  const { ydoc, blocks } = copyOf('one', 'two')
  const other = otherOf(ydoc)
  let found = new Map<number, readonly Written[]>()
  let clock = -1
  ydoc.on('afterTransaction', (transaction: Y.Transaction) => {
    found = writtenBy(transaction)
    clock = clockBefore(transaction, 2)
  })
  other.ydoc.transact(() => write(other.blocks))
  Y.applyUpdate(ydoc, Y.encodeStateAsUpdate(other.ydoc))
  const place = (position: Y.RelativePosition) => {
    const absolute = Y.createAbsolutePositionFromRelativePosition(position, ydoc)
    const holders: readonly unknown[] = [blocks.get(0), textOf(blocks, 0), blocks.get(1)]
    return [holders.indexOf(absolute?.type), absolute?.index]
  }
  const stretches = (found.get(2) ?? []).map(({ from, to, isSetting }) => {
    return { from: place(from), to: place(to), isSetting }
  })
  return { clients: [...found.keys()], clock, stretches }
}

test('what a client wrote is found with its place', () => {
  const { clients, clock, stretches } = written((blocks) => {
    textOf(blocks, 0).insert(1, 'xyz')
    ;(blocks.get(1) as Y.XmlElement).setAttribute('level', '2')
  })
  assert.equal([clients, clock], [[2], 0])
  assert.equal(stretches, [
    { from: [1, 1], to: [1, 4], isSetting: false },
    { from: [2, 0], to: [2, 0], isSetting: true },
  ])
})

test('ids, authors and deletions are not written by anybody', () => {
  const { clients } = written((blocks) => {
    ;(blocks.get(1) as Y.XmlElement).setAttribute('id', 'b1')
    textOf(blocks, 0).format(0, 2, { authored: { by: 'ai:quill' } })
    textOf(blocks, 1).delete(0, 1)
  })
  assert.equal(clients, [])
})

test('an update in slices has the structs and deletions of the whole', () => {
  const { ydoc, blocks } = copyOf('old')
  const before = Y.encodeStateAsUpdate(ydoc)
  const size = 3_000_000
  let change: Uint8Array = new Uint8Array()
  ydoc.on('update', (update: Uint8Array) => {
    change = update
  })
  ydoc.transact(() => {
    blocks.delete(0, 1)
    blocks.insert(0, [blockOf('a'.repeat(size)), blockOf('b'.repeat(size))])
  })
  assert.equal(slicesOf(change, change.length), [change])
  const slices = slicesOf(change, size)
  assert.is(slices.length, 2)
  const other = new Y.Doc()
  for (const update of [before, ...slices]) Y.applyUpdate(other, update)
  assert.is(other.getXmlFragment('blocks').toString() === blocks.toString(), true)
})

test.run()
