/** An anchor as those who made it are told of it (interface §2.5). */
import type { BlockId } from '../../../schema/ids.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { offsetOfPosition, plainText, positionOfOffset } from '../../../schema/plain-text.ts'
import { shortened } from '../../../schema/shortened.ts'
import type { Anchor, RangeAnchor } from './anchor.ts'
import { nodeOf } from './placed.ts'

export type AnchorSegment = {
  readonly block_id: BlockId
  readonly start_offset: number
  readonly end_offset: number
  readonly quote: string
}

export type WireAnchor = {
  readonly version: 2
  readonly kind: 'block_segments'
  readonly scope: 'range' | 'block'
  readonly segments: readonly AnchorSegment[]
  readonly quote: string
}

/** `maxChars`: of its words, from their beginning; what is kept for a retry has them, too. */
export function wireAnchor(
  text: DocumentText,
  anchor: Anchor,
  { quote, maxChars }: { readonly quote: string; readonly maxChars: number },
): WireAnchor {
  const { scope } = anchor
  const segments = beginningOf(allSegments(text, anchor), maxChars)
  return { version: 2, kind: 'block_segments', scope, segments, quote: shortened(quote, maxChars) }
}

/** Whether all of its words, told or not, are in one. */
export const isInOneBlock = (text: DocumentText, anchor: Anchor): boolean =>
  allSegments(text, anchor).length === 1

const allSegments = (text: DocumentText, anchor: Anchor): readonly AnchorSegment[] =>
  anchor.isLost ? lostSegments(anchor) : segmentsOf(text, anchor)

function beginningOf(segments: readonly AnchorSegment[], maxChars: number): AnchorSegment[] {
  const shown: AnchorSegment[] = []
  let left = maxChars
  for (const segment of segments) {
    if (left <= 0) break
    const quote = shortened(segment.quote, left)
    shown.push({ ...segment, end_offset: segment.start_offset + quote.length, quote })
    left -= quote.length + segmentChars
  }
  return shown
}

/** What a segment takes beside its words, about. */
const segmentChars = 100

/** As it was last. */
function lostSegments(anchor: Anchor): AnchorSegment[] {
  const { words: quote } = anchor
  const start = anchor.scope === 'range' ? anchor.from.offset : 0
  const place = { start_offset: start, end_offset: start + quote.length }
  return [{ block_id: anchor.block, ...place, quote }]
}

function segmentsOf(text: DocumentText, anchor: Anchor): AnchorSegment[] {
  const whole = segment(text, anchor.block)
  if (anchor.scope === 'block') return [whole(0, Number.POSITIVE_INFINITY)]
  const { from, to } = anchor
  if (from.block === to.block) return [segment(text, from.block)(from.offset, to.offset)]
  const [start, end] = [within(text, anchor, 'from'), within(text, anchor, 'to')]
  if (start !== undefined && end !== undefined) return [whole(start, end)]
  return [
    segment(text, from.block)(from.offset, Number.POSITIVE_INFINITY),
    ...between(text, from.block, to.block).map((id) =>
      segment(text, id)(0, Number.POSITIVE_INFINITY),
    ),
    segment(text, to.block)(0, to.offset),
  ]
}

function segment(text: DocumentText, id: BlockId) {
  const block = text.findBlock(id)
  const plain = block === undefined ? '' : plainText(nodeOf(text, block))
  return (start: number, end: number): AnchorSegment => ({
    block_id: id,
    start_offset: start,
    end_offset: Math.min(end, plain.length),
    quote: plain.slice(start, end),
  })
}

/** The offset of an end in the block that holds both; undefined: that one does not hold it. */
function within(
  text: DocumentText,
  { block, from, to }: RangeAnchor,
  end: 'from' | 'to',
): number | undefined {
  const { block: id, offset } = end === 'from' ? from : to
  const [inner, outer] = [text.findBlock(id), text.findBlock(block)]
  if (inner === undefined || outer === undefined || inner.index !== outer.index) return undefined
  const side = end === 'from' ? 'start' : 'end'
  const pos = inner.pos + 1 + positionOfOffset(nodeOf(text, inner), offset, side)
  const node = nodeOf(text, outer)
  const position = pos - outer.pos - 1
  const isInside = position >= 0 && position <= node.content.size && inner.from >= outer.from
  return isInside && inner.to <= outer.to ? offsetOfPosition(node, position) : undefined
}

/** Blocks of the top level behind that of one and before that of another. */
function between(text: DocumentText, from: BlockId, to: BlockId): BlockId[] {
  const [first, last] = [text.findBlock(from)?.index ?? 0, text.findBlock(to)?.index ?? 0]
  const ids: BlockId[] = []
  for (let index = first + 1; index < last; index++) {
    const id: unknown = text.node(index).attrs['id']
    if (typeof id === 'string') ids.push(id as BlockId)
  }
  return ids
}
