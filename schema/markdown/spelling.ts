/**
 * How a block was written, as its attribute `spelling` says it, and whether that still says what
 * the block holds. Only what differs from the canonical form is kept. What it is, by type:
 *
 * - paragraph, heading, rule, HTML, table row: the lines of the block;
 * - code: the two fences, one a line, or the four blanks (or the tab) of indented code; then, if
 *   any has blanks, what stands in each of its empty lines, one a line;
 * - table: the delimiter row;
 * - quote: what stands before each line; then what follows the marker in each empty line at its
 *   end;
 * - list: the marker of its first item, twice where all items have one number;
 * - item: its marker, where it is not what the list says.
 *
 * The attribute is what some editor stored: nothing of it is printed unless it reads back as the
 * block (see `spelled-leaf.ts`) or is a marker and nothing else.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { flatText } from './addresses.ts'
import { checkedOf, firstNumber, paramsOf } from './node-attributes.ts'
import { taskBox } from './task-box.ts'

const { nodes } = documentSchema

/**
 * At the beginning of a line: one column less than its container asks, because the line hangs out
 * of it or because a tab stands in their place; so many are all of them.
 */
export const missingColumn = '\b'
export const allColumns = 99

/**
 * What a line begins with in place of the columns that its container asks; '' where it has them.
 */
export const leadOfLine = (line: string): string => {
  if (!line.startsWith(missingColumn)) return ''
  let columns = 0
  while (line[columns] === missingColumn) columns++
  return line.slice(0, columns + (/^[ \t]*/.exec(line.slice(columns))?.[0].length ?? 0))
}

/** How many columns a lead leaves out. */
export const columnsLeftOut = (lead: string): number => lead.lastIndexOf(missingColumn) + 1

/** Whether a line with this lead stands further left than its container asks. */
export const hangsOut = (lead: string): boolean =>
  columns(lead.slice(columnsLeftOut(lead))) < columnsLeftOut(lead)

/** The blanks of a lead that go beyond what its container asks. */
export function blanksBeyond(lead: string): string {
  const left = columnsLeftOut(lead)
  return ' '.repeat(Math.max(0, columns(lead.slice(left)) - left))
}

export const spellingOf = (node: Node): string | null =>
  (node.attrs['spelling'] as string | null | undefined) ?? null

/** The markers of a list's items. */
export interface MarkerPattern {
  /** Behind the columns that the container asks. */
  readonly indent: string
  /** In place of these columns and the indent, where a tab is among them. */
  readonly lead: string
  /** The bullet, or what stands behind the number. */
  readonly end: string
  /** Between the marker and the content. */
  readonly blanks: string
  /** All items have the number of the first. */
  readonly isSameNumber: boolean
}

/** A tab and another blank may be so wide that code begins behind them. */
const listMarker = /^([ \t]*)(\d{1,9})?([-+*.)])( {0,4}|\t)$/

function readMarker(line: string, isOrdered: boolean) {
  const lead = leadOfLine(line)
  if (hangsOut(lead)) return undefined
  const left = columnsLeftOut(lead)
  const [, before = '', number, end = '', blanks = ''] = listMarker.exec(line.slice(left)) ?? []
  if (end === '' || (number !== undefined) !== isOrdered) return undefined
  if ('-+*'.includes(end) === isOrdered || (left === 0 && before.includes('\t'))) return undefined
  const indent = columns(before) - left
  if (indent < 0 || indent > 3) return undefined
  return { indent: ' '.repeat(indent), lead, number, end, blanks: blanks === '' ? ' ' : blanks }
}

/** A marker as it was read. */
const markerText = ({ indent, lead, number = '', end, blanks }: ReadMarker): string =>
  `${lead === '' ? indent : lead}${number}${end}${blanks}`

type ReadMarker = NonNullable<ReturnType<typeof readMarker>>

const canonicalPattern = (isOrdered: boolean): MarkerPattern => ({
  indent: '',
  lead: '',
  end: isOrdered ? '.' : '-',
  blanks: ' ',
  isSameNumber: false,
})

/** What of its place decides on the markers of a list. */
export interface ListPlace {
  /** What ends the markers of a list of the same kind right before it, '' if none. */
  readonly avoid: string
  /** How many blanks may stand before its first marker. */
  readonly indent: number
}

export function markerPattern(list: Node, { avoid, indent }: ListPlace): MarkerPattern {
  const isOrdered = list.type === nodes.ordered_list
  const [first = '', second] = (spellingOf(list) ?? '').split('\n')
  const read = readMarker(first, isOrdered)
  const canonical = canonicalPattern(isOrdered)
  const fits = read && read.indent.length <= indent
  const pattern = fits ? { ...read, isSameNumber: second === first } : canonical
  if (pattern.end !== avoid) return pattern
  const other = isOrdered ? ')' : '*'
  return { ...pattern, end: canonical.end === avoid ? other : canonical.end }
}

/** The number of an item in a list, '' where bullets are written. */
export function itemNumber(list: Node, index: number, { isSameNumber }: MarkerPattern): string {
  if (list.type !== nodes.ordered_list) return ''
  return String(firstNumber(list) + (isSameNumber ? 0 : index))
}

/** With the lead, where there is one, in place of the indent. */
export const patternMarker = (
  { indent, lead, end, blanks }: MarkerPattern,
  number: string,
): string => `${lead === '' ? indent : lead}${number}${end}${blanks}`

/** The same with blanks in place of a lead. */
export function withoutLead(marker: string): string {
  const lead = leadOfLine(marker)
  return lead === '' ? marker : blanksBeyond(lead) + marker.slice(lead.length)
}

/** The task box of an item, '' where it has none. */
export function boxOf(item: Node): string {
  const checked = item.firstChild?.type === nodes.paragraph ? checkedOf(item) : null
  if (checked === null) return ''
  return checked ? '[x]' : '[ ]'
}

/** What stands before an item's content, as the item itself says it. */
export interface OwnMarker {
  /** With the blanks behind it. */
  readonly marker: string
  /** The task box with the blanks around it. */
  readonly box: string | undefined
}

/** Undefined where the item says nothing that may stand in a list of this pattern. */
export function ownMarker(item: Node, pattern: MarkerPattern): OwnMarker | undefined {
  const spelling = spellingOf(item)
  if (spelling === null) return undefined
  const at = spelling.indexOf('[')
  const marker = at < 0 ? spelling : spelling.slice(0, at)
  const isOrdered = !'-+*'.includes(pattern.end)
  const read = readMarker(marker, isOrdered)
  if (read === undefined || read.end !== pattern.end) return undefined
  // Neither it nor what the list says may reach under the content of the item before.
  const most = isOrdered && pattern.indent === '' ? 2 : pattern.indent.length + 1
  if (read.indent.length > most || columns(withoutLead(marker)) <= most) return undefined
  if (at < 0) return { marker: markerText(read), box: undefined }
  const box = spelling.slice(at)
  return taskBox(box)?.length === box.length ? { marker: markerText(read), box } : undefined
}

/** What a list without a spelling yet keeps of the markers of its first items, one a line. */
export function listSpelling(list: Node, written: string, place: ListPlace): string | null {
  const isOrdered = list.type === nodes.ordered_list
  const [first = '', second = ''] = written.split('\n')
  const one = readMarker(first, isOrdered)
  if (one === undefined) return null
  const two = readMarker(second, isOrdered)
  const isSame = isOrdered && two !== undefined && two.number === one.number
  const marker = markerText(one)
  const usual = markerPattern(list, place)
  if (!isSame && marker === patternMarker(usual, itemNumber(list, 0, usual))) return null
  return isSame ? `${marker}\n${marker}` : marker
}

/**
 * The fences around code, what stands before each line of it, and what in its empty lines; `open`:
 * undefined for indented code.
 */
export type CodeSpelling = { readonly indent: string; readonly emptyLines: readonly string[] } & (
  | { readonly open: string; readonly close: string }
  | { readonly open?: undefined }
)

const openingFence = /^ {0,3}(`{3,}|~{3,})/

const isBlank = (text: string): boolean => text.trim() === ''

const firstLine = (text: string): string => text.slice(0, text.search(/\n|$/))

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1)

/** Undefined where code of this text and these parameters cannot be written so. */
export function codeSpelling(code: Node): CodeSpelling | undefined {
  const spelling = spellingOf(code)
  if (spelling === null) return undefined
  const text = code.textContent
  const [open = '', close = '', ...emptyLines] = spelling.split('\n')
  if (open === '    ' || open === '\t') {
    const isWhole = paramsOf(code) === '' && !isBlank(firstLine(text)) && !isBlank(lastLine(text))
    return isWhole ? { indent: open, emptyLines: [close, ...emptyLines] } : undefined
  }
  if (hangsOut(leadOfLine(open)) || hangsOut(leadOfLine(close))) return undefined
  const opening = withoutLead(open)
  const [before = '', fence = ''] = openingFence.exec(opening) ?? []
  const info = opening.slice(before.length)
  if (fence === '' || flatText(info) !== flatText(paramsOf(code))) return undefined
  const char = fence.charAt(0)
  if (char === '`' && info.includes('`')) return undefined
  const closing = new RegExp(`^ {0,3}${char}{${fence.length},}[ \\t]*$`, 'm')
  if (!closing.test(withoutLead(close)) || closing.test(text)) return undefined
  return { open, close, indent: leadOfLine(open) || (/^ */.exec(open)?.[0] ?? ''), emptyLines }
}

/** What a code block keeps of its lines; `emptyLines`: what stands in those that are empty. */
export function spellingOfCode(
  code: Node,
  written: string,
  emptyLines?: readonly string[],
): string | null {
  const blanks = emptyLines === undefined ? '' : `\n${emptyLines.join('\n')}`
  const isWritten = (lines: string) =>
    lines === written || (blanks !== '' && withoutBlanks(lines) === withoutBlanks(written))
  const text = code.textContent
  const open = written.slice(0, Math.max(0, written.indexOf('\n')))
  const close = lastLine(written)
  const indent = leadOfLine(open) || (/^ */.exec(open)?.[0] ?? '')
  const inner = text === '' ? '' : `${indented(text, indent)}\n`
  if (openingFence.test(withoutLead(open)) && isWritten(`${open}\n${inner}${close}`))
    return `${open}\n${close}${blanks}`
  for (const each of ['    ', '\t']) if (isWritten(indented(text, each))) return each + blanks
  return null
}

/** Nothing in the lines that have blanks alone. */
const withoutBlanks = (lines: string): string => lines.replace(/^[ \t\b]+$/gm, '')

export const indented = (text: string, indent: string): string =>
  text.replace(/^(?=[^\n])/gm, indent)

/** What stands before each line of a quote, or the canonical `> `. */
export function quotePrefix(quote: Node): string {
  const spelling = spellingOf(quote)
  const prefix = spelling?.split('\n', 1)[0] ?? ''
  return /^ {0,3}> ?$/.test(prefix) ? prefix : '> '
}

/** What stands behind the marker of a quote in each empty line at its end. */
export function emptyEndOf(quote: Node): readonly string[] {
  const blanks = spellingOf(quote)?.split('\n').slice(1) ?? []
  return quote.textContent !== '' && blanks.every(isBlank) ? blanks : []
}

export function isIndentedCode(node: Node): boolean {
  if (node.type !== nodes.code_block || spellingOf(node) === null) return false
  const spelling = codeSpelling(node)
  return spelling !== undefined && spelling.open === undefined
}

/** How many columns stand before the content of a list's last item. */
export function itemColumns(list: Node, place: ListPlace): number {
  const pattern = markerPattern(list, place)
  const { lastChild } = list
  const marker =
    (lastChild && ownMarker(lastChild, pattern)?.marker) ??
    patternMarker(pattern, itemNumber(list, list.childCount - 1, pattern))
  return columns(withoutLead(marker))
}

/** The width of a text whose first character is in the column `from`. */
export function columns(text: string, from = 0): number {
  let at = from
  for (const char of text) at += char === '\t' ? 4 - (at % 4) : 1
  return at - from
}

/** Whether a heading is underlined. */
export function isSetext(node: Node): boolean {
  return node.type === nodes.heading && /\n/.test(spellingOf(node) ?? '')
}
