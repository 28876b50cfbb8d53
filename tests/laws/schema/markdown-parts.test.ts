/**
 * A change in a long list, quote or table prints only what changed: what is beside it is
 * remembered. What is remembered never shows: a copy of the document, of which nothing is, prints
 * the same.
 */
import fc from 'fast-check'
import { Fragment, type Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../schema/document-schema.ts'
import { contextOf, plainContext } from '../../../schema/markdown/context.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { printBlock } from '../../../schema/markdown/printer.ts'
import { repairBlock } from '../../../schema/markdown/repair.ts'
import { Tally } from '../../tally.ts'
import { checkPrinted } from '../../unit/schema/markdown/markdown-check.ts'
import { blockDocument } from './markdown-documents.ts'

const { nodes } = documentSchema
const seed = 20_263
const runs = process.env['LONG'] ? 5_000 : 20
const context = plainContext

const list = (type: 'bullet_list' | 'ordered_list', children: readonly Node[]) =>
  nodes[type].create(
    { tight: children.length % 2 === 0, order: 7 },
    children.map((child, at) => nodes.list_item.create({ checked: at % 5 ? null : true }, child)),
  )
const table = (children: readonly Node[]) =>
  nodes.table.create(
    null,
    children.map((child, at) => {
      const content = child.inlineContent && child.type.name !== 'code_block' ? child.content : null
      const cells = [nodes.table_cell.create(null, content), nodes.table_cell.create()]
      return nodes.table_row.create(null, cells.slice(0, 1 + (at % 2)))
    }),
  )

const spare = nodes.paragraph.create()

/** A container of at least 16 blocks, alone or behind a prefix. */
const container: fc.Arbitrary<Node> = fc
  .record({
    documents: fc.array(blockDocument, { minLength: 3, maxLength: 6 }),
    kind: fc.constantFrom('bullet_list', 'ordered_list', 'quote', 'table'),
    around: fc.constantFrom('none', 'quote', 'item'),
  })
  .map(({ documents, kind, around }) => {
    const some = documents
      .flatMap((doc) => doc.children)
      .filter((node) => node.type.isInGroup('block'))
    const size = 16 + (some.length % 9)
    const children = Array.from({ length: size }, (_, at) => some[at % some.length] ?? spare)
    const held = holder(kind, children)
    if (around === 'none') return repairBlock(held)
    return repairBlock(
      around === 'quote' ? nodes.blockquote.create(null, held) : list('bullet_list', [held]),
    )
  })

function holder(kind: string, children: readonly Node[]): Node {
  if (kind === 'quote') return nodes.blockquote.create(null, children)
  if (kind === 'table') return table(children)
  return list(kind === 'bullet_list' ? kind : 'ordered_list', children)
}

/** The node with a word at the end of the nth textblock, counted round. */
function changed(node: Node, nth: number): Node {
  let count = 0
  node.descendants((child) => {
    if (child.isTextblock) count++
  })
  let left = count === 0 ? -1 : nth % count
  const visit = (at: Node): Node => {
    if (at.isTextblock) {
      return left-- === 0
        ? at.copy(at.content.append(Fragment.from(documentSchema.text(' w'))))
        : at
    }
    const children = at.children.map(visit)
    const same = children.every((child, index) => child === at.child(index))
    return same ? at : at.copy(Fragment.fromArray(children))
  }
  return visit(node)
}

/** One child less or one twice: items move, numbers and neighbours change. */
function shifted(node: Node, nth: number): Node {
  const children = [...node.children]
  const at = nth % children.length
  const child = children[at]
  if (child === undefined || children.length < 3) return node
  children.splice(at, nth % 2, child)
  return node.copy(Fragment.fromArray(children))
}

function sameAsCopy(node: Node): void {
  const { md, segments, blocks } = printBlock(node, context)
  const copy = printBlock(documentSchema.nodeFromJSON(node.toJSON()), context)
  assert.is(md, copy.md)
  assert.equal(segments, copy.segments)
  assert.equal(blocks, copy.blocks)
}

/** A look-up gives what a search over all places gives. */
function findsAll(node: Node): void {
  // Printed anew, so that nothing is worked out before it is asked for.
  const printed = printBlock(documentSchema.nodeFromJSON(node.toJSON()), context)
  const offsets = Array.from({ length: 40 }, (_, step) => Math.floor((step * node.nodeSize) / 39))
  const found = offsets.map((at) => [
    printed.lastBlock('from', at),
    printed.lastBlock('pos', at),
    printed.lastSegment('md', at),
    printed.lastSegment('pos', at),
  ])
  const { blocks, segments } = printed
  const expected = offsets.map((at) => [
    blocks.findLast(({ from }) => from <= at),
    blocks.findLast(({ pos }) => pos <= at),
    segments.findLast(({ md }) => md <= at),
    segments.findLast(({ pos }) => pos <= at),
  ])
  assert.equal(found, expected)
}

test('what is remembered of a long block prints as if it were not', () => {
  const tally = new Tally()
  const edits = fc.array(fc.nat(999), { minLength: 1, maxLength: 4 })
  const property = fc.property(container, edits, (start, steps) => {
    sameAsCopy(start)
    let node = start
    for (const step of steps) {
      node = repairBlock(step % 3 === 0 ? shifted(node, step) : changed(node, step))
      sameAsCopy(node)
      findsAll(node)
      tally.add(step % 3 === 0 ? 'shifted' : 'changed')
    }
    checkPrinted(
      nodes.doc.create(null, node),
      `${printBlock(node, contextOf(undefined, node, true)).md}\n`,
    )
  })
  fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} remembered parts`, { shifted: runs / 2, changed: runs })
})

/** Milliseconds of processor time: other work on the machine does not count. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

test('a word in a list of 10,000 items costs far less than the list', () => {
  const doc = parseMarkdown('- some words of text in here, and more\n'.repeat(10_000))
  let node = doc.child(0)
  const whole = cpuMs(() => printBlock(node, context))
  const rounds = 20
  const changes = Array.from({ length: rounds }, (_, round) => {
    node = changed(node, round * 499)
    return node
  })
  const each =
    cpuMs(() => {
      for (const change of changes) printBlock(change, context)
    }) / rounds
  console.log(`\nseed none list of 10,000: ${whole.toFixed(1)} ms, a word ${each.toFixed(1)} ms`)
  assert.ok(each < whole / 10, `${each} ms of ${whole} ms`)
})

test.run()
