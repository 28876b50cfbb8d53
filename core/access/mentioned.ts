/**
 * Whom the names in a comment call (interface §4.6): handles or actor ids of people and agents that
 * are there, and whether each has a part in the document of its own.
 */
import { accountKey, actorKey, agentKey } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { ActorId } from '../../schema/ids.ts'
import type { DocumentFacts } from '../documents/contract.ts'
import { readRecord, records } from '../records/records.ts'
import type { AccessContext } from './credentials.ts'
import { recordedGrant } from './grants.ts'
import { type HandleHolder, holderOf } from './handles.ts'
import { grantsOf } from './roles.ts'

export interface Mentioned extends HandleHolder {
  /** By a grant of its own; that anyone may read is none. */
  readonly hasAccess: boolean
}

/** By the names as they were asked for; who is nobody is left out. */
export async function mentionedBy(
  context: AccessContext,
  facts: DocumentFacts,
  names: readonly string[],
): Promise<ReadonlyMap<string, Mentioned>> {
  const found = new Map<string, Mentioned>()
  for (const name of names) {
    const holder = await namedHolder(context.store, name)
    if (holder === undefined) continue
    const recorded = await recordedGrant(context, facts.slug, holder.actor)
    const grants = grantsOf({ credential: undefined, recorded }, facts)
    const hasAccess = grants.some(({ through }) => through === 'actor')
    found.set(name, { ...holder, hasAccess })
  }
  return found
}

async function namedHolder(store: Store, name: string): Promise<HandleHolder | undefined> {
  if (!/^(?:human|ai):/.test(name)) {
    return holderOf(store, name.trim().replace(/^@/, '').toLowerCase())
  }
  const home = (await readRecord(store, actorKey(name), records.actorHome))?.record
  if (home === undefined || !('agentId' in home || 'accountId' in home)) return undefined
  const handle = await handleAt(store, home)
  const holder = handle === undefined ? undefined : await holderOf(store, handle)
  return holder?.actor === (name as ActorId) ? holder : undefined
}

async function handleAt(
  store: Store,
  home: { readonly agentId: string } | { readonly accountId: string },
): Promise<string | undefined> {
  if ('agentId' in home) {
    return (await readRecord(store, agentKey(home.agentId), records.agent))?.record.handle
  }
  return (await readRecord(store, accountKey(home.accountId), records.account))?.record.handle
}
