/**
 * Parts of a change with the ids of the blocks that they are from then on, so that a later edit of
 * the same request can name them, and what is anchored in them follows.
 */
import { type Part, pairMoved } from '../../../../schema/diff/correspondence.ts'
import { nameBlocks } from '../../../../schema/diff/naming.ts'
import { Refusal } from '../../../../schema/errors.ts'
import { limits } from '../../../../schema/limits.ts'

/** Refuses BROAD_REWRITE when too many blocks moved: each of them is written again. */
export function nameParts(parts: readonly Part[]): Part[] {
  const moved = pairMoved(parts)
  if (moved > limits.movedBlocksPerEdit) {
    throw new Refusal('BROAD_REWRITE', { reason: 'moves_too_many_blocks' })
  }
  return parts.map(({ from, row }) => ({ from, row: nameBlocks(row) }))
}
