/** Moving, doubling and deleting blocks; tables; what typing markdown does. */
import type { Command, Transaction } from 'prosemirror-state'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { applyInputRule } from '../../../../../web/editor/commands/input-rules.ts'
import { moveUnits, moveUnitsTo } from '../../../../../web/editor/commands/moving.ts'
import { createPageActions } from '../../../../../web/editor/commands/page-actions.ts'
import { shortcutsWith } from '../../../../../web/editor/commands/shortcuts.ts'
import {
  addColumn,
  addRow,
  alignColumns,
  columnAlignment,
  deleteColumns,
  deleteRows,
  deleteTable,
} from '../../../../../web/editor/commands/tables.ts'
import {
  deleteUnits,
  duplicateUnits,
  selectedBlockId,
} from '../../../../../web/editor/commands/units.ts'
import { check, desk, idsOf, run, shown } from './tools-desk.ts'

const [up, down] = [moveUnits(-1), moveUnits(1)]

test('a block moves past its neighbour with its id and the caret', () => {
  check('a\n\nb¦c', up, 'b¦c\n\na')
  check('b¦c\n\na', down, 'a\n\nb¦c')
  assert.equal(idsOf(run(desk('a\n\nb¦c'), up), 'bc'), ['b1'])
  check('a\n\n⟨b\n\nc⟩\n\nd', down, 'a\n\nd\n\n⟨b\n\nc⟩')
})

test('the ends of the document hold', () => {
  check('a¦\n\nb', up, 'a¦\n\nb')
  check('a\n\nb¦', down, 'a\n\nb¦')
  check('---\nx: 1\n---\n\na¦', up, '---\nx: 1\n---\n\na¦')
})

test('items move within their list, out of it and across', () => {
  check('- a\n- b¦', up, '- b¦\n- a')
  check('- a\n  - b¦\n  - c', up, '- b¦\n- a\n  - c')
  check('- a\n  - b\n  - c¦\n- d', down, '- a\n  - b\n- c¦\n- d')
  check('p\n\n- a¦\n- b', up, '- a¦\n\np\n\n- b')
  check('- x\n\np\n\n- a¦\n- b', up, '- x\n- a¦\n\np\n\n- b')
  check('p\n\n- a¦', up, '- a¦\n\np')
  check('- a\n- b¦\n\np\n\n- c', down, '- a\n\np\n\n- b¦\n- c')
})

test('a block moves out of its quote, and a quote of which all moves goes along', () => {
  check('a\n\n> b¦\n>\n> c', up, 'a\n\nb¦\n\n> c')
  check('a\n\n> b¦\n\nc', down, 'a\n\nc\n\n> b¦')
  check('a\n\n> > b¦\n\nc', up, '> > b¦\n\na\n\nc')
  check('a\n\n> ⟨b\n>\n> c⟩', up, '> ⟨b\n>\n> c⟩\n\na')
  assert.equal(idsOf(run(desk('a\n\n> b¦'), up), 'b'), ['b1', 'b2'])
  check('a\n\n> b¦', moveUnitsTo({ from: 4, to: 7 }, 0), '> b¦\n\na')
})

test('a dragged block gets what it needs where it lands', () => {
  check('p¦\n\n- a\n- b', moveUnitsTo({ from: 0, to: 3 }, 9), '- a\n- p¦\n- b')
  check('p\n\n- a¦\n- b', moveUnitsTo({ from: 4, to: 9 }, 0), '- a¦\n\np\n\n- b')
  check('p¦\n\nq', moveUnitsTo({ from: 0, to: 3 }, 6), 'q\n\np¦')
  check('p¦\n\nq', moveUnitsTo({ from: 0, to: 3 }, 3), 'p¦\n\nq')
  check('⟨p\n\nq⟩\n\n- a', moveUnitsTo({ from: 0, to: 6 }, 7), '- ⟨p\n- q⟩\n- a')
})

test('a copy has ids of its own and takes the caret', () => {
  check('a\n\nb¦', duplicateUnits, 'a\n\nb\n\nb¦')
  assert.equal(idsOf(run(desk('a\n\nb¦'), duplicateUnits), 'b'), ['b1', null])
  check('- a¦\n  - b', duplicateUnits, '- a\n  - b\n- a¦\n  - b')
})

test('a block is deleted whole; of the last one a paragraph is left', () => {
  check('a\n\nb¦\n\nc', deleteUnits, 'a\n\n¦c')
  check('a¦', deleteUnits, '¦')
  check('p\n\n- a¦', deleteUnits, 'p¦')
  assert.is(selectedBlockId(desk('a\n\n- b¦')), 'b2')
})

const table = (text: string) => `| a | b |\n| --- | --- |\n${text}`

test('rows come and go below the header', () => {
  check(table('| c¦ | d |'), addRow('below'), table('| c | d |\n| ¦ | |'))
  check(table('| c¦ | d |'), addRow('above'), table('| ¦ | |\n| c | d |'))
  assert.not(addRow('above')(desk('| a¦ |\n|---|\n| b |')))
  check(table('| c¦ | d |\n| e | f |'), deleteRows, table('| ¦e | f |'))
  check('| a¦ |\n|---|\n| b |', deleteRows, '| ¦b |\n|---|')
  check('p\n\n| a¦ |\n|---|', deleteRows, 'p¦')
})

test('columns come and go', () => {
  check(
    '| a | b |\n|---|---|\n| c¦ | d |',
    addColumn('after'),
    '| a | | b |\n| --- | --- | --- |\n| c | ¦ | d |',
  )
  check('| a | b |\n|---|---|\n| c¦ | d |', deleteColumns, '| b |\n| --- |\n| ¦d |')
  check('p\n\n| a¦ |\n|---|\n| b |', deleteColumns, 'p¦')
  check('p\n\n| a¦ |\n|---|\n| b |', deleteTable, 'p¦')
})

test('alignment is the whole column’s', () => {
  const after = run(desk('| a | b |\n|---|---|\n| c | d¦ |'), alignColumns('right'))
  assert.is(shown(after), '| a | b |\n| --- | --: |\n| c | d¦ |')
  assert.is(columnAlignment(after), 'right')
})

const dispatching =
  (tr: Transaction): Command =>
  (_state, dispatch) => {
    dispatch?.(tr)
    return true
  }

/** Types `last` at the caret and lets the rules look. */
function typed(before: string, last: string): string {
  const state = desk(before)
  const after = state.apply(state.tr.insertText(last))
  const tr = applyInputRule(after)
  return tr === undefined ? 'no rule' : shown(run(after, dispatching(tr)))
}

const started = (text: string) => {
  const state = desk('x\n\ny¦')
  const after = state.apply(state.tr.insertText(text, 4, 5))
  const tr = applyInputRule(after)
  if (tr === undefined) return 'no rule'
  const done = run(after, dispatching(tr))
  assert.ok(idsOf(done, '').includes('b1') || text.startsWith('---'))
  return shown(done)
}

test('the start of a line says what the block is', () => {
  assert.is(started('# '), 'x\n\n# ¦')
  assert.is(started('###### '), 'x\n\n###### ¦')
  assert.is(started('####### '), 'no rule')
  for (const sign of ['-', '*', '+']) assert.is(started(`${sign} `), 'x\n\n- ¦')
  assert.is(started('3. '), 'x\n\n3. ¦')
  assert.is(started('> '), 'x\n\n> ¦')
  assert.is(started('```js '), 'x\n\n```js\n¦\n```')
  assert.is(started('---'), 'x\n\n---\n\n¦')
  for (const box of ['[]', '[ ]']) assert.is(started(`${box} `), 'x\n\n- [ ] ¦')
  assert.is(started('[x] '), 'x\n\n- [x] ¦')
})

test('a box typed in an item makes it a task; a mark typed in an item is text', () => {
  assert.is(typed('- [x]¦', ' '), '- [x] ¦')
  assert.is(typed('- x\n- [ ]¦a', ' '), '- x\n- [ ] ¦a')
  assert.is(typed('- -¦a', ' '), 'no rule')
})

test('delimiters around words mark them', () => {
  assert.is(typed('a \\*\\*b\\*¦', '*'), 'a **b**¦')
  assert.is(typed('a \\*b¦', '*'), 'a *b*¦')
  assert.is(typed('a \\_b¦', '_'), 'a *b*¦')
  assert.is(typed('a \\~~b~¦', '~'), 'a ~~b~~¦')
  assert.is(typed('a \\`b¦', '`'), 'a `b`¦')
  assert.is(typed('a \\*\\*b¦', '*'), 'no rule')
  assert.is(typed('2 \\* 3 ¦', '*'), 'no rule')
  assert.is(typed('snake_case¦', '_'), 'no rule')
  assert.is(typed('```\n*a¦\n```', '*'), 'no rule')
  assert.is(typed('`*a¦`', '*'), 'no rule')
})

test('a link and an image are written as markdown has them', () => {
  assert.is(typed('\\[a](https://x.y¦', ')'), '[a](https://x.y)¦')
  assert.is(typed('!\\[a](https://x.y/b.png¦', ')'), '![a](https://x.y/b.png)¦')
  assert.is(typed('\\[a](javascript:alert¦', ')'), 'no rule')
})

test('no two rows of the shortcuts want the same key', () => {
  const keys = shortcutsWith(createPageActions()).flatMap((row) => row.keys)
  assert.equal(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  )
})

test.run()
