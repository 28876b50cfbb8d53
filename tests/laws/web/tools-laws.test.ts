/**
 * The laws of the editor's commands on random documents and selections: what a command leaves is
 * valid and within the bound of levels, no id stands twice, no leaf carries a mark, a table stays a
 * rectangle with its header first, and what is no deletion keeps every word.
 */
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import {
  AllSelection,
  type Command,
  EditorState,
  NodeSelection,
  TextSelection,
} from 'prosemirror-state'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../schema/document-schema.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { blockKinds } from '../../../web/editor/commands/block-kinds.ts'
import { indentCode, uncodeAtStart } from '../../../web/editor/commands/code.ts'
import { toggle } from '../../../web/editor/commands/convert.ts'
import { applyInputRule } from '../../../web/editor/commands/input-rules.ts'
import { insertHardBreak, insertRule, insertTable } from '../../../web/editor/commands/insert.ts'
import {
  leaveListAtStart,
  nestItems,
  splitItem,
  toggleChecked,
  unnestItems,
} from '../../../web/editor/commands/lists.ts'
import { clearMarks, toggleEmphasis } from '../../../web/editor/commands/marks.ts'
import { moveUnits, moveUnitsTo } from '../../../web/editor/commands/moving.ts'
import { unquoteAtStart } from '../../../web/editor/commands/quotes.ts'
import {
  addColumn,
  addRow,
  alignColumns,
  deleteColumns,
  deleteRows,
  deleteTable,
} from '../../../web/editor/commands/tables.ts'
import { deleteUnits, duplicateUnits, insertBelow } from '../../../web/editor/commands/units.ts'
import { Tally } from '../../tally.ts'
import { identified, removeLink, run, setLink } from '../../unit/web/editor/commands/tools-desk.ts'

const pieces = [
  'plain words',
  '# A heading',
  '### Deeper\n\nwith text',
  '- one\n- two\n  - three\n    1. four\n- five',
  '1. first\n\n   second paragraph\n2. third\n\n   - nested',
  '- [ ] open\n- [x] done\n  - [ ] below',
  '> quoted\n>\n> - item\n>\n> > twice',
  '```js\nlet a\n\nlet b\n```',
  '| a | b |\n| --- | --: |\n| *c* | d |\n| e | f |',
  '**bold *both*** `code` [link](https://x.y) ![pic](p.png) end\\\nbroken',
  '---',
  '<div>\nraw\n</div>',
  'see https://x.y/a_b <b>inline</b>',
]

const documents = fc
  .tuple(fc.boolean(), fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }))
  .map(([hasFront, parts]) => (hasFront ? `---\ntitle: x\n---\n\n` : '') + parts.join('\n\n'))

/** Commands that keep every word. */
const keeping: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(blockKinds.map(({ name, turnInto }) => [name, turnInto])),
  strong: toggleEmphasis('strong'),
  code: toggleEmphasis('code'),
  clearMarks,
  ...Object.fromEntries(blockKinds.map(({ name }) => [`toggle ${name}`, toggle(name)])),
  toggleChecked,
  nestItems,
  unnestItems,
  leaveListAtStart,
  unquoteAtStart,
  uncodeAtStart,
  up: moveUnits(-1),
  down: moveUnits(1),
  removeLink,
  rule: insertRule,
  table: insertTable(),
  addRow: addRow('below'),
  addColumn: addColumn('before'),
  align: alignColumns('center'),
  insertBelow: insertBelow(),
}

const others: Readonly<Record<string, Command>> = {
  indent: indentCode(1),
  link: setLink('https://z.y'),
  splitItem,
  insertHardBreak,
  duplicateUnits,
  deleteUnits,
  deleteRows,
  deleteColumns,
  deleteTable,
}

/** An image or HTML as code says it. */
const said = ({ type, attrs }: Node): string =>
  type.name === 'image' ? `![${attrs['alt']}](${attrs['src']})` : (attrs['source'] ?? ' ')

/** The words of a document, sorted, as moving changes their order. */
const wordsOf = (doc: Node): string =>
  doc
    .textBetween(0, doc.content.size, ' ', said)
    .split(/\s+/)
    .filter((word) => /[a-z]/i.test(word) && !word.includes('://'))
    .sort()
    .join(' ')

function stateOf(markdown: string, from: number, to: number): EditorState {
  const doc = identified(parseMarkdown(markdown, { start: true }))
  const state = EditorState.create({ doc, schema: documentSchema })
  const at = (share: number) => doc.resolve(Math.floor(share * doc.content.size))
  if (to > 0.95) return state.apply(state.tr.setSelection(new AllSelection(doc)))
  const $from = at(from)
  const { nodeAfter } = $from
  if (to > 0.8 && nodeAfter !== null && NodeSelection.isSelectable(nodeAfter)) {
    return state.apply(state.tr.setSelection(NodeSelection.create(doc, $from.pos)))
  }
  return state.apply(state.tr.setSelection(TextSelection.between($from, to > 0.4 ? at(to) : $from)))
}

function rectangular(doc: Node): void {
  doc.descendants((node) => {
    if (node.type.name !== 'table') return true
    const widths = node.children.map((row) => row.childCount)
    assert.is(new Set(widths).size, 1, 'rows are of one width')
    node.forEach((row, _offset, index) => {
      const wanted = index === 0 ? 'table_header' : 'table_cell'
      assert.ok(row.children.every(({ type }) => type.name === wanted))
    })
    return false
  })
}

const depthOf = (node: Node): number =>
  Math.max(0, ...node.children.filter(({ isText }) => !isText).map((child) => 1 + depthOf(child)))

const seed = 20
const share = () => fc.noBias(fc.integer({ min: 0, max: 999 })).map((part) => part / 1000)

test('every command leaves a lawful document and every word', () => {
  const tally = new Tally()
  const names = fc.constantFrom(...Object.keys({ ...keeping, ...others }))
  const law = fc.property(documents, names, share(), share(), (markdown, name, from, to) => {
    const state = stateOf(markdown, from, to)
    const command = keeping[name] ?? others[name]
    assert.ok(command)
    const after = run(state, command)
    if (after.doc.eq(state.doc)) return
    tally.add('changes')
    tally.add(name)
    rectangular(after.doc)
    assert.ok(depthOf(after.doc) <= 48)
    if (name in keeping) assert.is(wordsOf(after.doc), wordsOf(state.doc))
  })
  fc.assert(law, { seed, numRuns: 2000, includeErrorInReport: true })
  tally.tell(`${seed} commands`, { changes: 700 })
})

test('typing anything anywhere leaves a lawful document', () => {
  const tally = new Tally()
  const words = ['# ', '- ', '1. ', '> ', '```js ', '---', '[x] ', '**b**', '*i*', '_u_', '~~s~~']
  const typed = fc.array(
    fc.constantFrom(...words, '`c`', '[t](u.v)', '![t](u.v)', 'a', ' ', '\\'),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  const law = fc.property(
    documents,
    share(),
    fc.boolean(),
    typed,
    (markdown, from, isFresh, parts) => {
      let state = stateOf(markdown, from, 0)
      if (isFresh) state = run(state, insertBelow())
      for (const character of parts.join('')) {
        state = state.apply(state.tr.insertText(character))
        const tr = applyInputRule(state)
        if (tr === undefined) continue
        tally.add('rules')
        state = run(state, (_state, dispatch) => {
          dispatch?.(tr)
          return true
        })
        rectangular(state.doc)
        assert.ok(depthOf(state.doc) <= 48)
      }
    },
  )
  fc.assert(law, { seed, numRuns: 500, includeErrorInReport: true })
  tally.tell(`${seed} typing`, { rules: 500 })
})

test('a block dragged anywhere keeps every word', () => {
  const tally = new Tally()
  const law = fc.property(documents, share(), share(), (markdown, from, to) => {
    const state = stateOf(markdown, 0, 0)
    const { doc } = state
    const places: number[] = []
    doc.descendants((node, pos, parent) => {
      const isUnit = ['doc', 'blockquote', 'bullet_list', 'ordered_list'].includes(
        String(parent?.type.name),
      )
      if (isUnit && node.type.name !== 'front_matter') places.push(pos)
    })
    const start = places[Math.floor(from * places.length)] ?? 0
    const target = places[Math.floor(to * places.length)] ?? 0
    const end = start + (doc.nodeAt(start)?.nodeSize ?? 0)
    const after = run(state, moveUnitsTo({ from: start, to: end }, target))
    tally.add(after.doc.eq(doc) ? 'to where it was' : 'moves')
    assert.is(wordsOf(after.doc), wordsOf(doc))
  })
  fc.assert(law, { seed, numRuns: 800, includeErrorInReport: true })
  tally.tell(`${seed} drags`, { moves: 200 })
})

test.run()
