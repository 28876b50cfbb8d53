/**
 * The inline children of one Yjs element as a row of units that matches `inlineRow` of its node:
 * several neighbouring XmlTexts are one stretch of text (concurrent edits leave such), a leaf is one
 * unit. Reading, splitting and writing at unit offsets; attributes in y-prosemirror's shape,
 * `{markName: markAttributes}`. Does not decide what changes.
 */
import type { Mark, Node } from 'prosemirror-model'
import * as Y from 'yjs'
import type { ActorId } from '../../../schema/ids.ts'

/** One inline child of an element: a text of any length, or a leaf. */
export interface InlineChild {
  readonly type: Y.XmlText | Y.XmlElement
  readonly from: number
  readonly to: number
}

export function inlineChildren(element: Y.XmlElement): InlineChild[] {
  const children: InlineChild[] = []
  let at = 0
  for (let item = element._start; item !== null; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentType)) continue
    const type = item.content.type
    if (type instanceof Y.XmlText) {
      children.push({ type, from: at, to: at + type.length })
      at += type.length
    } else if (type instanceof Y.XmlElement) {
      children.push({ type, from: at, to: at + 1 })
      at += 1
    }
  }
  return children
}

/** Attributes of inserted text: its marks and its author. Made anew, since Yjs writes into them. */
export function textAttributes(marks: readonly Mark[], author: ActorId): Record<string, object> {
  const attributes: Record<string, object> = {}
  for (const mark of marks) attributes[mark.type.name] = { ...mark.attrs }
  attributes['authored'] = { by: author }
  return attributes
}

/** What turns `before` into `after`: set marks with their attributes, gone ones null. */
export function markChange(
  before: readonly Mark[],
  after: readonly Mark[],
): Record<string, object | null> | undefined {
  const change: Record<string, object | null> = {}
  for (const mark of before) {
    if (!mark.type.isInSet(after)) change[mark.type.name] = null
  }
  for (const mark of after) {
    if (!mark.isInSet(before)) change[mark.type.name] = { ...mark.attrs }
  }
  return Object.keys(change).length > 0 ? change : undefined
}

/** Sets on `element` the attributes in which `after` differs from `before`; never the id. */
export function changeAttributes(element: Y.XmlElement, before: Node, after: Node): void {
  for (const [name, value] of Object.entries(after.attrs)) {
    if (name !== 'id' && value !== before.attrs[name]) setAttribute(element, name, value)
  }
}

/** Attributes may hold any primitive, which the types of Yjs do not say; null is absence. */
export function setAttribute(element: Y.XmlElement, name: string, value: unknown): void {
  if (value === null || value === undefined) element.removeAttribute(name)
  else element.setAttribute(name, value as string)
}

/** Deletes whole children in O(1) each; `element.delete(index)` would walk to them. */
export function deleteTypes(doc: Y.Doc, types: Iterable<Y.XmlText | Y.XmlElement>): void {
  Y.transact(doc, (transaction) => {
    for (const type of types) type._item?.delete(transaction)
  })
}

export interface StructRange {
  readonly client: number
  readonly clock: number
  readonly length: number
}

/** The structs that hold the visible units of `text` in [from, to), in order. */
export function structsOfText(text: Y.XmlText, from: number, to: number): StructRange[] {
  const ranges: StructRange[] = []
  let at = 0
  for (let item = text._start; item !== null && at < to; item = item.right) {
    if (item.deleted || !item.countable) continue
    const start = Math.max(from, at)
    const end = Math.min(to, at + item.length)
    if (start < end) {
      const { client, clock } = item.id
      ranges.push({ client, clock: clock + start - at, length: end - start })
    }
    at += item.length
  }
  return ranges
}

/** The same for a stretch of an element's inline units; a leaf is its element's struct. */
export function structsOfUnits(
  children: readonly InlineChild[],
  from: number,
  to: number,
): StructRange[] {
  const ranges: StructRange[] = []
  for (const child of children) {
    if (child.to <= from || child.from >= to) continue
    if (child.type instanceof Y.XmlText) {
      const start = Math.max(from, child.from) - child.from
      ranges.push(...structsOfText(child.type, start, Math.min(to, child.to) - child.from))
    } else ranges.push(...structOfType(child.type))
  }
  return ranges
}

export function structOfType(type: Y.XmlElement | Y.XmlText): StructRange[] {
  const id = type._item?.id
  return id ? [{ client: id.client, clock: id.clock, length: 1 }] : []
}
