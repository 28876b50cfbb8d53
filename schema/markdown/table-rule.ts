/**
 * Tables as GFM reads them, but without its silent loss: a row with more cells than the header is
 * refused, unless the text is new as a whole and these cells are empty, which are then left out.
 * Tables over the column limit are refused.
 */
import type { StateBlock } from 'markdown-it'
import { limits } from '../limits.ts'
import { type BlockRule, type ParseEnv, refuseMarkdown } from './parse-env.ts'

export function wholeTableRule(stock: BlockRule): BlockRule {
  return (state, line, end, silent) => {
    const first = state.tokens.length
    if (!stock(state, line, end, silent)) return false
    if (!silent) checkCells(state, first)
    return true
  }
}

function checkCells(state: StateBlock, first: number): void {
  const { isEdit } = state.env as ParseEnv
  let columns = 0
  for (let index = first; index < state.tokens.length; index++) {
    const token = state.tokens[index]
    if (token?.type === 'th_open') columns++
    if (columns > limits.tableMaxColumns) refuseMarkdown('too_many_columns')
    if (token?.type !== 'tr_open') continue
    const line = token.map?.[0] ?? 0
    if (columns === 0) continue
    const surplus = rowCells(lineText(state, line)).slice(columns)
    if (surplus.length === 0) continue
    if (isEdit || surplus.some((cell) => cell.trim() !== '')) {
      refuseMarkdown('extra_cells', { line: line + 1 })
    }
  }
}

function lineText(state: StateBlock, line: number): string {
  const from = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
  return state.src.slice(from, state.eMarks[line]).trim()
}

/** The cells of a row; a pipe behind a backslash is a character, the backslash then is none. */
function rowCells(row: string): string[] {
  const cells: string[] = []
  let cell = ''
  let from = 0
  for (let at = row.indexOf('|'); at !== -1; at = row.indexOf('|', at + 1)) {
    if (at > 0 && row[at - 1] === '\\') {
      cell += row.slice(from, at - 1)
      from = at
    } else {
      cells.push(cell + row.slice(from, at))
      cell = ''
      from = at + 1
    }
  }
  cells.push(cell + row.slice(from))
  if (cells[0] === '') cells.shift()
  if (cells.at(-1) === '') cells.pop()
  return cells
}
