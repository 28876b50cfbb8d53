/**
 * Which networks the unnamed tokens of a document were minted for, as far as this process
 * remembers. When a document has too many, those of the network that has most end first, so that
 * nobody who mints many ends those of others. Bounded; what is forgotten is as if it was nobody's.
 */
import { LRUCache } from 'lru-cache'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'

/** Index keys, the oldest first, by network. */
type Networks = Map<string, string[]>

export class MintedByNetwork {
  readonly #documents = new LRUCache<Slug, Networks>({ max: limits.mintingDocumentsKept })

  note(slug: Slug, network: string, key: string): void {
    const networks = this.#documents.get(slug) ?? new Map<string, string[]>()
    this.#documents.set(slug, networks)
    const keys = networks.get(network)
    if (keys === undefined) networks.set(network, [key])
    else keys.push(key)
  }

  /** Takes so many of the network that has most; fewer where none has more than one. */
  take(slug: Slug, count: number): readonly string[] {
    const networks = this.#documents.get(slug)
    const taken: string[] = []
    while (networks !== undefined && taken.length < count) {
      let most: string[] = []
      for (const keys of networks.values()) if (keys.length > most.length) most = keys
      const oldest = most.length > 1 ? most.shift() : undefined
      if (oldest === undefined) break
      taken.push(oldest)
    }
    return taken
  }
}
