/** Accounts of people and their sessions, as the layers above see them (extensions §3). */
import type { Store } from '../../persistence/store.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { Account } from '../records/records.ts'
import { createGuest, renameAccount } from './guests.ts'
import {
  createOwnerKey,
  type ListedOwnerKey,
  listOwnerKeys,
  type NewOwnerKey,
  revokeOwnerKey,
} from './owner-keys.ts'
import { endSession, sweepEndedSessions } from './sessions.ts'

export interface Accounts {
  /** A guest's account and the secret of its session; `name` has passed `displayNameFrom`. */
  createGuest(name: string): Promise<{ readonly account: Account; readonly session: string }>
  /** Refuses AUTH_REQUIRED when the account is gone. */
  rename(accountId: string, name: string): Promise<Account>
  endSession(session: { readonly sha256: string }): Promise<void>
  /** `name` has passed `displayNameFrom`. Refuses FORBIDDEN to guests, TOO_MANY. */
  createOwnerKey(accountId: string, name: string): Promise<NewOwnerKey>
  /** The newest first. */
  ownerKeys(accountId: string): Promise<ListedOwnerKey[]>
  /** Refuses NOT_FOUND. */
  revokeOwnerKey(accountId: string, keyId: string): Promise<void>
  /** Deletes what time has ended. */
  sweep(): Promise<void>
}

export function openAccounts(options: {
  readonly store: Store
  readonly runtime: Runtime
}): Accounts {
  const { store } = options
  return {
    createGuest: (name) => createGuest(options, name),
    rename: (accountId, name) => renameAccount(store, accountId, name),
    endSession: ({ sha256 }) => endSession(store, sha256),
    createOwnerKey: (accountId, name) => createOwnerKey(options, accountId, name),
    ownerKeys: (accountId) => listOwnerKeys(store, accountId),
    revokeOwnerKey: (accountId, keyId) => revokeOwnerKey(store, accountId, keyId),
    async sweep() {
      await sweepEndedSessions(options)
    },
  }
}
