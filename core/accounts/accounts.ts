/** Accounts of people and their sessions, as the layers above see them (extensions §3, §9). */
import type { AttachedRecords } from '../commit/attached-records.ts'
import type { Account } from '../records/records.ts'
import type { Uses } from '../records/uses.ts'
import { knownById } from './account-records.ts'
import { type AccountPage, listAccounts, setDisabled } from './administration.ts'
import { changePassword, endAccount } from './changes.ts'
import {
  answerOffer,
  type GuestDocuments,
  guestDocuments,
  type OfferAnswer,
} from './guest-offers.ts'
import { createGuest, renameAccount } from './guests.ts'
import { type Identity, linkIdentity, signInAs } from './identities.ts'
import {
  createOwnerKey,
  type KeyRequest,
  type ListedOwnerKey,
  listOwnerKeys,
  type NewOwnerKey,
  revokeOwnerKey,
} from './owner-keys.ts'
import { offerReset, sweepResets, takeReset } from './resets.ts'
import {
  endSession,
  type ListedSession,
  sessionById,
  sessionsOf,
  sweepEndedSessions,
} from './sessions.ts'
import {
  type Present,
  type SignedIn,
  type SignInContext,
  type SignInRequest,
  type SignUpRequest,
  signIn,
  signUp,
} from './sign-in.ts'

export interface Accounts {
  /** A guest's account and the secret of its session; `name` has passed `displayNameFrom`. */
  createGuest(name: string): Promise<SignedIn>
  /** Refuses AUTH_REQUIRED when the account is gone. */
  rename(accountId: string, name: string): Promise<Account>
  /** Refuses HANDLE_TAKEN, BUSY. */
  signUp(request: SignUpRequest): Promise<SignedIn>
  /** Refuses LOGIN_FAILED, BUSY. */
  signIn(request: SignInRequest): Promise<SignedIn>
  /** As `signInAs` in identities.ts. */
  signInAs(
    identity: Identity,
    how: { readonly from: Present | undefined; readonly mayMake: boolean },
  ): Promise<SignedIn>
  /** Refuses IDENTITY_TAKEN. */
  link(identity: Identity, present: Present): Promise<void>
  /** Refuses LOGIN_FAILED, FORBIDDEN, AUTH_REQUIRED, BUSY. */
  changePassword(present: Present, change: Parameters<typeof changePassword>[2]): Promise<Account>
  /** Refuses LOGIN_FAILED, AUTH_REQUIRED, BUSY. */
  end(present: Present, proof: Parameters<typeof endAccount>[2]): Promise<void>
  /** What a guest left to this account, if it has not said yet whether it wants it. */
  guestDocuments(accountId: string): Promise<GuestDocuments | undefined>
  /** How many documents were offered; `undefined`: nothing was. */
  answerGuestDocuments(accountId: string, answer: OfferAnswer): Promise<number | undefined>
  sessions(account: Account): Promise<ListedSession[]>
  /** Of the account's session by this public id, the hash; `undefined`: there is none. */
  endSessionById(account: Account, id: string): Promise<string | undefined>
  /** By what one gets into it. */
  waysInto(accountId: string): Promise<{ readonly password: boolean; readonly linked: boolean }>
  endSession(session: { readonly sha256: string }): Promise<void>
  /** The secret of a way to a new password; `undefined`: nobody goes by this handle. */
  offerReset(handle: string): Promise<string | undefined>
  /** Refuses LOGIN_FAILED, BUSY. */
  takeReset(request: Parameters<typeof takeReset>[1]): Promise<SignedIn>
  list(after: string | undefined): Promise<AccountPage>
  setDisabled(handle: string, disabled: boolean): Promise<Account | undefined>
  /** Refuses FORBIDDEN to guests, LIMIT_REACHED. */
  createOwnerKey(request: KeyRequest, attached?: AttachedRecords<NewOwnerKey>): Promise<NewOwnerKey>
  /** The newest first. */
  ownerKeys(accountId: string): Promise<ListedOwnerKey[]>
  /** Refuses NOT_FOUND. */
  revokeOwnerKey(accountId: string, keyId: string): Promise<void>
  /** Deletes what time has ended. */
  sweep(): Promise<void>
}

export interface AccountsGiven extends SignInContext {
  readonly uses: Uses
  /** Does what is noted for an account; resolves when that is done or has to wait. */
  readonly work: (accountId: string) => Promise<void>
}

export function openAccounts(given: AccountsGiven): Accounts {
  const { store, uses } = given
  return {
    createGuest: (name) => createGuest(given, name),
    rename: (accountId, name) => renameAccount(store, accountId, name),
    signUp: (request) => signUp(given, request),
    signIn: (request) => signIn(given, request),
    signInAs: (identity, how) => signInAs(given, identity, how),
    link: (identity, present) => linkIdentity(given, identity, present),
    changePassword: (present, change) => changePassword(given, present, change),
    async end(present, proof) {
      await endAccount(given, present, proof)
      void given.work(present.account.accountId)
    },
    guestDocuments: (accountId) => guestDocuments(given, accountId),
    async answerGuestDocuments(accountId, answer) {
      const offer = await answerOffer(given, accountId, answer)
      if (offer !== undefined && answer.join) await given.work(offer.guest)
      return offer?.documents
    },
    sessions: (account) => sessionsOf(given, account),
    async endSessionById(account, id) {
      const sha256 = await sessionById(given, account, id)
      if (sha256 !== undefined) await endSession(store, sha256)
      return sha256
    },
    async waysInto(accountId) {
      const known = await knownById(store, accountId)
      const linked = (known?.account.record.identities ?? []).length > 0
      return { password: known?.password !== undefined, linked }
    },
    endSession: ({ sha256 }) => endSession(store, sha256),
    offerReset: (handle) => offerReset(given, handle),
    takeReset: (request) => takeReset(given, request),
    list: (after) => listAccounts(given, after),
    setDisabled: (handle, disabled) => setDisabled(given, handle, disabled),
    createOwnerKey: (request, attached) => createOwnerKey(given, request, attached),
    async ownerKeys(accountId) {
      await uses.store()
      return listOwnerKeys(store, accountId)
    },
    revokeOwnerKey: (accountId, keyId) => revokeOwnerKey(store, accountId, keyId),
    async sweep() {
      await sweepEndedSessions(given)
      await sweepResets(given)
    },
  }
}
