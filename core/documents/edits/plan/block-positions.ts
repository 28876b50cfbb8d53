/**
 * Places that block ids name (interface §4.5): the block to delete or to move, the gap to insert or
 * to move into. Null targets are the ends of the document.
 */
import type { BlockRange, DocumentText } from '../../../../schema/markdown/document-text.ts'
import type { BlockInsertEdit, DeleteBlockEdit, MoveBlockEdit } from '../request/edit.ts'
import { findTarget, kindOf } from './block-targets.ts'
import {
  type Destination,
  type Failed,
  noPosition,
  type Position,
  type PositionContext,
} from './position.ts'
import { endOf, startOf } from './text-positions.ts'

export function positionOfDelete(context: PositionContext, edit: DeleteBlockEdit): Position {
  const found = findTarget(context, edit.block)
  if ('kind' in found) return found
  const { block } = found
  return { kind: 'command', command: { kind: 'delete', block }, at: block.from }
}

export function positionOfMove(context: PositionContext, edit: MoveBlockEdit): Position {
  const found = findTarget(context, edit.block)
  if ('kind' in found) return found
  const to = destinationOf(context, edit)
  if ('kind' in to) return to
  const { block } = found
  const fault = moveFault(context.text, block, to)
  if (fault !== undefined) return fault
  return { kind: 'command', command: { kind: 'move', block, to }, at: block.from }
}

export function positionOfInsert(context: PositionContext, edit: BlockInsertEdit): Position {
  const to = destinationOf(context, edit)
  if ('kind' in to) return to
  if ('block' in to && to.side === 'before' && to.block.type === 'front_matter') {
    return noPosition('UNSUPPORTED_NODE_TYPE', { reason: 'front_matter_is_first' })
  }
  const command = {
    kind: 'insert',
    to: behindOthers(context, to),
    markdown: edit.newString,
  } as const
  return { kind: 'command', command, at: offsetOf(context.text, command.to) }
}

type Targets = Pick<BlockInsertEdit, 'afterBlock' | 'beforeBlock'>

function destinationOf(
  context: PositionContext,
  { afterBlock, beforeBlock }: Targets,
): Destination | Failed {
  const [after, before] = [targetOf(context, afterBlock), targetOf(context, beforeBlock)]
  for (const end of [after, before]) if (end && 'kind' in end) return end
  if (after && 'block' in after) {
    if (before && 'block' in before && !isInOrder(after.block, before.block)) {
      return noPosition('BLOCK_ORDER_INVALID')
    }
    return { side: 'after', block: after.block }
  }
  if (before && 'block' in before) return { side: 'before', block: before.block }
  if (afterBlock === null && beforeBlock === null && context.text.length > 0) {
    return noPosition('EDIT_INTENT_AMBIGUOUS', { reason: 'both_ends' })
  }
  return { side: afterBlock === null ? 'start' : 'end' }
}

type Target = { readonly block: BlockRange } | Failed | undefined

function targetOf(context: PositionContext, id: string | null | undefined): Target {
  return id === null || id === undefined ? undefined : findTarget(context, id)
}

/** The second block begins where the first one has ended. */
const isInOrder = (after: BlockRange, before: BlockRange): boolean =>
  before.index > after.index || (before.index === after.index && before.from >= after.to)

/** Why the block cannot go there. */
function moveFault(text: DocumentText, block: BlockRange, to: Destination): Failed | undefined {
  const fault = (reason: string) => noPosition('UNSUPPORTED_NODE_TYPE', { reason })
  if ('block' in to) {
    const isInside =
      to.block.index === block.index &&
      to.block.pos > block.pos &&
      to.block.pos < endPos(text, block)
    if (isInside) return noPosition('EDIT_FAILED', { reason: 'destination_inside_block' })
    if (to.block.type === 'front_matter' && to.side === 'before') {
      return fault('front_matter_is_first')
    }
  }
  if (block.type === 'front_matter') return fault('front_matter_is_first')
  const kind = 'block' in to ? kindOf(to.block.type) : 'block'
  if (kindOf(block.type) !== kind) return fault(`${kindOf(block.type)}_among_${kind}s`)
  const isWide = 'block' in to && kind === 'row' && cellsOf(text, block) !== cellsOf(text, to.block)
  return isWide ? fault('row_of_other_width') : undefined
}

function endPos(text: DocumentText, { index, pos }: BlockRange): number {
  const top = text.node(index)
  return pos + (pos === 0 ? top.nodeSize : (top.nodeAt(pos - 1)?.nodeSize ?? 0))
}

const cellsOf = (text: DocumentText, { index, pos }: BlockRange): number =>
  text.node(index).nodeAt(pos - 1)?.childCount ?? 0

/** The last sibling that others put behind the target since the base, else the target. */
function behindOthers(context: PositionContext, to: Destination): Destination {
  if (!('block' in to) || to.side === 'before') return to
  const { text } = context
  const end = context.behindOthers(to.block.to)
  if (end === to.block.to) return to
  let last = to.block
  for (const next of siblingsAfter(text, to.block)) {
    if (next.to > end) break
    last = next
  }
  return { side: 'after', block: last }
}

function* siblingsAfter(text: DocumentText, block: BlockRange): Generator<BlockRange> {
  if (block.pos === 0) {
    for (let index = block.index + 1; index < text.blockCount; index++) {
      const { type, attrs } = text.node(index)
      const id = (attrs['id'] as string | undefined) ?? null
      yield { id, type: type.name, index, pos: 0, from: text.start(index), to: text.end(index) }
    }
    return
  }
  const start = text.start(block.index)
  let pos = endPos(text, block)
  for (const range of text.printed(block.index).blocks) {
    if (range.pos !== pos) continue
    const next = { ...range, index: block.index, from: start + range.from, to: start + range.to }
    if (range.type !== block.type && kindOf(block.type) !== 'block') return
    yield next
    pos = endPos(text, next)
  }
}

function offsetOf(text: DocumentText, to: Destination): number {
  if (!('block' in to)) return to.side === 'start' ? startOf(text) : endOf(text)
  return to.side === 'after' ? to.block.to : to.block.from
}
