/** Cells on the clipboard, and what is pasted into one. */
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { documentSchema } from '../../../schema/document-schema.ts'
import { codeLines } from './code-lines.ts'

const { nodes } = documentSchema

/** The cells of tab- or comma-separated text; `undefined` where it is none. */
export function cellsOf(text: string): string[][] | undefined {
  const body = text.replace(/\r\n?/g, '\n').replace(/(?<!\n)\n+$/, '')
  if (body.includes('\t')) return evenRows(separated(body, '\t'), { rows: 1, columns: 2 })
  if (!body.includes(',') || !body.includes('\n')) return undefined
  const rows = separated(body, ',')
  const isProse = rows.some((row) => row.some((cell) => cell.length > 120 || /^ \S/.test(cell)))
  const isSmall = rows.length < 3 && (rows[0]?.length ?? 0) < 3
  return isProse || isSmall ? undefined : evenRows(rows, { rows: 2, columns: 2 })
}

interface Least {
  readonly rows: number
  readonly columns: number
}

function evenRows(rows: string[][], least: Least): string[][] | undefined {
  const width = rows[0]?.length ?? 0
  const isEven = rows.every((row) => row.length === width)
  return isEven && rows.length >= least.rows && width >= least.columns ? rows : undefined
}

/** Cells may be quoted, with quotes doubled and lines within. */
function separated(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at <= text.length) {
    const quoted = text[at] === '"' ? /"((?:[^"]|"")*)"/y : undefined
    if (quoted !== undefined) quoted.lastIndex = at
    const whole = quoted?.exec(text)
    const follows = whole === null || whole === undefined ? '' : text.charAt(at + whole[0].length)
    let cell: string
    if (whole && (follows === '' || follows === '\n' || follows === separator)) {
      cell = (whole[1] ?? '').replaceAll('""', '"')
      at += whole[0].length
    } else {
      const nexts = [text.indexOf(separator, at), text.indexOf('\n', at), text.length]
      const end = Math.min(...nexts.filter((end) => end >= 0))
      cell = text.slice(at, end)
      at = end
    }
    row.push(cell)
    if (text[at] !== separator) {
      rows.push(row)
      row = []
    }
    at += 1
  }
  return rows
}

/** A cell takes one line: the lines of what is pasted are parted by breaks. Cells stay cells. */
export function cellSlice(slice: Slice): Slice {
  const line: Node[] = []
  let isTable = false
  const take = (node: Node): boolean => {
    isTable ||= node.type.spec['tableRole'] !== undefined
    if (!node.isTextblock) return !isTable
    if (line.length > 0) line.push(nodes.hard_break.create())
    const isCode = node.type.spec.code === true
    if (!isCode) line.push(...node.children)
    else line.push(...codeLines(node.textContent))
    return false
  }
  for (const node of slice.content.content) {
    if (node.isInline) return slice
    if (take(node)) node.descendants(take)
  }
  return isTable ? slice : new Slice(Fragment.fromArray(line), 0, 0)
}

/** A table whose first row is its head. */
export function tableOf(cells: readonly (readonly string[])[]): Node {
  return nodes.table.create(
    null,
    cells.map((row, index) =>
      nodes.table_row.create(
        null,
        row.map((cell) => {
          const type = index === 0 ? nodes.table_header : nodes.table_cell
          const words = cell.replace(/\s+/g, ' ').trim()
          return type.create(null, words === '' ? null : documentSchema.text(words))
        }),
      ),
    ),
  )
}
