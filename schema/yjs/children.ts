/**
 * Walking the tree of Y types without its array methods, which are O(n) for one position or write
 * to the document. Only living children are seen. Knows nothing of the schema.
 */
import * as Y from 'yjs'
import { type Item, typeIn } from './items.ts'

export type Child = Y.XmlElement | Y.XmlText

/** The living child that an item of an element's list holds, if that is an element or a text. */
export function childOf(item: Item | null): Child | undefined {
  if (item === null || item.deleted) return undefined
  const type = typeIn(item)
  return type instanceof Y.XmlElement || type instanceof Y.XmlText ? type : undefined
}

/** The living elements and texts below `parent`, in order. Anything else in its list is skipped. */
export function childrenOf(parent: Y.XmlFragment): Child[] {
  const children: Child[] = []
  for (let item = parent._start; item !== null; item = item.right) {
    const child = childOf(item)
    if (child !== undefined) children.push(child)
  }
  return children
}

/** The first living child of the fragment or element. */
export function firstChild(parent: Y.XmlFragment): Child | undefined {
  for (let item = parent._start; item !== null; item = item.right) {
    const child = childOf(item)
    if (child !== undefined) return child
  }
  return undefined
}

/** The nearest living sibling before `child`. */
export function before(child: Child): Child | undefined {
  for (let item = child._item?.left ?? null; item !== null; item = item.left) {
    const sibling = childOf(item)
    if (sibling !== undefined) return sibling
  }
  return undefined
}

/** The nearest living sibling after `child`. */
export function after(child: Child): Child | undefined {
  for (let item = child._item?.right ?? null; item !== null; item = item.right) {
    const sibling = childOf(item)
    if (sibling !== undefined) return sibling
  }
  return undefined
}

/** The element that holds `child`; undefined for a top-level one. */
export function parentElement(child: Child): Y.XmlElement | undefined {
  const parent = child._item?.parent
  return parent instanceof Y.XmlElement ? parent : undefined
}
