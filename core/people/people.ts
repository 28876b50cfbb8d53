/**
 * People as the layers above see them: who a secret stands for, what they may do with a document,
 * what they are called. Made once by the composition; keeps nothing but a timer beside what the
 * store has.
 */
import type { Store } from '../../persistence/store.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import type { DocumentFacts } from '../documents/contract.ts'
import { steadyRuntime } from '../steady-runtime.ts'
import { createGuest, renameAccount } from './accounts.ts'
import { type ActorObject, actorObjects } from './actors.ts'
import { type RegisteredAgent, registerAgent } from './agents.ts'
import { type BrowserSecrets, browserAgain, browserFor } from './browsers.ts'
import {
  type Confirmation,
  newConfirmation,
  spendConfirmation,
  sweepConfirmations,
} from './confirmations.ts'
import { type Creation, type CreatorAccess, creatorAccess, prepareCreation } from './creation.ts'
import { watchCredential } from './credential-keys.ts'
import { claimOwnership, keepLink, mayClaim, recordedGrant } from './grants.ts'
import {
  authenticate,
  type BrowserCredential,
  type Credential,
  credentialOf,
  identify,
  identifyInline,
  type SecretCredential,
  type TokenCredential,
} from './identity.ts'
import { chooseLink, type LinkChoice } from './link-choice.ts'
import type { Account } from './records.ts'
import type { Standing } from './roles.ts'
import type { SecretKey } from './secrets.ts'
import { endSession, sweepEndedSessions } from './sessions.ts'
import { type GeneralLink, generalLink, type ShortLink, shortLink } from './short-links.ts'
import { issueToken } from './tokens.ts'
import { sweepUnusedTokens } from './unused-tokens.ts'
import { type Visitor, visitorOf } from './visitor.ts'

export interface People {
  /** The credential of a bearer secret; `undefined`: unknown, ended or revoked. */
  authenticate(secret: string): Promise<SecretCredential | undefined>
  /** The browser of these secrets; `undefined`: none of them is good. */
  browser(secrets: BrowserSecrets): Promise<BrowserCredential | undefined>
  /** Which link counts from now on; `undefined`: the offered one is no good for this document. */
  chooseLink(
    choice: LinkChoice,
    facts: () => Promise<DocumentFacts>,
  ): Promise<'offered' | 'held' | undefined>
  /** The same credential as it is now; `undefined` when it ended since. */
  refresh(credential: Credential): Promise<Credential | undefined>
  /** A hint that what this credential is worth there may have changed; returns how to stop. */
  watch(credential: Credential, slug: Slug, listener: () => void): () => void
  /** What the store says of the caller and this document; `accessOn` says what that is worth. */
  standing(credential: Credential | undefined, slug: Slug): Promise<Standing>
  /** Names a token's holder (interface §4.7); `name` has passed `displayNameFrom`. */
  identify(
    credential: Credential,
    name: string,
  ): Promise<{ readonly actor: ActorId; readonly displayName: string }>
  /** Names a token that has none by the `display_name` of a write. Refuses IDENTITY_MISMATCH. */
  identifyInline(credential: Credential, name: string): Promise<void>
  /** A personal token in place of the shared one a link carried (interface §4.4). */
  mintPersonal(credential: TokenCredential): Promise<string>
  register(request: {
    readonly name: string
    readonly handle?: string | undefined
  }): Promise<RegisteredAgent>
  /** A guest's account and the secret of its session; `name` has passed `displayNameFrom`. */
  createGuest(name: string): Promise<{ readonly account: Account; readonly session: string }>
  renameAccount(accountId: string, name: string): Promise<Account>
  endSession(session: { readonly sha256: string }): Promise<void>
  /** Has the account keep the link that it wrote through. */
  keepLink(browser: BrowserCredential, slug: Slug): Promise<void>
  /** Whether nobody owns the document and this browser came by its creator's share address. */
  mayClaim(browser: BrowserCredential, slug: Slug): Promise<boolean>
  /** Makes the browser's account the owner. Refuses AUTH_REQUIRED, FORBIDDEN, ALREADY_OWNED. */
  claim(browser: BrowserCredential, slug: Slug): Promise<void>
  actors(ids: Iterable<ActorId>): Promise<Record<string, ActorObject>>
  /** The document's link of general access, made when there is none. */
  generalLink(slug: Slug): Promise<GeneralLink>
  /** Where a code leads; `undefined`: nowhere. */
  shortLink(code: string): Promise<ShortLink | undefined>
  /** A ticket to follow this short link once, soon. */
  newConfirmation(code: string): Confirmation
  /** Whether the ticket was good until now; `undefined`: it never was for this code. */
  spendConfirmation(code: string, ticket: string): Promise<boolean | undefined>
  visitor(cookie: string | undefined): Visitor
  prepareCreation(request: {
    readonly slug: Slug
    readonly credential: Credential | undefined
    readonly displayName: string | undefined
  }): Creation
  /** From the `note` of `prepareCreation`, as it came back from the store. */
  creatorAccess(note: unknown): CreatorAccess
  /** Ends the work in the background. */
  close(): void
}

export function openPeople(given: {
  readonly store: Store
  readonly runtime: Runtime
  /** At least 32 bytes. */
  readonly secretKey: SecretKey
  /** Told when work in the background failed (for the log); it is tried again later. */
  readonly onTrouble?: (error: unknown) => void
}): People {
  const options = { ...given, runtime: steadyRuntime(given.runtime), wall: given.runtime }
  const { store, runtime, secretKey, onTrouble = () => {} } = options
  if (secretKey.length < 32) throw new TypeError('the secret key has fewer than 32 bytes')
  let sweep = scheduleSweep()
  function scheduleSweep(): Timer {
    return runtime.after(limits.unusedTokenSweepEveryMs, () => {
      sweepUnusedTokens(store, runtime).catch(onTrouble)
      sweepEndedSessions(options).catch(onTrouble)
      sweepConfirmations(store, runtime).catch(onTrouble)
      sweep = scheduleSweep()
    })
  }
  return {
    authenticate: (secret) => authenticate(options, secret),
    browser: (secrets) => browserFor(options, secrets),
    chooseLink: (choice, facts) => chooseLink(options, choice, facts),
    refresh: (credential) =>
      credential.kind === 'browser'
        ? browserAgain(options, credential)
        : credentialOf(options, credential.sha256),
    watch: (credential, slug, listener) =>
      watchCredential({ store, onTrouble }, { credential, slug }, listener),
    async standing(credential, slug) {
      const actor = credential?.actor
      if (actor === undefined) return { credential, recorded: undefined }
      return { credential, recorded: await recordedGrant(options, slug, actor) }
    },
    identify: (credential, name) => identify(options, credential, name),
    identifyInline: (credential, name) => identifyInline(options, credential, name),
    async mintPersonal({ slug, role, follows, sha256 }) {
      const request = { slug, role, follows, origin: 'read', parent: sha256 } as const
      const token = issueToken(options, request)
      const result = await store.commit({ puts: token.puts })
      if (!result.ok) throw new TypeError('a commit without checks found a conflict')
      return token.secret
    },
    register: (request) => registerAgent(options, request),
    createGuest: (name) => createGuest(options, name),
    renameAccount: (accountId, name) => renameAccount(store, accountId, name),
    endSession: ({ sha256 }) => endSession(store, sha256),
    keepLink: (browser, slug) => keepLink(options, slug, browser),
    mayClaim: (browser, slug) => mayClaim(options, slug, browser),
    claim: (browser, slug) => claimOwnership(options, slug, browser),
    actors: (ids) => actorObjects(store, ids),
    generalLink: (slug) => generalLink(options, slug),
    shortLink: (code) => shortLink(options, code),
    newConfirmation: (code) => newConfirmation(options, code),
    spendConfirmation: (code, ticket) => spendConfirmation(options, code, ticket),
    visitor: (cookie) => visitorOf(runtime, cookie),
    prepareCreation: (request) => prepareCreation(options, request),
    creatorAccess: (note) => creatorAccess(secretKey, note),
    close: () => sweep.cancel(),
  }
}
