/**
 * Hostile text ends soon: either it is over a limit of parse work and refused with a reason, or it
 * is read and printed. The limits count work, so the outcome never depends on the machine.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { parseMarkdown } from '../../schema/markdown/parser.ts'
import { canonicalMarkdown } from '../../schema/markdown/printer.ts'

const megabyte = 1024 * 1024
const filled = (unit: string, chars = 4 * megabyte) => unit.repeat(Math.floor(chars / unit.length))

/** Generous, for a machine that does other things too; quadratic work would take minutes. */
const withinMs = 15_000

function outcome(markdown: string): string {
  const started = performance.now()
  const result = read(markdown)
  const ms = performance.now() - started
  assert.ok(ms < withinMs, `${result} after ${Math.round(ms)} ms: ${markdown.slice(0, 40)}`)
  return result
}

function read(markdown: string): string {
  try {
    canonicalMarkdown(parseMarkdown(markdown))
    return 'read'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    assert.is(error.code, 'INVALID_MARKDOWN')
    return String(error.details['reason'])
  }
}

const row = (cells: number, text: string) => `|${` ${text} |`.repeat(cells)}\n`
const table = (columns: number, rows: string) => row(columns, 'a') + row(columns, '---') + rows

test('too many blocks are refused', () => {
  assert.is(outcome(filled('- a\n')), 'too_many_blocks')
  assert.is(outcome(filled('a\n\n')), 'too_many_blocks')
  assert.is(outcome(table(100, filled(row(100, 'a')))), 'too_many_blocks')
})

test('too much inline work is refused', () => {
  for (const unit of ['[', '*a', '[[[[\n', '![', '**a', '~~a', '&a ', '<a ', '`` ` ']) {
    assert.is(outcome(filled(unit)), 'too_complex', unit)
  }
})

test('nesting that is too deep is refused, not dropped', () => {
  assert.is(outcome('>'.repeat(limits.parseMaxLevel + 2)), 'too_deep')
  const lists = (depth: number) =>
    Array.from({ length: depth }, (_, i) => `${'  '.repeat(i)}- a\n`).join('')
  assert.is(outcome(lists(26)), 'too_deep')
  assert.is(outcome(lists(24)), 'read')
})

test('a table that is too wide is refused', () => {
  assert.is(outcome(table(limits.tableMaxColumns + 1, '')), 'too_many_columns')
  assert.is(outcome(table(limits.tableMaxColumns, row(3, 'b'))), 'read')
})

test('a wide table with short rows ends', () => {
  assert.is(outcome(table(100, filled('| a |\n', megabyte))), 'read')
})

test('text that looks quadratic ends', () => {
  const ticks = Array.from({ length: 1400 }, (_, i) => '`'.repeat(i + 1)).join(' ')
  const definitions = Array.from({ length: 40_000 }, (_, i) => `[a${i}]: u`).join('\n')
  const texts = [ticks, definitions, `a${filled(' ', megabyte)}b`, `# a ${filled('#', megabyte)} b`]
  for (const unit of ['<!-- ', '<?', '<![CDATA[', '<!A ', '[a](<b', '[a](b "', 'https://a.b/c ']) {
    texts.push(filled(unit, megabyte))
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
    texts.push(filled(unit, megabyte))
  }
  texts.push(`<a${filled(' ', megabyte)}\nb>`, `https://a/${filled(')', megabyte)}`)
  for (const text of texts) outcome(text)
})

test.run()
