/** Which block moved, where two have changed places: the one that came anew, not one's own. */
import { TextSelection } from 'prosemirror-state'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { PageWithoutDom } from './editor/binding/page-without-dom.ts'

/** Two people's pages on the same document. */
function bothOn(markdown: string): [PageWithoutDom, PageWithoutDom] {
  const page = new PageWithoutDom({ actor: 'ai:quill' })
  const { tr, doc } = page.state
  page.dispatch(tr.replaceWith(0, doc.content.size, parseMarkdown(markdown).content))
  const from = Y.encodeStateAsUpdate(page.ydoc)
  page.close()
  return [
    new PageWithoutDom({ actor: 'human:ann', from }),
    new PageWithoutDom({ actor: 'human:ben', from }),
  ]
}

test('a block that others move past mine leaves my caret where it is', () => {
  for (const [from, to] of [
    [1, 0],
    [0, 1],
  ] as const) {
    const [ann, ben] = bothOn('first\n\nsecond\n')
    const mine = ben.state.doc.child(1 - from)
    const end = from === 1 ? mine.nodeSize - 1 : ben.state.doc.content.size - 1
    ben.dispatch(ben.state.tr.setSelection(TextSelection.create(ben.state.doc, end)))
    // Yjs cannot move: the block goes, and one like it comes.
    const moved = ann.state.doc.child(from)
    const at = from === 0 ? 0 : ann.state.doc.child(0).nodeSize
    ann.dispatch(ann.state.tr.delete(at, at + moved.nodeSize))
    const place = to === 0 ? 0 : ann.state.doc.content.size
    ann.dispatch(ann.state.tr.insert(place, moved))
    ann.sendTo(ben)
    assert.is(ben.state.doc.child(to).textContent, moved.textContent)
    assert.is(ben.state.selection.$head.parent.textContent, mine.textContent)
    for (const page of [ann, ben]) page.close()
  }
})

test.run()
