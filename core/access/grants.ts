/**
 * Grants recorded for an actor on one document: how agents and accounts come to a role without a
 * token of that document. One record an actor and document; a role of its own stays, one that
 * refers to a link is worth what the link is worth now and ends with it.
 */
import { grantKey, grantOfActor, ownerKey } from '../../persistence/keys.ts'
import type { Check } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Role } from '../documents/contract.ts'
import type { KeyCounts } from '../records/key-counts.ts'
import { type GrantRecord, readRecord, records, type Versioned } from '../records/records.ts'
import { browserAgain } from './browsers.ts'
import {
  type AccessContext,
  type AgentCredential,
  type BrowserCredential,
  credentialOf,
  type TokenCredential,
} from './credentials.ts'
import { atLeast, higherOf } from './may.ts'
import { judgeTokens, type Worth } from './worth.ts'

/** A grant, to be found by its document and by its holder. */
export function grantPuts(slug: Slug, actor: ActorId, grant: GrantRecord) {
  return [
    { key: grantKey(slug, actor), value: records.grant.encode(grant) },
    { key: grantOfActor(actor, slug), value: grant.role === 'owner' ? ownMark : new Uint8Array() },
  ]
}

/** In the index by actor: it is the owner's. */
const ownMark = Uint8Array.of(1)

/** Whether an entry of the index by actor says so; those of before do not. */
export const isOwnEntry = (value: Uint8Array): boolean => value.length > 0

/** An account keeps so many links to one document; older ones give way. */
export const linksMax = 8

/** The records that make a new document this account's own. */
export function ownerPuts(slug: Slug, actor: ActorId, grantedAt: number) {
  return [
    ...grantPuts(slug, actor, { role: 'owner', grantedAt, source: 'creator' }),
    { key: ownerKey(slug), value: records.owner.encode({ actor }) },
  ]
}

export const grantOf = (
  { store }: AccessContext,
  slug: Slug,
  actor: ActorId,
): Promise<Versioned<GrantRecord> | undefined> =>
  readRecord(store, grantKey(slug, actor), records.grant)

/** What is recorded for an actor on one document. */
export interface RecordedGrant {
  /** Its own; a viewer's where the document is offered to it. */
  readonly role: Role | undefined
  /** What its links are worth now. */
  readonly links: readonly Worth[]
  /** The records that say so; also that there is none. */
  readonly checks: readonly Check[]
  /** When some of this ends; milliseconds since the epoch. */
  readonly ends: readonly number[]
}

export async function recordedGrant(
  context: AccessContext,
  slug: Slug,
  actor: ActorId,
): Promise<RecordedGrant> {
  const found = await grantOf(context, slug, actor)
  const own = { key: grantKey(slug, actor), version: found?.version }
  const { role: given, links = [], offeredUntil = 0 } = found?.record ?? {}
  const isOffered = offeredUntil > context.runtime.now()
  const role = higherOf(given, isOffered ? 'viewer' : undefined)
  const offerEnds = isOffered ? [offeredUntil] : []
  // No link gives more.
  if (links.length === 0 || (role !== undefined && atLeast(role, 'editor'))) {
    return { role, links: [], checks: [own], ends: offerEnds }
  }
  const judged = await judgeTokens(
    context,
    slug,
    links.map((sha256) => ({ sha256 })),
  )
  return {
    role,
    links: links.map((sha256) => judged.of(sha256)),
    checks: [own, ...judged.checks],
    ends: [...offerEnds, ...judged.ends],
  }
}

/**
 * After a write through a link: the account has the link's role from now on, from whichever
 * browser. Where the document has as many grants as it may, it keeps what it has.
 */
export async function keepLink(
  context: AccessContext & { readonly counts: KeyCounts },
  slug: Slug,
  browser: BrowserCredential,
): Promise<void> {
  for (let now: BrowserCredential | undefined = browser; ; ) {
    const { actor, link, checks } = now
    if (actor === undefined || link === undefined || link.slug !== slug) return
    if ((await addedLink(context, slug, { actor, sha256: link.sha256, checks })) !== 'changed')
      return
    now = await browserAgain(context, now)
    if (now === undefined) return
  }
}

/**
 * Has a registered agent keep the link of this token: it has the link's role from now on, under its
 * own name, for as long as the link is good. Refuses AUTH_REQUIRED and FORBIDDEN where either has
 * ended, LIMIT_REACHED where the document has as many grants as it may.
 */
export async function joinByLink(
  context: AccessContext & { readonly counts: KeyCounts },
  slug: Slug,
  by: { readonly agent: AgentCredential; readonly link: TokenCredential },
): Promise<void> {
  for (let { agent, link } = by; ; ) {
    const { actor } = agent
    const checks = [...agent.checks, ...link.checks]
    const result = await addedLink(context, slug, { actor, sha256: link.sha256, checks })
    if (result === 'added') return
    if (result === 'full') {
      throw new Refusal('LIMIT_REACHED', { limit: 'grants', max: limits.grantsPerDocument })
    }
    const [agentNow, linkNow] = await Promise.all([
      credentialOf(context, agent.sha256),
      credentialOf(context, link.sha256),
    ])
    if (agentNow?.kind !== 'agent') throw new Refusal('AUTH_REQUIRED')
    if (linkNow?.kind !== 'token') throw new Refusal('FORBIDDEN')
    agent = agentNow
    link = linkNow
  }
}

interface AddedLink {
  readonly actor: ActorId
  readonly sha256: string
  readonly checks: readonly Check[]
}

/** `changed`: one of the records that it rests on is another by now. */
async function addedLink(
  context: AccessContext & { readonly counts: KeyCounts },
  slug: Slug,
  { actor, sha256, checks }: AddedLink,
): Promise<'added' | 'full' | 'changed'> {
  const found = await grantOf(context, slug, actor)
  const links = found?.record.links ?? []
  if (links.includes(sha256)) return 'added'
  if (found === undefined && !(await context.counts.hasRoom(slug))) return 'full'
  const grant: GrantRecord = {
    grantedAt: context.runtime.now(),
    ...found?.record,
    links: [...links, sha256].slice(-linksMax),
  }
  const key = grantKey(slug, actor)
  const result = await context.store.commit({
    checks: [{ key, version: found?.version }, ...checks],
    puts: grantPuts(slug, actor, grant),
  })
  if (result.ok && found === undefined) context.counts.added(slug)
  return result.ok ? 'added' : 'changed'
}
