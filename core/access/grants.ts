/**
 * Grants recorded for an actor on one document: how agents and accounts come to a role without a
 * token of that document. One record an actor and document; a role of its own stays, one that
 * refers to a link is worth what the link is worth now and ends with it.
 */
import { grantKey, grantOfActor, ownerKey, placementKey } from '../../persistence/keys.ts'
import type { Check } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { Role } from '../documents/contract.ts'
import { placementOf, placingNew } from '../library/placement.ts'
import { personalPlace } from '../library/workspaces.ts'
import { type GrantRecord, readRecord, records, type Versioned } from '../records/records.ts'
import { browserAgain } from './browsers.ts'
import {
  type AccessContext,
  type BrowserCredential,
  credentialOf,
  type TokenCredential,
} from './credentials.ts'

/** A grant, to be found by its document and by its holder. */
export function grantPuts(slug: Slug, actor: ActorId, grant: GrantRecord) {
  return [
    { key: grantKey(slug, actor), value: records.grant.encode(grant) },
    { key: grantOfActor(actor, slug), value: new Uint8Array() },
  ]
}

/** An account keeps so many links to one document; older ones give way. */
const linksMax = 8

/** The records that make a new document this account's own. */
export function ownerPuts(slug: Slug, actor: ActorId, grantedAt: number) {
  return [
    ...grantPuts(slug, actor, { role: 'owner', grantedAt }),
    { key: ownerKey(slug), value: records.owner.encode({ actor }) },
  ]
}

const grantOf = (
  { store }: AccessContext,
  slug: Slug,
  actor: ActorId,
): Promise<Versioned<GrantRecord> | undefined> =>
  readRecord(store, grantKey(slug, actor), records.grant)

/** What is recorded for an actor on one document. */
export interface RecordedGrant {
  /** Its own. */
  readonly role: Role | undefined
  /** Those of its links that are still good. */
  readonly links: readonly TokenCredential[]
  /** The records that say so; also that there is none. */
  readonly checks: readonly Check[]
}

export async function recordedGrant(
  context: AccessContext,
  slug: Slug,
  actor: ActorId,
): Promise<RecordedGrant> {
  const found = await grantOf(context, slug, actor)
  const own = { key: grantKey(slug, actor), version: found?.version }
  const tokens: TokenCredential[] = []
  for (const sha256 of found?.record.links ?? []) {
    const token = await credentialOf(context, sha256)
    if (token?.kind === 'token') tokens.push(token)
  }
  const checks = [own, ...tokens.flatMap((token) => token.checks)]
  return { role: found?.record.role, links: tokens, checks }
}

/**
 * After a write through a link: the account has the link's role from now on, from whichever
 * browser.
 */
export async function keepLink(
  context: AccessContext,
  slug: Slug,
  browser: BrowserCredential,
): Promise<void> {
  for (let now: BrowserCredential | undefined = browser; ; ) {
    const { actor, link, checks } = now
    if (actor === undefined || link === undefined || link.slug !== slug) return
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
      checks: [{ key, version: found?.version }, ...checks],
      puts: grantPuts(slug, actor, grant),
    })
    if (result.ok) return
    now = await browserAgain(context, now)
    if (now === undefined) return
  }
}

/** Whether `claimOwnership` would make an account of this browser the owner. */
export async function mayClaim(
  { store }: AccessContext,
  slug: Slug,
  { link }: BrowserCredential,
): Promise<boolean> {
  if (link?.origin !== 'handoff' || link.slug !== slug) return false
  return (await readRecord(store, ownerKey(slug), records.owner)) === undefined
}

/**
 * Makes this account the owner (interface §4.2): the first that came by the create's own share
 * address. The document gets a place among its own. Refuses AUTH_REQUIRED without an account, FORBIDDEN by any other way, ALREADY_OWNED.
 */
export async function claimOwnership(
  context: AccessContext,
  slug: Slug,
  browser: BrowserCredential,
): Promise<void> {
  const { store, runtime } = context
  for (let now: BrowserCredential | undefined = browser; ; ) {
    if (now?.actor === undefined || now.session === undefined) throw new Refusal('AUTH_REQUIRED')
    const { actor, link, checks, session } = now
    const owner = await readRecord(store, ownerKey(slug), records.owner)
    if (owner?.record.actor === actor) return
    if (link?.origin !== 'handoff' || link.slug !== slug) throw new Refusal('FORBIDDEN')
    if (owner !== undefined) throw new Refusal('ALREADY_OWNED')
    const found = await grantOf(context, slug, actor)
    const grant: GrantRecord = { ...found?.record, grantedAt: runtime.now(), role: 'owner' }
    const key = grantKey(slug, actor)
    const place = await personalPlace(context, session.account.accountId)
    const placed = await placementOf(store, slug)
    const result = await store.commit({
      checks: [
        { key: ownerKey(slug), version: undefined },
        { key, version: found?.version },
        { key: placementKey(slug), version: placed?.version },
        ...checks,
      ],
      puts: [
        { key: ownerKey(slug), value: records.owner.encode({ actor }) },
        ...grantPuts(slug, actor, grant),
        ...(placed === undefined ? placingNew(slug, place, runtime.now()) : []),
      ],
    })
    if (result.ok) return
    now = await browserAgain(context, now)
  }
}
