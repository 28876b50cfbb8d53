/**
 * From markdown that somebody names to the characters it stands for (interface §4.6): the quote of
 * a comment, whose markup is part of the match, becomes a range of blocks' plain texts and how much
 * markup is around it.
 */
import { isAddressable } from '../../../schema/addressable.ts'
import { type BlockId, isBlockId } from '../../../schema/ids.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import { offsetOfPosition, type RangeSide } from '../../../schema/plain-text.ts'

export interface Spot {
  readonly block: BlockId
  readonly offset: number
}

/** Characters, and the markup of what was named that stands around them. */
export interface NamedWords {
  readonly from: Spot
  readonly to: Spot
  readonly lead: number
  readonly trail: number
}

/** Undefined: there is no block with an id. */
export function wordsIn(text: DocumentText, { from, to }: TextRange): NamedWords | undefined {
  const [first, last] = [spotAt(text, from, 'start'), spotAt(text, to, 'end')]
  if (first === undefined || last === undefined) return undefined
  const lead = first.offset - from
  const trail = to - last.offset
  return { from: first.spot, to: last.spot, lead, trail }
}

function spotAt(
  text: DocumentText,
  at: number,
  side: RangeSide,
): { readonly spot: Spot; readonly offset: number } | undefined {
  if (text.blockCount === 0) return undefined
  const { index, pos } = text.positionAt(at, side)
  const top = text.node(index)
  const offset = text.offsetAt(index, pos, side)
  const inside = pos - 1
  if (inside < 0 || inside > top.content.size) {
    const id: unknown = top.attrs['id']
    return isBlockId(id) ? { spot: { block: id, offset: 0 }, offset } : undefined
  }
  const $pos = top.resolve(inside)
  for (let depth = $pos.depth; depth >= 0; depth--) {
    const node = $pos.node(depth)
    const id: unknown = node.attrs['id']
    if (!isBlockId(id) || (depth > 0 && !isAddressable(node))) continue
    const position = offsetOfPosition(node, inside - (depth === 0 ? 0 : $pos.start(depth)))
    return { spot: { block: id, offset: position }, offset }
  }
  return undefined
}
