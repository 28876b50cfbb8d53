/**
 * Who a secret stands for and what its holder may do with a document, as the layers above see it.
 * Keeps nothing beside what the store has.
 */
import type { Store } from '../../persistence/store.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type ActorObject, actorObjects } from './actors.ts'
import { type BrowserSecrets, browserAgain, browserFor } from './browsers.ts'
import {
  authenticate,
  type BrowserCredential,
  type Credential,
  credentialOf,
  type SecretCredential,
} from './credentials.ts'
import { claimOwnership, keepLink, mayClaim, recordedGrant } from './grants.ts'
import { placeGrant } from './place-grants.ts'
import type { Standing } from './roles.ts'
import { type Visitor, visitorOf } from './visitor.ts'
import { watchCredential } from './watched-records.ts'

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
  /** Whether nobody owns the document and this browser came by its creator's share address. */
  mayClaim(browser: BrowserCredential, slug: Slug): Promise<boolean>
  /** Makes the browser's account the owner. Refuses AUTH_REQUIRED, FORBIDDEN, ALREADY_OWNED. */
  claim(browser: BrowserCredential, slug: Slug): Promise<void>
  /** What is shown for actors, by their ids. */
  actors(ids: Iterable<ActorId>): Promise<Record<string, ActorObject>>
  visitor(cookie: string | undefined): Visitor
}

export function openAccessControl(options: {
  readonly store: Store
  readonly runtime: Runtime
  /** Told when something in the background could not be read. */
  readonly onTrouble: (error: unknown) => void
}): AccessControl {
  const { store, runtime } = options
  return {
    authenticate: (secret) => authenticate(options, secret),
    browser: (secrets) => browserFor(options, secrets),
    refresh: (credential) =>
      credential.kind === 'browser'
        ? browserAgain(options, credential)
        : credentialOf(options, credential.sha256),
    watch: (credential, slug, listener) => watchCredential(options, { credential, slug }, listener),
    async standing(credential, slug) {
      const actor = credential?.actor
      if (actor === undefined) return { credential, recorded: undefined }
      const [recorded, placed] = await Promise.all([
        recordedGrant(options, slug, actor),
        placeGrant(store, slug, credential),
      ])
      return { credential, recorded, placed }
    },
    keepLink: (browser, slug) => keepLink(options, slug, browser),
    mayClaim: (browser, slug) => mayClaim(options, slug, browser),
    claim: (browser, slug) => claimOwnership(options, slug, browser),
    actors: (ids) => actorObjects(store, ids),
    visitor: (cookie) => visitorOf(runtime, cookie),
  }
}
