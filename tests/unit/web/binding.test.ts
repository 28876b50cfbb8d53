/**
 * The laws of the binding between the page's document and the shared one, on random edits of two
 * people: both ways agree with y-prosemirror's own reading, untouched blocks stay the same objects,
 * opening writes nothing, undo takes back one's own words alone.
 */
import fc from 'fast-check'
import {
  chainCommands,
  joinBackward,
  lift,
  setBlockType,
  splitBlock,
  toggleMark,
  wrapIn,
} from 'prosemirror-commands'
import type { Node } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { NodeSelection, TextSelection } from 'prosemirror-state'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { redo, undo, yXmlFragmentToProseMirrorRootNode } from 'y-prosemirror'
import * as Y from 'yjs'
import { identifiedTypes, documentSchema as schema } from '../../../schema/document-schema.ts'
import { isBlockId } from '../../../schema/ids.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { canonicalMarkdown } from '../../../schema/markdown/printer.ts'
import { readDocument } from '../../../web/editor/binding/read.ts'
import { PageWithoutDom } from './page-without-dom.ts'

const { nodes, marks } = schema
const numRuns = process.env['LONG'] === undefined ? 80 : 5_000

function documentUpdate(markdown: string): Uint8Array {
  const page = new PageWithoutDom({ actor: 'ai:quill' })
  page.dispatch(page.state.tr.replaceWith(0, page.state.doc.content.size, parsed(markdown)))
  const update = Y.encodeStateAsUpdate(page.ydoc)
  page.close()
  return update
}
const parsed = (markdown: string) => parseMarkdown(markdown).content

function bothOn(markdown: string): [PageWithoutDom, PageWithoutDom] {
  const from = documentUpdate(markdown)
  return [
    new PageWithoutDom({ actor: 'human:ann', from }),
    new PageWithoutDom({ actor: 'human:ben', from }),
  ]
}

interface Act {
  readonly kind: number
  readonly at: number
  readonly to: number
  readonly text: string
}

const acts = fc.record({
  kind: fc.nat(17),
  at: fc.nat(1_000),
  to: fc.nat(1_000),
  text: fc.constantFrom('a', 'aa', 'b ', '😀', 'é', 'word', '\n'),
})

/** One thing a person does. */
function act(page: PageWithoutDom, { kind, at, to, text }: Act): void {
  const { state } = page
  const size = state.doc.content.size
  const place = (n: number) => {
    const $pos = state.doc.resolve(Math.round((n / 1_000) * size))
    const isInPair = /[\ud800-\udbff]$/.test($pos.nodeBefore?.text ?? '')
    return isInPair ? state.doc.resolve($pos.pos - 1) : $pos
  }
  const near = (n: number) => TextSelection.near(place(n))
  page.dispatch(state.tr.setSelection(near(at)))
  const select = () => {
    const selection = TextSelection.between(place(at), place(to))
    page.dispatch(page.state.tr.setSelection(selection))
  }
  if (kind < 5) page.dispatch(page.state.tr.insertText(text))
  else if (kind < 7) {
    select()
    page.dispatch(page.state.tr.deleteSelection())
  } else if (kind === 7) page.run(chainCommands(splitListItem(nodes.list_item), splitBlock))
  else if (kind === 8) page.run(joinBackward)
  else if (kind === 9) page.run(setBlockType(nodes.heading, { level: 2 }))
  else if (kind === 10) page.run(setBlockType(nodes.code_block))
  else if (kind === 11) {
    select()
    page.run(toggleMark(to % 2 === 0 ? marks.strong : marks.em))
  } else if (kind === 12) page.run(wrapInList(nodes.bullet_list))
  else if (kind === 13) {
    page.run(chainCommands(sinkListItem(nodes.list_item), wrapIn(nodes.blockquote)))
  } else if (kind === 14) page.run(chainCommands(liftListItem(nodes.list_item), lift))
  else if (kind === 15) moveBlock(page, at, to)
  else if (kind === 16) page.run(to % 2 === 0 ? asCommand(undo) : asCommand(redo))
  else insertImage(page, text)
}

function insertImage(page: PageWithoutDom, alt: string): void {
  const image = nodes.image.create({ src: 'https://example.com/a.png', alt })
  const { parent } = page.state.selection.$from
  if (parent.type.spec.code !== true)
    page.dispatch(page.state.tr.replaceSelectionWith(image, false))
}

const asCommand = (change: (state: never) => boolean) => (state: unknown) => change(state as never)

function moveBlock(page: PageWithoutDom, at: number, to: number): void {
  const { doc, tr } = page.state
  const [from, target] = [at % doc.childCount, to % doc.childCount]
  const block = doc.child(from)
  const offset = (index: number) =>
    doc.children.slice(0, index).reduce((sum, child) => sum + child.nodeSize, 0)
  if (doc.childCount < 2 || block.type === nodes.front_matter) return
  tr.delete(offset(from), offset(from) + block.nodeSize)
  tr.insert(tr.mapping.map(offset(target)), block)
  page.dispatch(tr.setSelection(NodeSelection.near(tr.doc.resolve(0))))
}

/** The page shows what the shared document holds, and every mapping is exact. */
function agrees(page: PageWithoutDom): void {
  const { doc } = page.state
  doc.check()
  const afresh = readDocument(page.fragment, new Map())
  assert.ok(doc.eq(afresh), `${doc}\nbut Yjs has\n${afresh}`)
  const stock = yXmlFragmentToProseMirrorRootNode(
    copyOf(page).getXmlFragment('prosemirror'),
    schema,
  )
  // What a merge left outside the schema waits for the service's repair.
  if (!isValid(stock)) return
  assert.ok(doc.eq(stock), `${doc}\nbut y-prosemirror reads\n${stock}`)
  const check = (parent: Y.XmlFragment, node: Node) => {
    if (node.inlineContent || parent.length !== node.childCount) return
    parent.toArray().forEach((child, at) => {
      assert.is(page.binding.mapping.get(child), node.child(at), 'a mapping is not exact')
      if (child instanceof Y.XmlElement) check(child, node.child(at))
    })
  }
  check(page.fragment, doc)
}

function isValid(doc: Node): boolean {
  try {
    doc.check()
    return true
  } catch {
    return false
  }
}

function copyOf(page: PageWithoutDom): Y.Doc {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(page.ydoc))
  return copy
}

function idsOf(doc: Node): string[] {
  const ids: string[] = []
  doc.descendants((node) => {
    if (typeof node.attrs['id'] === 'string') ids.push(node.attrs['id'])
  })
  return ids
}

const mixed = `---
title: x
---

# Head

One *two* three.

- a
- b
  - c

> quote

\`\`\`js
let a
\`\`\`

| a | b |
| --- | --- |
| c | d |

End ![alt](https://example.com/x.png) of it.
`

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

test('random edits of one person leave every block an id of its own', () => {
  const seed = 43
  console.log(`seed ${seed} block ids: ${numRuns} runs`)
  fc.assert(
    fc.property(fc.array(acts, { minLength: 1, maxLength: 20 }), (run) => {
      const [ann] = bothOn(mixed)
      for (const one of run) {
        act(ann, one)
        agrees(ann)
        const ids = idsOf(ann.state.doc)
        assert.is(ids.length, new Set(ids).size, 'an id stands twice')
        ann.state.doc.descendants((node) => {
          if (identifiedTypes.has(node.type.name)) assert.ok(isBlockId(node.attrs['id']))
        })
      }
      ann.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
})

test('random edits of two people agree on every page', () => {
  const seed = 42
  console.log(`seed ${seed} binding: ${numRuns} runs`)
  const steps = fc.array(fc.record({ who: fc.nat(1), sync: fc.nat(3), act: acts }), {
    minLength: 1,
    maxLength: 25,
  })
  fc.assert(
    fc.property(steps, (run) => {
      const [ann, ben] = bothOn(mixed)
      const pages = [ann, ben]
      for (const step of run) {
        const page = pages[step.who] ?? ann
        act(page, step.act)
        agrees(page)
        if (step.sync === 0) {
          ann.sendTo(ben)
          ben.sendTo(ann)
        }
      }
      ann.sendTo(ben)
      ben.sendTo(ann)
      assert.ok(ann.state.doc.eq(ben.state.doc), `${ann.state.doc}\n${ben.state.doc}`)
      ann.close()
      ben.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
})

test('undoing everything brings the document back, ids and authors too', () => {
  const seed = 44
  console.log(`seed ${seed} undo: ${numRuns} runs`)
  fc.assert(
    fc.property(fc.array(acts, { minLength: 1, maxLength: 12 }), (run) => {
      const [ann] = bothOn(mixed)
      const before = ann.state.doc
      for (const one of run) if (one.kind !== 16) act(ann, one)
      while (undo(ann.state)) agrees(ann)
      assert.ok(ann.state.doc.eq(before), `${ann.state.doc}\nbut was\n${before}`)
      ann.close()
    }),
    { seed, numRuns, includeErrorInReport: true },
  )
})

test('undo leaves what others wrote, also within what one wrote oneself', () => {
  const [ann, ben] = bothOn('One.\n')
  ann.dispatch(ann.state.tr.setSelection(TextSelection.atEnd(ann.state.doc)))
  ann.run(splitBlock)
  ann.dispatch(ann.state.tr.insertText('My words'))
  ann.sendTo(ben)
  ben.dispatch(ben.state.tr.insertText('THEIRS', 9))
  ben.sendTo(ann)
  assert.is(canonicalMarkdown(ann.state.doc), 'One.\n\nMyTHEIRS words\n')
  while (undo(ann.state)) agrees(ann)
  assert.is(canonicalMarkdown(ann.state.doc), 'One.\n\nTHEIRS\n')
  while (redo(ann.state)) agrees(ann)
  assert.is(canonicalMarkdown(ann.state.doc), 'One.\n\nMyTHEIRS words\n')
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

test('a block that moves leaves its neighbours as they are in the shared document', () => {
  const [ann] = bothOn('One.\n\nTwo.\n\nThree.\n')
  const [one, , three] = ann.fragment.toArray()
  moveBlock(ann, 1, 0)
  assert.is(canonicalMarkdown(ann.state.doc), 'Two.\n\nOne.\n\nThree.\n')
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
  assert.is(canonicalMarkdown(ann.state.doc), 'One two three.k\n\nFar.\n')
  ann.dispatch(ann.state.tr.insertText('ka', 15, 16))
  ann.sendTo(ben)
  assert.is(canonicalMarkdown(ben.state.doc), 'Zero  two three.ka\n\nFar.\n')
  ben.dispatch(ben.state.tr.insertText(' Away.', ben.state.doc.content.size - 1))
  ben.sendTo(ann)
  assert.is(canonicalMarkdown(ann.state.doc), 'One two three.ka\n\nFar. Away.\n')
  ben.dispatch(ben.state.tr.insertText('0', 1, 6))
  ben.sendTo(ann)
  ann.dispatch(ann.state.tr.insertText('漢', 15, 17))
  ann.composing = false
  ann.binding.release()
  ann.sendTo(ben)
  assert.is(canonicalMarkdown(ann.state.doc), '0 two three.漢\n\nFar. Away.\n')
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

test.run()
