/**
 * What a Yjs transaction that still runs, or has just ended, brought and deleted, in items; and the
 * smallest things that one can write.
 */
import * as Y from 'yjs'
import { type Item, isItem, type SharedType } from '../../schema/yjs/items.ts'
import { clockOf, indexOfClock, itemsBetween, structsOf } from '../../schema/yjs/structs.ts'
import type { DeletedClocks } from './deletions.ts'

/** The first clock of a client that the transaction brought, or will. */
export const clockBefore = ({ beforeState }: Y.Transaction, client: number): number =>
  beforeState.get(client) ?? 0

/** Whether a running transaction brought the item. */
export const isNew = (transaction: Y.Transaction, item: Item): boolean =>
  item.id.clock >= clockBefore(transaction, item.id.client)

/** The same of every client that had any. */
export const clocksBefore = ({ beforeState }: Y.Transaction): ReadonlyMap<number, number> =>
  beforeState

export const newItems = (transaction: Y.Transaction, client: number): Generator<Item> =>
  itemsBetween(transaction.doc, {
    client,
    from: clockBefore(transaction, client),
    to: clockOf(transaction.doc, client),
  })

/** What it deleted so far, by client; Yjs's own lists, to which it only appends meanwhile. */
export const deletedRanges = (
  transaction: Y.Transaction,
): ReadonlyMap<number, readonly DeletedClocks[]> => transaction.deleteSet.clients

/** While it runs. */
export function* deletedItems(transaction: Y.Transaction): Generator<Item> {
  for (const [client, ranges] of transaction.deleteSet.clients) {
    const structs = structsOf(transaction.doc, client)
    for (const { clock, len } of ranges) {
      for (let index = indexOfClock(structs, clock); index < structs.length; index += 1) {
        const struct = structs[index]
        if (struct === undefined || struct.id.clock >= clock + len) break
        if (isItem(struct)) yield struct
      }
    }
  }
}

/** Before Yjs collects them; also divides what was deleted in part. */
export function eachDeleted(transaction: Y.Transaction, visit: (item: Item) => void): void {
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
    if (struct instanceof Y.Item) visit(struct)
  })
}

export const deleteItem = (transaction: Y.Transaction, item: Item): void =>
  (item as Y.Item).delete(transaction)

/** Deletes a type in O(1); `delete(index)` of its parent would walk to it. */
export const deleteType = (transaction: Y.Transaction, type: SharedType): void =>
  type._item?.delete(transaction)

/** Divides the item that has a clock where that begins; answers the part from there on. */
export const dividedAt = (transaction: Y.Transaction, client: number, clock: number): Item =>
  Y.getItemCleanStart(transaction, Y.createID(client, clock))
