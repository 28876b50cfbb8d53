/**
 * Children of a long container printed in runs: all of them, in order, as if nothing were
 * remembered; and a change prints the run that it is in, wherever others came or went before.
 */
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../schema/document-schema.ts'
import { plainContext } from '../../../schema/markdown/context.ts'
import { noDefinitions } from '../../../schema/markdown/definitions.ts'
import { PrintedPart } from '../../../schema/markdown/printed-parts.ts'
import { printedRuns } from '../../../schema/markdown/printed-runs.ts'
import { printBlock } from '../../../schema/markdown/printer.ts'
import { repairBlock } from '../../../schema/markdown/repair.ts'
import { Tally } from '../../tally.ts'

const { nodes } = documentSchema
const seed = 20_264
const runs = process.env['LONG'] ? 2_000 : 32

const paragraph = (text: string): Node => nodes.paragraph.create(null, documentSchema.text(text))

/** Prints like `printedRuns` and tells how many children it had to print. */
function printAll(children: readonly Node[], key = 'key'): { texts: string[]; work: number } {
  let work = 0
  const print = (some: readonly Node[]): PrintedPart => {
    work += some.length
    const md = some.map(({ textContent }) => textContent).join()
    return new PrintedPart({ md, segments: [], blocks: [] })
  }
  const parts = printedRuns(children, { keyAt: () => key, definitions: noDefinitions }, print)
  const starts = new Map<number, number>()
  let offset = 0
  for (const [index, { nodeSize }] of children.entries()) {
    starts.set(offset, index)
    offset += nodeSize
  }
  for (const [at, part] of parts.entries()) {
    const [from, to] = [part, parts[at + 1]].map((one) => one && starts.get(one.offset))
    const expected = children.slice(from, to).map(({ textContent }) => textContent)
    assert.is(part.part.md, expected.join(), 'a run is the children from its offset on')
  }
  return { texts: parts.map(({ part }) => part.md), work }
}

const step = fc.record({
  kind: fc.constantFrom('change', 'change', 'insert', 'delete', 'move', 'cut'),
  at: fc.nat(9_999),
  count: fc.integer({ min: 1, max: 90 }),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function stepped<T>(row: readonly T[], { kind, at, count }: Step, fresh: () => T): T[] {
  const index = at % Math.max(1, row.length)
  if (kind === 'change') return row.with(index, fresh())
  if (kind === 'insert') return row.toSpliced(index, 0, fresh())
  if (kind === 'delete') return row.toSpliced(index, 1)
  if (kind === 'cut') return row.length > 2 * count ? row.toSpliced(index, count) : [...row]
  const moved = row.slice(index, index + 1)
  return row.toSpliced(index, 1).toSpliced((at * 7) % row.length, 0, ...moved)
}

test('a change costs the run it is in, whatever came or went before', () => {
  const tally = new Tally()
  const property = fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
    let count = 0
    const fresh = () => paragraph(`p${count++}`)
    let children = Array.from({ length: 700 }, fresh)
    assert.is(printAll(children).work, 700)
    for (const one of steps) {
      children = stepped(children, one, fresh)
      const { texts, work } = printAll(children)
      tally.add(one.kind)
      // A child that moves is away from one run and new in another.
      assert.ok(work <= (one.kind === 'move' ? 3 : 2) * 128, `${one.kind}: ${work} printed`)
      assert.is(texts.join(), children.map(({ textContent }) => textContent).join())
      assert.is(printAll(children).work, 0, 'nothing changed')
    }
    assert.is(printAll(children, 'other').work, children.length, 'another key')
  })
  fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} printed runs`, {
    change: runs,
    insert: runs,
    delete: runs,
    move: runs,
    cut: runs,
  })
})

test('many inserts at one place leave few runs', () => {
  let children = Array.from({ length: 200 }, (_, index) => paragraph(`p${index}`))
  for (let round = 0; round < 500; round++) {
    children = children.toSpliced(100, 0, paragraph(`n${round}`))
    printAll(children)
  }
  assert.ok(printAll(children).texts.length <= 700 / 16)
})

const context = plainContext

test('a list or table of several runs prints as a copy of which nothing is remembered', () => {
  const tally = new Tally()
  const kinds = fc.constantFrom('bullet_list', 'ordered_list', 'table')
  const settings = fc.record({ kind: kinds, tight: fc.boolean(), order: fc.constantFrom(1, 7, 95) })
  const steps = fc.array(step, { minLength: 1, maxLength: 8 })
  const property = fc.property(settings, steps, ({ kind, tight, order }, changes) => {
    let count = 0
    const fresh = (): Node => {
      const text = paragraph(`text ${count++}`)
      const cell = nodes.table_cell.create(null, text.content)
      if (kind === 'table') return nodes.table_row.create(null, [cell, cell])
      const checked = count % 7 === 0 ? false : null
      const isEmpty = count % 11 === 0
      return nodes.list_item.create({ checked }, isEmpty ? nodes.paragraph.create() : text)
    }
    let children = Array.from({ length: 300 }, fresh)
    for (const one of changes) {
      children = stepped(children, one, fresh)
      const attrs = kind === 'table' ? null : { tight, order }
      const held = repairBlock(documentSchema.node(kind, attrs, children))
      const node = one.at % 2 === 0 ? held : nodes.blockquote.create(null, held)
      const printed = printBlock(node, context)
      const copy = printBlock(documentSchema.nodeFromJSON(node.toJSON()), context)
      assert.is(printed.md, copy.md)
      assert.equal(printed.segments, copy.segments)
      assert.equal(printed.blocks, copy.blocks)
      children = [...held.children]
      tally.add(kind)
    }
  })
  fc.assert(property, { seed, numRuns: runs / 4 })
  const least = { bullet_list: 1, ordered_list: 1, table: 1 }
  tally.tell(`${seed} long lists and tables`, least)
})

test.run()
