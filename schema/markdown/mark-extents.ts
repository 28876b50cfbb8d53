/**
 * Where marks begin and end once they are printed. Delimiters can only stand beside visible
 * characters, so blanks and breaks at the edge of a mark leave it; and a leaf, which has no marks
 * of its own, takes the marks of the text on both of its sides.
 */
import type { Mark, MarkType } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import {
  type InlineRun,
  isBreak,
  isCode,
  type LeafRun,
  slicedRun,
  type TextRun,
} from './inline-runs.ts'

const { marks, nodes } = documentSchema

/** Marks with delimiters, in the order in which they are settled. */
export const delimitedMarks: readonly MarkType[] = [
  marks.link,
  marks.strong,
  marks.em,
  marks.strike,
]

export function settledMarks(runs: readonly InlineRun[]): readonly InlineRun[] {
  if (!runs.some((run) => run.marks.some((mark) => mark.type !== marks.code))) return runs
  return delimitedMarks.reduce(settled, runs)
}

/**
 * Each stretch of one mark shrinks to its first and last solid run; leaves between them join it.
 */
function settled(runs: readonly InlineRun[], type: MarkType): readonly InlineRun[] {
  const result: InlineRun[] = []
  for (let i = 0; i < runs.length; ) {
    const first = runs[i]
    if (first === undefined) break
    const mark = markOf(first, type)
    if (mark === undefined || !isSolid(first, type)) {
      result.push(withoutMark(first, type))
      i++
      continue
    }
    const last = lastOfStretch(runs, i, mark)
    const stretch = runs.slice(i, last + 1).map((run) => withMark(run, mark))
    for (const part of withoutBlankEdges(stretch, mark)) result.push(part)
    i = last + 1
  }
  return result
}

const markOf = (run: InlineRun, type: MarkType): Mark | undefined =>
  run.marks.find((mark) => mark.type === type)

/** Whether a run can stand at the edge of a mark: visible text, code, or a leaf that is linked. */
function isSolid(run: InlineRun, type: MarkType): boolean {
  if (run.kind === 'leaf') return type === marks.link && !isBreak(run)
  return isCode(run) || /\S/.test(run.text)
}

/** Whether a stretch may go on over this run, though it cannot end there. */
function isNeutral(run: InlineRun, type: MarkType): boolean {
  if (run.kind === 'text') return false
  return type !== marks.link || run.node.type === nodes.hard_break
}

function lastOfStretch(runs: readonly InlineRun[], start: number, mark: Mark): number {
  let last = start
  for (let i = start + 1; i < runs.length; i++) {
    const run = runs[i]
    if (run === undefined) break
    const marked = markOf(run, mark.type)?.eq(mark) === true
    if (!marked && !isNeutral(run, mark.type)) break
    if (marked && isSolid(run, mark.type)) last = i
  }
  return last
}

function withMark(run: InlineRun, mark: Mark): InlineRun {
  return markOf(run, mark.type) === undefined ? { ...run, marks: mark.addToSet(run.marks) } : run
}

function withoutMark<Run extends TextRun | LeafRun>(run: Run, type: MarkType): Run {
  if (markOf(run, type) === undefined) return run
  return { ...run, marks: run.marks.filter((mark) => mark.type !== type) }
}

/** The stretch, its first and last run solid, with the blanks of those two put outside the mark. */
function withoutBlankEdges(stretch: InlineRun[], mark: Mark): InlineRun[] {
  const head = edgeBlanks(stretch[0], (text) => text.trimStart())
  const tail = edgeBlanks(stretch.at(-1), (text) => text.trimEnd())
  const { type } = mark
  if (head > 0) stretch.splice(0, 1, ...split(stretch[0], head, type, undefined))
  const last = stretch.at(-1)
  if (tail > 0 && last?.kind === 'text') {
    stretch.splice(-1, 1, ...split(last, last.text.length - tail, undefined, type))
  }
  return stretch
}

function edgeBlanks(run: InlineRun | undefined, trimmed: (text: string) => string): number {
  if (run?.kind !== 'text' || isCode(run)) return 0
  return run.text.length - trimmed(run.text).length
}

/** A run in two at `at`; the named mark leaves the first or the second of them. */
function split(run: InlineRun | undefined, at: number, first?: MarkType, second?: MarkType) {
  if (run?.kind !== 'text') return []
  const left = slicedRun(run, 0, at)
  const right = slicedRun(run, at)
  return [
    first === undefined ? left : withoutMark(left, first),
    second === undefined ? right : withoutMark(right, second),
  ]
}
