/**
 * The content of one textblock as a row of units (UTF-16 code units, and one unit per inline leaf),
 * and what is known of two such rows once it is known which regions were rewritten.
 */
import { Mark, type Node } from 'prosemirror-model'
import { remembered } from '../remembered.ts'
import { textMarks } from './content.ts'

/** A stretch of text with one set of marks, or one leaf (always one unit long). */
export interface RowRun {
  readonly from: number
  readonly to: number
  readonly marks: readonly Mark[]
  readonly leaf?: Node
}

export interface InlineRow {
  /** A leaf stands as U+FFFC; the runs tell it from that character. */
  readonly chars: string
  readonly runs: readonly RowRun[]
}

/** The old units [from, to) were rewritten as the new units [nextFrom, nextTo). */
export interface Region {
  readonly from: number
  readonly to: number
  readonly nextFrom: number
  readonly nextTo: number
}

export const inlineRow = remembered((textblock: Node) => makeRow(textblock.children, textMarks))

/** The row of some children in which authors count too. */
export const authoredRow = (children: readonly Node[]): InlineRow =>
  makeRow(children, ({ marks }) => marks)

/** Text without marks and leaves. */
export const plainRow = (chars: string): InlineRow => ({
  chars,
  runs: chars === '' ? [] : [{ from: 0, to: chars.length, marks: Mark.none }],
})

function makeRow(children: readonly Node[], marksOf: (text: Node) => readonly Mark[]): InlineRow {
  const parts: string[] = []
  const runs: RowRun[] = []
  let at = 0
  for (const child of children) {
    const to = at + child.nodeSize
    const marks = marksOf(child)
    const last = runs.at(-1)
    if (!child.isText) runs.push({ from: at, to, marks: Mark.none, leaf: child })
    else if (last !== undefined && !last.leaf && Mark.sameSet(last.marks, marks)) {
      runs[runs.length - 1] = { ...last, to }
    } else runs.push({ from: at, to, marks })
    parts.push(child.isText ? (child.text ?? '') : '\uFFFC')
    at = to
  }
  return { chars: parts.join(''), runs }
}

/** The kept units: old [from, to) stand in the new row at `nextFrom`. */
export interface Kept {
  readonly from: number
  readonly to: number
  readonly nextFrom: number
}

export function keptBetween(old: InlineRow, regions: readonly Region[]): Kept[] {
  const kept: Kept[] = []
  let from = 0
  let nextFrom = 0
  const end = { from: old.chars.length, to: 0, nextTo: 0 }
  for (const region of [...regions, end]) {
    if (region.from > from) kept.push({ from, to: region.from, nextFrom })
    from = region.to
    nextFrom = region.nextTo
  }
  return kept
}

/** Where the boundary before old unit `at` is now: beside a unit that stays, else nowhere. */
export function mappedUnit(kept: readonly Kept[], at: number): number | undefined {
  const span = kept.find(({ from, to }) => from <= at && at <= to)
  return span && span.nextFrom + at - span.from
}

/** Calls back for each stretch of kept units that lies in one run on both sides. */
export function forRunsOf(
  kept: Kept,
  rowsOf: { readonly old: InlineRow; readonly next: InlineRow },
  visit: (stretch: Kept, oldRun: RowRun, nextRun: RowRun) => void,
): void {
  const shift = kept.nextFrom - kept.from
  let i = runIndexAt(rowsOf.old, kept.from)
  let j = runIndexAt(rowsOf.next, kept.nextFrom)
  for (let at = kept.from; at < kept.to; ) {
    const a = rowsOf.old.runs[i]
    const b = rowsOf.next.runs[j]
    if (a === undefined || b === undefined) return
    const to = Math.min(kept.to, a.to, b.to - shift)
    visit({ from: at, to, nextFrom: at + shift }, a, b)
    if (a.to === to) i++
    if (b.to - shift === to) j++
    at = to
  }
}

/** Index of the run that holds the unit at `offset`. */
export function runIndexAt(row: InlineRow, offset: number): number {
  let low = 0
  let high = row.runs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((row.runs[middle]?.to ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/** A stretch of new content: text with its marks, or a leaf. */
export interface Piece {
  readonly text: string
  readonly marks: readonly Mark[]
  readonly leaf?: Node
}

/** The new content of a region. */
export function piecesOf(row: InlineRow, { nextFrom, nextTo }: Region): Piece[] {
  const pieces: Piece[] = []
  for (let i = runIndexAt(row, nextFrom), at = nextFrom; at < nextTo; i++) {
    const run = row.runs[i]
    if (run === undefined) break
    const to = Math.min(run.to, nextTo)
    if (run.leaf) pieces.push({ text: '', marks: Mark.none, leaf: run.leaf })
    else pieces.push({ text: row.chars.slice(at, to), marks: run.marks })
    at = to
  }
  return pieces
}

/** Units [from, to) of a row. */
export interface UnitRange {
  readonly from: number
  readonly to: number
}
