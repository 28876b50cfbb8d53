/**
 * What an edit may not bring in although the parser would take it (interface §4.5 on HTML and tables,
 * open-details §4): HTML that was not there, breaks written as HTML outside cells and headings, cells
 * without a column. Judged on the blocks before and after; gives a reason, never throws.
 */
import type { Node } from 'prosemirror-model'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'

/** A splice of markdown with the blocks it made of [from, to). */
export interface Asked {
  readonly text: DocumentText
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly blocks: { readonly from: number; readonly to: number; readonly nodes: readonly Node[] }
}

export type ContentFault =
  | 'raw_html'
  | 'break_in_text'
  | 'column_added'
  | 'cell_divided'
  | 'surplus_cells'

export function contentFault(asked: Asked): ContentFault | undefined {
  if (asked.insert.includes('<') && addsHtml(asked)) return 'raw_html'
  return tableFault(asked)
}

/** HTML sources are kept byte for byte, so the new blocks may hold at most those of the old ones. */
function addsHtml({ text, blocks }: Asked): boolean {
  const allowed = new Map<string, number>()
  for (let index = blocks.from; index < blocks.to; index++) {
    for (const source of htmlSources(text.node(index))) {
      allowed.set(source, (allowed.get(source) ?? 0) + 1)
    }
  }
  for (const node of blocks.nodes) {
    for (const source of htmlSources(node)) {
      const left = allowed.get(source) ?? 0
      if (left === 0) return true
      allowed.set(source, left - 1)
    }
  }
  return false
}

function htmlSources(node: Node): string[] {
  if (node.type.name === 'html_block') return [String(node.attrs['source'])]
  const sources: string[] = []
  node.descendants((child) => {
    const { name } = child.type
    if (name === 'html_block' || name === 'html_inline') sources.push(String(child.attrs['source']))
  })
  return sources
}

const inlineBreak = /<br[ \t]*\/?>/gi

/** Where `insert` writes `<br>` within a line: one is fine in a cell or heading, and escaped. */
export function inlineBreaks(insert: string): { readonly from: number; readonly to: number }[] {
  const breaks: { from: number; to: number }[] = []
  for (const match of insert.matchAll(inlineBreak)) {
    const from = match.index
    const to = from + match[0].length
    const line = insert.slice(insert.lastIndexOf('\n', from - 1) + 1, from)
    const rest = insert.slice(to).split('\n', 1)[0] ?? ''
    if (!/^[ \t>]*$/.test(line) || !/^[ \t]*$/.test(rest)) breaks.push({ from, to })
  }
  return breaks
}

/** Breaks in running text, as against cells and headings. */
export function breaksInText(nodes: readonly Node[]): number {
  let count = 0
  for (const node of nodes) {
    node.descendants((child, _pos, parent) => {
      if (child.type.name === 'hard_break' && parent?.type.name === 'paragraph') count++
    })
  }
  return count
}

const hasTable = (nodes: readonly Node[]): boolean => {
  let found = false
  for (const node of nodes) {
    if (node.type.name === 'table') return true
    node.descendants((child) => {
      found ||= child.type.name === 'table'
      return !found && !child.inlineContent
    })
  }
  return found
}

/** A `|` that is not escaped: it ends a cell. */
const pipe = /(?<!\\)(?:\\\\)*\|/

function tableFault(asked: Asked): ContentFault | undefined {
  const { text, from, to, insert } = asked
  const cell = isInCell(text, from, to)
  if (cell && !insert.includes('\n') && pipe.test(insert)) return 'column_added'
  if (cell && insert.includes('\n') && !pipe.test(insert)) return 'cell_divided'
  return hasSurplusCells(asked) ? 'surplus_cells' : undefined
}

/** Does the range lie within one cell of a table? */
function isInCell(text: DocumentText, from: number, to: number): boolean {
  if (text.blockCount === 0 || /[\n|]/.test(text.slice(from, to))) return false
  const index = text.indexAt(from)
  const start = text.start(index)
  const { blocks } = text.printed(index)
  const holder = blocks.findLast((range) => start + range.from <= from && to <= start + range.to)
  return holder?.type === 'table_row'
}

const delimiterRow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** A row that was touched (or whose header was) and has more cells than the header. */
function hasSurplusCells({ text, from, to, insert, blocks }: Asked): boolean {
  if (text.blockCount === 0) return false
  const first = Math.min(blocks.from, text.indexAt(from))
  const last = Math.max(blocks.to - 1, text.indexAt(to))
  const old = Array.from({ length: last - first + 1 }, (_, index) => text.node(first + index))
  if (!hasTable(blocks.nodes) && !hasTable(old)) return false
  const start = text.start(first)
  const lines = (text.slice(start, from) + insert + text.slice(to, text.end(last))).split('\n')
  const touched = { from: from - start, to: from - start + insert.length }
  let columns: number | undefined
  let headerTouched = false
  let at = 0
  for (const [index, raw] of lines.entries()) {
    const line = raw.replace(/^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*/, '')
    const isTouched = at <= touched.to && touched.from <= at + raw.length
    at += raw.length + 1
    if (!line.includes('|')) columns = undefined
    else if (columns === undefined && delimiterRow.test(line)) {
      columns = cellCount(line)
      headerTouched = isTouched
      if (isTouched && cellCount(lines[index - 1] ?? '') !== columns) columns = undefined
    } else if (columns !== undefined && (isTouched || headerTouched)) {
      if (cellCount(line) > columns) return true
    }
  }
  return false
}

function cellCount(line: string): number {
  const inner = line.trim().replace(/^\|/, '')
  const borders = inner.match(/(?<!\\)(?:\\\\)*\|/g)?.length ?? 0
  return pipe.test(inner.slice(-1)) && !/\\\|$/.test(inner) ? borders : borders + 1
}
