/**
 * The window of an edit inside one long list: the touched items with one untouched item on either
 * side, parsed as a list of their own. Right because items are read line by line, so that what is
 * read before the first and behind the last of them cannot change: the outer two must come out as
 * they were, as the ends of one list of the same kind and tightness. Where the list itself begins
 * or ends there need be none, but no list may be beside it; blocks may come behind the items then.
 */
import type { Node } from 'prosemirror-model'
import { sameContent } from '../diff/content.ts'
import { lastAtMost } from './bisect.ts'
import { isHeld, mayContinueList, touches } from './block-span.ts'
import { holdsDefinition } from './document-definitions.ts'
import type { DocumentText } from './document-text.ts'
import { isEmptyParagraph } from './elision.ts'
import { isList, isTight } from './node-attributes.ts'
import { keepOld, markedAs } from './node-sameness.ts'
import type { ParseOptions } from './parse-env.ts'
import { parseMarkdown } from './parser.ts'
import type { NestedRange, PrintedBlock } from './printed.ts'
import type { BlockSplice, TextSplice } from './textblock-splice.ts'
import { effectiveTight } from './tightness.ts'

/** Undefined where the edit is not surely one of items inside a list. */
export function spliceItems(text: DocumentText, splice: TextSplice): BlockSplice | undefined {
  if (text.blockCount === 0) return undefined
  const index = text.indexAt(splice.from)
  const list = text.node(index)
  if (!isList(list)) return undefined
  const start = text.start(index)
  const [from, to] = [splice.from - start, splice.to - start]
  const printed = text.printed(index)
  const ranges = itemRanges(list, printed)
  const starts = ranges.map((range) => range.from)
  const touched = lastIndexAtMost(starts, from - 1)
  const [first, last] = [Math.max(0, touched - 1), lastIndexAtMost(starts, to) + 1]
  const edges = { start: touched < 1, end: last >= list.childCount }
  if (edges.start && joinsBefore(text, index)) return undefined
  if (edges.end && joinsBehind(text, index)) return undefined
  const [head, tail] = [starts[first], edges.end ? printed.md.length : ranges[last]?.to]
  if (from < 0 || to > printed.md.length) return undefined
  const md = printed.md.slice(head, from) + splice.insert + printed.md.slice(to, tail)
  const isClosed = edges.end && index + 1 < text.blockCount
  // Blank lines before the list, and those before the block behind it, are no part of it.
  if (edges.start && /^[ \t]*[\n\r]/.test(md)) return undefined
  if (isClosed && /[\n\r][ \t]*$/.test(md)) return undefined
  if (md.includes(']:')) return undefined
  const options = { start: edges.start && index === 0, definitions: text.definitions, isEdit: true }
  const [read, ...behind] = isClosed
    ? (parseClosed(md, options, text.lead(index + 1)) ?? [])
    : parseMarkdown(`${md}\n`, options).children
  const part = read?.type === list.type ? markedAs(list, read) : undefined
  const old = list.children.slice(first, last + 1)
  if (old.some(holdsDefinition)) return undefined
  const isEnd = edges.end || behind.length === 0
  if (!part || !isEnd || !continues(list, part, { old, edges })) return undefined
  const kept = keepOld(old, part.children)
  const children = list.children.toSpliced(first, old.length, ...kept)
  // It may have been loose for the sake of an item that goes.
  const order = edges.start ? part.attrs['order'] : list.attrs['order']
  const next = list.type.create({ ...list.attrs, order, tight: isTight(part) }, children)
  const isKept = kept.length === old.length && kept.every((item, at) => item === old[at])
  const isUnchanged = isKept && order === list.attrs['order']
  if (isUnchanged && behind.length === 0) return { from: index, to: index, nodes: [] }
  return { from: index, to: index + 1, nodes: [isUnchanged ? list : next, ...behind] }
}

/** Whether the list and what stands before it may be read as one block. */
const joinsBefore = (text: DocumentText, index: number): boolean =>
  index > 0 && (isList(text.node(index - 1)) || touches(text, index))

/** The same of what stands behind it. */
const joinsBehind = (text: DocumentText, index: number): boolean =>
  index + 1 < text.blockCount &&
  (isHeld({ text, last: index }) || mayContinueList(text.printed(index + 1).md))

/** Where the list's own items stand in its markdown, without the blank lines between them. */
function itemRanges(list: Node, { blocks }: PrintedBlock): readonly NestedRange[] {
  const ranges: NestedRange[] = []
  let pos = 1
  for (const block of blocks) {
    if (block.type !== 'list_item' || block.pos !== pos) continue
    pos += list.child(ranges.length).nodeSize
    if (ranges.push(block) === list.childCount) break
  }
  return ranges
}

/** Whether `part`, read by itself, may stand in the list where `old` stood. */
function continues(
  list: Node,
  part: Node,
  {
    old,
    edges,
  }: { readonly old: readonly Node[]; readonly edges: { start: boolean; end: boolean } },
): boolean {
  if (part.type !== list.type || !showsTightness(part)) return false
  if (isTight(part) !== effectiveTight(list)) return false
  const untouched = Number(!edges.start) + Number(!edges.end)
  return (
    part.childCount >= untouched &&
    (edges.start || isSame(part.firstChild, old.at(0))) &&
    (edges.end || isSame(part.lastChild, old.at(-1)))
  )
}

const isSame = (one: Node | null, other: Node | undefined): boolean =>
  one !== null && other !== undefined && sameContent(one, other)

/** A list without a direct paragraph counts as tight however it is written. */
function showsTightness(list: Node): boolean {
  return list.children.some((item) =>
    item.children.some((block) => block.type.name === 'paragraph' && !isEmptyParagraph(block)),
  )
}

const lastIndexAtMost = (ascending: readonly number[], wanted: number): number =>
  lastAtMost(ascending.length, wanted, (index) => ascending[index] ?? 0)

/**
 * Parses some blocks that end before others: only where nothing in them reaches on (an open fence,
 * HTML). What stands behind them is not known here; lists join over a blank line all the same.
 */
export const sentinel = 'Zq0SentinelqZ'

/**
 * The blocks of `md`; undefined if they would swallow what follows: a block behind a blank line, or a
 * heading right below. `lead` is what stands before it: a fence that is left open in a container
 * takes the blank lines behind it.
 */
export function parseClosed(
  md: string,
  options: ParseOptions,
  lead: string,
): readonly Node[] | undefined {
  const isBelow = !/\n[ \t]*\n/.test(lead)
  const behind = isBelow ? `\n# ${sentinel}` : `${lead}${sentinel}`
  const { children: nodes } = parseMarkdown(`${md}${behind}\n`, options)
  const last = nodes.at(-1)
  const closed = last?.type.name === (isBelow ? 'heading' : 'paragraph') && last.childCount === 1
  const plain = closed && last.textContent === sentinel && last.firstChild?.marks.length === 0
  return plain ? nodes.slice(0, -1) : undefined
}
