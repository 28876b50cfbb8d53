/**
 * What an edit may not bring in although the parser would take it (interface §4.5 on HTML and
 * tables): HTML that was not there, breaks written as HTML outside cells and headings, cells
 * without a column. Judged on the text that was asked for and the blocks it made; gives a reason,
 * never throws, and takes time linear in the text.
 */

import type { Node } from 'prosemirror-model'
import type { DocumentText } from '../../../../schema/markdown/document-text.ts'
import type { BlockSplice } from '../../../../schema/markdown/textblock-splice.ts'
import { reparse } from '../../../../schema/markdown/window.ts'
import { nodesIn } from './operation.ts'

/** A splice of markdown with the blocks it made of [from, to). */
export interface ParsedSplice {
  readonly text: DocumentText
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly blocks: BlockSplice
}

export type ContentFault = 'raw_html' | 'break_in_text' | 'column_added' | 'cell_divided'

export function judgeContent(asked: ParsedSplice): ContentFault | undefined {
  const window = windowOf(asked)
  if (window.md.includes('<')) {
    if (addsHtml(asked)) return 'raw_html'
    if (addBreaks(asked)) return 'break_in_text'
  }
  return window.md.includes('|') ? tableFault(asked, window) : undefined
}

/** The touched blocks as they were asked for, and where the splice is in them. */
interface TouchedText {
  readonly md: string
  readonly from: number
  readonly to: number
  readonly old: readonly Node[]
}

function windowOf({ text, from, to, insert, blocks }: ParsedSplice): TouchedText {
  if (text.blockCount === 0) return { md: insert, from: 0, to: insert.length, old: [] }
  const first = Math.min(blocks.from, text.indexAt(from))
  const last = Math.max(blocks.to - 1, text.indexAt(to))
  const start = text.start(first)
  return {
    md: text.slice(start, from) + insert + text.slice(to, Math.max(to, text.end(last))),
    from: from - start,
    to: from - start + insert.length,
    old: nodesIn(text, first, last + 1),
  }
}

/**
 * Whether the edit brings HTML of its own (§13): a tag or comment of the new text that
 * is not in the old one byte for byte, or more elements than there were. Other text inside HTML
 * that is there may change.
 */
function addsHtml({ text, from, to, insert, blocks }: ParsedSplice): boolean {
  const before = nodesIn(text, blocks.from, blocks.to).flatMap(htmlTags)
  const after = blocks.nodes.flatMap(htmlTags)
  const quoted = text.slice(from, to)
  const added = surplus(before, after)
  if (added.some((tag) => insert.includes(tag) && !quoted.includes(tag))) return true
  return surplus(before.map(nameOfTag), after.map(nameOfTag)).length > 0
}

/** What `after` has and `before` has not, each as often as it is more. */
export function surplus(before: readonly string[], after: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const one of before) left.set(one, (left.get(one) ?? 0) + 1)
  return after.filter((one) => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count <= 0
  })
}

/** `<b`, `</b`, `<!--`: what kind of tag it is, whatever its attributes. */
const nameOfTag = (tag: string): string =>
  /^<(?:\/?[A-Za-z][\w-]*|!--|[!?])/.exec(tag)?.[0].toLowerCase() ?? tag

/** The tags and comments of the HTML in a block. */
export const htmlTags = (node: Node): string[] => htmlSources(node).flatMap(tagsIn)

function tagsIn(source: string): string[] {
  const tags: string[] = []
  for (let at = source.indexOf('<'); at >= 0; at = source.indexOf('<', at)) {
    const end = tagEnd(source, at)
    if (end > at) tags.push(source.slice(at, end))
    at = Math.max(end, at + 1)
  }
  return tags
}

/** Where the tag or comment at `at` ends; there where there is none. */
function tagEnd(source: string, at: number): number {
  if (!/^<[A-Za-z/!?]/.test(source.slice(at, at + 2))) return at
  const close = source.startsWith('<!--', at) ? '-->' : '>'
  const end = source.indexOf(close, at)
  return end < 0 ? source.length : end + close.length
}

function htmlSources(node: Node): string[] {
  if (node.type.name === 'html_block') return [String(node.attrs['source'])]
  const sources: string[] = []
  node.descendants(({ type: { name }, attrs }) => {
    if (name === 'html_block' || name === 'html_inline') sources.push(String(attrs['source']))
  })
  return sources
}

/**
 * Does `insert` write breaks in running text as `<br />`? A word in their place would make none.
 */
function addBreaks(asked: ParsedSplice): boolean {
  const words = withoutInlineBreaks(asked.insert)
  if (words === asked.insert) return false
  const quoted = asked.text.slice(asked.from, asked.to)
  if (countBreaks(asked.insert) <= countBreaks(quoted)) return false
  const { text, from, to } = asked
  const other = reparse(text, { from, to, insert: words })
  return breaksAdded(text, other) < breaksAdded(text, asked.blocks)
}

const countBreaks = (text: string): number => text.match(/<br[ \t]*\/?>/gi)?.length ?? 0

/** `<br />` alone on its line is a spacer and stays; any other break becomes a word. */
function withoutInlineBreaks(insert: string): string {
  const isSpacer = (line: string) => /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*<br \/>[ \t]*$/.test(line)
  const lines = insert.split('\n')
  return lines
    .map((line) => (isSpacer(line) ? line : line.replace(/<br[ \t]*\/?>/gi, 'br')))
    .join('\n')
}

const breaksAdded = (text: DocumentText, { from, to, nodes }: BlockSplice): number =>
  breaksInText(nodes) - breaksInText(nodesIn(text, from, to))

/** Breaks in running text, as against cells and headings, and empty paragraphs. */
function breaksInText(nodes: readonly Node[]): number {
  let count = 0
  const visit = (node: Node): void => {
    if (node.type.name !== 'paragraph') node.forEach(visit)
    else if (node.childCount === 0) count++
    else node.forEach((child) => void (child.type.name === 'hard_break' && count++))
  }
  nodes.forEach(visit)
  return count
}

const hasTable = (node: Node): boolean =>
  node.type.name === 'table' || (!node.inlineContent && node.children.some(hasTable))

/** A `|` that is not escaped: it ends a cell. */
const pipe = /(?<!\\)(?:\\\\)*\|/g
const countPipes = (text: string): number => text.match(pipe)?.length ?? 0

function tableFault(asked: ParsedSplice, window: TouchedText): ContentFault | undefined {
  const { text, from, to, insert, blocks } = asked
  if (!window.old.some(hasTable) && !blocks.nodes.some(hasTable)) return undefined
  const row = rowAround(text, from, to)
  if (row !== undefined) {
    const divides = insert.includes('\n')
    const hasPipes = countPipes(insert) > 0
    if (divides && !hasPipes && !(from === to && isAdjacent(row, insert))) return 'cell_divided'
    if (!divides && hasPipes) return 'column_added'
  }
  return undefined
}

/** A row of a table in the markdown of its top-level block, with a place in it or at its ends. */
interface TableLine {
  readonly md: string
  readonly from: number
  readonly to: number
  readonly at: number
}

/** The row in one of whose cells, or at whose ends, the range lies. */
function rowAround(text: DocumentText, from: number, to: number): TableLine | undefined {
  if (/[\n|]/.test(text.slice(from, to))) return undefined
  const index = text.indexAt(from)
  const start = text.start(index)
  const printed = text.printed(index)
  const holder = printed.lastBlock('from', from - start)
  if (holder?.type !== 'table_row' || to > start + holder.to) return undefined
  return { md: printed.md, from: holder.from, to: holder.to, at: from - start }
}

/** Whether blocks are inserted before the first row of a table, or behind its last one. */
function isAdjacent({ md, from, to, at }: TableLine, insert: string): boolean {
  const isRow = (line: string) => withoutPrefix(line).startsWith('|')
  if (at === from && /\n[ \t>]*\n[ \t>]*$/.test(insert)) {
    const end = md.lastIndexOf('\n', from)
    return end < 0 || !isRow(md.slice(md.lastIndexOf('\n', end - 1) + 1, end))
  }
  if (at !== to || !/^[ \t]*\n[ \t>]*\n/.test(insert)) return false
  const end = md.indexOf('\n', to + 1)
  return !isRow(md.slice(to + 1, end < 0 ? undefined : end))
}

/** Without the markers of what holds the line. */
const withoutPrefix = (line: string): string =>
  line.replace(/^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*/, '').trimEnd()
