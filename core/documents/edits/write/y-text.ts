/**
 * The inline children of one Yjs element as a row of units that matches `inlineRow` of its node:
 * several neighbouring XmlTexts are one stretch of text (concurrent edits leave such), a leaf is
 * one unit. Reading, splitting and writing at unit offsets; attributes in y-prosemirror's shape,
 * `{markName: markAttributes}`. Does not decide what changes.
 */
import type { Mark, Node } from 'prosemirror-model'
import * as Y from 'yjs'
import type { ActorId } from '../../../../schema/ids.ts'
import { type Child, childrenOf } from '../../../../schema/yjs/children.ts'
import { idOf } from '../../../../schema/yjs/items.ts'
import type { StructRange } from '../../../../schema/yjs/struct-id.ts'
import { structsOfText } from '../../../../schema/yjs/text-positions.ts'
import { deleteType } from '../../../yjs/transactions.ts'
import { setAttribute } from '../../model/build.ts'
import { formatsOf } from '../../model/marks.ts'

/** One inline child of an element: a text of any length, or a leaf. */
export interface InlineChild {
  readonly type: Child
  readonly from: number
  readonly to: number
}

export function inlineChildren(element: Y.XmlElement): InlineChild[] {
  const children: InlineChild[] = []
  let at = 0
  for (const type of childrenOf(element)) {
    const from = at
    at += type instanceof Y.XmlText ? type.length : 1
    children.push({ type, from, to: at })
  }
  return children
}

/** Attributes of inserted text: its marks and its author. Made anew, since Yjs writes into them. */
export function textAttributes(marks: readonly Mark[], author: ActorId): Record<string, object> {
  return { ...formatsOf(marks), authored: { by: author } }
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

/** Deletes whole children in O(1) each; `element.delete(index)` would walk to them. */
export function deleteTypes(doc: Y.Doc, types: Iterable<Child>): void {
  Y.transact(doc, (transaction) => {
    for (const type of types) deleteType(transaction, type)
  })
}

/** The structs of a stretch of an element's inline units; a leaf is its element's struct. */
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
      const end = Math.min(to, child.to) - child.from
      for (const range of structsOfText(child.type, start, end)) ranges.push(range)
    } else ranges.push(...structOfType(child.type))
  }
  return ranges
}

export function structOfType(type: Child): StructRange[] {
  const id = idOf(type)
  return id ? [{ client: id.client, clock: id.clock, length: 1 }] : []
}
