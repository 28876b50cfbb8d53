/**
 * Walking the tree of Y types without its array methods, which are O(n) for one position or write
 * to the document. Only living children are seen. Knows nothing of the schema.
 */
import * as Y from 'yjs'

export type Child = Y.XmlElement | Y.XmlText

/** The living child that an item of an element's list holds, if that is an element or a text. */
export function childOf(item: Y.Item | null): Child | undefined {
  if (item === null || item.deleted || !(item.content instanceof Y.ContentType)) return undefined
  const type = item.content.type
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

/** Whether a running transaction brought the item. */
export const isNew = (transaction: Y.Transaction, item: Y.Item): boolean =>
  item.id.clock >= (transaction.beforeState.get(item.id.client) ?? 0)

/** A stretch of text with one set of formats; `item` holds it whole. */
export interface TextRun {
  readonly item: Y.Item
  readonly text: string
  readonly formats: ReadonlyMap<string, unknown>
}

/** The living characters of a text with the formats in force, one run an item. */
export function* textRuns(text: Y.XmlText): Generator<TextRun> {
  let formats: ReadonlyMap<string, unknown> = new Map()
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted) continue
    if (item.content instanceof Y.ContentString) yield { item, text: item.content.str, formats }
    else if (item.content instanceof Y.ContentFormat) {
      const next = new Map(formats)
      const { key, value } = item.content
      if (value === null) next.delete(key)
      else next.set(key, value)
      formats = next
    }
  }
}
