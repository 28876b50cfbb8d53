/** Which of the account's dialogs the page shows; whoever has a reason to asks for one. */
import { createStore, type Store } from '../platform/store.ts'

export type AccountMode = 'sign-in' | 'sign-up'

export const askedAccount: Store<AccountMode | undefined> = createStore<AccountMode | undefined>(
  undefined,
)

export const askForAccount = (mode: AccountMode): void => askedAccount.set(mode)
