/**
 * Notes on the block tokens how the markdown of each block was written: the blank lines before it,
 * its own lines behind the prefixes of the containers around it, the markers of items and quotes.
 * Works on what the block rules left in the parser's state; changes no token otherwise.
 */
import type MarkdownIt from 'markdown-it'
import type { StateBlock, Token } from 'markdown-it'
import { allColumns, missingColumn } from './spelling.ts'

/** How one block was written. */
export interface WrittenBlock {
  /** The blank lines before it, each with its line end; '' where it is right below a block. */
  readonly gap: string
  /**
   * Of a block without blocks in it: its lines. Of an item or a quote: what stands before its
   * content in its first line, and of a quote each empty line at its end. Of a list: the markers of
   * its first two items, one a line. Of a table: its delimiter row.
   */
  readonly spelling: string
  /** Of code: the blanks of each of its empty lines, behind the markers of quotes. */
  readonly emptyLines?: readonly string[]
}

/** How a block was written, and the blocks in it, where these wait for their list to be closed. */
export interface WrittenTree extends WrittenBlock {
  readonly inner: readonly (WrittenTree | undefined)[]
}

export const writtenBlock = (token: Token): WrittenBlock | undefined =>
  (token.meta as { written?: WrittenBlock } | null)?.written

/** From now on `md` notes it on its block tokens. */
export function noteSources(md: MarkdownIt): void {
  const { tokenize } = md.block
  md.block.tokenize = function (state, startLine, endLine) {
    const first = state.tokens.length
    tokenize.call(this, state, startLine, endLine)
    const { level, tokens } = state
    for (let index = first; index < tokens.length; index++) {
      const token = tokens[index] as Token
      if (token.level !== level || token.nesting < 0 || token.map === null) continue
      noteBlock({ state, startLine }, token, index)
    }
  }
}

/** A run of the block rules over the lines of one container. */
interface Container {
  readonly state: StateBlock
  readonly startLine: number
}

function noteBlock(container: Container, token: Token, index: number): void {
  const { state } = container
  const [line, end] = token.map as [number, number]
  const gap = gapBefore(container, line)
  const note = (spelling: string, emptyLines?: readonly string[]) => {
    const written = { gap, spelling, ...(emptyLines && { emptyLines }) }
    token.meta = { ...(token.meta as object | null), written }
  }
  switch (token.type) {
    case 'bullet_list_open':
    case 'ordered_list_open':
      note(noteItems({ state, startLine: line }, token, index))
      break
    case 'blockquote_open':
      note(quoteMarker(state, firstFilled(state, line, end)) + emptyEnd(state, line, end))
      break
    case 'fence':
      note(ownLines(state, line, end), emptyLinesOf(state, token, line + 1))
      break
    case 'code_block':
      note(ownLines(state, line, end), emptyLinesOf(state, token, line))
      break
    case 'table_open':
      noteRows(state, token, index)
      note(ownLines(state, line + 1, line + 2))
      break
    case 'paragraph_open':
      note(lazyLines(state, line, end))
      break
    default:
      note(ownLines(state, line, end))
  }
}

function quoteMarker(state: StateBlock, line: number): string {
  return `${indentation(state, line)}${/^> ?/.exec(lineText(state, line))?.[0] ?? '>'}`
}

/** The first line of a quote that has something behind its marker; if none has, its first. */
function firstFilled(state: StateBlock, line: number, end: number): number {
  for (let at = line; at < end; at++) if (/^>[ \t]*[^ \t]/.test(lineText(state, at))) return at
  return line
}

/** What stands behind the marker of a quote in each empty line at its end, behind a line end. */
function emptyEnd(state: StateBlock, line: number, end: number): string {
  let lines = ''
  let at = end - 1
  // The parser counts empty lines behind the quote among its lines.
  while (state.isEmpty(at)) at--
  for (; at > line && /^>[ \t]*$/.test(lineText(state, at)); at--) {
    lines = `\n${lineText(state, at).slice(1)}${lines}`
  }
  return lines
}

/** Undefined where none of the empty lines has blanks. */
function emptyLinesOf(state: StateBlock, code: Token, first: number) {
  if (!/^\n/m.test(code.content)) return undefined
  const blanks: string[] = []
  for (const [index, line] of code.content.split('\n').slice(0, -1).entries()) {
    if (line === '') blanks.push(behindQuotes(state, first + index))
  }
  return blanks.some((each) => each !== '') ? blanks : undefined
}

/** The blank lines above a line of the container. */
function gapBefore({ state, startLine }: Container, line: number): string {
  let first = line
  while (first > startLine && state.isEmpty(first - 1)) first--
  let gap = ''
  for (let blank = first; blank < line; blank++) gap += `${behindQuotes(state, blank)}\n`
  return gap
}

/** What stands in a line behind the markers of the quotes around it. */
function behindQuotes({ src, bMarks, eMarks }: StateBlock, line: number): string {
  const begin = bMarks[line] ?? 0
  const whole = src.lastIndexOf('\n', begin - 1) + 1
  const marker = whole < begin ? src.lastIndexOf('>', begin - 1) : -1
  return src.slice(Math.max(whole, marker + 1), eMarks[line])
}

/** Lines behind the prefixes of the container, without blank ones at their end. */
function ownLines(state: StateBlock, line: number, end: number): string {
  let last = end
  while (last > line + 1 && state.isEmpty(last - 1)) last--
  const lines = state.getLines(line, last, state.blkIndent, false)
  if (state.blkIndent === 0 || lines.includes(missingColumn)) return lines
  const isTabbed = state.src.slice(state.bMarks[line], state.eMarks[last - 1]).includes('\t')
  if (!isTabbed) return lines
  return lines
    .split('\n')
    .map((text, index) => {
      const blanks = tabbedBlanks(state, line + index)
      return blanks === undefined || text === '' ? text : blanks + text.trimStart()
    })
    .join('\n')
}

/**
 * The blanks that a line begins with, where there is a tab among them, in place of the columns that
 * its container asks.
 */
function tabbedBlanks({ src, bMarks, tShift, blkIndent }: StateBlock, line: number) {
  const begin = bMarks[line] ?? 0
  const blanks = src.slice(begin, begin + (tShift[line] ?? 0))
  if (blkIndent === 0 || !/^[ \t]*$/.test(blanks) || !blanks.includes('\t')) return undefined
  return missingColumn.repeat(blkIndent) + blanks
}

/**
 * The same of a paragraph, whose later lines may be indented less than its container asks, or have
 * none of the markers of a quote: a backspace for each column that is missing.
 */
function lazyLines(state: StateBlock, line: number, end: number): string {
  const lines = ownLines(state, line, end)
  if (state.level === 0 || end === line + 1 || lines.includes(missingColumn)) return lines
  if (state.src.slice(state.bMarks[line], state.eMarks[end - 1]).includes('\t')) return lines
  return lines
    .split('\n')
    .map((text, index) => {
      const indent = index === 0 ? state.blkIndent : (state.sCount[line + index] ?? 0)
      const missing = indent < 0 ? allColumns : Math.max(0, state.blkIndent - indent)
      return missingColumn.repeat(missing) + text
    })
    .join('\n')
}

/** A line from its first character that is no blank. */
function lineText(state: StateBlock, line: number): string {
  const from = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
  return state.src.slice(from, state.eMarks[line])
}

const indentation = (state: StateBlock, line: number): string =>
  tabbedBlanks(state, line) ?? ' '.repeat(Math.max(0, (state.sCount[line] ?? 0) - state.blkIndent))

/** The tokens right in the one at `index`, down to its end. */
function* within(tokens: readonly Token[], index: number, type: string): Generator<Token> {
  const { level } = tokens[index] as Token
  for (let at = index + 1; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (token.level <= level && token.nesting < 0) return
    if (token.type === type && token.level <= level + 2) yield token
  }
}

function noteItems(list: Container, open: Token, index: number): string {
  const { state } = list
  const markers: string[] = []
  for (const item of within(state.tokens, index, 'list_item_open')) {
    if (item.level !== open.level + 1) continue
    const line = item.map?.[0] ?? 0
    const spelling = indentation(state, line) + markerOf(lineText(state, line))
    item.meta = { written: { gap: gapBefore(list, line), spelling } }
    if (markers.length < 2) markers.push(spelling)
  }
  return markers.join('\n')
}

/** A marker with the blanks that belong to it; those behind its first are none before code. */
function markerOf(line: string): string {
  const [all, marker, blanks = ''] = /^([-+*]|\d{1,9}[.)])([ \t]*)/.exec(line) ?? ['', '', '']
  if (all.length === line.length) return marker ?? ''
  return blanks.includes('\t') || blanks.length <= 4 ? all : `${marker} `
}

function noteRows(state: StateBlock, table: Token, index: number): void {
  for (const row of within(state.tokens, index, 'tr_open')) {
    const line = row.map?.[0] ?? 0
    if (row.level !== table.level + 2) continue
    row.meta = { written: { gap: '', spelling: ownLines(state, line, line + 1) } }
  }
}
