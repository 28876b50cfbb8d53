/**
 * Positions in the shared document and on the page: there and back, as a stock y-prosemirror
 * editor finds them, and still there when others write.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { prosemirrorToYXmlFragment, relativePositionToAbsolutePosition } from 'y-prosemirror'
import * as Y from 'yjs'
import { fragmentName } from '../../../../../schema/document-schema.ts'
import { parseMarkdown } from '../../../../../schema/markdown/parser.ts'
import { readDocument } from '../../../../../web/editor/binding/read.ts'
import {
  positionsOf,
  relativePositionAt,
} from '../../../../../web/editor/binding/relative-positions.ts'

const markdown = `---
title: x
---

# Head **strong** ![i](a.png) tail

Para\\
graph <b>html</b> end.

- one
- two

  - deep [link](x)
- [ ] task

> quote
>
> 1. a

| a | b |
| --- | --- |
| c *d* |  |

\`\`\`js
code
\`\`\`

---

Last.
`

function sharedDocument() {
  const ydoc = new Y.Doc()
  const fragment = ydoc.getXmlFragment(fragmentName)
  prosemirrorToYXmlFragment(parseMarkdown(markdown), fragment)
  const mapping = new Map()
  return { ydoc, fragment, mapping, doc: readDocument(fragment, mapping) }
}

test('every position of text is found again, by us and by a stock editor', () => {
  const { ydoc, fragment, mapping, doc } = sharedDocument()
  const positions: number[] = []
  for (let pos = 0; pos <= doc.content.size; pos++) {
    if (doc.resolve(pos).parent.inlineContent) positions.push(pos)
  }
  assert.ok(positions.length > 80)
  const relative = positions.map((pos) => {
    const said = JSON.stringify(relativePositionAt(fragment, doc, pos))
    return Y.createRelativePositionFromJSON(JSON.parse(said))
  })
  assert.equal(positionsOf(fragment, doc, relative), positions)
  const stock = relative.map((one) =>
    relativePositionToAbsolutePosition(ydoc, fragment, one, mapping as never),
  )
  assert.equal(stock, positions)
})

test('positions between blocks are found again', () => {
  const { fragment, doc } = sharedDocument()
  doc.forEach((_, offset) => {
    const one = relativePositionAt(fragment, doc, offset)
    assert.is(positionsOf(fragment, doc, [one])[0], offset)
  })
})

test('a one stays with its text, and is nowhere when its block is gone', () => {
  const { ydoc, fragment, doc } = sharedDocument()
  const at = (from: typeof doc, words: string) => {
    let found = -1
    from.descendants((node, pos) => {
      const index = node.isText ? (node.text ?? '').indexOf(words) : -1
      if (found < 0 && index >= 0) found = pos + index
    })
    return found
  }
  const relative = ['two', 'quote', 'Last'].map((words) =>
    relativePositionAt(fragment, doc, at(doc, words)),
  )
  ydoc.transact(() => {
    fragment.insert(1, [new Y.XmlElement('horizontal_rule')])
    const quote = fragment.toArray().find((one) => (one as Y.XmlElement).nodeName === 'blockquote')
    fragment.delete(fragment.toArray().indexOf(quote as Y.XmlElement), 1)
  })
  const now = readDocument(fragment, new Map())
  assert.equal(positionsOf(fragment, now, relative), [at(now, 'two'), undefined, at(now, 'Last')])
})

test.run()
