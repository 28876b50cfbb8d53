/**
 * Blocks written into Yjs (applyBlocks): the smallest writes, ids and authors kept, nothing lost.
 */
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import {
  br,
  change,
  h,
  li,
  make,
  marked,
  ol,
  p,
  quote,
  row,
  table,
  ul,
  Workbench,
} from './edits-fixture.ts'

test('a one-word edit is one splice: at most 6 structs, the rest keeps its author', () => {
  const { structs, authors, ids, were, bench } = change([p('one two three')], [p('one 2 three')])
  assert.is(authors, 'alice[one ]bot[2]alice[ three]')
  assert.equal(ids, were)
  assert.ok(structs <= 6, `${structs} structs`)
  assert.is(bench.clones.length, 0)
})

test('surrogate pairs are never cut', () => {
  const { authors } = change([p('a😀b')], [p('a😁b')])
  assert.is(authors, 'alice[a]bot[😁]alice[b]')
})

test('making a word bold formats that word and keeps its author', () => {
  const { authors, structs } = change(
    [p('one two three')],
    [p('one ', marked('two', 'strong'), ' three')],
  )
  assert.is(authors, 'alice[one two three]')
  assert.ok(structs <= 2, `${structs} structs`)
})

test('text inserted into bold text is as bold as asked', () => {
  const { authors } = change(
    [p(marked('onetwo', 'strong'))],
    [p(marked('one', 'strong'), ' plain ', marked('two', 'strong'))],
  )
  assert.is(authors, 'alice[one]bot[ plain ]alice[two]')
})

test('several rewritten words are several splices', () => {
  const { authors } = change(
    [p('Revenue climbed to seven million dollars in March')],
    [p('Profit climbed to nine million dollars in April')],
  )
  assert.ok(authors.includes('alice[ climbed to '), authors)
  assert.ok(authors.includes(' million dollars in'), authors)
})

test('a leaf inside a text divides it at the shorter side and credits the clone', () => {
  const { authors, bench } = change([p('a longer text')], [p('a longer', br(), ' text')])
  assert.is(authors, 'alice[a longer text]')
  assert.equal(
    bench.clones.map((clone) => clone.length),
    [5],
  )
})

test('an image keeps its element when its address changes', () => {
  const image = (src: string): Node => make('image', { src })
  const { bench } = change([p('see ', image('a'), ' there')], [p('see ', image('b'), ' there')])
  assert.is(bench.clones.length, 0)
})

test('neighbouring texts of one element are one run', () => {
  const bench = new Workbench([p('one ')])
  const element = bench.children[0]
  element?.insert(1, [new Y.XmlText('two'), new Y.XmlText(' three')])
  bench.apply(0, 1, [p('ONE tWo thREE')])
  assert.is(bench.nodes[0]?.textContent, 'ONE tWo thREE')
  assert.is(element?.length, 3)
})

test('a heading that changes its level keeps element and id', () => {
  const { ids, were, structs } = change([h(1, 'Title')], [h(2, 'Title')])
  assert.equal(ids, were)
  assert.is(structs, 1)
})

test('paragraph to heading keeps id and authors and credits the clone', () => {
  const { ids, were, authors, bench } = change([p('Title')], [h(2, 'Title two')])
  assert.equal(ids, were)
  assert.is(authors, 'alice[Title]bot[ two]')
  assert.ok(bench.clones.some((clone) => clone.length === 5))
})

test('a paragraph that becomes a heading with more words keeps id and authors', () => {
  for (const words of ['Xabc', 'abXc', 'abcX', 'XYZ# abc']) {
    const { ids, were, authors } = change([p('abc')], [h(2, words)])
    assert.equal(ids, were, words)
    assert.is(authors.replace(/alice|bot|[[\]]/g, ''), words)
    assert.is(
      authors
        .match(/alice\[([^\]]*)\]/g)
        ?.join('')
        .replace(/alice|[[\]]/g, ''),
      'abc',
    )
  }
  const { ids, were } = change([p('abc')], [h(2, 'other')])
  assert.is.not(ids[0], were[0])
})

test('a paragraph wrapped into a list or quote keeps id and authors', () => {
  for (const wrap of [(node: Node) => ul(li(node)), (node: Node) => quote(node)]) {
    const { were, authors, bench } = change([p('keep me')], [wrap(p('keep me'))])
    assert.is(authors, 'alice[keep me]')
    let id: unknown
    bench.nodes[0]?.descendants((child) => {
      if (child.isTextblock) id = child.attrs['id']
    })
    assert.is(id, were[0])
  }
})

test('a list taken apart into paragraphs keeps authors', () => {
  const { authors } = change([ul(li(p('alpha')), li(p('beta')))], [p('alpha'), p('beta')])
  assert.is(authors, 'alice[alpha]|alice[beta]')
})

test('a bullet list turned into a numbered one keeps the ids of list and items', () => {
  const old = [ul(li(p('alpha')), li(p('beta')))]
  const { ids, were, authors } = change(old, [ol(li(p('alpha')), li(p('beta')))])
  assert.equal(ids, were)
  assert.is(authors, 'alice[alphabeta]')
})

test('inserting, deleting and swapping blocks leaves the others alone', () => {
  const [a, b, c] = [p('alpha'), p('beta'), p('gamma')]
  assert.equal(change([a, b, c], [a, p('new'), b, c]).ids.slice(2).length, 2)
  const gone = change([a, b, c], [a, c])
  assert.equal(gone.ids, [gone.were[0], gone.were[2]])
  const moved = change([a, b, c], [b, c, a])
  assert.equal(moved.ids, [moved.were[1], moved.were[2], moved.were[0]])
  assert.is(moved.authors, 'alice[beta]|alice[gamma]|alice[alpha]')
})

test('of repeated blocks the one that stays is the one that stood there', () => {
  const same = (): Node => p('same')
  const { ids, were } = change([same(), p('x'), same()], [p('x'), same()])
  assert.equal(ids, were.slice(1))
})

test('an item changed in a list leaves the other items alone', () => {
  const old = [ul(li(p('alpha')), li(p('beta')), li(p('gamma')))]
  const { structs, authors } = change(old, [ul(li(p('alpha')), li(p('BETA')), li(p('gamma')))])
  assert.is(authors, 'alice[alpha]bot[BETA]alice[gamma]')
  assert.ok(structs <= 4, `${structs} structs`)
})

test('a new table column leaves the cells of the others alone', () => {
  const old = [table(row('a', 'b'), row('c', 'd'))]
  const { authors, bench } = change(old, [table(row('a', 'x', 'b'), row('c', 'y', 'd'))])
  assert.is(authors, 'alice[a]bot[x]alice[bc]bot[y]alice[d]')
  assert.is(bench.clones.length, 0)
})

test.run()
