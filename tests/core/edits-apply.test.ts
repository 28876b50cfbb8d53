/**
 * Blocks written into Yjs (applyBlocks): the smallest writes, ids and authors kept, nothing lost.
 */
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import {
  alice,
  anyBlock,
  anyBlocks,
  authorsOf,
  bare,
  br,
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

const seed = 20_260_721
const runs = process.env['LONG'] ? 20_000 : 600

const shown = (nodes: readonly Node[]): string => nodes.map((node) => bare(node).toString()).join()

/** Applies and checks the laws that always hold; gives what one case wants to look at. */
function change(
  old: readonly Node[],
  next: readonly Node[],
): { bench: Workbench; structs: number; authors: string; ids: unknown[]; were: unknown[] } {
  const bench = new Workbench(old)
  const were = bench.ids()
  const structs = bench.apply(0, old.length, next)
  assert.is(shown(bench.nodes), shown(next))
  assert.equal(bench.children, bench.fragment.toArray())
  const every: unknown[] = []
  for (const node of bench.nodes) {
    if (node.attrs['id']) every.push(node.attrs['id'])
    node.descendants((child) => {
      if (child.attrs['id']) every.push(child.attrs['id'])
    })
  }
  assert.is(new Set(every).size, every.length, 'ids are unique')
  const authors = bench.nodes.map(authorsOf).join('|')
  return { bench, structs, authors, ids: bench.ids(), were }
}

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

test('random changes read as planned, keep untouched blocks and are small', () => {
  console.log(`seed ${seed} applyBlocks random changes: ${runs} runs`)
  fc.assert(
    fc.property(anyBlocks, anyBlocks, (old, next) => {
      const { bench } = change(old, next)
      bench.apply(0, next.length, old)
      assert.is(shown(bench.nodes), shown(old))
    }),
    { seed, numRuns: runs },
  )
})

const script = fc.array(
  fc.record({
    at: fc.nat(9),
    remove: fc.nat(2),
    insert: fc.array(anyBlock, { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 4 },
)

test('random scripts keep the ids and authors of every block they do not name', () => {
  console.log(`seed ${seed} applyBlocks scripts: ${runs} runs`)
  fc.assert(
    fc.property(anyBlocks, script, (old, steps) => {
      const bench = new Workbench(old)
      for (const { at, remove, insert } of steps) {
        const nodes = bench.nodes
        const from = Math.min(at, nodes.length)
        const to = Math.min(nodes.length, from + remove)
        const next = [...nodes.slice(0, from), ...insert, ...nodes.slice(to)]
        bench.apply(0, nodes.length, next)
        const now = bench.nodes
        assert.is(shown(now), shown(next))
        for (const node of [...nodes.slice(0, from), ...nodes.slice(to)]) {
          const kept = now.find((each) => each.attrs['id'] === node.attrs['id'])
          assert.is(kept?.toString(), node.toString())
        }
      }
    }),
    { seed, numRuns: runs },
  )
})

const typing = fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 5 })

test('what is typed meanwhile into blocks that stay is never lost', () => {
  console.log(`seed ${seed} applyBlocks concurrent typing: ${runs} runs`)
  const paragraphs = fc.array(
    fc.array(fc.constantFrom('alpha ', 'beta ', 'gamma ', '😀 '), { minLength: 1, maxLength: 6 }),
    { minLength: 1, maxLength: 4 },
  )
  let typed = 0
  fc.assert(
    fc.property(paragraphs, paragraphs, typing, (old, next, keys) => {
      const nodes = (rows: string[][]): Node[] => rows.map((words) => p(words.join('')))
      const count = Math.min(old.length, next.length)
      const bench = new Workbench(nodes(old).slice(0, count))
      const peer = new Y.Doc()
      peer.clientID = 55
      Y.applyUpdate(peer, Y.encodeStateAsUpdate(bench.doc))
      keys.forEach(([block, at], index) => {
        const text = (peer.getXmlFragment('prosemirror').get(block % count) as Y.XmlElement).get(0)
        if (!(text instanceof Y.XmlText)) return
        text.insert(at % (text.length + 1), String(index), { authored: { by: alice } })
        typed++
      })
      for (const [index, node] of nodes(next).slice(0, count).entries()) {
        bench.apply(index, 1, [node])
      }
      Y.applyUpdate(bench.doc, Y.encodeStateAsUpdate(peer))
      const all = bench.nodes.map((node) => node.textContent).join('')
      for (const index of keys.keys()) assert.ok(all.includes(String(index)), all)
    }),
    { seed, numRuns: runs },
  )
  assert.ok(typed > runs / 2)
})

test.run()
