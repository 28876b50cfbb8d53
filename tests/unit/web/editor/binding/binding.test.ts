/**
 * The binding between the page's document and the shared one, by example: opening writes nothing,
 * others' words move no caret, undo takes back one's own words alone.
 */
import { splitBlock } from 'prosemirror-commands'
import { Fragment, Slice } from 'prosemirror-model'
import { type Command, TextSelection } from 'prosemirror-state'
import { ReplaceStep } from 'prosemirror-transform'
import type { EditorView } from 'prosemirror-view'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { redo, undo } from 'y-prosemirror'
import * as Y from 'yjs'
import { documentSchema as schema } from '../../../../../schema/document-schema.ts'
import { printDocument } from '../../../../../schema/markdown/printer.ts'
import { replaceAll } from '../../../../../web/find/replace.ts'
import { agrees, bothOn, documentUpdate, mixed, moveBlock } from './bound-pages.ts'
import { PageWithoutDom } from './page-without-dom.ts'

const { nodes, marks } = schema

test('opening a document writes nothing, not even an empty one', () => {
  for (const update of [undefined, documentUpdate(mixed)]) {
    const ydoc = new Y.Doc()
    if (update !== undefined) Y.applyUpdate(ydoc, update)
    const before = Y.encodeStateAsUpdate(ydoc)
    const page = new PageWithoutDom({ actor: 'human:ann', from: before })
    assert.equal(Y.encodeStateAsUpdate(page.ydoc), before)
    page.dispatch(page.state.tr.setSelection(TextSelection.atEnd(page.state.doc)))
    assert.equal(Y.encodeStateAsUpdate(page.ydoc), before)
    page.close()
  }
})

test('who may not write changes nothing', () => {
  const [ann] = bothOn('One.\n')
  ann.isWritable = false
  const before = Y.encodeStateAsUpdate(ann.ydoc)
  ann.dispatch(ann.state.tr.insertText('x', 1))
  assert.is(ann.state.doc.textContent, 'One.')
  assert.equal(Y.encodeStateAsUpdate(ann.ydoc), before)
})

test('what a merge left outside the schema is shown and not written', () => {
  const [ann, ben] = bothOn('- a\n- b\n')
  const [list] = ben.fragment.toArray()
  assert.ok(list instanceof Y.XmlElement)
  const stray = new Y.XmlElement('paragraph')
  stray.insert(0, [new Y.XmlText('stray')])
  list.insert(1, [stray])
  ann.received.length = 0
  const before = ann.ydoc.getXmlFragment('prosemirror').toString()
  ben.sendTo(ann)
  ann.state.doc.check()
  assert.match(ann.state.doc.textContent, /stray/)
  assert.match(ann.fragment.toString(), /stray/)
  assert.not.match(before, /stray/)
})

test('two who begin in one empty block lose nothing of what they write on', () => {
  const [ann, ben] = bothOn('')
  const write = (page: PageWithoutDom, words: string, at: number) =>
    page.dispatch(page.state.tr.insertText(words, at))
  write(ann, 'Ann', 1)
  write(ben, 'Ben', 1)
  ann.sendTo(ben)
  ben.sendTo(ann)
  const both = ann.state.doc.textContent
  assert.match(both, /^(AnnBen|BenAnn)$/)
  // Each writes at the other's end before hearing of it.
  write(ann, ' more', 7)
  write(ben, 'First ', 1)
  ann.dispatch(ann.state.tr.addMark(1, 7, marks.strong.create()))
  ann.sendTo(ben)
  ben.sendTo(ann)
  for (const page of [ann, ben]) {
    agrees(page)
    assert.is(page.state.doc.textContent, `First ${both} more`)
  }
  ann.dispatch(ann.state.tr.delete(1, ann.state.doc.content.size - 1))
  write(ben, '!', ben.state.doc.content.size - 1)
  ann.sendTo(ben)
  ben.sendTo(ann)
  assert.is(ann.state.doc.textContent, '!')
  write(ann, 'x', 1)
  agrees(ann)
  assert.is(ann.state.doc.textContent, 'x!')
})

test('undo leaves what others wrote, also within what one wrote oneself', () => {
  const [ann, ben] = bothOn('One.\n')
  ann.dispatch(ann.state.tr.setSelection(TextSelection.atEnd(ann.state.doc)))
  ann.run(splitBlock)
  ann.dispatch(ann.state.tr.insertText('My words'))
  ann.sendTo(ben)
  ben.dispatch(ben.state.tr.insertText('THEIRS', 9))
  ben.sendTo(ann)
  assert.is(printDocument(ann.state.doc), 'One.\n\nMyTHEIRS words\n')
  while (undo(ann.state)) agrees(ann)
  assert.is(printDocument(ann.state.doc), 'One.\n\nTHEIRS\n')
  while (redo(ann.state)) agrees(ann)
  assert.is(printDocument(ann.state.doc), 'One.\n\nMyTHEIRS words\n')
})

test('undo brings the selection back to where the step began', () => {
  const [ann] = bothOn('One two three.\n')
  ann.dispatch(ann.state.tr.setSelection(TextSelection.create(ann.state.doc, 5, 8)))
  ann.dispatch(ann.state.tr.insertText('2'))
  ann.dispatch(ann.state.tr.setSelection(TextSelection.atStart(ann.state.doc)))
  undo(ann.state)
  assert.equal([ann.state.selection.from, ann.state.selection.to], [5, 8])
})

test('what others write moves no position but its own place', () => {
  const [ann, ben] = bothOn('One two three.\n\nFour five six.\n')
  const five = 24
  ann.dispatch(ann.state.tr.setSelection(TextSelection.create(ann.state.doc, five)))
  const second = ann.state.doc.child(1)
  const caretAfter = () => {
    const { $head } = ann.state.selection
    return $head.parent.textBetween(0, $head.parentOffset)
  }
  const written = caretAfter()
  ben.dispatch(ben.state.tr.insertText('Zero ', 1))
  ben.sendTo(ann)
  assert.is(ann.state.doc.child(1), second, 'an untouched block is another object')
  assert.is(caretAfter(), written)
  // A correction of marks alone, as the service's of authors.
  ben.dispatch(ben.state.tr.addMark(22, 36, marks.strong.create()))
  ben.sendTo(ann)
  assert.is(caretAfter(), written)
  assert.ok(ann.received.at(-1)?.mapping.maps.every((map) => map.toString() === '[]'))
  ben.dispatch(ben.state.tr.setNodeMarkup(0, nodes.heading, { ...ben.state.doc.child(0).attrs }))
  ben.sendTo(ann)
  assert.is(caretAfter(), written)
})

const long = Array.from({ length: 300 }, (_, at) => `Line ${at}.\n`).join('\n')

test('all of a long text in bold, and taken back, is a step for the others, and their carets stay', () => {
  const [ann, ben] = bothOn(long)
  const elements = ann.fragment.toArray()
  const at = Math.round(ben.state.doc.content.size / 2)
  ben.dispatch(ben.state.tr.setSelection(TextSelection.near(ben.state.doc.resolve(at))))
  const caret = () => [ben.state.selection.$head.parent.textContent, ben.state.selection.head]
  const before = { doc: ann.state.doc, caret: caret() }
  const all = { from: 0, to: ann.state.doc.content.size }
  const bold = () => ann.dispatch(ann.state.tr.addMark(all.from, all.to, marks.strong.create()))
  for (const change of [bold, () => undo(ann.state), () => redo(ann.state)]) {
    for (const page of [ann, ben]) page.received.length = 0
    change()
    ann.sendTo(ben)
    assert.equal(
      ben.received.map(({ steps }) => steps.length),
      [1],
    )
    assert.equal(caret(), before.caret)
    for (const page of [ann, ben]) agrees(page)
    assert.equal(ann.fragment.toArray(), elements)
    assert.ok(ann.fragment.toArray().every((element, index) => element === elements[index]))
  }
  undo(ann.state)
  assert.ok(ann.state.doc.eq(before.doc))
})

test('the blocks of a long paste are given their ids in one step', () => {
  const [ann] = bothOn('One.\n')
  const lines = Array.from({ length: 300 }, (_, at) =>
    nodes.paragraph.create(null, schema.text(`${at}`)),
  )
  const list = nodes.bullet_list.create(null, nodes.list_item.create(null, lines))
  const paste = ann.state.tr.insert(ann.state.doc.content.size, [list, ...lines])
  const { state, transactions } = ann.state.applyTransaction(paste.setMeta('paste', true))
  const given = transactions.slice(1)
  assert.equal(
    given.map(({ steps }) => steps.length),
    [1],
  )
  const ids = new Set<unknown>()
  state.doc.descendants((node) => void (node.type.name === 'text' || ids.add(node.attrs['id'])))
  assert.is(ids.size, 603)
  assert.not.ok(ids.has(null))
  assert.is(state.doc.child(0), ann.state.doc.child(0))
  state.doc.check()
})

test('what is read as it was stays the same node, and nothing is drawn', () => {
  const [ann] = bothOn('One.\n\nTwo.\n')
  const { doc } = ann.state
  ann.received.length = 0
  const text = (ann.fragment.get(1) as Y.XmlElement).get(0) as Y.XmlText
  ann.ydoc.transact(() => {
    text.insert(0, 'x')
    text.delete(0, 1)
  }, 'service')
  assert.is(ann.state.doc, doc)
  assert.is(ann.received.length, 0)
  agrees(ann)
})

test('a block that went and came back at once is mapped as the node that is shown', () => {
  const [ann, ben] = bothOn('---\ntitle: x\n---\n\nOne.\n')
  ann.dispatch(ann.state.tr.delete(0, ann.state.doc.child(0).nodeSize))
  ann.run(undo as Command)
  ann.sendTo(ben)
  agrees(ben)
})

test('what another writes before a line break stays where all words there go', () => {
  const [ann, ben] = bothOn('ab\\\nc\n')
  ann.dispatch(ann.state.tr.delete(1, 3))
  ben.dispatch(ben.state.tr.insertText('x', 2))
  ann.sendTo(ben)
  ben.sendTo(ann)
  assert.is(printDocument(ann.state.doc), 'x\\\nc\n')
  agrees(ann)
  agrees(ben)
})

test('undo brings the marks of many neighbouring words back that others have received', () => {
  const [ann, ben] = bothOn('a**bab**ab c\n')
  const { doc } = ann.state
  replaceAll(
    ann as unknown as EditorView,
    [1, 3, 5].map((from) => ({ from, to: from + 2 })),
    {
      text: '',
      author: 'human:ann',
    },
  )
  ann.sendTo(ben)
  ben.sendTo(ann)
  ann.run(undo as Command)
  assert.ok(ann.state.doc.eq(doc), `${ann.state.doc}`)
})

test('a block that moves leaves its neighbours as they are in the shared document', () => {
  const [ann] = bothOn('One.\n\nTwo.\n\nThree.\n')
  const [one, , three] = ann.fragment.toArray()
  moveBlock(ann, 1, 0)
  assert.is(printDocument(ann.state.doc), 'Two.\n\nOne.\n\nThree.\n')
  assert.is(ann.fragment.get(1), one)
  assert.is(ann.fragment.get(2), three)
})

test('what others write in a block under composition waits, and keys are carried past it', () => {
  const [ann, ben] = bothOn('One two three.\n\nFar.\n')
  ann.dispatch(ann.state.tr.setSelection(TextSelection.create(ann.state.doc, 15)))
  ann.composing = true
  ann.dispatch(ann.state.tr.insertText('k'))
  ann.sendTo(ben)
  ben.dispatch(ben.state.tr.insertText('Zero ', 1, 4))
  ben.sendTo(ann)
  assert.is(printDocument(ann.state.doc), 'One two three.k\n\nFar.\n')
  ann.dispatch(ann.state.tr.insertText('ka', 15, 16))
  ann.sendTo(ben)
  assert.is(printDocument(ben.state.doc), 'Zero  two three.ka\n\nFar.\n')
  ben.dispatch(ben.state.tr.insertText(' Away.', ben.state.doc.content.size - 1))
  ben.sendTo(ann)
  assert.is(printDocument(ann.state.doc), 'One two three.ka\n\nFar. Away.\n')
  ben.dispatch(ben.state.tr.insertText('0', 1, 6))
  ben.sendTo(ann)
  ann.dispatch(ann.state.tr.insertText('漢', 15, 17))
  ann.composing = false
  ann.binding.release()
  ann.sendTo(ben)
  assert.is(printDocument(ann.state.doc), '0 two three.漢\n\nFar. Away.\n')
  assert.ok(ann.state.doc.eq(ben.state.doc))
  agrees(ann)
})

test('of equal letters the one that was typed is written', () => {
  const [ann] = bothOn('aaaa\n')
  ann.dispatch(ann.state.tr.insertText('a', 3))
  const text = (ann.fragment.get(0) as Y.XmlElement).get(0) as Y.XmlText
  const by = (text.toDelta() as { insert: string; attributes: { authored: { by: string } } }[]).map(
    ({ insert, attributes }) => [insert, attributes.authored.by],
  )
  assert.equal(by, [
    ['aa', 'ai:quill'],
    ['a', 'human:ann'],
    ['aa', 'ai:quill'],
  ])
})

test('a word that gives way in very many blocks moves no list aside for each', () => {
  const blocks = 300
  const lines = Array.from({ length: blocks }, (_, at) => `Line ${at} of some words here.`)
  const [ann, ben] = bothOn(`${lines.join('\n\n')}\n`)
  const terms = schema.text('terms', [marks.authored.create({ by: 'human:ann' })])
  const paragraphs = ann.state.doc.children.map((node) => {
    const at = node.textContent.indexOf('words')
    return node.replace(at, at + 5, new Slice(Fragment.from(terms), 0, 0))
  })
  const { size } = ann.state.doc.content
  const moves = movesAside(blocks, () => {
    const whole = new Slice(Fragment.from(paragraphs), 0, 0)
    ann.dispatch(ann.state.tr.step(new ReplaceStep(0, size, whole)))
  })
  assert.is(moves, 0)
  ann.sendTo(ben)
  agrees(ann)
  assert.is(ben.state.doc.textContent.match(/some terms here/g)?.length, blocks)
})

/** How often something was put into the middle of a list of at least so many while this ran. */
function movesAside(least: number, run: () => void): number {
  const { splice } = Array.prototype
  let count = 0
  Array.prototype.splice = function (this: unknown[], ...of: Parameters<typeof splice>) {
    if (this.length >= least && of[0] < this.length - 1 && of.length > 2) count++
    return splice.apply(this, of)
  }
  try {
    run()
  } finally {
    Array.prototype.splice = splice
  }
  return count
}

test.run()
