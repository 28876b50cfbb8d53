/**
 * How many records of a kind each document has, about: counted in the store when first asked, then
 * in memory, so that a crowd that comes by one link at once does not queue for one record. It only
 * bounds; who asks in the same moment may be let in beyond it.
 */
import { LRUCache } from 'lru-cache'
import type { Range, Store } from '../../persistence/store.ts'
import { entriesMax } from '../../schema/entries-max.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'

export class KeyCounts {
  readonly #store: Store
  readonly #rangeOf: (slug: Slug) => Range
  readonly #max: number
  readonly #counts = new LRUCache<Slug, number>(entriesMax(limits.keyCountsKept))

  constructor(store: Store, rangeOf: (slug: Slug) => Range, max: number) {
    this.#store = store
    this.#rangeOf = rangeOf
    this.#max = max
  }

  async hasRoom(slug: Slug): Promise<boolean> {
    return (this.#counts.get(slug) ?? (await this.#counted(slug))) < this.#max
  }

  /** As long as it is remembered; a negative number have gone. */
  added(slug: Slug, many = 1): void {
    const count = this.#counts.get(slug)
    if (count !== undefined) this.#counts.set(slug, Math.max(0, count + many))
  }

  async #counted(slug: Slug): Promise<number> {
    let count = 0
    const range = { ...this.#rangeOf(slug), limit: this.#max }
    for await (const _ of this.#store.scan(range)) count += 1
    this.#counts.set(slug, Math.max(count, this.#counts.get(slug) ?? 0))
    return count
  }
}
