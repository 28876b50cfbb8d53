/** The editor's commands, each on documents that show what it is for and where it ends. */
import { NodeSelection } from 'prosemirror-state'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { blockKinds } from '../../../../../web/editor/commands/block-kinds.ts'
import {
  fenceOnEnter,
  indentCode,
  leaveCodeOnEnter,
  setLanguage,
} from '../../../../../web/editor/commands/code.ts'
import { convert, toggle } from '../../../../../web/editor/commands/convert.ts'
import {
  insertHardBreak,
  insertImage,
  insertRule,
  insertTable,
} from '../../../../../web/editor/commands/insert.ts'
import { addressFrom, isAddress } from '../../../../../web/editor/commands/links.ts'
import {
  leaveListAtStart,
  nestItems,
  splitItem,
  toggleChecked,
  unnestItems,
} from '../../../../../web/editor/commands/lists.ts'
import { clearMarks, toggleEmphasis } from '../../../../../web/editor/commands/marks.ts'
import { check, desk, idsOf, removeLink, run, setLink, shown } from './tools-desk.ts'

test('emphasis goes on words, not on the blanks around them', () => {
  check('one⟨ two ⟩three', toggleEmphasis('strong'), 'one⟨ **two** ⟩three')
})

test('emphasis comes off where all of the selection has it', () => {
  check('**one ⟨two⟩**', toggleEmphasis('strong'), '**one** ⟨two⟩')
  check('**one** ⟨and **two**⟩', toggleEmphasis('strong'), '**one** **⟨and two⟩**')
})

test('emphasis goes over several blocks, and round an image', () => {
  check('⟨one\n\ntwo⟩', toggleEmphasis('em'), '*⟨one*\n\n*two⟩*')
  run(desk('⟨one ![a](b.png) two⟩'), toggleEmphasis('strike'))
})

test('formatting is cleared', () => {
  check('⟨*one* [two](https://x.y) `three`⟩', clearMarks, '⟨one two three⟩')
})

test('a block becomes a heading, text, code, and keeps its id', () => {
  check('on¦e', convert('heading-2'), '## on¦e')
  check('## on¦e', convert('text'), 'on¦e')
  check('## on¦e', convert('heading-3'), '### on¦e')
  const before = desk('a\n\non¦e\n\nb')
  assert.equal(idsOf(run(before, convert('code')), 'one'), ['b1'])
  assert.equal(idsOf(run(before, convert('heading-1')), 'one'), ['b1'])
})

test('what code cannot hold is said as text', () => {
  check('¦**a** ![b](c.png)\\\nd', convert('code'), '```\n¦a ![b](c.png)\nd\n```')
  check('¦a\nb', convert('heading-1'), '# ¦a b')
})

test('blocks become lists, lists of another kind, and text again', () => {
  check('¦one', toggle('bullet'), '- ¦one')
  check('- ¦one', toggle('bullet'), '¦one')
  check('- ¦one\n- two', toggle('ordered'), '1. ¦one\n2. two')
  check('1. ¦one', toggle('task'), '- [ ] ¦one')
  check('1. ¦one\n2. two', toggle('task'), '1. [ ] ¦one\n2. two')
  check('- ⟨one\n- two⟩\n- three', toggle('task'), '- [ ] ⟨one\n- [ ] two⟩\n- three')
  check('⟨one\n\ntwo⟩', toggle('ordered'), '1. ⟨one\n2. two⟩')
  check('# ¦one', toggle('bullet'), '- ¦one')
})

test('a list takes its new neighbour in', () => {
  check('- one\n\n¦two', toggle('bullet'), '- one\n- ¦two')
  check('- one\n\n¦two\n\n- three', toggle('bullet'), '- one\n- ¦two\n- three')
})

test('an item in the middle leaves its list, and both halves stay lists', () => {
  check('- one\n- tw¦o\n- three', toggle('bullet'), '- one\n\ntw¦o\n\n- three')
  const after = run(desk('- one\n- tw¦o\n- three'), toggle('bullet'))
  assert.equal(idsOf(after, 'two'), ['b4'])
})

test('tasks are checked and unchecked together', () => {
  check('- [ ] ¦one', toggleChecked, '- [x] ¦one')
  check('- [x] ⟨one\n- [ ] two⟩', toggleChecked, '- [x] ⟨one\n- [x] two⟩')
  check('- [x] ⟨one\n- [x] two⟩', toggleChecked, '- [ ] ⟨one\n- [ ] two⟩')
  assert.not(toggleChecked(desk('- ¦one')))
})

test('items nest and come out again', () => {
  check('- one\n- ¦two', nestItems, '- one\n  - ¦two')
  check('- one\n  - ¦two', unnestItems, '- one\n- ¦two')
  check('- ¦one', nestItems, '- ¦one')
  check('- ¦one', unnestItems, '- ¦one')
  check('- one\n  - ¦two\n  - three', unnestItems, '- one\n- ¦two\n  - three')
  assert.not(nestItems(desk('¦one')))
})

test('nesting ends quietly at the bound of levels', () => {
  const deep = (count: number) =>
    Array.from({ length: count }, (_, level) => `${'  '.repeat(level)}- ${level}`).join('\n')
  const full = `${deep(22)}\n${'  '.repeat(21)}- ¦end`
  const once = run(desk(full), nestItems)
  assert.is.not(shown(once), full)
  const second = desk(`${deep(23)}\n${'  '.repeat(23)}- a\n${'  '.repeat(23)}- ¦end`)
  assert.is(shown(run(second, nestItems)), shown(second))
  assert.ok(nestItems(second), 'the key is answered')
})

test('Enter splits an item, with an open box below a task', () => {
  check('- on¦e', splitItem, '- on\n- ¦e')
  check('- one¦', splitItem, '- one\n- ¦')
  check('- [x] one¦', splitItem, '- [x] one\n- [ ] ¦')
  assert.equal(idsOf(run(desk('- ¦one'), splitItem), 'one'), ['b0', 'b1', 'b2'])
  assert.equal(idsOf(run(desk('- on¦e'), splitItem), 'on'), ['b1', 'b2'])
})

test('Enter on an empty item leaves the list', () => {
  check('- one\n- ¦', splitItem, '- one\n\n¦')
  check('- one\n  - ¦', splitItem, '- one\n- ¦')
})

test('Backspace at the start of an item takes its box, then its mark', () => {
  check('- [ ] ¦one', leaveListAtStart, '- ¦one')
  check('- ¦one', leaveListAtStart, '¦one')
})

test('quotes go around and away', () => {
  check('¦one', toggle('quote'), '> ¦one')
  check('> ¦one', toggle('quote'), '¦one')
  check('> one\n>\n> tw¦o\n>\n> three', toggle('quote'), '> one\n\ntw¦o\n\n> three')
})

test('an image stays selected while its block takes another kind, behind front matter too', () => {
  const caret = desk('---\ntitle: x\n---\n\na ![pic](p.png)¦ b')
  const image = NodeSelection.create(caret.doc, caret.selection.from - 1)
  const after = run(caret.apply(caret.tr.setSelection(image)), toggle('quote'))
  assert.is(shown(after), '---\ntitle: x\n---\n\n> a ⟨![pic](p.png)⟩ b')
})

test('every kind of block becomes every other', () => {
  for (const from of blockKinds) {
    for (const to of blockKinds) {
      const before = run(desk('a\n\non¦e\n\nb'), from.turnInto)
      const after = run(before, to.turnInto)
      assert.is(after.doc.textContent, 'aoneb', `${from.name} to ${to.name}`)
      assert.ok(idsOf(after, 'one').includes('b1'), `${from.name} to ${to.name} keeps the id`)
    }
  }
})

test('a rule takes the place of an empty paragraph, or stands below', () => {
  check('one¦\n\ntwo', insertRule, 'one\n\n---\n\n¦two')
  check('on¦e', insertRule, 'one\n\n---\n\n¦')
})

test('a table comes with its header and the caret in its first cell', () => {
  const table = '| ¦ | |\n| --- | --- |\n| | |'
  const after = run(desk('one¦'), insertTable({ rows: 2, columns: 2 }))
  assert.is(shown(after).replace(/ +/g, ' '), `one\n\n${table}`)
})

test('an image and a hard break stand where the caret is', () => {
  check('on¦e', insertImage({ src: 'a.png', alt: 'b' }), 'on![b](a.png)¦e')
  check('on¦e', insertHardBreak, 'on\\\n¦e')
  check('```\non¦e\n```', insertHardBreak, '```\non\n¦e\n```')
  check('# on¦e', insertHardBreak, '# on<br />¦e')
})

test('a link is set, changed, written and taken away', () => {
  check('one ⟨two⟩', setLink('https://x.y'), 'one [⟨two⟩](https://x.y)')
  check('one [tw¦o](https://x.y)', setLink('https://z.y'), 'one [tw¦o](https://z.y)')
  check('one [tw¦o](https://x.y)', removeLink, 'one tw¦o')
  check('one ¦', setLink('https://x.y', 'two'), 'one [two](https://x.y)¦')
  run(desk('⟨one ![a](b.png)⟩'), setLink('https://x.y'))
})

test('an address is what a person meant', () => {
  assert.is(addressFrom('example.com/a'), 'https://example.com/a')
  assert.is(addressFrom('me@example.com'), 'mailto:me@example.com')
  assert.is(addressFrom('/docs/a'), '/docs/a')
  assert.is(addressFrom('javascript:alert(1)'), undefined)
  assert.is(addressFrom(' '), undefined)
  assert.ok(isAddress(' https://x.y/a_b '))
  assert.not(isAddress('see https://x.y'))
})

test('a fence and Enter make code; two empty lines leave it', () => {
  const fenced = desk('x¦')
  const typed = fenced.apply(fenced.tr.insertText('```js', 1, 2))
  assert.is(shown(run(typed, fenceOnEnter)), '```js\n¦\n```')
  const code = desk('```\na¦\n```')
  const ended = code.apply(code.tr.insertText('\n\n'))
  assert.is(shown(run(ended, leaveCodeOnEnter)), '```\na\n```\n\n¦')
})

test('lines of code go in and out; the language is written', () => {
  check('```\n⟨a\nb⟩\n```', indentCode(1), '```\n  ⟨a\n  b⟩\n```')
  check('```\n  ⟨a\n  b⟩\n```', indentCode(-1), '```\n⟨a\nb⟩\n```')
  check('```js title="x"\n¦a\n```', setLanguage(0, 'ts'), '```ts title="x"\n¦a\n```')
})

test.run()
