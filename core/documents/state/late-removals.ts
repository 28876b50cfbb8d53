/** Which deletions of a large update may be applied after what came with them. */
import * as Y from 'yjs'
import type { ActorId } from '../../../schema/ids.ts'
import { isText, typeIn } from '../../yjs/items.ts'
import { clockOf, itemsBetween } from '../../yjs/structs.ts'
import type { Authorship } from '../authorship/authorship.ts'
import type { Removal } from '../guard/parting.ts'
import type { BlockIds } from '../model/block-ids.ts'

interface Facts {
  readonly ydoc: Y.Doc
  readonly authorship: Authorship
  readonly blockIds: BlockIds
}

/**
 * Whether an actor's may: the words are the actor's own, so that none of them can be meant to move,
 * and no block that came has the id of a deleted one.
 */
export function mayComeLast(
  { ydoc, authorship, blockIds }: Facts,
  { deleted, ids }: Removal,
  actor: ActorId,
): boolean {
  return deleted.every(({ client, clock, end }) => {
    if (end > clockOf(ydoc, client)) return false
    for (const item of itemsBetween(ydoc, { client, from: clock, to: end })) {
      if (isText(item) && !authorship.isBy(actor, item)) return false
      const type = typeIn(item)
      const id = type instanceof Y.XmlElement ? blockIds.idOf(type) : undefined
      if (id !== undefined && ids.has(id)) return false
    }
    return true
  })
}
