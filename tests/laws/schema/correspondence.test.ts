/**
 * Laws of the value that says what became of blocks and words, on random changes of random blocks:
 * it accounts for every block and every unit once, and says nothing of them that is not so. `LONG`
 * runs more.
 */
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type AddedBlock,
  type BlockRow,
  type RemovedBlock,
  type StayingBlock,
  staysOf,
} from '../../../schema/diff/blocks.ts'
import { sameContent } from '../../../schema/diff/content.ts'
import {
  type Correspondence,
  complete,
  correspondenceOf,
  match,
  pairMoved,
} from '../../../schema/diff/correspondence.ts'
import { inlineRow, keptBetween, mappedUnit } from '../../../schema/diff/inline-row.ts'
import { nameBlocks } from '../../../schema/diff/naming.ts'
import { Tally } from '../../tally.ts'
import {
  anyBlocks,
  bare,
  h,
  li,
  p,
  quote,
  row,
  table,
  ul,
  Workbench,
} from '../../unit/core/documents/edits/edits-fixture.ts'

const seed = 20_261_123
const numRuns = process.env['LONG'] ? 10_000 : 100

/** Old blocks, and what some of them, moved and mixed with others, became. */
const change = fc
  .tuple(anyBlocks, anyBlocks, fc.array(fc.nat(20), { maxLength: 6 }), fc.boolean())
  .map(([before, other, order, isSame]) => {
    const old = new Workbench(before).nodes
    const kept = order.flatMap((at) => old[at % old.length] ?? [])
    const mixed = [...kept.slice(0, 3), ...other, ...kept.slice(3)]
    // As they are read from a text: others, though they say the same.
    return { old, next: isSame ? mixed : mixed.map(bare) }
  })

const parts = ({
  old,
  next,
}: {
  readonly old: readonly Node[]
  readonly next: readonly Node[]
}) => [{ from: 0, old, next }]

interface Told {
  readonly stays: StayingBlock[]
  readonly comes: AddedBlock[]
  readonly goes: RemovedBlock[]
}

/** Who is told of, at any depth; checks that each sibling is told of once, in order. */
function check(row: BlockRow, old: readonly Node[], next: readonly Node[], told: Told): void {
  assert.is(row.old.length, old.length)
  assert.is(row.next.length, next.length)
  for (const [index, { node }] of row.next.entries()) assert.is(node, next[index])
  const stayed = new Set<number>()
  for (const [block, from] of staysOf(row)) {
    assert.is(block.old, old[from])
    assert.is(block.isKept, sameContent(block.old, block.node))
    stayed.add(from)
    told.stays.push(block)
    if (block.row) check(block.row, block.old.children, block.node.children, told)
    else assert.ok(block.isKept || block.node.inlineContent || block.node.isLeaf)
  }
  for (const [index, block] of row.old.entries()) {
    assert.is(block === undefined, stayed.has(index))
    if (block) assert.is(block.node, old[index])
    if (block) addAll(block, told.goes)
  }
  for (const block of row.next) if (block.kind === 'comes') addAll(block, told.comes)
}

function addAll<Block extends { readonly children: readonly Block[] }>(one: Block, into: Block[]) {
  into.push(one)
  for (const child of one.children) addAll(child, into)
}

function toldBy({ parts: [part] }: Correspondence, old: readonly Node[], next: readonly Node[]) {
  const told: Told = { stays: [], comes: [], goes: [] }
  assert.ok(part)
  check(part.row, old, next, told)
  return told
}

test('every block stays, goes or comes, and none is two that went', () => {
  const did = new Tally()
  fc.assert(
    fc.property(change, ({ old, next }) => {
      const made = correspondenceOf(parts({ old, next }))
      const { comes, goes } = toldBy(made, old, next)
      const sources = comes.flatMap(({ source }) => source ?? [])
      assert.is(new Set(sources).size, sources.length)
      assert.equal(new Set(sources), new Set(goes.filter(({ isTaken }) => isTaken)))
      for (const { node, source } of comes) {
        if (source) assert.is(source.node.inlineContent, node.inlineContent)
      }
      did.add('changes')
      did.add('moved blocks', sources.length)
    }),
    { seed, numRuns },
  )
  did.tell(`${seed} blocks`, { changes: numRuns, 'moved blocks': numRuns })
})

test('every unit of a text is kept, carried or new, and what is kept or carried is the same', () => {
  const did = new Tally()
  fc.assert(
    fc.property(change, ({ old, next }) => {
      const made = correspondenceOf(parts({ old, next }))
      toldBy(made, old, next)
      const [usedOld, usedNext] = [new Map<object, Set<number>>(), new Map<object, Set<number>>()]
      const use = (used: typeof usedOld, block: object, unit: number) => {
        const units = used.get(block) ?? new Set()
        assert.not(units.has(unit), 'no unit is told of twice')
        used.set(block, units.add(unit))
      }
      const same = (was: Node, at: number, is: Node, to: number) => {
        const [a, b] = [inlineRow(was), inlineRow(is)]
        assert.is(a.chars[at], b.chars[to])
      }
      for (const [block, regions] of made.regions) {
        const source = block.kind === 'stays' ? block : block.source
        assert.ok(source)
        const was = block.kind === 'stays' ? block.old : (block.source?.node as Node)
        const rows = [inlineRow(was), inlineRow(block.node)] as const
        const kept = keptBetween(rows[0], regions)
        const size = kept.reduce((sum, { from, to }) => sum + to - from, 0)
        const gone = regions.reduce((sum, { from, to }) => sum + to - from, 0)
        const came = regions.reduce((sum, { nextFrom, nextTo }) => sum + nextTo - nextFrom, 0)
        assert.equal([size + gone, size + came], [rows[0].chars.length, rows[1].chars.length])
        for (const { from, to, nextFrom } of kept) {
          for (let unit = from; unit < to; unit++) {
            same(was, unit, block.node, nextFrom + unit - from)
            assert.is(mappedUnit(kept, unit) !== undefined, true)
            use(usedOld, source, unit)
            use(usedNext, block, nextFrom + unit - from)
            did.add('kept units')
          }
        }
        for (const { from, to, nextFrom, nextTo } of regions) {
          for (const [{ chars }, at] of [
            [rows[0], from],
            [rows[0], to],
            [rows[1], nextFrom],
            [rows[1], nextTo],
          ] as const) {
            assert.not.match(chars.slice(at - 1, at + 1), /^[\ud800-\udbff][\udc00-\udfff]$/)
          }
        }
      }
      for (const { source, sourceFrom, target, from, to } of made.carried) {
        const was = source.kind === 'stays' ? source.old : source.node
        for (let unit = from; unit < to; unit++) {
          same(was, sourceFrom + unit - from, target.node, unit)
          use(usedOld, source, sourceFrom + unit - from)
          use(usedNext, target, unit)
          did.add('carried units')
        }
      }
    }),
    { seed, numRuns },
  )
  did.tell(`${seed} words`, { 'kept units': 5 * numRuns, 'carried units': numRuns })
})

test('where nothing changed nothing is told, whoever reads it', () => {
  fc.assert(
    fc.property(anyBlocks, fc.boolean(), (blocks, isSame) => {
      const old = new Workbench(blocks).nodes
      const next = isSame ? old : old.map(bare)
      const made = correspondenceOf(parts({ old, next }))
      const { stays, comes, goes } = toldBy(made, old, next)
      assert.ok(stays.every(({ isKept }) => isKept))
      assert.is(comes.length + goes.length + made.regions.size + made.carried.length, 0)
    }),
    { seed, numRuns },
  )
})

test('names go to who they belong to, and none to two', () => {
  const did = new Tally()
  fc.assert(
    fc.property(change, ({ old, next: mixed }) => {
      const next = mixed.map(bare)
      const matched = match(parts({ old, next }))
      pairMoved(matched)
      const [row] = matched.map((part) => nameBlocks(part.row))
      assert.ok(row)
      const nodes = row.next.map(({ node }) => node)
      assert.equal(
        nodes.map((node) => bare(node).toString()),
        next.map(String),
      )
      const made = complete([{ from: 0, row }])
      const { stays, comes } = toldBy(made, old, nodes)
      const idOf = (node: Node) => node.attrs['id'] ?? null
      for (const { old: was, node } of stays) assert.is(idOf(node), idOf(was))
      for (const { node, source } of comes) {
        const isNamed = 'id' in node.attrs && source !== undefined && 'id' in source.node.attrs
        assert.is(idOf(node), isNamed ? idOf(source.node) : null)
      }
      const ids: unknown[] = []
      const visit = (node: Node): void => {
        if (idOf(node) !== null) ids.push(idOf(node))
        node.forEach(visit)
      }
      nodes.forEach(visit)
      assert.is(new Set(ids).size, ids.length)
      did.add('named blocks', ids.length)
    }),
    { seed, numRuns },
  )
  did.tell(`${seed} names`, { 'named blocks': numRuns })
})

/** What became of each block that went or came, in words. */
function toldInWords(old: readonly Node[], next: readonly Node[]): string[] {
  const made = correspondenceOf(parts({ old, next }))
  const { stays, comes, goes } = toldBy(made, old, next)
  const name = (node: Node) => `${node.type.name} ${node.textContent}`
  return [
    ...stays
      .filter((one) => !one.isKept)
      .map(({ old: was, node }) => `${name(was)} > ${name(node)}`),
    ...goes.filter((one) => !one.isTaken).map(({ node }) => `${name(node)} went`),
    ...comes.map(({ node, source }) => `${name(node)} was ${source ? name(source.node) : 'not'}`),
    ...made.carried.map(({ target, from, to }) => {
      return `${inlineRow(target.node).chars.slice(from, to)} carried`
    }),
  ]
}

test('moved, converted, wrapped, joined and divided blocks are told as such', () => {
  const [one, two] = [p('one two three'), p('four five six')]
  assert.equal(toldInWords([one, two], [two, one]), [
    'paragraph one two three was paragraph one two three',
  ])
  assert.equal(toldInWords([one], [h(1, 'one two three')]), [
    'heading one two three was paragraph one two three',
  ])
  assert.equal(toldInWords([one], [quote(one)]), [
    'blockquote one two three was not',
    'paragraph one two three was paragraph one two three',
  ])
  assert.equal(toldInWords([one, two], [p('one two three four five six')]), [
    'paragraph one two three > paragraph one two three four five six',
    'paragraph four five six went',
    'four five six carried',
  ])
  assert.equal(toldInWords([p('one two three four')], [p('one two'), p('three four')]), [
    'paragraph one two three four > paragraph one two',
    'paragraph three four was not',
    'three four carried',
  ])
  const rows = [row('a', 'b'), row('c', 'd')]
  assert.equal(toldInWords([table(...rows)], [table(...rows, row('e', 'f'))]), [
    'table abcd > table abcdef',
    ...['table_row ef', 'table_cell e', 'table_cell f'].map((cell) => `${cell} was not`),
  ])
  assert.equal(toldInWords([ul(li(one))], [ul(li(one), li(two))]), [
    'bullet_list one two three > bullet_list one two threefour five six',
    'list_item four five six was not',
    'paragraph four five six was not',
  ])
})

test.run()
