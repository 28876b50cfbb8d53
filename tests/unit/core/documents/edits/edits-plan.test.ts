/** What a PATCH plans (interface §4.5, §7): one case a rule. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Plan, PlanInput } from '../../../../../core/documents/edits/plan/plan.ts'
import { planEdits } from '../../../../../core/documents/edits/plan/plan.ts'
import { type Edit, readEdits } from '../../../../../core/documents/edits/request/edit.ts'
import { type ErrorCode, Refusal } from '../../../../../schema/errors.ts'
import { limits } from '../../../../../schema/limits.ts'
import { DocumentText } from '../../../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../../../schema/markdown/parser.ts'
import { bot } from './edits-fixture.ts'

const textOf = (markdown: string): DocumentText => DocumentText.of(parseMarkdown(markdown).children)

type Given = Partial<Pick<PlanInput, 'baseRevision' | 'revision'>>

function plan(markdown: string, edits: readonly Edit[], given: Given = {}): Plan {
  return planEdits({ text: textOf(markdown), revision: 5, edits, actor: bot, ...given })
}

const replace = (oldString: string, newString: string, at?: number): Edit => ({
  form: 'replace',
  oldString,
  newString,
  ...(at === undefined ? {} : { at }),
})

const result = (markdown: string, edits: readonly Edit[], given?: Given): string =>
  plan(markdown, edits, given).text.toString()

/** Asserts that the plan is refused with `code` and gives the details. */
function refused(code: ErrorCode, ask: () => unknown): Readonly<Record<string, unknown>> {
  try {
    ask()
  } catch (error) {
    assert.instance(error, Refusal)
    assert.is((error as Refusal).code, code)
    return (error as Refusal).details
  }
  throw new Error(`not refused: ${code}`)
}

const stale = { baseRevision: 3 }
const current = { baseRevision: 5 }

test('§4.5 replace: the one match gives way to new_string', () => {
  const made = plan('one two three\n', [replace('two', '2')])
  assert.is(made.text.toString(), 'one 2 three\n')
  assert.equal(made.outcomes, [{ ok: true, index: 0 }])
  assert.is(made.operations.length, 1)
  assert.is(made.rebased, false)
})

test('§4.5 replace: canonicalised control characters match (`vector<int>`)', () => {
  assert.is(result('a `x` vector<int> b\n', [replace('vector<int>', 'list')]), 'a `x` list b\n')
})

test('§4.5 replace: empty new_string deletes', () => {
  assert.is(result('one two\n', [replace(' two', '')]), 'one\n')
  assert.is(result('one\n\ntwo\n', [replace('two', '')]), 'one\n')
})

test('§4.5 replace: over several blocks', () => {
  assert.is(
    result('one\n\n- two\n- three\n\nfour\n', [replace('one\n\n- two', 'x')]),
    'x\n- three\n\nfour\n',
  )
})

test('§4.5 replace: line ends of the sender are normalised', () => {
  const edits = readEdits([{ old_string: 'a\r\n\r\nb', new_string: 'c\r\nd' }])
  assert.is(result('a\n\nb\n', edits), 'c\nd\n')
})

test('§4.5 replace: half a surrogate pair neither matches nor gets in', () => {
  const half = readEdits([{ old_string: '\ud83d', new_string: 'x' }])
  refused('EDIT_NOT_FOUND', () => plan('a😀\n', half))
  const into = readEdits([{ old_string: 'a', new_string: 'b\ude00' }])
  assert.is(result('a\n', into), 'b\ufffd\n')
})

test('§4.5 replace: text of the front matter', () => {
  const markdown = '---\ntitle: x\n---\n\none\n'
  assert.is(result(markdown, [replace('title: x', 'title: y')]), markdown.replace('x', 'y'))
  const whole = plan('---\na: b\n---\n', [replace('a: b', 'a: c\nd: e')])
  assert.ok(whole.text.toString().startsWith('---\na: c\nd: e\n---\n'))
})

test('§4.5 replace: a change that changes nothing is ok and no operation', () => {
  const made = plan('one\n', [replace('one', 'one'), replace('one', 'one\n')])
  assert.equal(made.failedIndexes, [])
  assert.is(made.operations.length, 0)
})

test('§4.5 replace: empty old_string is 400', () => {
  refused('INVALID_REQUEST', () => plan('one\n', [replace('', 'x')]))
  refused('INVALID_REQUEST', () => plan('', [replace('', 'x')]))
})

test('§7 EDIT_NOT_FOUND', () => {
  const details = refused('EDIT_NOT_FOUND', () => plan('one\n', [replace('two', 'x')]))
  assert.equal(details, {
    edits: [{ ok: false, index: 0, code: 'EDIT_NOT_FOUND' }],
    failed_edit_indexes: [0],
  })
})

test('§7 EDIT_AMBIGUOUS: occurrences and snippets at offsets of the markdown', () => {
  const markdown = 'aa one\n\nbb one\n'
  const details = refused('EDIT_AMBIGUOUS', () => plan(markdown, [replace('one', 'x')]))
  assert.is(details['occurrences'], 2)
  const snippets = details['snippets'] as { offset: number; text: string }[]
  assert.equal(
    snippets.map(({ offset }) => markdown.slice(offset, offset + 3)),
    ['one', 'one'],
  )
})

test('§7 EDIT_AMBIGUOUS: a batch shows so many snippets in all, the first edits theirs', () => {
  const edits = Array.from({ length: 12 }, () => replace('one', 'x'))
  const details = refused('ALL_EDITS_FAILED', () => plan('one '.repeat(300), edits))
  const failed = details['edits'] as { occurrences: number; snippets: unknown[] }[]
  const { snippetsPerEdit: each, snippetsPerPatch: all } = limits
  assert.equal(
    failed.map(({ snippets }) => snippets.length),
    failed.map((_, index) => (index < all / each ? each : 0)),
  )
  for (const { occurrences } of failed) assert.is(occurrences, 300)
})

test('§4.5 replace: `at` chooses among several', () => {
  assert.is(result('one one one\n', [replace('one', 'x', 4)], current), 'one x one\n')
  refused('EDIT_NOT_FOUND', () => plan('one one\n', [replace('one', 'x', 3)], current))
})

test('§4.5 replace: `at` counts in the base, also behind earlier edits of the batch', () => {
  const edits = [replace('zero', '0'), replace('one', 'x', 9)]
  assert.is(result('zero one one\n', edits, current), '0 one x\n')
})

test('§4.5 replace: `at` needs base_revision, a current one', () => {
  refused('BASE_REVISION_REQUIRED', () => plan('one\n', [replace('one', 'x', 0)]))
  refused('EDIT_STALE', () => plan('one\n', [replace('one', 'x', 0)], stale))
})

test('§7 EDIT_STALE_FUTURE', () => {
  refused('EDIT_STALE_FUTURE', () => plan('one\n', [replace('one', 'x')], { baseRevision: 6 }))
})

test('§4.5 stale rule 1: placed anew where it stands once', () => {
  const made = plan('one two\n', [replace('two', '2')], stale)
  assert.is(made.rebased, true)
  assert.is(made.text.toString(), 'one 2\n')
  refused('EDIT_AMBIGUOUS', () => plan('two two\n', [replace('two', '2')], stale))
  refused('EDIT_NOT_FOUND', () => plan('one\n', [replace('two', '2')], stale))
})

test('§4.5 stale rule 5: all matching is against the captured text', () => {
  const edits = [replace('one', 'two'), replace('two', 'three')]
  assert.is(result('one two\n', edits, stale), 'two three\n')
  const made = plan('one\n', edits, stale)
  assert.equal(made.failedIndexes, [1])
  assert.is(made.text.toString(), 'two\n')
})

test('§7 EDIT_OVERLAP: of two stale edits on one text the first wins', () => {
  const made = plan('one two three\n', [replace('one two', 'x'), replace('two three', 'y')], stale)
  assert.is(made.text.toString(), 'x three\n')
  assert.equal(made.outcomes[1], { ok: false, index: 1, code: 'EDIT_OVERLAP' })
})

test('§4.5 batch rule 1: later edits see earlier results', () => {
  assert.is(result('one\n', [replace('one', 'two'), replace('two', 'three')]), 'three\n')
})

test('§4.5 batch rule 2: what applies is committed, what fails is named', () => {
  const made = plan('one\n', [replace('x', 'y'), replace('one', 'two')])
  assert.equal(made.failedIndexes, [0])
  assert.equal(made.outcomes, [
    { ok: false, index: 0, code: 'EDIT_NOT_FOUND' },
    { ok: true, index: 1 },
  ])
})

test('§4.5 batch rule 6: snippets count in the text that is answered', () => {
  const made = plan('one one\n', [replace('one', 'x'), replace('one one', 'one, one, one')])
  const first = made.outcomes[0]
  assert.is(first?.code, 'EDIT_AMBIGUOUS')
  assert.is(first?.occurrences, 3)
  for (const { offset } of first?.snippets ?? []) {
    assert.is(made.text.slice(offset, offset + 3), 'one')
  }
})

test('§7 ALL_EDITS_FAILED when several fail', () => {
  const details = refused('ALL_EDITS_FAILED', () =>
    plan('one\n', [replace('x', 'y'), replace('one', '<b>one</b>')]),
  )
  assert.equal(details['failed_edit_indexes'], [0, 1])
})

test('§4.5 raw HTML in new_string is 422', () => {
  for (const html of [
    '<b>x</b>',
    '<!-- x -->',
    '<div>\nx\n</div>',
    'a <img src=x> b',
    'a<br />b',
  ]) {
    refused('INVALID_MARKDOWN', () => plan('one two\n', [replace('two', html)]))
  }
})

test('HTML that the replaced text held may stay', () => {
  const markdown = 'a <b>x</b> c\n'
  assert.is(result(markdown, [replace('a <b>x</b>', 'A <b>y</b>')]), 'A <b>y</b> c\n')
  refused('INVALID_MARKDOWN', () => plan(markdown, [replace('a <b>x', 'a <b><b>x')]))
})

test('§4.5 what only looks like HTML is text', () => {
  assert.is(result('one\n', [replace('one', 'vector<int>')]), 'vector\\<int\\>\n')
  assert.is(result('one\n', [replace('one', '`<b>`')]), '`<b>`\n')
  assert.is(result('one\n', [replace('one', '`<br />` a')]), '`<br />` a\n')
})

test('§4.5 `<br />` alone on a line is an empty spacer', () => {
  assert.is(result('one\n\ntwo\n', [replace('one', 'one\n\n<br />')]), 'one\n\n<br />\n\ntwo\n')
})

test('`<br />` is a break in cells and headings', () => {
  assert.is(result('# one\n', [replace('one', 'one<br />two')]), '# one<br />two\n')
  const table = '| a | b |\n| --- | --- |\n| c | d |\n'
  assert.ok(result(table, [replace('c', 'c<br />e')]).includes('| c<br />e | d |'))
})

test('§13 a link definition is a block', () => {
  assert.is(result('one\n', [replace('one', '[a]: b')]), '[a]: b\n')
  assert.is(result('one\n', [replace('one', '`[a]: b`')]), '`[a]: b`\n')
})

const table = '| a | b |\n| --- | --- |\n| c | d |\n| e | c |\n'

test('§4.5 tables rule 1: a cell is changed by its exact text', () => {
  assert.is(result(table, [replace('d', 'D D')]), table.replace('d', 'D D'))
})

test('§4.5 tables rule 2: a repeated value is chosen with `at`', () => {
  const details = refused('EDIT_AMBIGUOUS', () => plan(table, [replace('c', 'x')]))
  const [, second] = details['snippets'] as { offset: number }[]
  const made = result(table, [replace('c', 'x', second?.offset)], current)
  assert.ok(made.endsWith('| e | x |\n'), made)
})

test('§4.5 tables rule 3: a raw pipe is 422, an escaped one is text', () => {
  refused('INVALID_MARKDOWN', () => plan(table, [replace('d', 'x | y')]))
  refused('INVALID_MARKDOWN', () => plan(table, [replace('d', '`x|y`')]))
  refused('INVALID_MARKDOWN', () => plan(table, [replace('d', 'x\n\ny')]))
  assert.ok(result(table, [replace('d', 'x \\| y')]).includes('| c | x \\| y |'))
})

test('§4.5 tables rule 4: a whole table is deleted by all its rows', () => {
  assert.is(result(`one\n\n${table}\ntwo\n`, [replace(table.trimEnd(), '')]), 'one\n\ntwo\n')
})

test('§4.5 tables rule 5: rows come and go, short ones are padded, long ones refused', () => {
  const row = '| c | d |\n'
  assert.is(result(table, [replace(row, '')]), table.replace(row, ''))
  assert.is(
    result(table, [replace(row, `${row}| x | y |\n`)]),
    table.replace(row, `${row}| x | y |\n`),
  )
  assert.is(result(table, [replace(row, '| c |\n')]), table.replace(row, '| c | |\n'))
  refused('INVALID_MARKDOWN', () => plan(table, [replace(row, '| c | d | e |\n')]))
})

test('§4.5 tables rule 5: a column comes with every row', () => {
  const wide = '| a | b | n |\n| --- | --- | --- |\n| c | d | n |\n| e | c | n |\n'
  assert.is(result(table, [replace(table, wide)]), wide)
})

test('§8 limits: what is too deep is 422', () => {
  const details = refused('INVALID_MARKDOWN', () =>
    plan('one\n', [replace('one', `${'> '.repeat(60)}x`)]),
  )
  assert.is((details['edits'] as { reason: string }[])[0]?.reason, 'too_deep')
})

test('§7 BROAD_REWRITE: a batch reads a huge block again only so often, else it is rolled back', () => {
  const words = Array.from({ length: 60_000 }, (_, index) => `w${index}`).join(' ')
  const edits = Array.from({ length: 60 }, (_, index) => replace(`w${index * 10} `, 'x\\\n'))
  const details = refused('BROAD_REWRITE', () => plan(`${words}\n`, edits))
  const outcomes = details['edits'] as { code: ErrorCode }[]
  assert.ok(outcomes.length > 10 && outcomes.length < 60, `${outcomes.length} edits`)
  assert.ok(outcomes.every(({ code }) => code === 'BATCH_ROLLED_BACK'))
  assert.is((details['likely_edit_indexes'] as number[]).length, outcomes.length)
})

test('readEdits tells the forms of §4.5 by their fields', () => {
  const edits = readEdits([
    { old_string: 'a', new_string: 'b', at: 3 },
    { new_string: 'x', after: null },
    { new_string: 'x', before_block: 'bid_0' },
    { delete_block: 'bid_0' },
    { move_block: 'bid_0', after_block: null },
    { replace_document: 'x' },
  ])
  assert.equal(
    edits.map(({ form }) => form),
    ['replace', 'anchor_insert', 'block_insert', 'delete_block', 'move_block', 'replace_document'],
  )
  refused('INVALID_REQUEST', () => readEdits([{ new_string: 'x' }]))
  refused('INVALID_REQUEST', () => readEdits([{ delete_block: 'b', new_string: 'x' }]))
})

test.run()
