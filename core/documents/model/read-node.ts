/**
 * One Y element as a ProseMirror node: the pure reader. It never writes to the Y.Doc
 * (y-prosemirror's readers do) and expects a repaired tree; of adjacent texts it makes one run of
 * inline content.
 */
import { strict as assert } from 'node:assert'
import { Fragment, type Mark, type Node, type NodeType } from 'prosemirror-model'
import * as Y from 'yjs'
import { documentSchema } from '../../../schema/document-schema.ts'
import { childOf } from '../../../schema/yjs/children.ts'
import { charsIn, firstItem, formatIn } from '../../../schema/yjs/items.ts'
import { marksOf } from './marks.ts'

export function nodeTypeOf(element: Y.XmlElement): NodeType {
  const type = documentSchema.nodes[element.nodeName]
  assert(type !== undefined, `no node is called ${element.nodeName}`)
  return type
}

/** The attributes of an element that its node type knows, as they stand in the Y.Doc. */
export function attributesOf(element: Y.XmlElement): Record<string, unknown> {
  const attributes: Record<string, unknown> = {}
  for (const name in nodeTypeOf(element).spec.attrs) {
    const value: unknown = element.getAttribute(name)
    if (value !== undefined) attributes[name] = value
  }
  return attributes
}

/** Builds the node of `element`; `nodeOf` gives the nodes of the elements right below it. */
export function readNode(element: Y.XmlElement, nodeOf: (child: Y.XmlElement) => Node): Node {
  const content: Node[] = []
  for (let item = firstItem(element); item !== null; item = item.right) {
    const child = childOf(item)
    if (child instanceof Y.XmlElement) content.push(nodeOf(child))
    else if (child !== undefined) readText(child, content)
  }
  return nodeTypeOf(element).create(attributesOf(element), fragmentOf(content))
}

/** Without room to grow, of the one node that it mostly is. */
const fragmentOf = (content: Node[]): Fragment =>
  content.length === 1 ? Fragment.from(content[0]) : Fragment.fromArray(content)

/** Of the marks themselves, which many texts share; made with them it would have a copy. */
const written = (text: string, marks: readonly Mark[]): Node =>
  documentSchema.text(text).mark(marks)

/** One text node for each stretch between formats. */
function readText(text: Y.XmlText, into: Node[]): void {
  const formats = new Map<string, unknown>()
  let pending = ''
  for (let item = firstItem(text); item !== null; item = item.right) {
    if (item.deleted) continue
    const chars = charsIn(item)
    if (chars !== undefined) {
      pending += chars
      continue
    }
    const format = formatIn(item)
    if (format === undefined) continue
    if (pending !== '') into.push(written(pending, marksOf(formats)))
    pending = ''
    if (format.value === null) formats.delete(format.key)
    else formats.set(format.key, format.value)
  }
  if (pending !== '') into.push(written(pending, marksOf(formats)))
}
