/**
 * What changed in the content of a text block: the one stretch that was written, and where marks
 * changed beside it. Authors count here, for the page stamps them as marks.
 */
import type { Mark, Node } from 'prosemirror-model'
import { leastRegion } from '../../../schema/diff/inline.ts'
import {
  authoredRow,
  forRunsOf,
  keptBetween,
  type Piece,
  piecesOf,
} from '../../../schema/diff/inline-row.ts'

/** [from, to) of the old text gave way to [from, end) of the new one, which is `pieces`. */
export interface InlineSplice {
  readonly from: number
  readonly to: number
  readonly end: number
  readonly pieces: readonly Piece[]
}

/** A stretch of equal text whose marks changed from `before` to `after`; positions are new ones. */
export interface MarkChange {
  readonly from: number
  readonly to: number
  readonly before: readonly Mark[]
  readonly after: readonly Mark[]
}

export interface InlineChange {
  readonly splice: InlineSplice | undefined
  readonly markChanges: readonly MarkChange[]
}

export function inlineChange(old: readonly Node[], next: readonly Node[]): InlineChange {
  const rows = { old: authoredRow(old), next: authoredRow(next) }
  const regions = leastRegion(rows.old, rows.next)
  const markChanges: MarkChange[] = []
  for (const kept of keptBetween(rows.old, regions)) {
    forRunsOf(kept, rows, ({ from, to, nextFrom }, { leaf, marks: before }, { marks: after }) => {
      const isSame = before.length === after.length && before.every((mark) => mark.isInSet(after))
      if (leaf || isSame) return
      markChanges.push({ from: nextFrom, to: nextFrom + to - from, before, after })
    })
  }
  const [region] = regions
  if (region === undefined) return { splice: undefined, markChanges }
  const { from, to, nextTo: end } = region
  return { splice: { from, to, end, pieces: piecesOf(rows.next, region) }, markChanges }
}
