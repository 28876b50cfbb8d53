/**
 * Blocks that edits name by id: which block it is, whether it can be addressed, and where its place
 * is when it was deleted. `blk_<index>` is the block at that position among `content_blocks`.
 */
import { hasAddress } from '../../../../schema/addressable.ts'
import { isBlockId } from '../../../../schema/ids.ts'
import type { BlockRange, DocumentText } from '../../../../schema/markdown/document-text.ts'
import { tombstoneFields } from '../../model/block-address.ts'
import { type Failed, noPosition, type PositionContext } from './position.ts'

export const isPositional = (id: string): boolean => id.startsWith('blk_')

/** The durable id of a block that is named by its position, where that is one of the text. */
export function durableId(text: DocumentText, id: string): string | undefined {
  const position = /^blk_(\d{1,9})$/.exec(id)?.[1]
  if (position === undefined) return undefined
  let index = Number(position)
  for (const block of text.blocks()) if (index-- === 0) return block.id ?? undefined
  return undefined
}

export function findTarget(
  { text, tombstones }: Pick<PositionContext, 'text' | 'tombstones'>,
  id: string,
): { readonly block: BlockRange } | Failed {
  if (isPositional(id)) return noPosition('BLOCK_NOT_FOUND')
  if (!isBlockId(id)) return noPosition('BLOCK_ID_NOT_FOUND')
  const block = text.findBlock(id)
  if (block !== undefined) {
    const isAddressed = hasAddress(text.node(block.index), block.pos)
    return isAddressed ? { block } : noPosition('BLOCK_ID_NOT_ADDRESSABLE')
  }
  const place = tombstones.resolve(id)
  if (place === undefined) return noPosition('BLOCK_ID_NOT_FOUND')
  return noPosition('BLOCK_TOMBSTONED', { tombstone: tombstoneFields(place) })
}

/** Items stand among items, rows among rows, all other blocks in each other's places. */
export const kindOf = (type: string): 'item' | 'row' | 'block' => {
  if (type === 'list_item') return 'item'
  return type === 'table_row' ? 'row' : 'block'
}
