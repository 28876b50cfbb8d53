/**
 * The content expressions of the schema as a table: what a node may hold and which kind of thing a
 * node is. Two facts decide whether a tree is valid: each child fits its parent, and what needs
 * content has some; both are local, so a change is judged by what it touched.
 */
import { strict as assert } from 'node:assert'
import * as Y from 'yjs'
import { type Child, childOf, firstChild, parentElement } from '../../../schema/yjs/children.ts'
import { firstItem } from '../../../schema/yjs/items.ts'

/** What a child is to its parent. */
export type Kind = 'front' | 'block' | 'item' | 'row' | 'cell' | 'inline'

/** What a parent takes; `text` is texts alone, `nothing` is a leaf. */
export type Content = 'blocks' | 'items' | 'rows' | 'cells' | 'inline' | 'text' | 'nothing'

const shapes: Readonly<Record<string, readonly [Kind, Content]>> = {
  front_matter: ['front', 'text'],
  paragraph: ['block', 'inline'],
  heading: ['block', 'inline'],
  code_block: ['block', 'text'],
  link_definition: ['block', 'text'],
  horizontal_rule: ['block', 'nothing'],
  html_block: ['block', 'nothing'],
  blockquote: ['block', 'blocks'],
  bullet_list: ['block', 'items'],
  ordered_list: ['block', 'items'],
  list_item: ['item', 'blocks'],
  table: ['block', 'rows'],
  table_row: ['row', 'cells'],
  table_header: ['cell', 'inline'],
  table_cell: ['cell', 'inline'],
  image: ['inline', 'nothing'],
  hard_break: ['inline', 'nothing'],
  html_inline: ['inline', 'nothing'],
}

const kindFor: Readonly<Record<Content, Kind | undefined>> = {
  blocks: 'block',
  items: 'item',
  rows: 'row',
  cells: 'cell',
  inline: 'inline',
  text: undefined,
  nothing: undefined,
}

function shapeOf(name: string): readonly [Kind, Content] {
  const shape = shapes[name]
  assert(shape !== undefined, `no node is called ${name}`)
  return shape
}

export const kindOf = (name: string): Kind => shapeOf(name)[0]
export const contentOf = (name: string): Content => shapeOf(name)[1]

/** True where the schema asks for at least one child. */
export function needsContent(name: string): boolean {
  const content = contentOf(name)
  return content === 'blocks' || content === 'items' || content === 'rows' || content === 'cells'
}

/** True where a child stands in a place that the schema gives to it. */
export function fitsParent(child: Child, root: Y.XmlFragment): boolean {
  const parent = parentElement(child)
  if (child instanceof Y.XmlText) {
    const content = parent && contentOf(parent.nodeName)
    return content === 'inline' || content === 'text'
  }
  const kind = kindOf(child.nodeName)
  if (parent !== undefined) return kindFor[contentOf(parent.nodeName)] === kind
  return kind === 'block' || (kind === 'front' && firstChild(root) === child)
}

/** True where an element says nothing: neither a character nor a leaf in it. */
export function isBlank(element: Y.XmlElement): boolean {
  if (contentOf(element.nodeName) === 'nothing') return false
  for (let item = firstItem(element); item !== null; item = item.right) {
    const child = childOf(item)
    if (child instanceof Y.XmlText ? child.length > 0 : child && !isBlank(child)) return false
  }
  return true
}
