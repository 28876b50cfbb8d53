/**
 * Tokens that were handed out and never used (interface §4.4): they end by themselves, and here
 * their records go. Every read of a share link may make one, so without this the store would only
 * grow.
 */
import {
  actorKey,
  indexKey,
  indexRange,
  tokenById,
  tokenBySha256,
  tokenOfDocument,
  useKey,
} from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { readRecord, records } from '../records/records.ts'

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
  const { id, actor, slug } = found.record
  const result = await store.commit({
    checks: [
      { key, version: found.version },
      { key: useKey(sha256), version: undefined },
    ],
    deletes: [key, tokenById(id), tokenOfDocument(slug as Slug, id), actorKey(actor)],
  })
  return result.ok
}
