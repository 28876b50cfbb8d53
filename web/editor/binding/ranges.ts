/** Where two documents differ, told from the changes that lead from one to the other. */
import type { Mark, Node } from 'prosemirror-model'
import { type Changes, contentChanges } from './rewrite.ts'

/** A stretch of one document and what stands for it in another. */
export interface ChangedRange {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

/** Where two documents differ, marks and attributes too, but for ids and authors; in order. */
export function rangesBetween(old: Node, next: Node): ChangedRange[] {
  const found: { from: number; to: number; size: number }[] = []
  let splice = { from: Number.POSITIVE_INFINITY, end: 0, shift: 0 }
  const changes: Changes = {
    replace(from, to, { size }) {
      splice = { from, end: from + size, shift: size - (to - from) }
      found.push({ from, to, size })
    },
    retype: (pos) => void found.push({ from: pos, to: pos + 1, size: 1 }),
    attribute: (pos, name) => {
      if (name !== 'id') found.push({ from: pos, to: pos + 1, size: 1 })
    },
    remark(from, to, { before, after }) {
      if (isSameBeside(before, after)) return
      // It counts in its block as the splice there left it.
      const shift = splice.from <= from && splice.end <= from ? splice.shift : 0
      found.push({ from: from - shift, to: to - shift, size: to - from })
    },
  }
  contentChanges(changes, { old, next, start: 0 })
  let shift = 0
  return found
    .sort((a, b) => a.from - b.from)
    .map(({ from, to, size }) => {
      const start = from + shift
      shift += size - (to - from)
      return { from, to, start, end: start + size }
    })
}

/** Whether marks are the same, authors aside. */
function isSameBeside(before: readonly Mark[], after: readonly Mark[]): boolean {
  const named = (marks: readonly Mark[]) => marks.filter(({ type }) => type.name !== 'authored')
  const [one, other] = [named(before), named(after)]
  return one.length === other.length && one.every((mark) => mark.isInSet(other))
}
