/**
 * Markdown offsets and document positions of one printed block, each way. A unit is what a
 * segment maps: a stretch of text, or an entity or an inline leaf, which is entered only as a
 * whole; a block without text is one unit. Markup and prefixes are no units: the start of a range
 * moves to the next unit, its end to the previous one. Positions count from before the block (its
 * content begins at 1); offsets count from the start of the block's markdown.
 */
import { lastAtMost } from './bisect.ts'
import type { Segment } from './printed.ts'
import type { ChunkBlock } from './text-chunk.ts'

/** Which end of a range an offset or a position is. */
export type Side = 'start' | 'end'

/** The units of a block in order; never empty. */
function unitsOf({ node, printed }: ChunkBlock): readonly Segment[] {
  if (printed.segments.length > 0) return printed.segments
  return [{ md: 0, mdLength: printed.md.length, pos: 0, length: node.nodeSize }]
}

const isPlain = (unit: Segment): boolean => unit.mdLength === unit.length

/** The position at an offset; undefined when no unit of the block lies on that side. */
export function positionIn(block: ChunkBlock, offset: number, side: Side): number | undefined {
  const units = unitsOf(block)
  if (side === 'end') {
    const unit = units[lastAtMost(units.length, offset - 1, (index) => units[index]?.md ?? 0)]
    if (!unit) return undefined
    if (offset >= unit.md + unit.mdLength) return unit.pos + unit.length
    return isPlain(unit) ? unit.pos + offset - unit.md : unit.pos
  }
  const before = lastAtMost(units.length, offset, (index) => {
    const unit = units[index]
    return unit ? unit.md + unit.mdLength : 0
  })
  const unit = units[before + 1]
  if (!unit) return undefined
  if (offset <= unit.md) return unit.pos
  return isPlain(unit) ? unit.pos + offset - unit.md : unit.pos + unit.length
}

/** The first and the last position that an offset of the block can have. */
export function edgePositions(block: ChunkBlock): {
  readonly first: number
  readonly last: number
} {
  const units = unitsOf(block)
  const last = units.at(-1)
  return { first: units[0]?.pos ?? 0, last: last ? last.pos + last.length : 0 }
}

/**
 * The offset of a position. At the start of an escaped character this is its backslash, which
 * belongs to it.
 */
export function offsetIn(block: ChunkBlock, pos: number, side: Side): number {
  const units = unitsOf(block)
  if (side === 'end') {
    const unit = units[lastAtMost(units.length, pos - 1, (index) => units[index]?.pos ?? 0)]
    if (!unit) return units[0]?.md ?? 0
    if (pos >= unit.pos + unit.length) return unit.md + unit.mdLength
    return isPlain(unit) ? unit.md + pos - unit.pos : unit.md
  }
  const before = lastAtMost(units.length, pos, (index) => {
    const unit = units[index]
    return unit ? unit.pos + unit.length : 0
  })
  const unit = units[before + 1]
  if (!unit) return block.printed.md.length
  if (pos > unit.pos) return isPlain(unit) ? unit.md + pos - unit.pos : unit.md + unit.mdLength
  const previous = units[before]
  const free = previous ? previous.md + previous.mdLength : 0
  const escaped = unit.md > free && block.printed.md[unit.md - 1] === '\\'
  return escaped ? unit.md - 1 : unit.md
}
