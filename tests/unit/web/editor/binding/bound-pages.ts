/** Two pages on one document, without a browser, and what holds of each after every step. */
import type { Node } from 'prosemirror-model'
import { NodeSelection } from 'prosemirror-state'
import * as assert from 'uvu/assert'
import { yXmlFragmentToProseMirrorRootNode } from 'y-prosemirror'
import * as Y from 'yjs'
import { documentSchema as schema } from '../../../../../schema/document-schema.ts'
import { parseMarkdown } from '../../../../../schema/markdown/parser.ts'
import { readDocument } from '../../../../../web/editor/binding/read.ts'
import { PageWithoutDom } from './page-without-dom.ts'

const { nodes } = schema

const parsed = (markdown: string) => parseMarkdown(markdown).content

export const mixed = `---
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

export function documentUpdate(markdown: string): Uint8Array {
  const page = new PageWithoutDom({ actor: 'ai:quill' })
  page.dispatch(page.state.tr.replaceWith(0, page.state.doc.content.size, parsed(markdown)))
  const update = Y.encodeStateAsUpdate(page.ydoc)
  page.close()
  return update
}

export function bothOn(markdown: string): [PageWithoutDom, PageWithoutDom] {
  const from = documentUpdate(markdown)
  return [
    new PageWithoutDom({ actor: 'human:ann', from }),
    new PageWithoutDom({ actor: 'human:ben', from }),
  ]
}

export function moveBlock(page: PageWithoutDom, at: number, to: number): void {
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
export function agrees(page: PageWithoutDom): void {
  const { doc } = page.state
  doc.check()
  const afresh = readDocument(page.fragment, new Map())
  assert.ok(doc.eq(afresh), `${doc}\nbut Yjs has\n${afresh}`)
  const copy = copyOf(page)
  let takesAway = false
  copy.on('update', () => {
    takesAway = true
  })
  const stock = yXmlFragmentToProseMirrorRootNode(copy.getXmlFragment('prosemirror'), schema)
  // What a merge left outside the schema waits for the service's repair; y-prosemirror deletes it.
  if (takesAway || !isValid(stock)) return
  assert.ok(doc.eq(stock), `${doc}\nbut y-prosemirror reads\n${stock}`)
  const check = (parent: Y.XmlFragment, node: Node) => {
    if (node.inlineContent || parent.length !== node.childCount) return
    parent.toArray().forEach((child, at) => {
      const known = page.binding.mapping.get(child)
      assert.ok(known === node.child(at), `the mapping has ${known}\nfor ${node.child(at)}`)
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
