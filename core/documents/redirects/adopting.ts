/**
 * Blocks that somebody made in a block that stands elsewhere now: an item on its way into a list
 * that was moved, wrapped or taken apart, a paragraph into such an item. Each is made again beside
 * the sibling it was made beside, or where that stood.
 */
import * as Y from 'yjs'
import { type Child, childOf, childrenOf } from '../../../schema/yjs/children.ts'
import {
  attributeOf,
  type Item,
  idOf,
  isGone,
  itemAround,
  itemOf,
  parentNamedBy,
  parentOf,
  textAround,
  typeIn,
  valueIn,
} from '../../../schema/yjs/items.ts'
import { itemAt, typeAt } from '../../../schema/yjs/structs.ts'
import type { Move, RedirectedStruct, RedirectTable } from './redirect-table.ts'

/** Makes the block or text of an item that was born dead again. */
export function adopt(table: RedirectTable, doc: Y.Doc, item: Item): void {
  const type = typeIn(item)
  const gap = gapOf(table, doc, item)
  if (gap === undefined) return
  const { parent, left, move } = gap
  let made: Child | undefined
  if (type instanceof Y.XmlText && gap.isOld) made = childrenOf(parent).find(isTextType)
  if (made === undefined && type instanceof Y.XmlText) made = new Y.XmlText()
  if (type instanceof Y.XmlElement) made = new Y.XmlElement(type.nodeName)
  if (made === undefined) return
  if (made.parent === null) insertChild(parent, left, made)
  const copy = idOf(made)
  if (copy) table.add(item.id, { length: 1, move, copy, after: undefined, isLate: true })
}

/** Of a block that was adopted; what became of other attributes the move has decided. */
export function setAttribute(table: RedirectTable, doc: Y.Doc, item: Item): void {
  const parent = parentNamedBy(item)
  const name = attributeOf(item)
  if (parent === undefined || name === null) return
  if (table.at(parent)?.isLate !== true) return
  const found = table.resolve(parent)
  const element = found && typeAt(doc, found.id)
  if (element instanceof Y.XmlElement) element.setAttribute(name, valueIn(item) as string)
}

interface Gap {
  readonly parent: Y.XmlFragment
  readonly left: Child | null
  readonly move: Move
  /** The parent was not adopted itself. */
  readonly isOld: boolean
}

/** Behind the sibling that was left of it, else before the right one, else where its parent is. */
function gapOf(table: RedirectTable, doc: Y.Doc, item: Item): Gap | undefined {
  const { origin, rightOrigin } = item
  const parent = parentNamedBy(item)
  const left = origin ? table.resolve(origin) : undefined
  const right = rightOrigin ? table.resolve(rightOrigin) : undefined
  const holder = parent && table.resolve(parent)
  for (const found of [left, right, holder?.isLeftOf ? holder : undefined]) {
    const gap = found && gapNextTo(doc, found, { item, isRight: found === right })
    if (gap) return gap
  }
  const element = holder && typeAt(doc, holder.id)
  if (!(element instanceof Y.XmlElement) || isGone(element) || !holder) return undefined
  const isOld = parent !== undefined && table.at(parent)?.isLate !== true
  return { parent: element, left: null, move: holder.move, isOld }
}

function gapNextTo(
  doc: Y.Doc,
  found: RedirectedStruct,
  { item, isRight }: { readonly item: Item; readonly isRight: boolean },
): Gap | undefined {
  const sibling = siblingAt(doc, found)
  const parent = sibling && parentOf(sibling)
  if (!sibling || !(parent instanceof Y.XmlFragment) || isGone(parent)) return undefined
  const { move, isLeftOf } = found
  const child = childOf(sibling)
  if (child && isLeftOf && holds(child, item)) {
    return { parent: child, left: null, move, isOld: false }
  }
  const left = isRight ? undefined : child
  return { parent, left: left ?? livingLeftOf(sibling), move, isOld: false }
}

/** What stands for a sibling, or beside where it stood: of a text in a block the block. */
function siblingAt(doc: Y.Doc, { id, isLeftOf }: RedirectedStruct): Item | undefined {
  let item = itemAt(doc, id)
  if (item && textAround(item)) item = itemAround(item) ?? undefined
  if (!isLeftOf || !item || !(typeIn(item) instanceof Y.XmlText)) return item
  const parent = parentOf(item)
  return (parent instanceof Y.XmlElement && itemOf(parent)) || undefined
}

function livingLeftOf(item: Item): Child | null {
  for (let left = item.left; left !== null; left = left.left) {
    const child = childOf(left)
    if (child) return child
  }
  return null
}

/** Whether a block can be right in another: where nothing is left of it, it is at its start. */
function holds(parent: Child, item: Item): parent is Y.XmlElement {
  const type = typeIn(item)
  if (!(parent instanceof Y.XmlElement) || !(type instanceof Y.XmlElement)) return false
  if (type.nodeName === 'list_item') return parent.nodeName.endsWith('_list')
  return parent.nodeName === (type.nodeName === 'table_row' ? 'table' : 'list_item')
}

/** An item whose list is gone, and what was in it no item any more, begins a list of its own. */
function insertChild(parent: Y.XmlFragment, left: Child | null, child: Child): void {
  const isItem = child instanceof Y.XmlElement && child.nodeName === 'list_item'
  const isInList = parent instanceof Y.XmlElement && parent.nodeName.endsWith('_list')
  if (!isItem || isInList) {
    parent.insertAfter(left, [child])
    return
  }
  const list = new Y.XmlElement('bullet_list')
  list.insert(0, [child])
  parent.insertAfter(left, [list])
}

const isTextType = (type: Child): type is Y.XmlText => type instanceof Y.XmlText
