/**
 * Grants recorded for an actor on one document: how registered agents (and later accounts) come to
 * a role without a token of that document. One record an actor and document.
 */
import { indexKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { Role } from '../documents/contract.ts'
import { readRecord, records } from './records.ts'

export const grantKey = (slug: Slug, actor: ActorId): string => indexKey('grant', slug, actor)

/** The roles recorded for this actor there. */
export async function recordedRoles(store: Store, slug: Slug, actor: ActorId): Promise<Role[]> {
  const found = await readRecord(store, grantKey(slug, actor), records.grant)
  return found === undefined ? [] : [found.record.role]
}
