/**
 * Where markers stand: those that begin a block (`##`, `12.`, a fence), and those around marked text
 * (`**`). A text that somebody quotes has whole markers: `# x` is not meant where `## x` stands.
 * Knows the blocks of a text; changes nothing.
 */
import type { DocumentText } from './document-text.ts'
import type { TextRange } from './printed.ts'

/** Whether one end of the range lies inside a marker, or both inside those around its text. */
export const cutsMarker = (text: DocumentText, { from, to }: TextRange): boolean =>
  isInMarker(text, from) || isInMarker(text, to) || cutsBothSides(text, from, to)

const pair = /^(?:##|\d[\d.)]|``|~~)$/

function isInMarker(text: DocumentText, offset: number): boolean {
  if (offset <= 0 || !pair.test(text.slice(offset - 1, offset + 1))) return false
  const index = text.indexAt(offset)
  const within = offset - text.start(index)
  const printed = text.printed(index)
  const block = printed.lastBlock('from', within)
  if (block === undefined) return false
  const head = printed.md.slice(block.from, within + longestChars)
  const marker = blockMarkers[block.type]?.exec(head)?.[0] ?? ''
  return block.from < within && within < block.from + marker.length
}

/** How a block of each type begins. */
const blockMarkers: Readonly<Record<string, RegExp | undefined>> = {
  heading: /^#{1,6}/,
  list_item: /^\d{1,9}[.)]/,
  code_block: /^(?:`+|~+)/,
}

/** How far a marker is looked at behind the offset. */
const longestChars = 16

/** `*x*` in `**x**`: the range would leave half of each marker. Of three signs either is whole. */
function cutsBothSides(text: DocumentText, from: number, to: number): boolean {
  const sign = text.slice(from, from + 1)
  if (from === 0 || to - from < 3 || !'*_~`'.includes(sign)) return false
  const is = (offset: number) => offset >= 0 && text.slice(offset, offset + 1) === sign
  const isInner = is(from - 1) && is(to - 1) && is(to)
  const isLonger = is(from + 1) || is(to - 2) || is(from - 2) || is(to + 1)
  return isInner && (sign === '`' || !isLonger) && !isCode(text, from)
}

function isCode(text: DocumentText, offset: number): boolean {
  const index = text.indexAt(offset)
  const block = text.printed(index).lastBlock('from', offset - text.start(index))
  return block?.type === 'code_block'
}

/** What may stand in a line before a block in it. */
const beforeBlock = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+|>[ \t>]*)?)*$/

/** Longer prefixes are no place for blocks. */
const prefixMaxChars = 1024

/** The line up to an offset; of a very long one its end. */
export function lineBefore(text: DocumentText, offset: number): string {
  const before = text.slice(Math.max(0, offset - prefixMaxChars), offset)
  return before.slice(before.lastIndexOf('\n') + 1)
}

/** The column of a block that begins at `offset`; undefined where text stands before it. */
export function columnOf(text: DocumentText, offset: number): number | undefined {
  const before = lineBefore(text, offset)
  return beforeBlock.test(before) ? before.length : undefined
}

const opening = /^(?:#{1,6}|[-+*>]|\d{1,9}[.)]|`{3,}|~{3,})(?:\s|$)/

/** Whether a text begins with the marker of a block. */
export const opensBlock = (md: string): boolean => opening.test(md)
