/**
 * What nothing stands for, though something that stood beside it or in it stands elsewhere: formats
 * and tombstones of a text that is gone, items that were taken out of a list, lists that were left
 * empty. What is typed or made beside one goes where it stood. Entered in the transaction that
 * wrote the clones, while Yjs still has the chains of what is gone.
 */
import * as Y from 'yjs'
import { firstItem, type Item, idOf, itemAround, typeIn } from '../../../schema/yjs/items.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import type { Move, RedirectTable } from './redirect-table.ts'

/** Anchors what is around these items, and gone, and what is beside them in it. */
export function redirectGone(
  table: RedirectTable,
  originals: Iterable<Item | undefined>,
  move: Move,
): void {
  const gone = new Set<Holder>()
  for (const original of originals) enterHolders(table, original, { move, gone })
  for (const holder of gone) redirectRow(table, holder, { move, gone })
}

type Holder = Y.XmlElement | Y.XmlText

interface Gone {
  readonly move: Move
  /** What is still to be looked into, too. */
  readonly gone: Set<Holder>
}

function holderIn(item: Item): Holder | undefined {
  const type = typeIn(item)
  return type instanceof Y.XmlElement || type instanceof Y.XmlText ? type : undefined
}

/** From the innermost on, each right of what it held. */
function enterHolders(
  table: RedirectTable,
  original: Item | undefined,
  { move, gone }: Gone,
): void {
  let held: StructId | undefined
  for (let item = original; item?.deleted; ) {
    const holder = holderIn(item)
    if (holder) {
      if (gone.has(holder)) return
      gone.add(holder)
      table.add(item.id, { length: 1, move, copy: undefined, after: held, isLate: false })
    }
    held = item.id
    item = itemAround(item) ?? undefined
  }
}

/**
 * Each right of the one before it, the first at the start of what held them; also what was left
 * empty there before, when all that it was known by was what had been in it.
 */
function redirectRow(table: RedirectTable, holder: Holder, { move, gone }: Gone): void {
  const holderId = idOf(holder)
  const isMoved = holderId !== undefined && table.at(holderId)?.copy !== undefined
  let after = holderId
  for (let item = firstItem(holder); item !== null; item = item.right) {
    const { id, length } = item
    const known = table.at(id)
    if (known === undefined) {
      table.add(id, { length, move, copy: undefined, after, isLate: false })
    } else if (isMoved && known.move !== move && after) table.setAfter(id, after)
    after = item.lastId
    const text = holderIn(item)
    if (text instanceof Y.XmlText) gone.add(text)
  }
}
