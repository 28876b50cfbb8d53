/**
 * What changed in the content of a text block: the stretches that were written (one, where nothing
 * else is known), and where marks changed beside them. Authors count here, for the page stamps them
 * as marks.
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
  type Region,
} from '../../../schema/diff/inline-row.ts'

/** [from, to) of the old text gave way to [start, end) of the new one, which is `pieces`. */
export interface InlineSplice {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
  readonly pieces: readonly Piece[]
}

/** [from, to) of the old text stands at `start` of the new one, with other marks. */
export interface MarkChange {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly before: readonly Mark[]
  readonly after: readonly Mark[]
}

/** Both in order. */
export interface InlineChange {
  readonly splices: readonly InlineSplice[]
  readonly markChanges: readonly MarkChange[]
}

/** `known`: where it was rewritten. */
export function inlineChange(
  old: readonly Node[],
  next: readonly Node[],
  known?: readonly Region[],
): InlineChange {
  const rows = { old: authoredRow(old), next: authoredRow(next) }
  const regions = known ?? (isSameText(rows.old, rows.next) ? [] : leastRegion(rows.old, rows.next))
  const markChanges: MarkChange[] = []
  for (const kept of keptBetween(rows.old, regions)) {
    forRunsOf(kept, rows, ({ from, to, nextFrom }, { leaf, marks: before }, { marks: after }) => {
      const isSame = before.length === after.length && before.every((mark) => mark.isInSet(after))
      if (!leaf && !isSame) markChanges.push({ from, to, start: nextFrom, before, after })
    })
  }
  const splices = regions.map((region) => {
    const { from, to, nextFrom: start, nextTo: end } = region
    return { from, to, start, end, pieces: piecesOf(rows.next, region) }
  })
  return { splices, markChanges }
}

/** Marks alone may differ; rows with leaves are looked at more closely. */
const isSameText = (old: InlineRow, next: InlineRow): boolean =>
  old.chars === next.chars && ![...old.runs, ...next.runs].some(({ leaf }) => leaf !== undefined)

/** Where the old text is divided by it, in order. */
export const dividedAt = ({ splices, markChanges }: InlineChange): number[] =>
  [...splices, ...markChanges].flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b)
