/** Where a durable block id leads in an open document (interface §4.11). */
import { assertNever, Refusal } from '../../../schema/errors.ts'
import type { BlockFinding } from '../contract.ts'
import { blockAddress } from '../model/block-address.ts'
import type { OpenDocument } from '../open/open-document.ts'

/** Resolves when what it says is on disk. Refuses as `Documents.block` does. */
export async function findBlock(document: OpenDocument, id: string): Promise<BlockFinding> {
  const { revision, text, found } = await document.stored(() => {
    const { text, revision } = document.settle()
    return { text, revision, found: blockAddress(id, text, document.state.tombstones) }
  })
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
