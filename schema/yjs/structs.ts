/** Finding structs in the store of a Y.Doc, by client and clock; nothing here writes. */
import * as Y from 'yjs'
import { type Item, isItem, type SharedType, type Struct, typeIn } from './items.ts'
import type { ClockRange, StructId } from './struct-id.ts'

/** The shared type that the document has under a name, if anybody asked for one. */
export const rootOf = (doc: Y.Doc, name: string): SharedType | undefined =>
  doc.share.get(name) as SharedType | undefined

/** Who has structs in the document. */
export const clientsOf = (doc: Y.Doc): Iterable<number> => doc.store.clients.keys()

/** The first clock of a client that is not in the document. */
export const clockOf = (doc: Y.Doc, client: number): number => Y.getState(doc.store, client)

export const isIn = (doc: Y.Doc, { client, clock }: StructId): boolean =>
  clock < Y.getState(doc.store, client)

/** The structs of a client in the order of their clocks, without holes. Yjs's own list. */
export const structsOf = (doc: Y.Doc, client: number): readonly Struct[] =>
  doc.store.clients.get(client) ?? noStructs

const noStructs: readonly Struct[] = []

/** The index of the struct that has a clock, which must be there. */
export const indexOfClock = (structs: readonly Struct[], clock: number): number =>
  Y.findIndexSS(structs as Y.Item[], clock)

/** How many there are of all clients. */
export function countStructs(doc: Y.Doc): number {
  let count = 0
  for (const structs of doc.store.clients.values()) count += structs.length
  return count
}

export function structAt(doc: Y.Doc, { client, clock }: StructId): Struct | undefined {
  const structs = doc.store.clients.get(client)
  if (structs === undefined || clock >= Y.getState(doc.store, client)) return undefined
  return structs[Y.findIndexSS(structs, clock)]
}

export function itemAt(doc: Y.Doc, id: StructId): Item | undefined {
  const struct = structAt(doc, id)
  return isItem(struct) ? struct : undefined
}

export const typeAt = (doc: Y.Doc, id: StructId): SharedType | undefined => typeIn(itemAt(doc, id))

/** The items of a client between two clocks; both must be ends of structs, or 0 or the state. */
export function* itemsBetween(doc: Y.Doc, { client, from, to }: ClockRange): Generator<Item> {
  const structs = doc.store.clients.get(client)
  if (structs === undefined || from >= to) return
  for (let index = Y.findIndexSS(structs, from); index < structs.length; index += 1) {
    const struct = structs[index]
    if (struct === undefined || struct.id.clock >= to) return
    if (struct instanceof Y.Item) yield struct
  }
}

/** What of an update the document lacks; the items are not put anywhere yet. */
export function unknownItems(doc: Y.Doc, update: Uint8Array): readonly Item[] {
  return Y.decodeUpdate(update).structs.filter(
    (struct): struct is Y.Item => struct instanceof Y.Item && !isIn(doc, struct.id),
  )
}

/** Something that was applied refers to what was not. */
export function lacksStructs({ store }: Y.Doc): boolean {
  return store.pendingStructs !== null || store.pendingDs !== null
}
