/**
 * Documents of before there were libraries: what an account owned already when its workspace is
 * made goes into its personal container, a portion at a time. Safe to repeat, and beside others.
 */
import { grantKey, indexRange, ownerKey, parseKey, placementKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { isSlug, type Slug } from '../../schema/ids.ts'
import { readRecord, records } from '../records/records.ts'
import { type Place, placingNew } from './placement.ts'

/** Whether anything is recorded for this actor on any document. */
export async function hasGrants(store: Store, actor: string): Promise<boolean> {
  for await (const _ of store.scan({ ...indexRange('grant-of', actor), limit: 1 })) return true
  return false
}

/** Puts there what the actor owns and nobody has placed. */
export async function adoptOwned(store: Store, actor: string, place: Place): Promise<void> {
  for await (const { key } of store.scan(indexRange('grant-of', actor))) {
    const slug = parseKey(key)?.path.at(-1) ?? ''
    if (isSlug(slug)) await adopt(store, slug, { actor, place })
  }
}

async function adopt(
  store: Store,
  slug: Slug,
  { actor, place }: { readonly actor: string; readonly place: Place },
): Promise<void> {
  const owner = await readRecord(store, ownerKey(slug), records.owner)
  if (owner?.record.actor !== actor) return
  const grant = await readRecord(store, grantKey(slug, actor), records.grant)
  // Where it fails somebody else has placed it, or given it away.
  await store.commit({
    checks: [
      { key: ownerKey(slug), version: owner.version },
      { key: placementKey(slug), version: undefined },
    ],
    puts: placingNew(slug, place, grant?.record.grantedAt ?? 0),
  })
}
