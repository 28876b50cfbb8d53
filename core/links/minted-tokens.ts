/**
 * Personal tokens that reads by a shared one mint (interface §4.4). Any number of reads may, so of
 * those that nobody has named a document keeps so many: past that the oldest end, first those of
 * the network that minted most, and who had one comes again by the link. Those that were named
 * stay, since texts have their actor.
 */

import { LRUCache } from 'lru-cache'
import { mintedOfDocument, tokenBySha256, useKey } from '../../persistence/keys.ts'
import type { KeyedValue, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { TokenCredential } from '../access/credentials.ts'
import type { KeyCounts } from '../records/key-counts.ts'
import { readRecord, records } from '../records/records.ts'
import { issueToken } from './tokens.ts'
import { foundBy } from './unused-tokens.ts'

type MintingContext = Parameters<typeof issueToken>[0] & {
  readonly store: Store
  /** Of `mintedOfDocument`. */
  readonly counts: KeyCounts
  readonly byNetwork: MintedByNetwork
}

/** The secret of a new one. Refuses AUTH_REQUIRED when the shared one has ended. */
export async function mintPersonal(
  context: MintingContext,
  { slug, role, follows, sha256: shared }: TokenCredential,
  network: string,
): Promise<string> {
  const { store, counts, byNetwork } = context
  const token = issueToken(context, {
    slug,
    role,
    follows,
    origin: 'read',
    madeBy: { token: shared },
  })
  if (!(await counts.hasRoom(slug))) await makeRoom(context, slug)
  for (;;) {
    // Nothing is left of a token that is minted while its document is purged.
    const found = await store.get(tokenBySha256(shared))
    if (found === undefined) throw new Refusal('AUTH_REQUIRED')
    const checks = [{ key: tokenBySha256(shared), version: found.version }]
    if (!(await store.commit({ checks, puts: token.puts })).ok) continue
    counts.added(slug)
    const { gte = '' } = mintedOfDocument(slug)
    const index = token.puts.find(({ key }) => key.startsWith(gte))
    if (index !== undefined) byNetwork.note(slug, network, index.key)
    return token.secret
  }
}

/** A few go out of the index, and end unless somebody named them. */
async function makeRoom(context: MintingContext, slug: Slug): Promise<void> {
  const { store, byNetwork } = context
  let left = limits.mintedEndedAtOnce
  for (const key of byNetwork.take(slug, left)) {
    const stored = await store.get(key)
    if (stored !== undefined && (await ended(context, slug, { key, ...stored }))) left -= 1
  }
  if (left === 0) return
  for await (const entry of store.scan({ ...mintedOfDocument(slug), limit: left })) {
    await ended(context, slug, entry)
  }
}

async function ended(
  { store, counts }: MintingContext,
  slug: Slug,
  { key, value, version }: KeyedValue,
): Promise<boolean> {
  const home = records.actorHome.decode(value)
  const sha256 = 'token' in home ? home.token : ''
  const tokenKey = tokenBySha256(sha256)
  const found = await readRecord(store, tokenKey, records.secret)
  const token = found?.record.type === 'document' ? found.record : undefined
  const ends = token !== undefined && token.displayName === undefined
  const { ok } = await store.commit({
    checks: [
      { key, version },
      { key: tokenKey, version: found?.version },
    ],
    deletes: ends ? [tokenKey, useKey(sha256), ...foundBy(token)] : [key],
  })
  if (ok) counts.added(slug, -1)
  return ok
}

/** Index keys, the oldest first, by network. */
type Networks = Map<string, string[]>

/**
 * Which networks the unnamed tokens of a document were minted for, as far as this process
 * remembers. When a document has too many, those of the network that has most end first, so that
 * nobody who mints many ends those of others. Bounded; what is forgotten is as if it was nobody's.
 */
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
