/**
 * Tables as GFM reads them, but without its silent loss: where a row has more cells than the
 * header, the header is widened, and every row with it. Tables over the column limit are refused.
 */
import type { StateBlock, Token } from 'markdown-it'
import { limits } from '../limits.ts'
import { refuseMarkdown } from './parse-env.ts'

type BlockRule = (state: StateBlock, line: number, end: number, silent: boolean) => boolean

export function wideningTableRule(stock: BlockRule): BlockRule {
  return (state, line, end, silent) => {
    const first = state.tokens.length
    if (!stock(state, line, end, silent)) return false
    if (!silent) widen(state, first)
    return true
  }
}

function widen(state: StateBlock, first: number): void {
  const rows = new Map<Token, readonly string[]>()
  let columns = 0
  let widest = 0
  for (let i = first; i < state.tokens.length; i++) {
    const token = state.tokens[i]
    if (token?.type === 'th_open') columns++
    if (token?.type !== 'tr_open') continue
    const cells = rowCells(lineText(state, token.map?.[0] ?? 0))
    rows.set(token, cells)
    widest = Math.max(widest, cells.length)
  }
  if (Math.max(columns, widest) > limits.tableMaxColumns) refuseMarkdown('too_many_columns')
  if (widest > columns) addCells(state, first, { rows, columns, widest })
}

interface Widening {
  readonly rows: ReadonlyMap<Token, readonly string[]>
  readonly columns: number
  readonly widest: number
}

/** Writes the tokens from `first` on again, each row with as many cells as the widest. */
function addCells(state: StateBlock, first: number, { rows, columns, widest }: Widening): void {
  const written = state.tokens.splice(first)
  let cells: readonly string[] = []
  let name = 'th'
  for (const token of written) {
    if (token.type === 'tr_open') cells = rows.get(token) ?? []
    if (token.type === 'tbody_open') name = 'td'
    if (token.type === 'tr_close') {
      for (let column = columns; column < widest; column++) {
        state.push(`${name}_open`, name, 1)
        const inline = state.push('inline', '', 0)
        inline.content = (cells[column] ?? '').trim()
        inline.children = []
        state.push(`${name}_close`, name, -1)
      }
    }
    state.tokens.push(token)
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
