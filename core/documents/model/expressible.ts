/**
 * Writes into the Y.Doc what `repairBlock` of the markdown dialect asks of a block, so that
 * canonical markdown can say all of it. `repairBlock` decides; this file carries it over, relying
 * on how it works: it keeps the order and number of children (but adds cells at the end of a row),
 * and deals with each inline node alone. Texts are no business of this file: their characters and
 * formats are put right as they are read, in `values`.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { documentSchema } from '../../../schema/document-schema.ts'
import { repairBlock } from '../../../schema/markdown/repair.ts'
import { before, childrenOf } from '../../../schema/yjs/children.ts'
import { setAttribute } from './build.ts'
import type { ElementPiece, FittedPiece } from './fit.ts'
import { formatsOf } from './marks.ts'
import type { PieceWriter } from './piece-writer.ts'

/** Makes `element`, whose node is `old`, what `repairBlock` makes of that. */
export function makeExpressible(element: Y.XmlElement, old: Node, writer: PieceWriter): void {
  const next = repairBlock(old)
  if (next !== old) change(element, { old, next }, writer)
}

interface Nodes {
  readonly old: Node
  readonly next: Node
}

function change(element: Y.XmlElement, nodes: Nodes, writer: PieceWriter): void {
  const { old, next } = nodes
  if (old.type !== next.type) {
    const parent = element.parent
    if (!(parent instanceof Y.XmlFragment)) throw new TypeError('a block stands in an element')
    writer.replace(parent, { left: before(element), old: [element] }, [renamed(element, next)])
    return
  }
  changeAttributes(element, nodes)
  if (next.inlineContent) replaceChildren(element, inlinePieces(element, old), writer)
  else if (next.type.name === 'table_row') changeRow(element, nodes, writer)
  else {
    elementsOf(element).forEach((child, index) => {
      const [was, becomes] = [old.child(index), next.child(index)]
      if (was !== becomes) change(child, { old: was, next: becomes }, writer)
    })
  }
}

function replaceChildren(element: Y.XmlElement, pieces: FittedPiece[], writer: PieceWriter): void {
  writer.replace(element, { left: undefined, old: childrenOf(element) }, pieces)
}

/** A leaf block that has to become text. */
function renamed(element: Y.XmlElement, next: Node): ElementPiece {
  const spelling = next.textContent
  const children = spelling === '' ? [] : [{ leaf: element, spelling }]
  return { name: next.type.name, source: element, attributes: attributesOf(next), children }
}

function changeRow(element: Y.XmlElement, { old, next }: Nodes, writer: PieceWriter): void {
  const cells = elementsOf(element)
  const pieces = next.children.map((becomes, index): ElementPiece => {
    const name = becomes.type.name
    const [source, was] = [cells[index], old.maybeChild(index)]
    if (source === undefined || was === null) {
      return { name, attributes: attributesOf(becomes), children: [] }
    }
    if (was.type === becomes.type) changeAttributes(source, { old: was, next: becomes })
    const children = inlinePieces(source, was)
    return { name, source, attributes: attributesOf(becomes), children }
  })
  replaceChildren(element, pieces, writer)
}

/** The inline content of `element`, whose node is `old`, each leaf as it should be. */
function inlinePieces(element: Y.XmlElement, old: Node): FittedPiece[] {
  const leaves = old.children.filter((child) => !child.isText)
  return childrenOf(element).flatMap((child): FittedPiece[] => {
    if (child instanceof Y.XmlText) return [{ text: child }]
    const leaf = leaves.shift()
    if (leaf === undefined) throw new TypeError('each leaf element has its node')
    const next = repairedLeaf(leaf)
    if (next === undefined) return []
    if (next.isText) {
      return [{ leaf: child, spelling: next.text ?? '', formats: formatsOf(next.marks) }]
    }
    changeAttributes(child, { old: leaf, next })
    return [{ name: child.nodeName, source: child, children: [] }]
  })
}

/** What becomes of a leaf, asked for it alone: the leaf, a text, or nothing. */
function repairedLeaf(leaf: Node): Node | undefined {
  const end = documentSchema.node('hard_break')
  const { children } = repairBlock(documentSchema.node('paragraph', null, [leaf, end]))
  return children.length > 1 ? children[0] : undefined
}

function changeAttributes(element: Y.XmlElement, { old, next }: Nodes): void {
  for (const [name, value] of Object.entries(next.attrs)) {
    if (name !== 'id' && value !== old.attrs[name]) setAttribute(element, name, value)
  }
}

function attributesOf(node: Node): Record<string, unknown> {
  return Object.fromEntries(Object.entries(node.attrs).filter(([name]) => name !== 'id'))
}

const elementsOf = (parent: Y.XmlElement): Y.XmlElement[] =>
  childrenOf(parent).filter((child) => child instanceof Y.XmlElement)
