/**
 * Tokens that were handed out and never used (interface §4.4): they end by themselves, and here
 * their records go. Every read of a share link may make one, so without this the store would only
 * grow.
 */
import {
  actorKey,
  indexKey,
  indexRange,
  mintedTokenOf,
  tokenById,
  tokenBySha256,
  tokenOfDocument,
  useKey,
} from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type DocumentToken, readRecord, records } from '../records/records.ts'

/** By the second in which an unused token ends. */
export const unusedTokenKey = (endsAt: number, id: string): string =>
  indexKey('unused-token', Math.ceil(endsAt / 1000), id)

/**
 * Deletes the tokens whose time to be used is over; returns how many. Safe beside their first use.
 */
export async function sweepUnusedTokens(store: Store, runtime: Runtime): Promise<number> {
  const range = { ...indexRange('unused-token'), lt: unusedTokenKey(runtime.now(), '!') }
  let swept = 0
  for await (const { key, value } of store.scan(range)) {
    const pointer = records.actorHome.decode(value)
    if ('token' in pointer && (await deleteUnused(store, pointer.token))) swept += 1
    await store.commit({ deletes: [key] })
  }
  return swept
}

async function deleteUnused(store: Store, sha256: string): Promise<boolean> {
  const key = tokenBySha256(sha256)
  const found = await readRecord(store, key, records.secret)
  if (found?.record.type !== 'document' || found.record.usedAt !== undefined) return false
  const result = await store.commit({
    checks: [
      { key, version: found.version },
      { key: useKey(sha256), version: undefined },
    ],
    deletes: [key, ...foundBy(found.record)],
  })
  return result.ok
}

/** Where a token that a read minted is found, but by its secret. */
export function foundBy({ id, actor, slug, createdAt, unusedUntil }: DocumentToken): string[] {
  const of = slug as Slug
  return [
    ...[tokenById(id), tokenOfDocument(of, id), actorKey(actor), mintedKey(of, createdAt, id)],
    ...(unusedUntil === undefined ? [] : [unusedTokenKey(unusedUntil, id)]),
  ]
}

export const mintedKey = (slug: Slug, createdAt: number, id: string): string =>
  mintedTokenOf(slug, Math.floor(createdAt / 1000), id)
