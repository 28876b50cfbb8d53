/**
 * Block ids: who keeps an id that several claim, what is issued anew, and what deletions leave
 * behind.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { buildElement } from '../../../../../core/documents/model/build.ts'
import { documentSchema, fragmentName } from '../../../../../schema/document-schema.ts'
import { type ActorId, type BlockId, isBlockId } from '../../../../../schema/ids.ts'
import { bid, Desk, y } from './tree-desk.ts'

const p = (id: string, text = id) => y('paragraph', { id: bid(id) }, text)
const item = (id: string, ...children: Y.XmlElement[]) =>
  y('list_item', { id: bid(`${id}i`) }, ...(children.length > 0 ? children : [p(id)]))

function desk(...children: readonly Y.XmlElement[]): Desk {
  const made = new Desk()
  made.commit(() => made.fragment.insert(0, [...children]))
  made.check()
  return made
}

const top = (of: Desk, index: number) => of.mirror.children[index] as Y.XmlElement
const idAt = (of: Desk, index: number) => of.mirror.nodes[index]?.attrs['id'] as string
const remove = (element: Y.XmlElement) => {
  const { parent } = element
  assert.ok(parent instanceof Y.XmlFragment)
  parent.delete(parent.toArray().indexOf(element), 1)
}

/** `id survivor relation`, readable. */
const told = (found: ReturnType<Desk['commit']>) =>
  found.deleted.map(({ id, survivor, relation }) =>
    [id, relation, survivor].map((part) => part?.replace(/^bid_0*/, '') ?? 'null').join(' '),
  )

test('new blocks keep well-formed ids; missing and malformed ones are issued', () => {
  const made = desk(
    p('a'),
    y('paragraph', { id: 'bid_SHORT' }),
    y('paragraph', { id: 'x' }),
    y('table', {}),
  )
  assert.is(idAt(made, 0), bid('a'))
  assert.ok(isBlockId(idAt(made, 1)))
  const { revived, deleted } = made.commit(() => made.fragment.insert(0, [p('b'), y('paragraph')]))
  assert.equal(revived, [bid('b')], 'issued ids are no news')
  assert.equal(deleted, [])
})

test('a split that copies the id: the first holder keeps it', () => {
  const made = desk(p('a', 'one two'))
  made.commit(() => {
    const text = top(made, 0).get(0) as Y.XmlText
    text.delete(3, 4)
    made.fragment.insert(1, [p('a', 'two')])
  })
  made.check()
  assert.is(idAt(made, 0), bid('a'))
  made.commit(() => made.fragment.insert(0, [p('a', 'zero')]))
  made.check()
  assert.is(idAt(made, 1), bid('a'), 'also when the copy comes before it')
})

test('a pasted copy, nested ids and all, gets its own', () => {
  const made = desk(p('a'), y('bullet_list', { id: bid('l') }, item('b')))
  made.commit(() => made.fragment.insert(0, [top(made, 1).clone()]))
  made.check()
  assert.is(idAt(made, 2), bid('l'))
  assert.is(made.idsInOrder().filter((id) => id === bid('b')).length, 1)
})

test('without a holder the first claimant with content wins', () => {
  const made = desk(p('a'), p('c'))
  made.commit(() => {
    remove(top(made, 0))
    made.fragment.insert(0, [p('a', ''), p('a', 'x'), p('a', 'y')])
  })
  made.check()
  assert.is(idAt(made, 1), bid('a'))
  made.commit(() => {
    remove(top(made, 1))
    made.fragment.insert(3, [p('a', ''), p('a', '')])
  })
  assert.is(idAt(made, 3), bid('a'), 'among empty ones the first')
})

test('ids that change places in one write are both honoured', () => {
  const made = desk(p('a'), p('b'))
  const { deleted, revived } = made.commit(() => {
    top(made, 0).setAttribute('id', bid('b'))
    top(made, 1).setAttribute('id', bid('a'))
  })
  made.check()
  assert.equal([idAt(made, 0), idAt(made, 1)], [bid('b'), bid('a')])
  assert.equal([deleted, revived], [[], []])
})

test('a stolen id goes back, the thief gets a new one, its old one is gone', () => {
  const made = desk(p('a'), p('b'))
  const found = made.commit(() => top(made, 1).setAttribute('id', bid('a')))
  made.check()
  assert.is(idAt(made, 0), bid('a'))
  assert.equal(told(found), ['b after a'])
})

test('a removed id is replaced', () => {
  const made = desk(p('a'), p('b'))
  const found = made.commit(() => top(made, 1).removeAttribute('id'))
  made.check()
  assert.equal(told(found), ['b after a'])
})

test('undo brings an id back', () => {
  const made = desk(p('a'), p('b'))
  const client = new Y.Doc()
  Y.applyUpdate(client, Y.encodeStateAsUpdate(made.ydoc))
  const undo = new Y.UndoManager(client.getXmlFragment(fragmentName))
  client.getXmlFragment(fragmentName).delete(1, 1)
  const gone = made.receive(Y.encodeStateAsUpdate(client))
  assert.equal(told(gone), ['b after a'])
  undo.undo()
  const back = made.receive(Y.encodeStateAsUpdate(client))
  made.check()
  assert.equal(back, { deleted: [], revived: [bid('b')] })
  assert.is(idAt(made, 1), bid('b'))
})

test('a block moved by clone and delete keeps its id without a word', () => {
  const made = desk(p('a'), p('b'), p('c'))
  const found = made.commit(() => {
    made.fragment.insert(3, [top(made, 0).clone()])
    remove(top(made, 0))
  })
  made.check()
  assert.is(idAt(made, 2), bid('a'))
  assert.equal(found, { deleted: [], revived: [] })
})

test('survivors: the one before, else the one after, else nobody', () => {
  const made = desk(p('a'), p('b'), p('c'), p('d'))
  assert.equal(told(made.commit(() => made.fragment.delete(1, 2))), ['b after a', 'c after a'])
  assert.equal(told(made.commit(() => made.fragment.delete(0, 1))), ['a before d'], 'the chain')
  assert.equal(told(made.commit(() => made.fragment.delete(0, 1))), ['d after null'])
  made.check()
})

test('survivors of nested blocks: addressable siblings, else the parent, else its place', () => {
  const nested = y('bullet_list', { id: bid('n') }, item('x'))
  const made = desk(
    p('a'),
    y('bullet_list', { id: bid('l') }, item('b'), item('c', p('c'), nested, p('e')), item('d')),
  )
  const list = top(made, 1)
  const second = list.get(1) as Y.XmlElement
  assert.equal(told(made.commit(() => second.delete(2, 1))), ['e after c'], 'n only wraps')
  assert.equal(told(made.commit(() => second.delete(1, 1))), [
    'n after c',
    'xi after c',
    'x after c',
  ])
  assert.equal(told(made.commit(() => list.delete(1, 1))), ['ci after bi', 'c after bi'])
  assert.equal(told(made.commit(() => list.delete(0, 1))), ['bi before di', 'b before di'])
  assert.equal(told(made.commit(() => remove(list))), ['l after a', 'di after a', 'd after a'])
  made.check()
})

test('the header row of a table is nobody to point at', () => {
  const row = (id: string, kind: string) => y('table_row', { id: bid(id) }, y(kind, {}, id))
  const rows = [row('h', 'table_header'), row('r', 'table_cell'), row('s', 'table_cell')]
  const made = desk(y('table', { id: bid('t') }, ...rows))
  assert.equal(told(made.commit(() => top(made, 0).delete(1, 1))), ['r before s'])
  assert.equal(told(made.commit(() => top(made, 0).delete(1, 1))), ['s after t'])
})

test('ten thousand deletions in one write are told in one sweep', () => {
  const made = new Desk()
  made.commit(() => {
    made.fragment.insert(
      0,
      Array.from({ length: 10_000 }, (_, index) => p(String(index))),
    )
  })
  const found = made.commit(() => made.fragment.delete(1, 9_998))
  assert.is(found.deleted.length, 9_998)
  assert.ok(found.deleted.every(({ survivor }) => survivor === bid('0')))
})

test('the index follows', () => {
  const made = desk(p('a'), p('b'))
  assert.ok(made.ids.elementOf(bid('b') as BlockId) === top(made, 1))
  made.commit(() => remove(top(made, 1)))
  assert.is(made.ids.elementOf(bid('b') as BlockId), undefined)
  made.ids.load()
  assert.ok(made.ids.elementOf(bid('a') as BlockId) === top(made, 0))
})

test('built elements: ids kept or new, authors kept or given', () => {
  const { nodes, marks } = documentSchema
  const text = documentSchema.text('x', [marks.authored.create({ by: 'human:a' })])
  const node = nodes.heading.create({ id: bid('a'), level: 2 }, [text, documentSchema.text('y')])
  const options = { newId: () => bid('new') as BlockId, author: 'ai:b' as ActorId }
  const made = new Desk()
  made.commit(() => {
    made.fragment.insert(0, [
      buildElement(node, { ...options, keepIds: true, keepAuthors: true }),
      buildElement(node, options),
    ])
  })
  made.check()
  const authors = made.mirror.nodes.map((each) =>
    each.children.map((child) => `${child.text} ${child.marks[0]?.attrs['by']}`),
  )
  assert.equal([idAt(made, 0), idAt(made, 1)], [bid('a'), bid('new')])
  assert.equal(authors, [['x human:a', 'y ai:b'], ['xy ai:b']])
})

test.run()
