/**
 * One Y element as a ProseMirror node: the pure reader. It never writes to the Y.Doc
 * (y-prosemirror's readers do) and expects a repaired tree; of adjacent texts it makes one run of
 * inline content.
 */
import { strict as assert } from 'node:assert'
import { Fragment, type Node, type NodeType } from 'prosemirror-model'
import * as Y from 'yjs'
import { documentSchema } from '../../../schema/document-schema.ts'
import { childrenOf, textRuns } from './children.ts'
import { marksOf } from './marks.ts'

export function nodeTypeOf(element: Y.XmlElement): NodeType {
  const type = documentSchema.nodes[element.nodeName]
  assert(type !== undefined, `no node is called ${element.nodeName}`)
  return type
}

/** The attributes of an element that its node type knows, as they stand in the Y.Doc. */
export function attributesOf(element: Y.XmlElement): Record<string, unknown> {
  const given: Record<string, unknown> = element.getAttributes()
  const attributes: Record<string, unknown> = {}
  for (const name of Object.keys(nodeTypeOf(element).spec.attrs ?? {})) {
    if (given[name] !== undefined) attributes[name] = given[name]
  }
  return attributes
}

/** Builds the node of `element`; `nodeOf` gives the nodes of the elements right below it. */
export function readNode(element: Y.XmlElement, nodeOf: (child: Y.XmlElement) => Node): Node {
  const content: Node[] = []
  for (const child of childrenOf(element)) {
    if (child instanceof Y.XmlElement) content.push(nodeOf(child))
    else readText(child, content)
  }
  return nodeTypeOf(element).create(attributesOf(element), Fragment.fromArray(content))
}

function readText(text: Y.XmlText, into: Node[]): void {
  let pending = ''
  let formats: ReadonlyMap<string, unknown> = new Map()
  const flush = () => {
    if (pending !== '') into.push(documentSchema.text(pending, marksOf(formats)))
    pending = ''
  }
  for (const run of textRuns(text)) {
    if (run.formats !== formats) flush()
    formats = run.formats
    pending += run.text
  }
  flush()
}
