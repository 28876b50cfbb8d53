/**
 * What a durable block id stands for in a document (interface §4.11, §7). An id stands for at most
 * one block: every write that would leave two gives one of them another id before anyone sees it.
 */
import { hasAddress } from '../../../schema/addressable.ts'
import { type BlockId, isBlockId } from '../../../schema/ids.ts'
import type { BlockRange, DocumentText } from '../../../schema/markdown/document-text.ts'
import type { FormerPosition, Tombstones } from './tombstones.ts'

export type BlockAddress =
  | { readonly kind: 'block'; readonly id: BlockId; readonly block: BlockRange }
  /** A nested list or quote, or a table's header row. */
  | { readonly kind: 'wrapper' }
  | { readonly kind: 'deleted'; readonly id: BlockId; readonly place: FormerPosition }
  /** No id of a block that stands or that was deleted recently. */
  | { readonly kind: 'unknown' }

/** `text` and `tombstones` are of one moment. */
export function blockAddress(id: string, text: DocumentText, tombstones: Tombstones): BlockAddress {
  if (!isBlockId(id)) return { kind: 'unknown' }
  const block = text.findBlock(id)
  if (block !== undefined) {
    const isAddressed = hasAddress(text.node(block.index), block.pos)
    return isAddressed ? { kind: 'block', id, block } : { kind: 'wrapper' }
  }
  const place = tombstones.resolve(id)
  return place === undefined ? { kind: 'unknown' } : { kind: 'deleted', id, place }
}

/** As the wire spells it (extensions §4). */
export interface TombstoneFields {
  readonly deleted_at_revision: number
  readonly nearest_survivor_id: BlockId | null
  readonly nearest_survivor_relation: 'after' | 'before'
}

export const tombstoneFields = (place: FormerPosition): TombstoneFields => ({
  deleted_at_revision: place.deletedAtRevision,
  nearest_survivor_id: place.survivor,
  nearest_survivor_relation: place.relation,
})
