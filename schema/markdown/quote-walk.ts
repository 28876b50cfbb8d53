/**
 * A block quote in steps. Its lines are found first, and what holds them is taken off: their
 * marks are changed for as long as the quote is read, then they are as they were. The stock rule
 * says where a quote begins. Invariant: the tokens are those of the stock rule.
 */
import type { StateBlock } from 'markdown-it'
import { contentStart, isInterrupted } from './block-lines.ts'
import type { Walk } from './list-walk.ts'

interface Marks {
  readonly bMark: number
  readonly tShift: number
  readonly sCount: number
  readonly bsCount: number
}

/** The quote that begins in a line, which the stock rule said; lines up to `end`. */
export function walkingQuote(
  state: StateBlock,
  { line, end, inside }: { readonly line: number; readonly end: number; readonly inside: Walk },
): void {
  const { lineMax, parentType, blkIndent } = state
  state.parentType = 'blockquote' as typeof parentType
  const before: Marks[] = []
  const last = takingLines(state, { line, end, before })

  state.blkIndent = 0
  const open = state.push('blockquote_open', 'blockquote', 1)
  open.markup = '>'
  open.map = [line, line]
  inside(state, line, last)
  state.push('blockquote_close', 'blockquote', -1).markup = '>'
  open.map[1] = state.line

  Object.assign(state, { lineMax, parentType, blkIndent })
  for (let index = 0; index < before.length; index++) {
    restore(state, line + index, before[index] as Marks)
  }
}

/** Takes the lines of the quote; where it ends. */
function takingLines(
  state: StateBlock,
  { line, end, before }: { readonly line: number; readonly end: number; readonly before: Marks[] },
): number {
  let endsEmpty = false
  for (let next = line; next < end; next++) {
    if (state.isEmpty(next)) return next
    const isInside = (state.sCount[next] ?? 0) >= state.blkIndent
    if (isInside && state.src[contentStart(state, next)] === '>') {
      before.push(marksOf(state, next))
      endsEmpty = takeMarker(state, next)
      continue
    }
    if (endsEmpty) return next
    if (isInterrupted(state, 'blockquote', next, end)) {
      // No paragraph inside goes on beyond what ends the quote.
      state.lineMax = next
      if (state.blkIndent !== 0) {
        before.push(marksOf(state, next))
        state.sCount[next] = (state.sCount[next] ?? 0) - state.blkIndent
      }
      return next
    }
    before.push(marksOf(state, next))
    // Less than no indent: the line goes on with a paragraph, whatever it says.
    state.sCount[next] = -1
  }
  return end
}

/** Takes `>` and a blank off a line; whether nothing is left. */
function takeMarker(state: StateBlock, line: number): boolean {
  const end = state.eMarks[line] ?? 0
  const shifted = state.bsCount[line] ?? 0
  const indent = state.sCount[line] ?? 0
  let at = contentStart(state, line) + 1
  let first = indent + 1
  const blank = state.src[at]
  const hasBlank = blank === ' ' || blank === '\t'
  // A tab that is wider than one column leaves the rest of it.
  const isWide = blank === '\t' && (shifted + first) % 4 !== 3
  if (hasBlank && !isWide) {
    at++
    first++
  }
  state.bMarks[line] = at
  let columns = first
  for (; at < end; at++) {
    const char = state.src[at]
    if (char === '\t') columns += 4 - ((columns + shifted + (isWide ? 1 : 0)) % 4)
    else if (char === ' ') columns++
    else break
  }
  state.bsCount[line] = indent + 1 + (hasBlank ? 1 : 0)
  state.sCount[line] = columns - first
  state.tShift[line] = at - (state.bMarks[line] ?? 0)
  return at >= end
}

const marksOf = (state: StateBlock, line: number): Marks => ({
  bMark: state.bMarks[line] ?? 0,
  tShift: state.tShift[line] ?? 0,
  sCount: state.sCount[line] ?? 0,
  bsCount: state.bsCount[line] ?? 0,
})

function restore(state: StateBlock, line: number, marks: Marks): void {
  state.bMarks[line] = marks.bMark
  state.tShift[line] = marks.tShift
  state.sCount[line] = marks.sCount
  state.bsCount[line] = marks.bsCount
}
