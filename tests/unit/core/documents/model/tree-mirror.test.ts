/** The mirror: what a refresh reports and reuses, positions, leaves and their authors, cost. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { IndexedList } from '../../../../../core/documents/model/indexed-list.ts'
import { Mirror } from '../../../../../core/documents/model/mirror.ts'
import { touchedTypes } from '../../../../../core/yjs/touched.ts'
import { fragmentName } from '../../../../../schema/document-schema.ts'
import type { ActorId } from '../../../../../schema/ids.ts'
import { Chance } from '../../../../chance.ts'
import { bid, Desk, shape, t, y } from './tree-desk.ts'

const p = (text: string) => y('paragraph', { id: bid(text) }, text)

/** A mirror of these blocks, and the changes each write is reported with: `from-to: nodes`. */
function mirrored(...children: readonly Y.XmlElement[]) {
  const ydoc = new Y.Doc()
  const fragment = ydoc.getXmlFragment(fragmentName)
  fragment.insert(0, [...children])
  const mirror = new Mirror(fragment, (client, clock) => `${client}:${clock}` as ActorId)
  mirror.load()
  const write = (change: () => void): string[] => {
    const { transaction } = ydoc.transact((running) => {
      change()
      return { transaction: running }
    })
    return mirror
      .refresh(transaction)
      .map(({ from, to, nodes }) => `${from}-${to}: ${nodes.map(shape).join(' ')}`)
  }
  return { fragment, mirror, write }
}

test('changes are told apart, joined where they meet, and apply one after the other', () => {
  const { fragment, mirror, write } = mirrored(...['a', 'b', 'c', 'd', 'e'].map(p))
  const changes = write(() => {
    fragment.insert(0, [p('new'), p('more')])
    fragment.delete(3, 1)
    ;((fragment.get(3) as Y.XmlElement).get(0) as Y.XmlText).insert(1, '!')
    fragment.delete(5, 1)
  })
  assert.equal(changes, [
    '0-0: paragraph("new") paragraph("more")',
    '3-5: paragraph("c!")',
    '5-6: ',
  ])
  assert.equal(
    mirror.nodes.map((node) => node.textContent),
    ['new', 'more', 'a', 'c!', 'd'],
  )
})

test('a write that changes nothing visible is no change', () => {
  const { fragment, mirror, write } = mirrored(p('a'))
  const before = mirror.nodes
  const text = (fragment.get(0) as Y.XmlElement).get(0) as Y.XmlText
  assert.equal(
    write(() => {
      text.insert(0, 'x')
      text.delete(0, 1)
    }),
    [],
  )
  assert.ok(mirror.nodes[0] === before[0])
})

test('only what was touched is new', () => {
  const item = (text: string) => y('list_item', {}, p(text))
  const { mirror, write } = mirrored(p('x'), y('bullet_list', {}, item('a'), item('b')))
  const [x, list] = mirror.nodes
  const last = mirror.children[1]?.get(1) as Y.XmlElement
  write(() => ((last.get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(0, '!'))
  assert.ok(mirror.nodes[0] === x)
  assert.ok(mirror.nodes[1] !== list && mirror.nodes[1]?.firstChild === list?.firstChild)
})

test('neighbouring texts read as one run', () => {
  const { mirror } = mirrored(
    y('paragraph', {}, t('a', { strong: {} }), t('b', { strong: {} }), t('c'), y('hard_break'), ''),
  )
  assert.equal(mirror.nodes.map(shape), ['paragraph("ab":strong "c" hard_break)'])
})

test('unknown formats and attributes are passed over', () => {
  const { mirror } = mirrored(
    y(
      'paragraph',
      { colour: 'red' },
      t('a', { 'em--abcdefgh': {}, blink: {}, link: { title: 'x' } }),
    ),
  )
  assert.equal(mirror.nodes.map(shape), ['paragraph("a")'])
  assert.equal({ ...mirror.nodes[0]?.attrs }, { id: null, gap: null, spelling: null })
})

test('a leaf leads to its struct, also when another takes its place unseen', () => {
  const { fragment, mirror, write } = mirrored(
    y('paragraph', {}, y('hard_break')),
    y('horizontal_rule'),
  )
  const paragraph = fragment.get(0) as Y.XmlElement
  const author = () => mirror.leafAuthor(mirror.nodes[0]?.firstChild ?? (mirror.nodes[1] as never))
  const before = author()
  assert.is(before, `${fragment.doc?.clientID}:${paragraph.get(0)._item?.id.clock}`)
  write(() => {
    paragraph.delete(0, 1)
    paragraph.insert(0, [y('hard_break')])
  })
  assert.is.not(author(), before)
  assert.ok(mirror.leafAuthor(mirror.nodes[1] as never)?.startsWith(`${fragment.doc?.clientID}:`))
})

test('touched types: born and changed ones, not deleted ones', () => {
  const { fragment, mirror } = mirrored(p('a'), p('b'), p('c'))
  const born = y('blockquote', {}, p('d'))
  const touched = fragment.doc?.transact((transaction) => {
    mirror.children[0]?.setAttribute('id', bid('z'))
    for (const block of mirror.children.slice(1)) (block.get(0) as Y.XmlText).insert(0, 'x')
    fragment.delete(2, 1)
    fragment.insert(0, [born])
    return touchedTypes(transaction)
  })
  assert.ok(touched?.root)
  assert.equal(
    [...(touched?.elements ?? [])].map((element) => element.nodeName),
    ['paragraph', 'blockquote', 'paragraph'],
  )
  assert.equal([...(touched?.texts ?? [])].map(String), ['xb', 'd'])
})

test('indexed: found without a search whatever was inserted and removed', () => {
  const indexed = new IndexedList([...'abcdefgh'])
  let list = [...'abcdefgh']
  const chance = new Chance(5)
  for (let round = 0; round < 2000; round++) {
    const from = chance.below(list.length + 1)
    const to = Math.min(list.length, from + chance.below(4))
    const items = Array.from({ length: chance.below(4) }, (_, index) => `${round}.${index}`)
    const second = { from: Math.min(from + items.length, 999), to: from + items.length, items: [] }
    indexed.splice([{ from, to, items }, second])
    list = [...list.slice(0, from), ...items, ...list.slice(to)]
    assert.equal(indexed.list, list)
    const index = chance.below(list.length)
    if (list.length > 0) assert.is(indexed.indexOf(list[index] as string), index)
  }
  assert.is(indexed.indexOf('never there'), -1)
})

test('a keystroke costs the same among ten thousand blocks as among a hundred', () => {
  const median = (count: number) => {
    const desk = new Desk()
    desk.commit(() => {
      const blocks = Array.from({ length: count }, (_, index) =>
        y('paragraph', {}, `block ${index}`),
      )
      desk.fragment.insert(0, blocks)
    })
    const times = Array.from({ length: 400 }, (_, round) => {
      const block = desk.mirror.children[(round * 7919) % count] as Y.XmlElement
      const transaction = desk.ydoc.transact((running) => {
        ;(block.get(0) as Y.XmlText).insert(0, 'x')
        return running
      })
      const started = performance.now()
      desk.mirror.refresh(transaction)
      return performance.now() - started
    })
    return times.sort((a, b) => a - b)[200] ?? 0
  }
  const [few, many] = [median(100), median(10_000)]
  assert.ok(many < 10 * few + 0.1, `${few} ms and ${many} ms`)
})

test.run()
