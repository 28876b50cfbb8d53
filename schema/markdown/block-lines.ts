/**
 * The lines of a text as the block rules want them: where each begins and ends, how far it is
 * indented. Marked in steps, for a text may have millions of them. The stock state marks all lines
 * when it is made, so it is made for an empty text first.
 */
import type MarkdownIt from 'markdown-it'
import type { StateBlock, Token } from 'markdown-it'
import type { ParseEnv } from './parse-env.ts'

const space = 0x20
const tab = 0x09

/** The state of a parse of `text` whose tokens go to `tokens`. */
export function markingLines(
  text: string,
  {
    md,
    env,
    tokens,
  }: { readonly md: MarkdownIt; readonly env: ParseEnv; readonly tokens: Token[] },
): StateBlock {
  const state = new md.block.State('', md, env, tokens)
  state.src = text
  const rows = roomFor(1 + countingLines(text))
  Object.assign(state, rows)
  let line = 0
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    let at = start
    let columns = 0
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code !== space && code !== tab) break
      columns += code === tab ? 4 - (columns % 4) : 1
    }
    // Blanks at the very end are no line.
    if (at < end || newline !== -1) {
      rows.bMarks[line] = start
      rows.eMarks[line] = end
      rows.tShift[line] = at - start
      rows.sCount[line] = columns
      line++
    }
    start = end + 1
  }
  state.lineMax = line
  // The rules look one line beyond the last, which is empty.
  rows.bMarks[line] = rows.eMarks[line] = text.length
  return state
}

/** An upper bound. */
function countingLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    count++
  }
  return count
}

/** The rules only read and write single numbers; lists that grow cost V8 far more than this. */
const roomFor = (lines: number) => ({
  bMarks: new Int32Array(lines),
  eMarks: new Int32Array(lines),
  tShift: new Int32Array(lines),
  sCount: new Int32Array(lines),
  bsCount: new Int32Array(lines),
})

/** Where the text of a line begins, behind its indent and what holds it. */
export const contentStart = (state: StateBlock, line: number): number =>
  (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)

/** The columns of a line's indent beyond that of the block it is in. */
export const indentIn = (state: StateBlock, line: number): number =>
  (state.sCount[line] ?? 0) - state.blkIndent

/** From this indent on a line is code, or goes on with a paragraph. */
export const codeIndent = 4

/** Whether a rule of this chain begins a block of its own in this line. */
export function isInterrupted(
  state: StateBlock,
  chain: string,
  line: number,
  end: number,
): boolean {
  const rules = state.md.block.ruler.getRules(chain)
  for (let index = 0; index < rules.length; index++) {
    if (rules[index]?.(state, line, end, true)) return true
  }
  return false
}
