/** Stale bases, batches, verification, tables (interface §4.5, §7): one case a rule. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { planEdits } from '../../../../../core/documents/edits/plan/plan.ts'
import { readEdits } from '../../../../../core/documents/edits/request/edit.ts'
import type { Refusal } from '../../../../../schema/errors.ts'
import { bot } from './edits-fixture.ts'
import { bid, current, type Item, plan, refused, result, stale, textOf } from './edits-planning.ts'

test('§7 BASE_REVISION_REQUIRED', () => {
  for (const edit of [
    { new_string: 'x', after: 'one' },
    { new_string: 'x', before: null },
    { new_string: 'x', after_block: null },
    { old_string: 'one', new_string: 'x', at: 0 },
    { delete_block: bid(0) },
    { move_block: bid(0), after_block: null },
    { replace_document: 'x' },
  ]) {
    const edits = readEdits([edit])
    const ask = () => planEdits({ text: textOf('one\n'), edits, actor: bot, revision: 5 })
    assert.throws(ask, (error: Refusal) => error.code === 'BASE_REVISION_REQUIRED')
  }
})

test('§4.5 stale rule 4: what means a revision is EDIT_STALE', () => {
  for (const edit of [
    { new_string: 'x', after: 'one', before: null },
    { new_string: 'x', after_block: bid(0), before_block: null },
    { old_string: 'one', new_string: 'x', at: 0 },
    { delete_block: bid(0) },
    { move_block: bid(0), after_block: null },
    { replace_document: 'x' },
  ]) {
    refused('EDIT_STALE', 'one\n', edit, stale)
    const batch = [{ old_string: 'one', new_string: '1' }, edit]
    if (!('replace_document' in edit)) refused('EDIT_STALE', 'one\n', batch, stale)
  }
})

test('§4.5 stale rules 2 and 3: cursor semantics and durable targets', () => {
  const ends = [
    { new_string: ' 1', after: 'one' },
    { new_string: 'x', after_block: bid(0) },
    { new_string: '\n\nend', before: null },
    { new_string: 'start\n\n', after: null },
  ]
  const made = plan('one two\n', ends, stale)
  assert.is(made.text.toString(), 'start\n\none 1 two\n\nx\n\nend\n')
  assert.is(made.rebased, true)
})

test('§4.5 stale rule 6: an insert goes behind what others inserted at its place since', () => {
  const list = '- a\n- b\n- mine?\n- c\n'
  const at = list.indexOf('\n- mine?')
  const inserted = [{ at: at + 1, remove: 0, insert: '- mine?\n' }]
  const edit = { new_string: '\n- new', after: '- b' }
  const given = { ...stale, changeSinceBase: inserted }
  assert.is(result(list, edit, given), '- a\n- b\n- mine?\n- new\n- c\n')
  assert.is(result(list, edit, stale), '- a\n- b\n- new\n- mine?\n- c\n')
  const beside = { new_string: ' too', after: '- b' }
  assert.is(result(list, beside, given), '- a\n- b too\n- mine?\n- c\n')
  const block = { new_string: '- new', after_block: bid(3) }
  assert.is(result(list, block, given), '- a\n- b\n- mine?\n- new\n- c\n')
})

test('§4.5 batch: edits of all forms see what earlier ones made', () => {
  const made = result('one\n\ntwo\n\nthree\n', [
    { old_string: 'one', new_string: 'uno' },
    { new_string: 'x', after_block: bid(0) },
    { move_block: bid(2), before_block: bid(0) },
    { new_string: '!', after: 'uno' },
    { delete_block: bid(1) },
  ])
  assert.is(made, 'three\n\nuno!\n\nx\n')
})

test('§4.5 batch: a failing edit of any form leaves the others', () => {
  const made = plan('one\n\ntwo\n', [{ delete_block: bid(7) }, { delete_block: bid(0) }])
  assert.equal(made.failedIndexes, [0])
  assert.is(made.outcomes[0]?.code, 'BLOCK_ID_NOT_FOUND')
  assert.is(made.text.toString(), 'two\n')
})

test('§7 EDIT_INTENT_AMBIGUOUS: an earlier edit made the text several', () => {
  const made = plan('a b\n', [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'b', new_string: 'c' },
  ])
  assert.is(made.outcomes[1]?.code, 'EDIT_INTENT_AMBIGUOUS')
  assert.is(made.outcomes[1]?.occurrences, 2)
  assert.is(made.text.toString(), 'b b\n')
})

test('§7 EDIT_DRIFT_UNRESOLVED: another edit of the batch rewrote what this one names', () => {
  const made = plan(
    'a\n\nb\n\n\n\nx\n\nc\n',
    [
      { old_string: 'b\n\n\n', new_string: 'B\n\n\n' },
      // The blank lines in front of it go with it.
      { old_string: 'x', new_string: '' },
    ],
    stale,
  )
  assert.is(made.outcomes[0]?.code, 'EDIT_DRIFT_UNRESOLVED')
  assert.is(made.outcomes[1]?.ok, true)
})

test('§4.5 edits of a stale batch move nothing but what they name', () => {
  const made = plan(
    '- a\n- b\n- c\n',
    [
      { old_string: 'b', new_string: 'B' },
      { new_string: '\n\n- d', after: '- c' },
    ],
    stale,
  )
  assert.equal(made.failedIndexes, [])
  assert.is(made.text.toString(), '- a\n- B\n- c\n\n- d\n')
})

test('§7 POST_APPLY_MISMATCH: text that nobody sent does not appear', () => {
  const edit = { old_string: 'x', new_string: '' }
  refused('POST_APPLY_MISMATCH', 'see [x](u) there\n', edit)
})

test('§7 UNSUPPORTED_ATTR_CHANGE: the number of a later item follows from the first', () => {
  refused('UNSUPPORTED_ATTR_CHANGE', '1. a\n2. b\n', { old_string: '2. b', new_string: '7. b' })
  assert.is(result('1. a\n2. b\n', { old_string: '1. a', new_string: '3. a' }), '3. a\n4. b\n')
})

test('§4.5 the canonical text is measured, whatever was sent', () => {
  const edits = [
    { old_string: 'a', new_string: '<x>'.repeat(14) },
    { old_string: 'b', new_string: 'c' },
  ]
  const details = refused('PAYLOAD_TOO_LARGE', 'a b\n', edits, { maxBytes: 50 })
  assert.is(details['limit'], 50)
  assert.equal(details['likely_edit_indexes'], [0, 1])
  const codes = (details['edits'] as { code: string }[]).map(({ code }) => code)
  assert.equal(codes, ['BATCH_ROLLED_BACK', 'BATCH_ROLLED_BACK'])
  assert.is(
    result(`${'x'.repeat(90)} b\n`, { old_string: 'b', new_string: '' }, { maxBytes: 50 }).length,
    92,
  )
})

const table = '| a | b |\n| --- | --- |\n| c | d |\n| e | f |\n'

test('§4.5 tables rule 5: what leaves open which row became which is AMBIGUOUS_STRUCTURE', () => {
  const swap = { old_string: '| c | d |\n| e | f |', new_string: '| e | f |\n| c | d |' }
  const reasonOf = (edit: Item) =>
    (refused('AMBIGUOUS_STRUCTURE', `${table}\nend\n`, edit) as { reason?: string }).reason
  assert.is(reasonOf(swap), 'rows_swapped')
  const both = { old_string: '| c | d |\n', new_string: '| c | D |\n| g | h |\n' }
  assert.is(reasonOf(both), 'rows_and_cells_changed')
  const other = { old_string: table, new_string: '| z |\n| --- |\n| q |\n| r |\n| s |\n' }
  assert.is(reasonOf(other), 'table_restructured')
})

test('§4.5 tables rule 5: rows, columns and alignment change one at a time', () => {
  const rows = { old_string: '| c | d |\n', new_string: '' }
  assert.is(result(table, rows), '| a | b |\n| --- | --- |\n| e | f |\n')
  const aligned = table.replace('| --- | --- |', '| :-: | --- |')
  assert.is(result(table, { old_string: table, new_string: aligned }), aligned)
  const narrow = '| b |\n| --- |\n| d |\n| f |\n'
  assert.is(result(table, { old_string: table, new_string: narrow }), narrow)
})

test('§4.5 tables rule 4: a table goes as a whole, and not when it is all there is', () => {
  const only = refused('EDIT_FAILED', table, { old_string: table.trimEnd(), new_string: '' })
  assert.is((only as { reason?: string }).reason, 'only_content')
  for (const line of ['| a | b |\n', '| --- | --- |\n']) {
    refused('INVALID_MARKDOWN', `${table}\nend\n`, { old_string: line, new_string: '' })
  }
})

test('§4.5 a list becomes a table and back; a mere reorder of items is AMBIGUOUS_STRUCTURE', () => {
  assert.is(result('- c\n- d\n', { old_string: '- c\n- d', new_string: table.trimEnd() }), table)
  assert.is(result(table, { old_string: table.trimEnd(), new_string: '- c\n- d' }), '- c\n- d\n')
  const turned = { old_string: '- a\n- b', new_string: '- b\n- a' }
  refused('AMBIGUOUS_STRUCTURE', '- a\n- b\n- c\n', turned)
})

test('a list that still says what it said was not reordered', () => {
  const taken = { old_string: '\n\n  task', new_string: '\n\n> task' }
  const item = '- 1. uno\n  2. dos\n\n  task\n\n- done\n'
  assert.is(result(item, taken), '- 1. uno\n  2. dos\n\n> task\n\n- done\n')
  const left = { old_string: '>\n> task', new_string: '\nother' }
  assert.is(result('> - a\n> - b\n>\n> task\n', left), '> - a\n> - b\n\nother\n')
})

test('the document is renamed by its first line, wherever that stands', () => {
  for (const [markdown, expected] of [
    ['# Old\n\nx\n', '# New\n\nx\n'],
    ['- Old\n- x\n', '- New\n- x\n'],
    ['> Old\n', '> New\n'],
    ['| Old | b |\n| --- | --- |\n', '| New | b |\n| --- | --- |\n'],
    ['---\na: b\n---\n\nOld\n', '---\na: b\n---\n\nNew\n'],
  ] as const) {
    assert.is(result(markdown, { old_string: 'Old', new_string: 'New' }), expected)
  }
})

test('a break at the end of a cell is kept as written', () => {
  const table = '| a |\n| --- |\n| x |\n'
  assert.is(result(table, { after: 'x', new_string: '<br />' }), table.replace('x', 'x<br />'))
})

test('§7 BROAD_REWRITE: commands within a huge list count as what they make anew', () => {
  const items = Array.from({ length: 400 }, (_, index) => `- ${index} ${'word '.repeat(200)}`)
  const markdown = `${items.join('\n')}\n`
  const named = Array.from(textOf(markdown).blocks()).filter(({ type }) => type === 'list_item')
  const edits = named.slice(0, 100).map(({ id }) => ({ delete_block: id }))
  const details = refused('BROAD_REWRITE', markdown, edits, current)
  assert.is((details['edits'] as { code: string }[])[0]?.code, 'BATCH_ROLLED_BACK')
  assert.is(plan(markdown, edits.slice(0, 10), current).failedIndexes.length, 0)
})

test('§7 BROAD_REWRITE: an edit moves so many blocks and no more', () => {
  const lines = Array.from({ length: 10_200 }, (_, index) => `line ${index}`)
  const moved = (count: number): string =>
    [...lines.slice(0, count).toReversed(), ...lines.slice(count)].join('\n\n')
  const markdown = `${lines.join('\n\n')}\n`
  const details = refused('BROAD_REWRITE', markdown, { replace_document: moved(10_200) }, current)
  assert.is(details['reason'], 'moves_too_many_blocks')
  const made = plan(markdown, { replace_document: moved(100) }, current)
  assert.is(made.text.toString(), `${moved(100)}\n`)
})

test.run()
