/**
 * What a durable block id stands for in a document (interface §4.11, §7). An id stands for at most
 * one block: every write that would leave two gives one of them another id before anyone sees it.
 */
import { hasAddress } from '../../schema/addressable.ts'
import { assertNever, Refusal } from '../../schema/errors.ts'
import { type BlockId, isBlockId } from '../../schema/ids.ts'
import type { BlockRange, DocumentText } from '../../schema/markdown/document-text.ts'
import type { BlockFinding, RestingPlace } from './contract.ts'
import type { OpenDocument } from './open/open-document.ts'
import type { Tombstones } from './tombstones.ts'

export type BlockAddress =
  | { readonly kind: 'block'; readonly id: BlockId; readonly block: BlockRange }
  /** A nested list or quote, or a table's header row. */
  | { readonly kind: 'wrapper' }
  | { readonly kind: 'deleted'; readonly id: BlockId; readonly place: RestingPlace }
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

/** Resolves when what it says is on disk. Refuses as `Documents.block` does. */
export async function findBlock(document: OpenDocument, id: string): Promise<BlockFinding> {
  const { revision, text, found } = await document.exclusive.whenFree(() => {
    const { text, revision } = document.settle()
    return { text, revision, found: blockAddress(id, text, document.tombstones) }
  })
  await document.durable()
  switch (found.kind) {
    case 'block': {
      const { from, to } = found.block
      const quote = text.slice(from, to)
      return { kind: 'block', id: found.id, revision, range: { from, to }, quote }
    }
    case 'deleted':
      return { kind: 'deleted', id: found.id, revision, place: found.place }
    case 'wrapper':
      throw new Refusal('BLOCK_ID_NOT_ADDRESSABLE', { revision })
    case 'unknown':
      throw new Refusal('BLOCK_ID_NOT_FOUND', { revision })
    default:
      return assertNever(found)
  }
}

/** As the wire spells it (extensions §4). */
export interface TombstoneFields {
  readonly deleted_at_revision: number
  readonly nearest_survivor_id: BlockId | null
  readonly nearest_survivor_relation: 'after' | 'before'
}

export const tombstoneFields = (place: RestingPlace): TombstoneFields => ({
  deleted_at_revision: place.deletedAtRevision,
  nearest_survivor_id: place.survivor,
  nearest_survivor_relation: place.relation,
})
