/**
 * A table row as it was written: its pipes, the blanks around its cells and their text. A cell that
 * was changed since keeps its blanks, the others all they have.
 */
import type { Node } from 'prosemirror-model'
import type { Definitions } from './definitions.ts'
import { printInline } from './inline.ts'
import type { InlineText } from './inline-output.ts'
import { parseEnv } from './parse-env.ts'
import type { Segment } from './printed.ts'
import { readCellText, withinLimits } from './read-source.ts'
import { respelled } from './respelled.ts'
import { hangsOut, leadOfLine, spellingOf, withoutLead } from './spelling.ts'
import { tokenize } from './tokenizer.ts'

interface WrittenCell {
  /** Where its text begins in the row, and what it is, pipes still escaped. */
  readonly from: number
  readonly raw: string
}

/** `pos` counts from just before the row. Undefined where the line has other cells than the row. */
export function spelledRow(
  row: Node,
  columns: number,
  definitions: Definitions,
): InlineText | undefined {
  const written = spellingOf(row)
  if (written === null || written.includes('\n')) return undefined
  const lead = leadOfLine(written)
  const spelling = withoutLead(written)
  const cells = writtenCells(spelling)
  if (hangsOut(lead)) return undefined
  if (cells === undefined || cells.length > columns || row.childCount > columns) return undefined
  const isHeader = row.firstChild?.type.name === 'table_header'
  if (isHeader && cells.length < columns) return undefined
  // Cells that a short row leaves out are empty.
  for (let index = cells.length; index < row.childCount; index++) {
    if (row.child(index).childCount > 0) return undefined
  }
  const segments: Segment[] = []
  let md = ''
  let taken = 0
  let at = 1
  for (const [index, { from, raw }] of cells.entries()) {
    const cell = row.maybeChild(index)
    const text = cell === null ? emptyText : cellText(cell, raw, definitions)
    if (cell === null && raw !== '') return undefined
    md += spelling.slice(taken, from)
    for (const { md: own, mdLength, pos, length } of text.segments) {
      segments.push({ md: md.length + own, mdLength, pos: at + 1 + pos, length })
    }
    md += text.md
    taken = from + raw.length
    at += cell?.nodeSize ?? 0
  }
  md += spelling.slice(taken)
  const isSame = writtenCells(md)?.length === cells.length && isRow(md, columns, isHeader)
  return isSame ? { md, segments, leads: [lead] } : undefined
}

/** Whether a line is a row of a table, which most lines that do not begin with a pipe are too. */
function isRow(line: string, columns: number, isHeader: boolean): boolean {
  if (/^ {0,3}\|/.test(line)) return true
  const other = `|${'x|'.repeat(columns)}`
  const rule = `|${'-|'.repeat(columns)}`
  const table = isHeader ? [line, rule] : [other, rule, line]
  const env = parseEnv({ start: false })
  const tokens = withinLimits(() => tokenize(table.join('\n'), env)) ?? []
  const rows = tokens.filter(({ type }) => type === 'tr_open').length
  return rows === table.length - 1 && tokens.at(-1)?.type === 'table_close'
}

/** Whether a row was written with fewer cells than it has. */
export function isShortRow(row: Node): boolean {
  const written = row.type.name === 'table_row' ? spellingOf(row) : null
  const cells = written === null ? undefined : writtenCells(withoutLead(written))
  return cells !== undefined && cells.length < row.childCount
}

/** A row without the empty cells that it has beyond the columns of its table. */
export function withoutSurplus(line: string, columns: number): string {
  const cells = leadOfLine(line) === '' ? writtenCells(line) : undefined
  const last = cells?.[columns - 1]
  if (last === undefined || cells?.length === columns) return line
  return line.slice(0, line.indexOf('|', last.from + last.raw.length) + 1)
}

const emptyText: InlineText = { md: '', segments: [] }

function cellText(cell: Node, raw: string, definitions: Definitions): InlineText {
  const shape = { cell: true, definitions }
  if (raw === '' && cell.childCount === 0) return emptyText
  const source = readCellText(raw.replaceAll('\\|', '|'), definitions)
  const read = (md: string) => (md.includes('\n') ? undefined : readCellText(md, definitions))
  const same = source && respelled({ node: cell, source, shape, read })
  if (same !== undefined) return same.md === raw ? same : withEscapedPipes(same)
  return printInline(cell, shape)
}

/** In a row each pipe of a cell has a backslash before it. */
function withEscapedPipes({ md, segments }: InlineText): InlineText {
  const pipes = [...md.matchAll(/\|/g)].map(({ index }) => index)
  const before = (offset: number) => pipes.filter((pipe) => pipe < offset).length
  const escaped = segments.flatMap((segment) => cutAtPipes(segment, pipes))
  return {
    md: md.replaceAll('|', '\\|'),
    segments: escaped.map((segment) => {
      const from = segment.md + before(segment.md + 1)
      const to = segment.md + segment.mdLength
      const isText = segment.mdLength === segment.length
      return isText
        ? { ...segment, md: from }
        : { ...segment, md: from, mdLength: to + before(to) - from }
    }),
  }
}

/** Text that begins anew at each pipe in it, whose backslash then stands between two segments. */
function cutAtPipes(segment: Segment, pipes: readonly number[]): Segment[] {
  const { md, mdLength, pos, length } = segment
  if (mdLength !== length) return [segment]
  const starts = [md, ...pipes.filter((pipe) => pipe > md && pipe < md + mdLength)]
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? md + mdLength
    return { md: start, mdLength: end - start, pos: pos + start - md, length: end - start }
  })
}

/** The cells of a line; a pipe behind a backslash is none between cells. */
function writtenCells(line: string): WrittenCell[] | undefined {
  if (line.trim() === '') return undefined
  const bounds: number[] = []
  for (let at = line.indexOf('|'); at !== -1; at = line.indexOf('|', at + 1)) {
    if (line[at - 1] !== '\\') bounds.push(at)
  }
  const cells: WrittenCell[] = []
  let from = 0
  for (const to of [...bounds, line.length]) {
    const whole = line.slice(from, to)
    const raw = whole.trim()
    const start = raw === '' ? from + Math.min(1, whole.length) : from + whole.indexOf(raw)
    cells.push({ from: start, raw })
    from = to + 1
  }
  if (bounds.length > 0 && line.slice(0, bounds[0]).trim() === '') cells.shift()
  if (bounds.length > 0 && line.slice((bounds.at(-1) ?? 0) + 1).trim() === '') cells.pop()
  return cells
}
