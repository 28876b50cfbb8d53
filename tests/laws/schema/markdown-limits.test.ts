/**
 * Hostile text ends soon: either it is over a limit of parse work and refused with a reason, or it
 * is read and printed. The limits count work, so the outcome never depends on the machine.
 */

import type { Node, NodeType } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../schema/document-schema.ts'
import { Refusal } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { normalize } from '../../../schema/markdown/normalize.ts'
import { parseMaxLevel } from '../../../schema/markdown/parse-env.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { printDocument } from '../../../schema/markdown/printer.ts'
import { Tally } from '../../tally.ts'

const { nodes } = documentSchema
const megabyte = 1024 * 1024
const filled = (unit: string, chars = 4 * megabyte) => unit.repeat(Math.floor(chars / unit.length))

/** Processor time, for a machine that does other things too; quadratic work would take minutes. */
const withinMs = 15_000

/** Long enough that quadratic work takes many times as long as linear work may. */
const longChars = megabyte / 4
const longWithinMs = 8_000

function outcome(markdown: string, mostMs = withinMs): string {
  const started = process.cpuUsage()
  const result = read(markdown)
  const { user, system } = process.cpuUsage(started)
  const ms = (user + system) / 1000
  assert.ok(ms < mostMs, `${result} after ${Math.round(ms)} ms: ${markdown.slice(0, 40)}`)
  tally.add(result)
  return result
}

function read(markdown: string): string {
  try {
    printDocument(parseMarkdown(markdown))
    return 'read'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'PAYLOAD_TOO_LARGE') return String(error.details['limit'])
    assert.is(error.code, 'INVALID_MARKDOWN')
    return String(error.details['reason'])
  }
}

const tally = new Tally()

const row = (cells: number, text: string) => `|${` ${text} |`.repeat(cells)}\n`
const table = (columns: number, rows: string) => row(columns, 'a') + row(columns, '---') + rows

test('too many blocks are refused', () => {
  assert.is(outcome(filled('- a\n')), 'blocks')
  assert.is(outcome(filled('a\n\n')), 'blocks')
  assert.is(outcome(table(100, filled(row(100, 'a')))), 'blocks')
})

test('too much inline work is refused', () => {
  for (const unit of ['[', '*a', '[[[[\n', '![', '**a', '~~a', '&a ', '<a ', '`` ` ']) {
    assert.is(outcome(filled(unit)), 'too_complex', unit)
  }
})

test('nesting that is too deep is refused, not dropped', () => {
  assert.is(outcome('>'.repeat(parseMaxLevel + 2)), 'too_deep')
  const lists = (depth: number) =>
    Array.from({ length: depth }, (_, i) => `${'  '.repeat(i)}- a\n`).join('')
  assert.is(outcome(lists(26)), 'too_deep')
  assert.is(outcome(lists(24)), 'read')
})

/** A block in as many containers as `depthMax` levels of nodes have room for. */
function nested(block: Node, kinds: readonly NodeType[], depthMax: number): Node {
  let node = block
  let depth = levels(block)
  for (let turn = 0; ; turn++) {
    const type = kinds[turn % kinds.length]
    const isList = type !== nodes.blockquote
    depth += isList ? 2 : 1
    if (type === undefined || depth > depthMax) return node
    node = type.create(null, isList ? nodes.list_item.create(null, node) : node)
  }
}

const levels = (node: Node): number =>
  1 + Math.max(0, ...node.children.map((child) => (child.isText ? 0 : levels(child))))

test('the deepest nesting that a live editor may build reads back', () => {
  const text = documentSchema.text('a')
  const cell = nodes.table_header.create(null, text)
  const table = nodes.table.create(null, nodes.table_row.create(null, cell))
  const { blockquote, bullet_list, ordered_list } = nodes
  let deepest = 0
  for (const block of [nodes.paragraph.create(null, text), table]) {
    for (const first of [blockquote, bullet_list, ordered_list]) {
      for (const second of [blockquote, bullet_list, ordered_list]) {
        const node = nested(block, [first, second], limits.nodeMaxDepth)
        deepest = Math.max(deepest, levels(node))
        const doc = nodes.doc.create(null, node)
        assert.ok(parseMarkdown(printDocument(doc)).eq(normalize(doc)), `${node}`)
      }
    }
  }
  assert.is(deepest, limits.nodeMaxDepth)
})

test('a table that is too wide is refused', () => {
  assert.is(outcome(table(limits.tableMaxColumns + 1, '')), 'too_many_columns')
  assert.is(outcome(table(limits.tableMaxColumns, row(3, 'b'))), 'read')
})

test('a wide table with short rows ends', () => {
  assert.is(outcome(table(100, filled('| a |\n', longChars))), 'read')
})

test('text that looks quadratic ends', () => {
  const ticks = Array.from({ length: 1400 }, (_, i) => '`'.repeat(i + 1)).join(' ')
  const definitions = Array.from({ length: 40_000 }, (_, i) => `[a${i}]: u`).join('\n')
  const texts = [
    ticks,
    definitions,
    `a${filled(' ', longChars)}b`,
    `# a ${filled('#', longChars)} b`,
  ]
  for (const unit of ['<!-- ', '<?', '<![CDATA[', '<!A ', '[a](<b', '[a](b "', 'https://a.b/c ']) {
    texts.push(filled(unit, longChars))
  }
  for (const unit of [
    '<',
    '&',
    '\\',
    '`',
    '>',
    '---\na: b\n',
    'a<br />',
    '<a b=">"',
    'a\\\n',
    '&amp;',
  ]) {
    texts.push(filled(unit, longChars))
  }
  texts.push(`<a${filled(' ', longChars)}\nb>`, `https://a/${filled(')', longChars)}`)
  for (const text of texts) outcome(text, longWithinMs)
})

test('each limit was met', () => {
  tally.tell('none limits', { blocks: 3, too_complex: 9, too_deep: 1, read: 1 })
})

test.run()
