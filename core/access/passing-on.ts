/**
 * What one account has on documents becomes another's, or ends (extensions §9): document by
 * document, each in a commit of its own that can be repeated, so that it goes on after a crash.
 * Authors of text do not change.
 */
import { grantKey, grantOfActor, indexRange, ownerKey, parseKey } from '../../persistence/keys.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { isSlug } from '../../schema/ids.ts'
import { type GrantRecord, readRecord, records } from '../records/records.ts'
import type { AccessContext } from './credentials.ts'
import { grantPuts, linksMax } from './grants.ts'
import { atLeast } from './may.ts'

/** Documents on which something is recorded for this actor, at most `limit`. */
export async function documentsOf(
  { store }: Pick<AccessContext, 'store'>,
  actor: ActorId,
  limit: number,
): Promise<Slug[]> {
  const slugs: Slug[] = []
  for await (const { key } of store.scan({ ...indexRange('grant-of', actor), limit })) {
    const slug = parseKey(key)?.path.at(-1) ?? ''
    if (isSlug(slug)) slugs.push(slug)
  }
  return slugs
}

/** The grant, and the ownership if it has that, is the other's from now on. */
export async function passOn(
  { store }: Pick<AccessContext, 'store'>,
  slug: Slug,
  { from, to }: { readonly from: ActorId; readonly to: ActorId },
): Promise<void> {
  const fromKey = grantKey(slug, from)
  const toKey = grantKey(slug, to)
  for (;;) {
    const [given, held, owner] = await Promise.all([
      readRecord(store, fromKey, records.grant),
      readRecord(store, toKey, records.grant),
      readRecord(store, ownerKey(slug), records.owner),
    ])
    const isOwner = owner?.record.actor === from
    const puts = given === undefined ? [] : grantPuts(slug, to, joined(given.record, held?.record))
    const result = await store.commit({
      checks: [
        { key: fromKey, version: given?.version },
        { key: toKey, version: held?.version },
        { key: ownerKey(slug), version: owner?.version },
      ],
      puts: [
        ...puts,
        ...(isOwner ? [{ key: ownerKey(slug), value: records.owner.encode({ actor: to }) }] : []),
      ],
      deletes: [fromKey, grantOfActor(from, slug)],
    })
    if (result.ok) return
  }
}

/** Whatever is recorded for the actor there ends; who owns the document stays written. */
export async function endGrant(
  { store }: Pick<AccessContext, 'store'>,
  slug: Slug,
  actor: ActorId,
): Promise<void> {
  await store.commit({ deletes: [grantKey(slug, actor), grantOfActor(actor, slug)] })
}

export async function isOwner(
  { store }: Pick<AccessContext, 'store'>,
  slug: Slug,
  actor: ActorId,
): Promise<boolean> {
  return (await readRecord(store, ownerKey(slug), records.owner))?.record.actor === actor
}

function joined(given: GrantRecord, held: GrantRecord | undefined): GrantRecord {
  if (held === undefined) return given
  const [a, b] = [given.role, held.role]
  const role = a === undefined || (b !== undefined && atLeast(b, a)) ? b : a
  const links = [...new Set([...(held.links ?? []), ...(given.links ?? [])])].slice(-linksMax)
  return {
    ...(role !== undefined && { role }),
    ...(links.length > 0 && { links }),
    grantedAt: Math.min(given.grantedAt, held.grantedAt),
  }
}
