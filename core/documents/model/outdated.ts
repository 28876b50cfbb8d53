/**
 * Which nodes of a mirror a transaction puts out of date: those of touched elements, of the
 * elements that hold touched texts, and of all their ancestors.
 */
import type { Node } from 'prosemirror-model'
import type * as Y from 'yjs'
import { type Child, parentElement } from '../../../schema/yjs/children.ts'
import type { Touched } from '../../yjs/touched.ts'

export interface Outdated {
  readonly dirty: Set<Y.XmlElement>
  /** The top-level ones of `dirty`. */
  readonly tops: ReadonlySet<Y.XmlElement>
}

export function outdated({ texts, elements }: Touched): Outdated {
  const dirty = new Set<Y.XmlElement>()
  const tops = new Set<Y.XmlElement>()
  for (const text of texts) climb(parentElement(text as Child), dirty, tops)
  for (const element of elements) climb(element, dirty, tops)
  return { dirty, tops }
}

function climb(
  from: Y.XmlElement | undefined,
  dirty: Set<Y.XmlElement>,
  tops: Set<Y.XmlElement>,
): void {
  for (let element = from; element !== undefined && !dirty.has(element); ) {
    dirty.add(element)
    const parent = parentElement(element)
    if (parent === undefined) tops.add(element)
    element = parent
  }
}

/**
 * True where a node built anew may be dropped for the old one: equal, with the same Node objects
 * for all elements in it (so that a leaf still leads to its own struct).
 */
export function sameNode(old: Node, made: Node): boolean {
  if (!old.sameMarkup(made) || old.childCount !== made.childCount) return false
  for (let index = 0; index < old.childCount; index++) {
    const [a, b] = [old.child(index), made.child(index)]
    if (a !== b && !(a.isText && a.eq(b))) return false
  }
  return true
}
