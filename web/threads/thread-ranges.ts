/**
 * From where the service says the words of a thread are (a block's id and an offset in its plain
 * text) to positions of the document, and back. Pure: it looks at a document and keeps nothing.
 */
import type { Node, ResolvedPos } from 'prosemirror-model'
import { isAddressable } from '../../schema/addressable.ts'
import {
  nearestIndexOf,
  offsetOfPosition,
  plainText,
  positionOfOffset,
} from '../../schema/plain-text.ts'
import type { Place, Thread } from '../api/threads.ts'
import type { DocRange } from '../editor/model/doc-range.ts'

/** What a thread is about in the document that is open. */
export interface ThreadRange extends DocRange {
  /** The block as a whole, from before it to behind it. */
  readonly isBlock: boolean
}

/** What says where a thread's words are. */
export type ThreadAnchor = Pick<Thread, 'place' | 'block_id'>

interface Block {
  readonly node: Node
  readonly pos: number
}

/** The blocks of these threads, found in one walk. */
export function blocksOf(doc: Node, threads: readonly ThreadAnchor[]): ReadonlyMap<string, Block> {
  const wanted = new Set<string>()
  for (const { place, block_id: id } of threads) {
    if (place !== null) wanted.add(place.from.block_id).add(place.to.block_id)
    else if (id !== null) wanted.add(id)
  }
  const found = new Map<string, Block>()
  if (wanted.size === 0) return found
  doc.descendants((node, pos) => {
    const id: unknown = node.attrs['id']
    if (typeof id === 'string' && wanted.has(id) && !found.has(id)) found.set(id, { node, pos })
    return found.size < wanted.size && !node.inlineContent
  })
  return found
}

/** Undefined: its words are not in this document, or not as the service has them. */
export function rangeOf(
  blocks: ReadonlyMap<string, Block>,
  { place, block_id: id }: ThreadAnchor,
): ThreadRange | undefined {
  if (place === null) {
    const block = id === null ? undefined : blocks.get(id)
    if (block === undefined) return undefined
    return { from: block.pos, to: block.pos + block.node.nodeSize, isBlock: true }
  }
  const [first, last] = [blocks.get(place.from.block_id), blocks.get(place.to.block_id)]
  if (first === undefined || last === undefined) return undefined
  const range = first === last ? withinBlock(first, place) : acrossBlocks(first, last, place)
  return range && range.from < range.to ? { ...range, isBlock: false } : undefined
}

/** As long as an offset is not one's own, typed words may have pushed it along. */
function withinBlock({ node, pos }: Block, { from, to, words }: Place): DocRange | undefined {
  const offset = nearestIndexOf(plainText(node), words, from.offset)
  if (offset === undefined) return undefined
  const end = offset + to.offset - from.offset
  return {
    from: pos + 1 + positionOfOffset(node, offset, 'start'),
    to: pos + 1 + positionOfOffset(node, end, 'end'),
  }
}

function acrossBlocks(first: Block, last: Block, { from, to, words }: Place): DocRange | undefined {
  const begins = plainText(first.node).slice(from.offset).slice(0, words.length)
  if (begins === '' || !words.startsWith(begins)) return undefined
  return {
    from: first.pos + 1 + positionOfOffset(first.node, from.offset, 'start'),
    to: last.pos + 1 + positionOfOffset(last.node, to.offset, 'end'),
  }
}

/** How the service is told of these characters; undefined where there are none. */
export function placeOf(doc: Node, range: DocRange): Place | undefined {
  const { from, to } = withoutBlanks(doc, range)
  if (from >= to) return undefined
  const [start, end] = [endAt(doc.resolve(from)), endAt(doc.resolve(to))]
  if (start === undefined || end === undefined) return undefined
  const words = plainBetween(doc, { from, to })
  return { from: start, to: end, words }
}

/** The plain text of a range, as the service counts and compares it. */
export const plainBetween = (doc: Node, { from, to }: DocRange): string =>
  doc.textBetween(from, to, '\n', (leaf) => (leaf.type.name === 'hard_break' ? '\n' : '\ufffc'))

function endAt($pos: ResolvedPos): Place['from'] | undefined {
  for (let depth = $pos.depth; depth > 0; depth--) {
    const node = $pos.node(depth)
    const id: unknown = node.attrs['id']
    if (typeof id !== 'string' || (depth > 1 && !isAddressable(node))) continue
    return { block_id: id, offset: offsetOfPosition(node, $pos.pos - $pos.start(depth)) }
  }
  return undefined
}

/** What a selection has of blanks and empty blocks at its ends is not meant. */
function withoutBlanks(doc: Node, range: DocRange): DocRange {
  let [from, to] = [range.to, range.from]
  doc.nodesBetween(range.from, range.to, (node, pos) => {
    if (!node.isInline) return true
    const text = node.text ?? (node.type.name === 'hard_break' ? ' ' : 'x')
    for (let at = 0; at < text.length; at++) {
      const position = pos + at
      const isMeant = position >= range.from && position < range.to && /\S/.test(text[at] ?? '')
      if (!isMeant) continue
      from = Math.min(from, position)
      to = Math.max(to, position + 1)
    }
    return false
  })
  return { from, to }
}
