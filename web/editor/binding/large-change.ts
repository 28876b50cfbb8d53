/**
 * Changes of one's own that to write would hold their frame up, and what to expect of undoing them.
 */
import type { Node } from 'prosemirror-model'
import { commonEnds } from '../../../schema/diff/ends.ts'

const muchFrom = 500

/** So many blocks, or items of one list, that to write them would hold their frame up. */
export function isMuch({ old, next }: { readonly old: Node; readonly next: Node }): boolean {
  const { front, back } = commonEnds(old.children, next.children)
  if (Math.max(old.childCount, next.childCount) - front - back >= muchFrom) return true
  return next.children.slice(front, next.childCount - back).some((child, at) => {
    const was = old.maybeChild(front + at)
    return was != null && !child.inlineContent && isMuch({ old: was, next: child })
  })
}

/** But for marks: the service says who wrote what, in what an undo takes away. */
export function isAlike(a: Node, b: Node): boolean {
  if (a === b) return true
  if (!a.hasMarkup(b.type, b.attrs, a.marks)) return false
  if (a.inlineContent) {
    const [was, is] = [a, b].map(({ content }) =>
      content.textBetween(0, content.size, '', '\ufffc'),
    )
    return was === is
  }
  return (
    a.childCount === b.childCount && a.children.every((child, at) => isAlike(child, b.child(at)))
  )
}
