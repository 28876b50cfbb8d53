/**
 * The stretch of top-level blocks that a splice of the markdown is read with: which it touches,
 * what they say with it, and what is left to write once they were parsed. How far a stretch has to
 * grow is for those to say who parse it.
 */
import type { Node } from 'prosemirror-model'
import { commonEnds } from '../diff/ends.ts'
import type { DocumentText } from './document-text.ts'
import { gapOf } from './gaps.ts'
import { isList } from './node-attributes.ts'
import { keepOld } from './node-sameness.ts'
import { isIndentedCode, isSetext, spellingOf } from './spelling.ts'
import type { BlockSplice, TextSplice } from './textblock-splice.ts'

/** Top-level blocks by index, both included. */
export interface BlockSpan {
  readonly first: number
  readonly last: number
}

/** Such blocks with the text that they are to say. */
export interface Window extends BlockSpan {
  readonly text: DocumentText
  readonly md: string
}

/** Whether a block stands right below the one before it. */
export const touches = (text: DocumentText, index: number): boolean =>
  text.lead(index).trim() === '' && text.lead(index).split('\n').length <= 2

/** Whether the window may go on what stands before it. */
export function reachesBack({ text, first, md }: Window): boolean {
  const before = text.node(first - 1)
  if (isList(before)) return mayContinueList(md) || touches(text, first)
  if (isIndentedCode(before)) return isIndented(md) || touches(text, first)
  return touches(text, first) && !endsItself(before)
}

/** Whatever stands right below such a block, it is none of it. */
const endsItself = (block: Node): boolean =>
  block.type.name === 'heading' || block.type.name === 'horizontal_rule' || isFenced(block)

const isFenced = (block: Node): boolean =>
  block.type.name === 'front_matter' || block.type.name === 'code_block'

/** Whether what stands right behind the window could be read as more of it. */
export const isHeld = ({ text, last }: Pick<Window, 'text' | 'last'>): boolean =>
  touches(text, last + 1) && !interrupts(text.node(last + 1))

/** Such a block begins in its line, unless a block before it swallows whatever comes. */
function interrupts(block: Node): boolean {
  if (block.type.name === 'horizontal_rule') return !/^[- \t]*$/.test(spellingOf(block) ?? '')
  if (block.type.name === 'code_block') return !isIndentedCode(block)
  return block.type.name === 'heading' && !isSetext(block)
}

/** Those a splice touches; both neighbours of a touched gap, and one that is not seen. */
export function touchedBlocks(text: DocumentText, { from, to }: TextSplice): BlockSpan {
  const end = text.blockCount - 1
  const first = text.indexAt(from)
  const last = text.indexAt(to)
  const reaches = last < end && (to > text.end(last) || text.printed(last + 1).md === '')
  return { first, last: reaches ? last + 1 : last }
}

/** The markdown of the blocks with the splice. */
export function splicedText(
  text: DocumentText,
  splice: TextSplice,
  { first, last }: BlockSpan,
): string {
  const end = last === text.blockCount - 1 ? text.length : text.end(last)
  const begin = first === 0 ? 0 : text.start(first)
  return text.slice(begin, splice.from) + splice.insert + text.slice(splice.to, end)
}

/** Indented, an item, or blank: the line may belong to a list before the blank line before it. */
export function mayContinueList(md: string): boolean {
  const [, indent, word] = /^(?:[ \t]*[\r\n])*([ \t]*)([^\s]{0,11})/.exec(md) ?? []
  return indent !== '' || word === undefined || /^(?:[-+*]|\d{1,9}[.)])?$/.test(word)
}

/** As deep as code: the line may belong to code before the blank line before it. */
export const isIndented = (md: string): boolean => /^(?:[ \t]*[\r\n])*(?: {4}| {0,3}\t)/.test(md)

/** What is left to write: old nodes that say the same stay, those at either end unmentioned. */
export function changedBlocks(
  text: DocumentText,
  { first, last }: BlockSpan,
  parsed: readonly Node[],
): BlockSplice {
  const old = Array.from({ length: last - first + 1 }, (_, index) => text.node(first + index))
  const nodes = keepOld(old, first === 0 ? parsed : behindGap(parsed, text.lead(first)))
  const { front, back } = commonEnds(old, nodes)
  const kept = nodes.slice(front, nodes.length - back)
  return { from: first + front, to: first + old.length - back, nodes: kept }
}

/** Before the first of them stands what stood there, which is not in their text, and stays. */
function behindGap(nodes: readonly Node[], lead: string): readonly Node[] {
  const [node, ...rest] = nodes
  if (node === undefined || !('gap' in node.attrs)) return nodes
  const lines = lead.slice(1) + (gapOf(node) ?? '')
  const gap = lines === '\n' ? null : lines
  if (gap === gapOf(node)) return nodes
  return [node.type.create({ ...node.attrs, gap }, node.content), ...rest]
}
