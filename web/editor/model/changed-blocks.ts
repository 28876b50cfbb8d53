/** Which top-level blocks two states of a document do not share; found by identity, so at once. */
import type { Node } from 'prosemirror-model'

export interface ChangedBlocks {
  /** Where the first of them begins, in either document. */
  readonly from: number
  readonly before: readonly Node[]
  readonly after: readonly Node[]
}

export function changedBlocks(before: Node, after: Node): ChangedBlocks {
  const shorter = Math.min(before.childCount, after.childCount)
  let head = 0
  let from = 0
  while (head < shorter && before.child(head) === after.child(head)) {
    from += before.child(head).nodeSize
    head++
  }
  const [a, b] = [before.children, after.children]
  let tail = 0
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  return {
    from,
    before: a.slice(head, a.length - tail),
    after: b.slice(head, b.length - tail),
  }
}
