/**
 * Relative positions of Yjs as positions in the ProseMirror document that mirrors the Y.Doc, and
 * back. Nothing is kept between two calls, so nothing can go stale: many are found together in one
 * walk over the top-level blocks. Invariant used: a Yjs element has the children of its node, one
 * for one, save that in a textblock one Y.XmlText stands for all the text nodes side by side.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { type Child, childrenOf } from '../../../schema/yjs/children.ts'
import { isGone, typeAround } from '../../../schema/yjs/items.ts'

/** The position of each; undefined where it is not in the document. */
export function positionsOf(
  fragment: Y.XmlFragment,
  doc: Node,
  relative: readonly Y.RelativePosition[],
): (number | undefined)[] {
  if (fragment.doc === null) return relative.map(() => undefined)
  const found = relative.map((one) => pathTo(fragment, one))
  const tops = new Map<Child, Top | undefined>()
  for (const path of found) if (path?.top !== undefined) tops.set(path.top, undefined)
  findTops(fragment, doc, tops)
  return found.map((path) => {
    if (path === undefined) return undefined
    if (path.top === undefined) return startOfChild(doc, 0, path.index)
    const top = tops.get(path.top)
    return top === undefined ? undefined : positionIn(top, path)
  })
}

interface Top {
  readonly node: Node
  readonly pos: number
}

interface Path {
  /** The top-level child; undefined for a position between them. */
  readonly top: Child | undefined
  /** Below the top-level child, outermost first; the last one holds the position. */
  readonly below: readonly Child[]
  readonly index: number
}

function pathTo(fragment: Y.XmlFragment, relative: Y.RelativePosition): Path | undefined {
  const ydoc = fragment.doc as Y.Doc
  const absolute = Y.createAbsolutePositionFromRelativePosition(relative, ydoc)
  if (absolute === null) return undefined
  const { index } = absolute
  const below: Child[] = []
  let type: unknown = absolute.type
  while (type !== fragment) {
    if (!(type instanceof Y.XmlElement || type instanceof Y.XmlText) || isGone(type)) {
      return undefined
    }
    below.unshift(type)
    type = typeAround(type)
  }
  return { top: below.shift(), below, index }
}

function findTops(fragment: Y.XmlFragment, doc: Node, tops: Map<Child, Top | undefined>): void {
  let [index, pos, left] = [0, 0, tops.size]
  for (const child of childrenOf(fragment)) {
    if (left === 0 || index >= doc.childCount) return
    const node = doc.child(index++)
    if (tops.has(child)) {
      tops.set(child, { node, pos })
      left--
    }
    pos += node.nodeSize
  }
}

function positionIn({ node: top, pos: topPos }: Top, path: Path): number | undefined {
  let [node, pos] = [top, topPos + 1]
  let holder = path.top as Child
  for (const child of path.below) {
    if (!(holder instanceof Y.XmlElement)) return undefined
    if (node.inlineContent) pos += inlineOffset(holder, child)
    else {
      const index = childrenOf(holder).indexOf(child)
      if (index >= node.childCount) return undefined
      pos = startOfChild(node, pos, index) + 1
      node = node.child(index)
    }
    holder = child
  }
  if (holder instanceof Y.XmlText) return pos + path.index
  return node.inlineContent
    ? pos + inlineOffset(holder, path.index)
    : startOfChild(node, pos, path.index)
}

/** Where the child begins when the first one begins at `pos`. */
function startOfChild(node: Node, pos: number, index: number): number {
  let at = pos
  for (let before = 0; before < index && before < node.childCount; before++) {
    at += node.child(before).nodeSize
  }
  return at
}

/** Before a child of a textblock, given itself or by its index. */
function inlineOffset(textblock: Y.XmlElement, until: Child | number): number {
  let [offset, index] = [0, 0]
  for (const child of childrenOf(textblock)) {
    if (child === until || index++ === until) break
    offset += child instanceof Y.XmlText ? child.length : 1
  }
  return offset
}

/** It stays with the text that follows the position. */
export function relativePositionAt(
  fragment: Y.XmlFragment,
  doc: Node,
  pos: number,
): Y.RelativePosition {
  const at = doc.resolve(Math.max(0, Math.min(pos, doc.content.size)))
  let holder: Y.XmlFragment = fragment
  for (let depth = 0; depth < at.depth; depth++) {
    const child = childrenOf(holder)[at.index(depth)]
    if (!(child instanceof Y.XmlElement)) break
    holder = child
  }
  if (!at.parent.inlineContent) {
    return Y.createRelativePositionFromTypeIndex(holder, at.index())
  }
  let [offset, index] = [at.parentOffset, 0]
  for (const child of childrenOf(holder)) {
    if (child instanceof Y.XmlText) {
      if (offset <= child.length) return Y.createRelativePositionFromTypeIndex(child, offset)
      offset -= child.length
    } else if (offset === 0) break
    else offset--
    index++
  }
  return Y.createRelativePositionFromTypeIndex(holder, index)
}
