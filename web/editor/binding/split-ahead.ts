/**
 * Divides the items of Yjs where many texts are going to be spliced, all of one client in one pass.
 * Yjs itself moves the rest of a client's list aside for each: a word replaced in each of ten
 * thousand blocks took seconds. The service has its own (core/ and web/ share no Yjs).
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { textEnds } from '../../../schema/diff/ends.ts'

/** Fewer are as quickly divided one by one. */
const splicesMin = 50

export interface Splice {
  readonly text: Y.XmlText
  readonly old: Node
  readonly next: Node
}

/** Afterwards an item begins, and ends, where these texts differ. Runs inside a transaction. */
export function splitAhead(doc: Y.Doc, splices: readonly Splice[]): void {
  if (splices.length < splicesMin) return
  const clocks = new Map<number, number[]>()
  for (const { text, old, next } of splices) {
    const [before, after] = [old.textContent, next.textContent]
    const { front, back } = textEnds(before, after)
    for (const { client, clock } of placesIn(text, [front, before.length - back])) {
      const own = clocks.get(client)
      if (own === undefined) clocks.set(client, [clock])
      else own.push(clock)
    }
  }
  doc.transact((transaction) => {
    for (const [client, own] of clocks) splitAll(transaction, client, own)
  })
}

/** The ids of the characters at these offsets, of which none is smaller than the one before it. */
function placesIn(text: Y.XmlText, offsets: readonly number[]): Y.ID[] {
  const places: Y.ID[] = []
  let end = 0
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !item.countable) continue
    const start = end
    end += item.length
    for (const offset of offsets) {
      if (offset <= start || offset >= end) continue
      places.push(Y.createID(item.id.client, item.id.clock + offset - start))
    }
  }
  return places
}

type Structs = (Y.Item | Y.GC)[]

/** Each of these is within an item of the client. */
function splitAll(transaction: Y.Transaction, client: number, clocks: readonly number[]): void {
  const { clients } = transaction.doc.store
  const structs = clients.get(client) as Structs
  const divided: Structs = []
  let next = 0
  for (const clock of clocks.toSorted((a, b) => a - b)) {
    let last = divided.at(-1)
    if (last === undefined || clock >= last.id.clock + last.length) {
      const index = Y.findIndexSS(structs, clock)
      for (; next <= index; next++) divided.push(structs[next] as Y.Item)
      last = divided.at(-1)
    }
    if (!(last instanceof Y.Item) || clock === last.id.clock) continue
    // Yjs divides an item in the list it finds; of one item it is short.
    const pieces: Structs = [last]
    clients.set(client, pieces)
    Y.getItemCleanStart(transaction, Y.createID(client, clock))
    divided.pop()
    divided.push(...pieces)
  }
  for (; next < structs.length; next++) divided.push(structs[next] as Y.Item)
  clients.set(client, divided)
}
