/**
 * Divides the items of Yjs where texts are going to be spliced at many places, all of one client
 * in one pass. Yjs itself moves the rest of a client's list aside for each: a word replaced in each
 * of ten thousand blocks took seconds. The service has its own (core/ and web/ share no Yjs).
 */
import * as Y from 'yjs'

/** Fewer places are as quickly divided one by one. */
const placesMin = 100

export interface Splice {
  readonly text: Y.XmlText
  /** Where it will be divided, in order. */
  readonly offsets: readonly number[]
}

/** Afterwards an item begins at each of these places. Runs inside a transaction. */
export function splitAhead(doc: Y.Doc, splices: readonly Splice[]): void {
  if (splices.reduce((sum, { offsets }) => sum + offsets.length, 0) < placesMin) return
  const clocks = new Map<number, number[]>()
  for (const { text, offsets } of splices) {
    for (const { client, clock } of placesIn(text, offsets)) {
      const own = clocks.get(client)
      if (own === undefined) clocks.set(client, [clock])
      else own.push(clock)
    }
  }
  doc.transact((transaction) => {
    for (const [client, own] of clocks) splitAll(transaction, client, own)
  })
}

/** The ids of the characters at these offsets that are inside an item. */
function placesIn(text: Y.XmlText, offsets: readonly number[]): Y.ID[] {
  const places: Y.ID[] = []
  let [end, next] = [0, 0]
  for (let item = text._start; item !== null && next < offsets.length; item = item.right) {
    if (item.deleted || !item.countable) continue
    const start = end
    end += item.length
    for (; (offsets[next] ?? end) < end; next++) {
      const within = (offsets[next] ?? start) - start
      if (within > 0) places.push(Y.createID(item.id.client, item.id.clock + within))
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
