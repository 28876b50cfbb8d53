/**
 * Grants recorded for an actor on one document: how agents and accounts come to a role without a
 * token of that document. One record an actor and document; a role of its own stays, one that
 * refers to a link is worth what the link is worth now and ends with it.
 */
import { indexKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { DocumentFacts, Role } from '../documents/contract.ts'
import { type BrowserCredential, credentialOf, type PeopleContext } from './identity.ts'
import { type GrantRecord, readRecord, records, type Versioned } from './records.ts'
import { tokenRole } from './roles.ts'

export const grantKey = (slug: Slug, actor: ActorId): string => indexKey('grant', slug, actor)

/** Who owns the document; present once somebody does. */
const ownerKey = (slug: Slug): string => indexKey('owner', slug)

/** An account keeps so many links to one document; older ones give way. */
const linksMax = 8

/** The records that make a new document this account's own. */
export function ownerPuts(slug: Slug, actor: ActorId, grantedAt: number) {
  return [
    { key: grantKey(slug, actor), value: records.grant.encode({ role: 'owner', grantedAt }) },
    { key: ownerKey(slug), value: records.owner.encode({ actor }) },
  ]
}

const grantOf = (
  { store }: PeopleContext,
  slug: Slug,
  actor: ActorId,
): Promise<Versioned<GrantRecord> | undefined> =>
  readRecord(store, grantKey(slug, actor), records.grant)

/** The roles recorded for this actor there, as they count now. */
export async function recordedRoles(
  context: PeopleContext,
  facts: DocumentFacts,
  actor: ActorId,
): Promise<Role[]> {
  const found = await grantOf(context, facts.slug, actor)
  if (found === undefined) return []
  const { role, links = [] } = found.record
  const roles: Role[] = role === undefined ? [] : [role]
  for (const sha256 of links) {
    const token = await credentialOf(context, sha256)
    const through = token?.kind === 'token' ? tokenRole(token, facts) : undefined
    if (through !== undefined) roles.push(through)
  }
  return roles
}

/**
 * After a write through a link: the account has the link's role from now on, from whichever
 * browser.
 */
export async function keepLink(
  context: PeopleContext,
  slug: Slug,
  { actor, link }: BrowserCredential,
): Promise<void> {
  if (actor === undefined || link === undefined || link.slug !== slug) return
  for (;;) {
    const found = await grantOf(context, slug, actor)
    const links = found?.record.links ?? []
    if (links.includes(link.sha256)) return
    const grant: GrantRecord = {
      grantedAt: context.runtime.now(),
      ...found?.record,
      links: [...links, link.sha256].slice(-linksMax),
    }
    const key = grantKey(slug, actor)
    const result = await context.store.commit({
      checks: [{ key, version: found?.version }],
      puts: [{ key, value: records.grant.encode(grant) }],
    })
    if (result.ok) return
  }
}

/** Whether `claimOwnership` would make an account of this browser the owner. */
export async function mayClaim(
  { store }: PeopleContext,
  slug: Slug,
  { link }: BrowserCredential,
): Promise<boolean> {
  if (link?.origin !== 'handoff' || link.slug !== slug) return false
  return (await readRecord(store, ownerKey(slug), records.owner)) === undefined
}

/**
 * Makes this account the owner (interface §4.2): the first that came by the create's own share
 * address. Refuses AUTH_REQUIRED without an account, FORBIDDEN by any other way, ALREADY_OWNED.
 */
export async function claimOwnership(
  context: PeopleContext,
  slug: Slug,
  { actor, link }: BrowserCredential,
): Promise<void> {
  const { store, runtime } = context
  if (actor === undefined) throw new Refusal('AUTH_REQUIRED')
  for (;;) {
    const owner = await readRecord(store, ownerKey(slug), records.owner)
    if (owner?.record.actor === actor) return
    if (link?.origin !== 'handoff' || link.slug !== slug) throw new Refusal('FORBIDDEN')
    if (owner !== undefined) throw new Refusal('ALREADY_OWNED')
    const found = await grantOf(context, slug, actor)
    const grant: GrantRecord = { ...found?.record, grantedAt: runtime.now(), role: 'owner' }
    const key = grantKey(slug, actor)
    const result = await store.commit({
      checks: [
        { key: ownerKey(slug), version: undefined },
        { key, version: found?.version },
      ],
      puts: [
        { key: ownerKey(slug), value: records.owner.encode({ actor }) },
        { key, value: records.grant.encode(grant) },
      ],
    })
    if (result.ok) return
  }
}
