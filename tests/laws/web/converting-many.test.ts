/** Turning very many blocks at once: the same laws, in one step and in little time. */
import { AllSelection, EditorState, TextSelection } from 'prosemirror-state'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { undo } from 'y-prosemirror'
import { identifiedTypes, documentSchema as schema } from '../../../schema/document-schema.ts'
import { isBlockId } from '../../../schema/ids.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { convert } from '../../../web/editor/commands/convert.ts'
import { asUndoStep } from '../../../web/editor/commands/undo-step.ts'
import { leastOf, pace } from '../../pace.ts'
import { agrees, documentUpdate } from '../../unit/web/editor/binding/bound-pages.ts'
import { PageWithoutDom } from '../../unit/web/editor/binding/page-without-dom.ts'
import { identified } from '../../unit/web/editor/commands/tools-desk.ts'

const kinds = ['heading-2', 'bullet', 'ordered', 'task', 'quote', 'code'] as const

const undoOnce = (state: unknown) => undo(state as never)

const selectedText = ({ doc, selection: { from, to } }: EditorState): string =>
  doc.textBetween(from, to, ' ', ' ').replace(/\s+/g, ' ').trim()

test('of many blocks each has its id and its author, and all come back in one step', () => {
  const words = Array.from({ length: 300 }, (_, index) => `w${index}w *of* many`)
  for (const kind of kinds) {
    const page = new PageWithoutDom({
      actor: 'human:ann',
      from: documentUpdate(words.join('\n\n')),
    })
    const first = page.state.doc
    page.dispatch(
      page.state.tr.setSelection(TextSelection.create(first, 3, first.content.size - 3)),
    )
    const text = selectedText(page.state)
    page.run(asUndoStep(convert(kind)))
    agrees(page)
    assert.is(selectedText(page.state), text)
    assert.is(page.state.doc.textContent.replaceAll('\n', ''), first.textContent)
    const ids: unknown[] = []
    page.state.doc.descendants((node) => {
      if (identifiedTypes.has(node.type.name)) ids.push(node.attrs['id'])
      if (!node.isText) return
      const by = schema.marks.authored.isInSet(node.marks)?.attrs['by']
      assert.is(by, node.text === '\n' ? 'human:ann' : 'ai:quill', 'what was there stays theirs')
    })
    assert.ok(ids.every(isBlockId))
    assert.is(new Set(ids).size, ids.length)
    page.run(undoOnce)
    assert.ok(page.state.doc.eq(first))
    page.close()
  }
})

test('all of 10,000 blocks are turned in one step', () => {
  const words = Array.from({ length: 10_000 }, (_, index) => `block ${index} *of* many`)
  for (const text of [words.join('\n\n'), words.map((word) => `- ${word}`).join('\n')]) {
    const doc = identified(parseMarkdown(text))
    const state = EditorState.create({ doc })
    const before = state.apply(state.tr.setSelection(new AllSelection(doc)))
    for (const kind of ['text', 'heading-2', 'bullet', 'task', 'quote', 'code'] as const) {
      let steps = 0
      const least = leastOf(4, () => {
        convert(kind)(before, (tr) => {
          steps = tr.steps.length
        })
      })
      console.log(`\n10,000 blocks to ${kind}: ${least.toFixed(1)} ms, ${steps} steps`)
      assert.ok(steps <= 1)
      assert.ok(least < 100 * pace(), `${kind}: ${least} ms`)
    }
  }
})

test.run()
