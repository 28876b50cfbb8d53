/** Whether very many blocks changed, or very many items of one list. */
import type { Node } from 'prosemirror-model'
import { commonEnds } from '../../../schema/diff/ends.ts'

const massFrom = 500

/** Counts the children of one parent: the document, a list, a quote. */
export function isMassChange(old: Node, next: Node): boolean {
  const { front, back } = commonEnds(old.children, next.children)
  if (Math.max(old.childCount, next.childCount) - front - back >= massFrom) return true
  return next.children.slice(front, next.childCount - back).some((child, at) => {
    const was = old.maybeChild(front + at)
    return was != null && !child.inlineContent && isMassChange(was, child)
  })
}
