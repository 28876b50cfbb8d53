/**
 * Divides Yjs items where many splices are going to begin and end, all of one client in one pass:
 * Yjs itself moves the rest of the client's list aside for each, which is quadratic in an edit of
 * every word of a large document.
 */
import * as Y from 'yjs'
import type { StructId } from './struct-id.ts'

/** Fewer are as quickly divided one by one. */
export const pointsMin = 16

/** Afterwards an item that is there begins at each of the points. Runs inside the caller's transaction. */
export function splitAhead(doc: Y.Doc, points: readonly StructId[]): void {
  const clocks = new Map<number, number[]>()
  for (const { client, clock } of points) {
    const own = clocks.get(client)
    if (own) own.push(clock)
    else clocks.set(client, [clock])
  }
  Y.transact(doc, (transaction) => {
    for (const [client, own] of clocks) {
      const within = own.length < pointsMin ? [] : withinItems(doc, client, own)
      if (within.length >= pointsMin) splitAll(transaction, client, within)
    }
  })
}

const splicedAtOnce = 10_000

type Structs = (Y.Item | Y.GC)[]

/** Those at which an item is to be divided. */
function withinItems({ store }: Y.Doc, client: number, clocks: readonly number[]): number[] {
  const structs = store.clients.get(client)
  if (structs === undefined) return []
  const end = Y.getState(store, client)
  return clocks.filter((clock) => {
    if (clock >= end) return false
    const struct = structs[Y.findIndexSS(structs as Structs, clock)]
    return struct instanceof Y.Item && struct.id.clock < clock
  })
}

function splitAll(transaction: Y.Transaction, client: number, clocks: readonly number[]): void {
  const { clients } = transaction.doc.store
  const structs = clients.get(client) as Structs | undefined
  if (structs === undefined) return
  const ascending = clocks.toSorted((a, b) => a - b)
  const divided: Structs = []
  const first = Y.findIndexSS(structs, ascending[0] ?? 0)
  let next = first
  for (const clock of ascending) {
    let last = divided.at(-1)
    if (last === undefined || clock >= last.id.clock + last.length) {
      const index = Y.findIndexSS(structs, clock)
      for (; next <= index; next++) divided.push(structs[next] as Y.Item)
      last = divided.at(-1)
    }
    if (!(last instanceof Y.Item) || clock <= last.id.clock) continue
    // Yjs divides an item in the list it finds; of one item it is short.
    const pieces: Structs = [last]
    clients.set(client, pieces)
    Y.getItemCleanStart(transaction, Y.createID(client, clock))
    divided.pop()
    divided.push(...pieces)
  }
  // The pieces at once, as the list behind them moves each time; not all, as each is an argument.
  structs.splice(first, next - first)
  for (let at = 0; at < divided.length; at += splicedAtOnce) {
    structs.splice(first + at, 0, ...divided.slice(at, at + splicedAtOnce))
  }
  clients.set(client, structs)
}
