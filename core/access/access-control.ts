/**
 * Who a secret stands for and what its holder may do with a document, as the layers above see it.
 * Keeps nothing beside what the store has.
 */
import { grantsOfDocument } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { DocumentFacts, PlannedRecords } from '../documents/contract.ts'
import { KeyCounts } from '../records/key-counts.ts'
import { addressMarks, originMark, type SecretKey, sha256Hex } from '../records/secrets.ts'
import type { Uses } from '../records/uses.ts'
import { type ActorObject, actorObjects } from './actors.ts'
import {
  agentContext,
  type ContextAsked,
  type ContextDocument,
  type ContextPage,
  type ContextScope,
  isInContext,
} from './agent-context.ts'
import { type BrowserSecrets, browserFor, credentialAgain } from './browsers.ts'
import { bundleHandle, scopeOfHandle } from './bundle-handles.ts'
import {
  type AccessContext,
  type AgentCredential,
  agentInUse,
  authenticate,
  type BrowserCredential,
  type Credential,
  type SecretCredential,
  type TokenCredential,
} from './credentials.ts'
import { joinByLink, keepLink, recordedGrant } from './grants.ts'
import type { HandleHolder } from './handles.ts'
import { type GrantPage, grantPage, type Invitation, planInvitation } from './invitations.ts'
import { type Mentioned, mentionedBy } from './mentioned.ts'
import {
  mayClaim,
  type OwnerOffer,
  type Ownership,
  ownershipOf,
  planAcceptance,
  planClaim,
  planGivingBack,
  planOffer,
  planWithdrawal,
} from './ownership.ts'
import { placeGrant } from './place-grants.ts'
import { grantsOf, type Standing } from './roles.ts'
import { type SharedPage, sharedWith } from './shared-documents.ts'
import { standingOf, watchCredential } from './watched-records.ts'

export interface AccessControl {
  /** The credential of a bearer secret; `undefined`: unknown, ended or revoked. */
  authenticate(secret: string): Promise<SecretCredential | undefined>
  /** The browser of these secrets; `undefined`: none of them is good. */
  browser(secrets: BrowserSecrets): Promise<BrowserCredential | undefined>
  /** The same credential as it is now; `undefined` when it ended since. */
  refresh(credential: Credential): Promise<Credential | undefined>
  /** A hint that what this credential is worth there may have changed; returns how to stop. */
  watch(credential: Credential, slug: Slug, listener: () => void): () => void
  /** What the store says of the caller and this document; `accessOn` says what that is worth. */
  standing(credential: Credential | undefined, slug: Slug): Promise<Standing>
  /** Has the account keep the link that it wrote through. */
  keepLink(browser: BrowserCredential, slug: Slug): Promise<void>
  /** The agent has the link's role from now on. Refuses FORBIDDEN, LIMIT_REACHED. */
  joinByLink(
    slug: Slug,
    by: { readonly agent: AgentCredential; readonly link: TokenCredential },
  ): Promise<void>
  /** Whether nobody owns the document and this browser came by its creator's share address. */
  mayClaim(browser: BrowserCredential, slug: Slug): Promise<boolean>
  /** To make the browser's account the owner. Refuses AUTH_REQUIRED, FORBIDDEN, ALREADY_OWNED. */
  planClaim(slug: Slug, browser: BrowserCredential): Promise<PlannedRecords<void>>
  /** To have no owner again. Refuses AUTH_REQUIRED, FORBIDDEN. */
  planGivingBack(slug: Slug, browser: BrowserCredential): Promise<PlannedRecords<void>>
  /** To whom the document belongs, and to whom it is offered. */
  ownership(slug: Slug): Promise<Ownership>
  /** Refuses HANDLE_NOT_FOUND, FORBIDDEN, ALREADY_OWNED. */
  planOffer(
    slug: Slug,
    offer: { readonly handle: string; readonly by: ActorId },
  ): Promise<PlannedRecords<OwnerOffer>>
  /** Refuses FORBIDDEN, NOT_FOUND. */
  planWithdrawal(slug: Slug, by: ActorId): Promise<PlannedRecords<void>>
  /** Refuses AUTH_REQUIRED, FORBIDDEN. */
  planAcceptance(
    slug: Slug,
    browser: BrowserCredential,
  ): Promise<PlannedRecords<{ readonly former: ActorId | undefined }>>
  /** Refuses HANDLE_NOT_FOUND, FORBIDDEN, LIMIT_REACHED. */
  planInvitation(slug: Slug, invited: Invitation): Promise<PlannedRecords<HandleHolder>>
  grants(
    facts: DocumentFacts,
    page: { readonly after: ActorId | undefined; readonly limit: number },
  ): Promise<GrantPage>
  /** Whom names in a comment call. */
  mentioned(facts: DocumentFacts, names: readonly string[]): Promise<ReadonlyMap<string, Mentioned>>
  /** What is shared with this actor, a person's. */
  sharedWith(
    actor: ActorId,
    page: {
      readonly after: string | undefined
      readonly limit: number
      readonly archived: boolean
    },
  ): Promise<SharedPage>
  /** What an agent has in its library. */
  agentContext(agent: AgentCredential, asked: ContextAsked): Promise<ContextPage>
  /** Whether a document of it is there still, as far as this secret goes now. */
  isInContext(agent: AgentCredential, document: ContextDocument): Promise<boolean>
  /** Whether an agent has a part in the document that is its own, not that of anyone. */
  hasOwnPart(agentId: string, facts: DocumentFacts): Promise<boolean>
  bundleHandle(agent: AgentCredential, scope: ContextScope): string
  /** `undefined`: it is no handle of this agent. */
  scopeOfHandle(agent: AgentCredential, handle: string): ContextScope | undefined
  /** What is shown for actors, by their ids. */
  actors(ids: Iterable<ActorId>): Promise<Record<string, ActorObject>>
  visitor(cookie: string | undefined): Visitor
  /** What history keeps of an address. */
  addressMark(address: string): string
  /** What only this service can say of an origin. */
  originMark(origin: string): string
}

export function openAccessControl(parts: {
  readonly store: Store
  readonly runtime: Runtime
  readonly uses: Uses
  readonly secretKey: SecretKey
  /** Told when something in the background could not be read. */
  readonly onTrouble: (error: unknown) => void
}): AccessControl {
  const { store, runtime, secretKey } = parts
  const options = {
    ...parts,
    counts: new KeyCounts(store, grantsOfDocument, limits.grantsPerDocument),
  }
  const standing: AccessControl['standing'] = (credential, slug) =>
    standingOf(options, credential, slug)
  return {
    authenticate: (secret) => authenticate(options, secret),
    browser: (secrets) => browserFor(options, secrets),
    refresh: (credential) => credentialAgain(options, credential),
    watch: (credential, slug, listener) => watchCredential(options, { credential, slug }, listener),
    standing,
    keepLink: (browser, slug) => keepLink(options, slug, browser),
    joinByLink: (slug, by) => joinByLink(options, slug, by),
    mayClaim: (browser, slug) => mayClaim(options, slug, browser),
    planClaim: (slug, browser) => planClaim(options, slug, browser),
    planGivingBack: (slug, browser) => planGivingBack(options, slug, browser),
    ownership: (slug) => ownershipOf(options, slug),
    planOffer: (slug, offer) => planOffer(options, slug, offer),
    planWithdrawal: (slug, by) => planWithdrawal(options, slug, by),
    planAcceptance: (slug, browser) => planAcceptance(options, slug, browser),
    planInvitation: (slug, invited) => planInvitation(options, slug, invited),
    grants: (facts, page) => grantPage(options, facts, page),
    mentioned: (facts, names) => mentionedBy(options, facts, names),
    sharedWith: (actor, page) => sharedWith(options, actor, page),
    agentContext: (agent, asked) => agentContext({ ...options, standing }, agent, asked),
    isInContext: (agent, document) => isInContext({ ...options, standing }, agent, document),
    hasOwnPart: (agentId, facts) => hasOwnPart(options, agentId, facts),
    bundleHandle: ({ agentId }, scope) => bundleHandle(secretKey, agentId, scope),
    scopeOfHandle: ({ agentId }, handle) => scopeOfHandle(secretKey, agentId, handle),
    actors: (ids) => actorObjects(store, ids),
    visitor: (cookie) => visitorOf(runtime, cookie),
    addressMark: addressMarks(secretKey),
    originMark: (origin) => originMark(secretKey, origin),
  }
}

/**
 * Whether an agent has a part in a document while no request of it is under way (extensions §6):
 * by a grant of its own or by the document's place. General access is none. False where the agent,
 * or the account that owns it, has ended.
 */
export async function hasOwnPart(
  context: AccessContext,
  agentId: string,
  facts: DocumentFacts,
): Promise<boolean> {
  const known = await agentInUse(context, agentId)
  if (known === undefined) return false
  const [recorded, placed] = await Promise.all([
    recordedGrant(context, facts.slug, known.agent.actor as ActorId),
    placeGrant(context.store, facts.slug, { agent: known.agent }),
  ])
  const grants = grantsOf({ credential: undefined, recorded, placed }, facts)
  return grants.some(({ through }) => through !== 'general')
}

/**
 * The visitor: a browser, or any client that keeps cookies, without a credential. It authenticates
 * nobody; it only says whose Idempotency-Keys a create without a Bearer uses (interface §4.2, §5).
 */
export interface Visitor {
  /** The value of the cookie `visitor`: whoever has it can replay this visitor's creates. */
  readonly cookie: string
  /** Whether the cookie has to be set. */
  readonly isNew: boolean
  /** Whose keys: from the cookie's hash, so that the store holds no cookie. */
  readonly holder: string
}

const shape = /^[A-Za-z0-9_-]{43}$/

/** The visitor of this cookie, or a new one when there is none or it was never ours. */
export function visitorOf(runtime: Runtime, cookie: string | undefined): Visitor {
  const known = cookie !== undefined && shape.test(cookie)
  const value = known ? cookie : Buffer.from(runtime.randomBytes(32)).toString('base64url')
  return { cookie: value, isNew: !known, holder: `visitor:${sha256Hex(value)}` }
}
