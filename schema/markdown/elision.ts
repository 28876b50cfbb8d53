/**
 * Elision: what markdown cannot spell is left out when a textblock is printed (and only then:
 * someone may be typing it). Blanks at the ends of lines and of the block, trailing breaks, blanks
 * at the edges of marks. What remains has a spelling that reads back to itself; eliding twice is
 * eliding once.
 */
import type { Node } from 'prosemirror-model'
import { startsHtmlBlock } from './html.ts'
import {
  hasMark,
  type InlineRun,
  type InlineShape,
  isBreak,
  isCode,
  isOneLine,
  type LeafRun,
  mergedRuns,
  rawRuns,
  slicedRun,
  sourceRun,
  type TextRun,
} from './inline-runs.ts'
import { settledMarks } from './mark-extents.ts'
import { sourceOf } from './node-attributes.ts'

/** The runs of a textblock that are printed, in order. */
export function elidedRuns(textblock: Node, shape: InlineShape): readonly InlineRun[] {
  return elideRuns(rawRuns(textblock, shape), shape)
}

export function elideRuns(raw: readonly InlineRun[], shape: InlineShape): readonly InlineRun[] {
  const [only] = raw
  if (only === undefined || (raw.length === 1 && isPlain(only, shape))) return raw
  const split = raw.flatMap((run) => splitLines(run, shape))
  const lines = withoutBlankEdges(split, shape)
  const settled = settledMarks(isOneLine(shape) ? lines : withoutHtmlBlocks(lines))
  return mergedRuns(settled)
}

/** Whether nothing of a textblock is printed. */
export function isEmptyTextblock(textblock: Node): boolean {
  const first = textblock.firstChild
  if (first === null) return true
  if (first.isText && /[^ \t\r\n]/.test(first.text ?? '')) return false
  return elidedRuns(textblock, {}).length === 0
}

export const isEmptyParagraph = (node: Node): boolean =>
  node.type.name === 'paragraph' && isEmptyTextblock(node)

/** Nothing is left out of such a run; lines that a blank or an empty line parts are looked at. */
function isPlain(run: InlineRun, shape: InlineShape): boolean {
  if (run.kind !== 'text' || run.marks.length > 0) return false
  const edges = isOneLine(shape) ? /^[ \t]|[ \t]$|[\r\n]/ : /^[ \t\n]|[ \t\n]$|\r|[ \t\n]\n|\n[ \t]/
  return !edges.test(run.text)
}

/** A line end between lines of text; in code and in one-line blocks it has become a blank. */
const isLineEnd = (run: InlineRun | undefined): run is TextRun & { text: '\n' } =>
  run?.kind === 'text' && run.text === '\n'

function splitLines(run: InlineRun, shape: InlineShape): InlineRun[] {
  if (run.kind === 'leaf' || !/[\r\n]/.test(run.text)) return [run]
  if (isOneLine(shape) || isCode(run)) return [{ ...run, text: run.text.replace(/[\r\n]/g, ' ') }]
  const parts: InlineRun[] = []
  let at = 0
  for (const match of run.text.matchAll(/[\r\n][ \t\r\n]*/g)) {
    if (match.index > at) parts.push(slicedRun(run, at, match.index))
    parts.push({ ...slicedRun(run, match.index, match.index + 1), text: '\n' })
    at = match.index + match[0].length
  }
  if (at < run.text.length) parts.push(slicedRun(run, at))
  return parts
}

/** No blanks at the ends of the block or beside breaks, one break of a kind in a row, none last. */
function withoutBlankEdges(runs: readonly InlineRun[], shape: InlineShape): InlineRun[] {
  const kept: InlineRun[] = []
  const oneLine = isOneLine(shape)
  let lineIsEmpty = true
  for (const run of runs) {
    if (isLineEnd(run)) {
      if (lineIsEmpty) continue
      trimEnd(kept)
      kept.push(run)
      lineIsEmpty = true
    } else if (isBreak(run)) {
      if (!oneLine) trimEnd(kept)
      if (isLineEnd(kept.at(-1))) kept.pop()
      kept.push(run)
      lineIsEmpty = !oneLine
    } else {
      const solid = lineIsEmpty ? trimmedStart(run) : run
      if (solid === undefined) continue
      kept.push(solid)
      lineIsEmpty = false
    }
  }
  for (trimEnd(kept); isBreak(kept.at(-1)) || isLineEnd(kept.at(-1)); trimEnd(kept)) kept.pop()
  return kept
}

function trimmedStart(run: InlineRun): InlineRun | undefined {
  if (run.kind === 'leaf' || isCode(run)) return run
  const blanks = /^[ \t]*/.exec(run.text)?.[0].length ?? 0
  return blanks === run.text.length ? undefined : slicedRun(run, blanks)
}

function trimEnd(runs: InlineRun[]): void {
  for (let last = runs.at(-1); last?.kind === 'text' && !isCode(last); last = runs.at(-1)) {
    if (isLineEnd(last)) return
    let end = last.text.length
    while (end > 0 && (last.text[end - 1] === ' ' || last.text[end - 1] === '\t')) end--
    if (end === last.text.length) return
    runs.pop()
    if (end > 0) runs.push(slicedRun(last, 0, end))
  }
}

/**
 * An HTML atom at the start of a line may be read as a block. The soft break before it becomes a
 * blank; where there is none, the atom shows its source as text.
 */
function withoutHtmlBlocks(runs: readonly InlineRun[]): InlineRun[] {
  const kept: InlineRun[] = []
  for (const [index, run] of runs.entries()) {
    const before = kept.at(-1)
    if (run.kind === 'text' || !opensBlock(run, before, runs[index + 1])) kept.push(run)
    else if (isLineEnd(before)) {
      kept.pop()
      kept.push({ ...before, text: ' ' }, run)
    } else for (const part of sourceLines(run)) kept.push(part)
  }
  return kept
}

const sourceLines = (html: LeafRun): InlineRun[] =>
  splitLines(sourceRun(html.node, html.marks, html.from), {})

function opensBlock(leaf: LeafRun, before?: InlineRun, after?: InlineRun): boolean {
  if (leaf.node.type.name !== 'html_inline') return false
  if (before !== undefined && !isLineEnd(before) && !isBreak(before)) return false
  const [link] = leaf.marks
  if (link !== undefined && !hasMark(before, link)) return false
  const alone = before === undefined && (after === undefined || isLineEnd(after))
  return startsHtmlBlock(sourceOf(leaf.node), alone)
}
