/**
 * How many grants a document has, about: counted in the store when first asked, then in memory, so
 * that a crowd that writes by one link at once does not queue for one record. It only bounds; who
 * asks in the same moment may be let in beyond it.
 */
import { LRUCache } from 'lru-cache'
import { grantsOfDocument } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'

export class GrantCounts {
  readonly #store: Store
  readonly #counts = new LRUCache<Slug, number>({ max: limits.grantCountsKept })

  constructor(store: Store) {
    this.#store = store
  }

  async hasRoom(slug: Slug): Promise<boolean> {
    const count = this.#counts.get(slug) ?? (await this.#counted(slug))
    return count < limits.grantsPerDocument
  }

  added(slug: Slug): void {
    this.#counts.set(slug, (this.#counts.get(slug) ?? 0) + 1)
  }

  async #counted(slug: Slug): Promise<number> {
    let count = 0
    const range = { ...grantsOfDocument(slug), limit: limits.grantsPerDocument }
    for await (const _ of this.#store.scan(range)) count += 1
    this.#counts.set(slug, Math.max(count, this.#counts.get(slug) ?? 0))
    return count
  }
}
