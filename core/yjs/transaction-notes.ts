/**
 * How much of a running transaction has been noted, so that each note sees only what is new since
 * the one before and updates of several actors can share a transaction. Yjs only appends to a
 * client's structs and to its part of the delete set while the transaction runs; this relies on it.
 * Costs what is new (and one look at each client named). Knows no actors.
 */

import type * as Y from 'yjs'
import { charsIn, type Item, isText, textAround } from '../../schema/yjs/items.ts'
import type { ClockRange } from '../../schema/yjs/struct-id.ts'
import { clockOf, itemsBetween } from '../../schema/yjs/structs.ts'
import { clockBefore, deletedRanges } from './transactions.ts'

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
  takeNew(clients: Iterable<number>): ClockRange[] {
    const { transaction } = this
    const ranges: ClockRange[] = []
    for (const client of clients) {
      const to = clockOf(transaction.doc, client)
      const from = this.#states.get(client) ?? clockBefore(transaction, client)
      if (to <= from) continue
      this.#states.set(client, to)
      ranges.push({ client, from, to })
    }
    return ranges
  }

  /** Strings of texts deleted since the last call, but for those born in `fresh`. */
  takeDeleted(fresh: readonly ClockRange[]): Item[] {
    const all = deletedRanges(this.transaction)
    if (all.size === 0) return []
    const born = new Map(fresh.map(({ client, from }) => [client, from]))
    const { doc } = this.transaction
    const deleted: Item[] = []
    for (const [client, ranges] of all) {
      const bornFrom = born.get(client) ?? Number.POSITIVE_INFINITY
      for (let index = this.#deletes.get(client) ?? 0; index < ranges.length; index += 1) {
        const range = ranges[index]
        if (range === undefined || range.clock >= bornFrom) continue
        for (const item of itemsBetween(doc, {
          client,
          from: range.clock,
          to: range.clock + range.len,
        })) {
          if (charsIn(item) !== undefined && textAround(item) !== undefined) deleted.push(item)
        }
      }
      this.#deletes.set(client, ranges.length)
    }
    return deleted
  }

  /** The living strings among what is new. */
  inserted(fresh: readonly ClockRange[]): Item[] {
    const { doc } = this.transaction
    return fresh.flatMap((range) => [...itemsBetween(doc, range)]).filter(isText)
  }
}
