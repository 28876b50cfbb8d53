/**
 * What changed in the content of a text block: the one stretch that was written, and where marks
 * changed beside it. Authors count here, for the page stamps them as marks.
 */
import type { Mark, Node } from 'prosemirror-model'
import { leastRegion } from '../../../schema/diff/inline.ts'
import {
  authoredRow,
  forRunsOf,
  type InlineRow,
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
  const regions = isSameText(rows.old, rows.next) ? [] : leastRegion(rows.old, rows.next)
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

/** Marks alone may differ; rows with leaves are looked at more closely. */
const isSameText = (old: InlineRow, next: InlineRow): boolean =>
  old.chars === next.chars && ![...old.runs, ...next.runs].some(({ leaf }) => leaf !== undefined)

/** Where the old text is divided by it, in order. */
export function dividedAt({ splice, markChanges }: InlineChange): number[] {
  const { from, to, end } = splice ?? { from: Infinity, to: Infinity, end: Infinity }
  const before = (pos: number) => (pos < end ? pos : pos - end + to)
  const places = markChanges.flatMap((change) => [before(change.from), before(change.to)])
  if (splice !== undefined) places.push(from, to)
  return places.sort((a, b) => a - b)
}
