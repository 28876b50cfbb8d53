/**
 * Blocks that somebody made in a block that stands elsewhere now: an item on its way into a list
 * that was moved, wrapped or taken apart, a paragraph into such an item. Each is made again beside
 * the sibling it was made beside, or where that stood.
 */
import * as Y from 'yjs'
import { type Child, childOf, childrenOf } from '../../yjs/children.ts'
import { itemAt, typeAt } from '../../yjs/structs.ts'
import type { Found, Move, MoveTable } from './move-table.ts'

type Store = Y.Doc['store']

/** Makes the block or text of an item that was born dead again. */
export function adopt(table: MoveTable, store: Store, item: Y.Item): void {
  const type = item.content instanceof Y.ContentType ? item.content.type : undefined
  const gap = gapOf(table, store, item)
  if (gap === undefined) return
  const { parent, left, move } = gap
  let made: Child | undefined
  if (type instanceof Y.XmlText && gap.isOld) made = childrenOf(parent).find(isTextType)
  if (made === undefined && type instanceof Y.XmlText) made = new Y.XmlText()
  if (type instanceof Y.XmlElement) made = new Y.XmlElement(type.nodeName)
  if (made === undefined) return
  if (made.parent === null) insertChild(parent, left, made)
  const copy = made._item?.id
  if (copy) table.add(item.id, { length: 1, move, copy, after: undefined, isLate: true })
}

/** Of a block that was adopted; what became of other attributes the move has decided. */
export function setAttribute(table: MoveTable, store: Store, item: Y.Item): void {
  const { parent, parentSub, content } = item
  if (!(parent instanceof Y.ID) || parentSub === null) return
  if (table.entryAt(parent)?.isLate !== true) return
  const found = table.resolve(parent)
  const element = found && typeAt(store, found.id)
  if (element instanceof Y.XmlElement) element.setAttribute(parentSub, content.getContent()[0])
}

interface Gap {
  readonly parent: Y.XmlFragment
  readonly left: Child | null
  readonly move: Move
  /** The parent was not adopted itself. */
  readonly isOld: boolean
}

/** Behind the sibling that was left of it, else before the right one, else where its parent is. */
function gapOf(table: MoveTable, store: Store, item: Y.Item): Gap | undefined {
  const { origin, rightOrigin, parent } = item
  const left = origin ? table.resolve(origin) : undefined
  const right = rightOrigin ? table.resolve(rightOrigin) : undefined
  const holder = parent instanceof Y.ID ? table.resolve(parent) : undefined
  for (const found of [left, right, holder?.isLeftOf ? holder : undefined]) {
    const gap = found && gapBeside(store, found, { item, isRight: found === right })
    if (gap) return gap
  }
  const element = holder && typeAt(store, holder.id)
  if (!(element instanceof Y.XmlElement) || element._item?.deleted || !holder) return undefined
  const isOld = parent instanceof Y.ID && table.entryAt(parent)?.isLate !== true
  return { parent: element, left: null, move: holder.move, isOld }
}

function gapBeside(
  store: Store,
  found: Found,
  { item, isRight }: { readonly item: Y.Item; readonly isRight: boolean },
): Gap | undefined {
  const sibling = siblingAt(store, found)
  const parent = sibling?.parent
  if (!sibling || !(parent instanceof Y.XmlFragment) || parent._item?.deleted) return undefined
  const { move, isLeftOf } = found
  const child = childOf(sibling)
  if (child && isLeftOf && holds(child, item)) {
    return { parent: child, left: null, move, isOld: false }
  }
  const left = isRight ? undefined : child
  return { parent, left: left ?? livingLeftOf(sibling), move, isOld: false }
}

/** What stands for a sibling, or beside where it stood: of a text in a block the block. */
function siblingAt(store: Store, { id, isLeftOf }: Found): Y.Item | undefined {
  let item = itemAt(store, id)
  if (item?.parent instanceof Y.XmlText) item = item.parent._item ?? undefined
  if (!isLeftOf || !item || !isTextItem(item)) return item
  return (item.parent instanceof Y.XmlElement && item.parent._item) || undefined
}

const isTextItem = ({ content }: Y.Item): boolean =>
  content instanceof Y.ContentType && content.type instanceof Y.XmlText

function livingLeftOf(item: Y.Item): Child | null {
  for (let left = item.left; left !== null; left = left.left) {
    const child = childOf(left)
    if (child) return child
  }
  return null
}

/** Whether a block can be right in another: where nothing is left of it, it is at its start. */
function holds(parent: Child, { content }: Y.Item): parent is Y.XmlElement {
  const type = content instanceof Y.ContentType ? content.type : undefined
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
