/**
 * The tokens of documents and the links that carry them, as the layers above see them.
 */
import { mintedOfDocument } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { ActorId, Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { Credential, TokenCredential } from '../access/credentials.ts'
import type { DocumentFacts, PlannedRecords } from '../documents/contract.ts'
import { KeyCounts } from '../records/key-counts.ts'
import type { RecordPlan } from '../records/record-plan.ts'
import { derivedCode, type SecretKey, sha256Hex } from '../records/secrets.ts'
import { tokenUse, type Uses } from '../records/uses.ts'
import {
  type ListedTokens,
  listTokens,
  type NewAccessToken,
  type NewToken,
  planAccessToken,
} from './access-tokens.ts'
import {
  type Confirmation,
  isGoodConfirmation,
  newConfirmation,
  spendConfirmation,
  sweepConfirmations,
} from './confirmations.ts'
import { type Creation, type CreatorAccess, creatorAccess, prepareCreation } from './creation.ts'
import { recordFormerMakers } from './former-makers.ts'
import { type Handover, handOver } from './handover.ts'
import { chooseLink, type LinkChoice } from './link-choice.ts'
import { sweepFreeNames } from './link-names.ts'
import { MintedByNetwork, mintPersonal } from './minted-tokens.ts'
import {
  type ListedLink,
  listLinks,
  type NewLink,
  planLink,
  planRevocation,
} from './named-links.ts'
import {
  type GeneralLink,
  knownGeneralLink,
  planGeneralLink,
  type ShortLink,
  shortLink,
} from './short-links.ts'
import { planTaking, type Taking } from './taking-access.ts'
import { identify, identifyInline } from './token-names.ts'
import { secretAgain } from './tokens.ts'
import { sweepUnusedTokens } from './unused-tokens.ts'

export interface Links {
  /** Who creates a document, and which records come with it. */
  prepareCreation(request: {
    readonly slug: Slug
    readonly credential: Credential | undefined
    readonly displayName: string | undefined
  }): Creation
  /** From the `replay` of a founding, as it came back from the store. */
  creatorAccess(note: unknown): CreatorAccess
  /** Names a token's holder (interface §4.7); `name` has passed `displayNameFrom`. */
  identify(
    credential: Credential,
    name: string,
  ): Promise<{ readonly actor: ActorId; readonly displayName: string }>
  /** Names a token that has none by the `display_name` of a write. Refuses IDENTITY_MISMATCH. */
  identifyInline(credential: Credential, name: string): Promise<void>
  /** A personal token in place of the shared one a link carried (interface §4.4). */
  mintPersonal(credential: TokenCredential, network: string): Promise<string>
  /** Which link counts from now on; `undefined`: the offered one is no good for this document. */
  chooseLink(
    choice: LinkChoice,
    facts: () => Promise<DocumentFacts>,
  ): Promise<'offered' | 'held' | undefined>
  /** The document's link of general access; `undefined`: it has none yet. */
  knownGeneralLink(slug: Slug): Promise<GeneralLink | undefined>
  planGeneralLink(slug: Slug): Promise<PlannedRecords<GeneralLink>>
  /** Where a code or a name leads; `undefined`: nowhere. */
  shortLink(codeOrName: string): Promise<ShortLink | undefined>
  /** Somebody has followed it. */
  noteUse(link: ShortLink): void
  /** Refuses FORBIDDEN, NAME_TAKEN, LIMIT_REACHED. */
  planLink(slug: Slug, link: NewLink): Promise<PlannedRecords<ListedLink>>
  /** The newest first. */
  listLinks(slug: Slug): Promise<readonly ListedLink[]>
  /** By code or name. Refuses NOT_FOUND. */
  planRevocation(slug: Slug, link: string): Promise<PlannedRecords<{ readonly code: string }>>
  /** A token for others. Refuses LIMIT_REACHED. */
  planAccessToken(slug: Slug, token: NewToken): Promise<PlannedRecords<NewAccessToken>>
  listTokens(slug: Slug): Promise<ListedTokens>
  /** The secret of a token that `planAccessToken` made. */
  accessTokenAgain(id: string): string
  /** The code of a link, by its public id. */
  codeOf(linkId: string): string
  /** Refuses NOT_FOUND, FORBIDDEN. */
  planTaking(slug: Slug, taking: Taking): Promise<PlannedRecords<void>>
  /** Adds to a plan that links and tokens of one maker are another's. */
  handOver(plan: RecordPlan, slug: Slug, handover: Handover): Promise<void>
  /** A ticket to follow this short link once, soon. */
  newConfirmation(code: string): Confirmation
  /** Whether the ticket is good; `undefined`: it never was for this code. */
  isGoodConfirmation(code: string, ticket: string): Promise<boolean | undefined>
  /** Whether the ticket was good until now; `undefined`: it never was for this code. */
  spendConfirmation(code: string, ticket: string): Promise<boolean | undefined>
  /** For a store of before tokens named their makers; once is enough. */
  recordFormerMakers(): Promise<void>
  /** Deletes what time has ended. */
  sweep(): Promise<void>
}

export interface LinksOptions {
  readonly store: Store
  /** What tokens and tickets live by does not jump. */
  readonly runtime: Runtime
  /** What is shown to people. */
  readonly wall: Pick<Runtime, 'now'>
  /** At least 32 bytes. */
  readonly secretKey: SecretKey
  readonly uses: Uses
}

export function openLinks(options: LinksOptions): Links {
  const { store, runtime, secretKey } = options
  if (secretKey.length < 32) throw new TypeError('the secret key has fewer than 32 bytes')
  const counts = new KeyCounts(store, mintedOfDocument, limits.mintedTokensPerDocument)
  const minting = { store, runtime, secretKey, counts, byNetwork: new MintedByNetwork() }
  return {
    prepareCreation: (request) => prepareCreation(options, request),
    creatorAccess: (note) => creatorAccess(secretKey, note),
    identify: (credential, name) => identify(options, credential, name),
    identifyInline: (credential, name) => identifyInline(options, credential, name),
    mintPersonal: (credential, network) => mintPersonal(minting, credential, network),
    chooseLink: (choice, facts) => chooseLink(options, choice, facts),
    knownGeneralLink: (slug) => knownGeneralLink(options, slug),
    planGeneralLink: (slug) => planGeneralLink(options, slug),
    shortLink: (codeOrName) => shortLink(options, codeOrName),
    noteUse: ({ token }) => options.uses.note(tokenUse(sha256Hex(token)), 1),
    planLink: (slug, link) => planLink(options, slug, link),
    async listLinks(slug) {
      await options.uses.store()
      return listLinks(options, slug)
    },
    planRevocation: (slug, link) => planRevocation(options, slug, link),
    planAccessToken: (slug, token) => planAccessToken(options, slug, token),
    async listTokens(slug) {
      await options.uses.store()
      return listTokens(options, slug)
    },
    accessTokenAgain: (id) => secretAgain(secretKey, 'access', id),
    codeOf: (linkId) => derivedCode(secretKey, linkId),
    planTaking: (slug, taking) => planTaking(options, slug, taking),
    handOver: (plan, slug, handover) => handOver(options, plan, slug, handover),
    newConfirmation: (code) => newConfirmation(options, code),
    isGoodConfirmation: (code, ticket) => isGoodConfirmation(options, code, ticket),
    spendConfirmation: (code, ticket) => spendConfirmation(options, code, ticket),
    recordFormerMakers: () => recordFormerMakers(options),
    async sweep() {
      await sweepUnusedTokens(store, runtime)
      await sweepConfirmations(store, runtime)
      await sweepFreeNames(store, runtime)
    },
  }
}
