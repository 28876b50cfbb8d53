/**
 * How much of a running transaction has been noted, so that each note sees only what is new since
 * the one before and updates of several actors can share a transaction. Yjs only appends to a
 * client's structs and to its part of the delete set while the transaction runs; this relies on it.
 * Costs what is new (and one look at each client named). Knows no actors.
 */
import * as Y from 'yjs'
import { isText, itemsOf } from './projection.ts'

/** New structs of a client, from the first clock to before the last. */
export interface NewRange {
  readonly client: number
  readonly from: number
  readonly to: number
}

export class TransactionNotes {
  readonly transaction: Y.Transaction
  readonly #states = new Map<number, number>()
  readonly #deletes = new Map<number, number>()

  constructor(transaction: Y.Transaction) {
    this.transaction = transaction
  }

  /** The clients whose new structs were noted. */
  get clients(): Iterable<number> {
    return this.#states.keys()
  }

  /** What is new of these clients since the last call. */
  takeNew(clients: Iterable<number>): NewRange[] {
    const { beforeState, doc } = this.transaction
    const ranges: NewRange[] = []
    for (const client of clients) {
      const to = Y.getState(doc.store, client)
      const from = this.#states.get(client) ?? beforeState.get(client) ?? 0
      if (to <= from) continue
      this.#states.set(client, to)
      ranges.push({ client, from, to })
    }
    return ranges
  }

  /** Strings of texts deleted since the last call, but for those born in `fresh`. */
  takeDeleted(fresh: readonly NewRange[]): Y.Item[] {
    const born = new Map(fresh.map(({ client, from }) => [client, from]))
    const { deleteSet, doc } = this.transaction
    const deleted: Y.Item[] = []
    for (const [client, ranges] of deleteSet.clients) {
      const bornFrom = born.get(client) ?? Number.POSITIVE_INFINITY
      for (let index = this.#deletes.get(client) ?? 0; index < ranges.length; index += 1) {
        const range = ranges[index]
        if (range === undefined || range.clock >= bornFrom) continue
        for (const item of itemsOf(doc.store, client, range.clock, range.clock + range.len)) {
          if (item.content instanceof Y.ContentString && item.parent instanceof Y.XmlText) {
            deleted.push(item)
          }
        }
      }
      this.#deletes.set(client, ranges.length)
    }
    return deleted
  }

  /** The living strings among what is new. */
  inserted(fresh: readonly NewRange[]): Y.Item[] {
    const { store } = this.transaction.doc
    return fresh
      .flatMap(({ client, from, to }) => [...itemsOf(store, client, from, to)])
      .filter(isText)
  }
}
