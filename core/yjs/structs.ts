/**
 * Finding structs in a Y.Doc's store and the places they have in texts; nothing here writes.
 */
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import type { StructId } from './struct-id.ts'

type Store = Y.Doc['store']

function structAt(store: Store, { client, clock }: StructId) {
  const structs = store.clients.get(client)
  if (structs === undefined || clock >= Y.getState(store, client)) return undefined
  return structs[Y.findIndexSS(structs, clock)]
}

export function itemAt(store: Store, id: StructId): Y.Item | undefined {
  const struct = structAt(store, id)
  return struct instanceof Y.Item ? struct : undefined
}

export function typeAt(store: Store, id: StructId): Y.AbstractType<unknown> | undefined {
  const content = itemAt(store, id)?.content
  return content instanceof Y.ContentType ? content.type : undefined
}

function* itemsOf(structs: readonly unknown[], from: number): Generator<Y.Item> {
  for (let index = from; index < structs.length; index++) {
    const struct = structs[index]
    if (struct instanceof Y.Item) yield struct
  }
}

export function itemsFrom(store: Store, client: number, clock: number): Y.Item[] {
  const structs = store.clients.get(client)
  if (structs === undefined || clock >= Y.getState(store, client)) return []
  return [...itemsOf(structs, Y.findIndexSS(structs, clock))].filter(
    (item) => item.id.clock >= clock,
  )
}

/**
 * The texts that hold two characters, or the first ones that two elements hold; where nothing was
 * left to copy of a text, the element that would hold it.
 */
export function holderOf(
  original: Y.Item | undefined,
  copy: Y.Item | undefined,
): { readonly original: Y.XmlText; readonly copy: Y.XmlText | Y.XmlElement } | undefined {
  const [from, to] = [textOf(original), textOf(copy) ?? emptyElement(copy)]
  return from && to && { original: from, copy: to }
}

function emptyElement(item: Y.Item | undefined): Y.XmlElement | undefined {
  const type = item?.content instanceof Y.ContentType ? item.content.type : undefined
  return type instanceof Y.XmlElement && type.length === 0 ? type : undefined
}

function textOf(item: Y.Item | undefined): Y.XmlText | undefined {
  if (item?.parent instanceof Y.XmlText) return item.parent
  const type = item?.content instanceof Y.ContentType ? item.content.type : undefined
  const first = type instanceof Y.XmlElement ? type._start : undefined
  const held = first?.content instanceof Y.ContentType ? first.content.type : undefined
  return held instanceof Y.XmlText ? held : undefined
}

/** Whether it was born dead, for what should hold it is gone. */
export function isLost(store: Store, { id }: Y.Item): boolean {
  return structAt(store, id)?.deleted === true
}

/**
 * Where a character stands in its text, `behind` 1 for behind it; also where a deleted one stood.
 */
export function positionOf(
  store: Store,
  id: StructId,
  behind: 0 | 1,
): { readonly text: Y.XmlText; readonly index: number } | undefined {
  const item = itemAt(store, id)
  if (item === undefined || !(item.parent instanceof Y.XmlText)) return undefined
  let index = item.deleted || !item.countable ? 0 : id.clock - item.id.clock + behind
  for (let left = item.left; left !== null; left = left.left) {
    if (!left.deleted && left.countable) index += left.length
  }
  return { text: item.parent, index }
}

/** What stands left of a position in a text: its character, or the text itself at the start. */
export function leftOf(text: Y.XmlText, index: number): StructId | undefined {
  let left: StructId | undefined = text._item?.id
  let passed = 0
  for (let item = text._start; item !== null && passed < index; item = item.right) {
    if (item.deleted || !item.countable) continue
    const length = Math.min(item.length, index - passed)
    left = { client: item.id.client, clock: item.id.clock + length - 1 }
    passed += length
  }
  return left
}

/** An update that only deletes these structs. */
export function deletionOf(ids: readonly StructId[]): Uint8Array {
  const byClient = new Map<number, Set<number>>()
  for (const { client, clock } of ids) {
    const clocks = byClient.get(client) ?? new Set()
    byClient.set(client, clocks.add(clock))
  }
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, 0)
  encoding.writeVarUint(encoder, byClient.size)
  for (const [client, clocks] of byClient) {
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, clocks.size)
    for (const clock of clocks) {
      encoding.writeVarUint(encoder, clock)
      encoding.writeVarUint(encoder, 1)
    }
  }
  return encoding.toUint8Array(encoder)
}
