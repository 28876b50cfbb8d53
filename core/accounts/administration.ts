/** What an operator does with accounts (extensions §3): list them, close them, open them again. */
import { accountKey, kindRange } from '../../persistence/keys.ts'
import { type Account, records } from '../records/records.ts'
import { type AccountContext, accountPut, knownByHandle } from './account-records.ts'

const accountsPerPage = 500

export interface AccountPage {
  readonly accounts: readonly Account[]
  /** Where the next page begins; `undefined`: that was all. */
  readonly next: string | undefined
}

/** Those of people who signed up and have not deleted them. */
export async function listAccounts(
  { store }: AccountContext,
  after: string | undefined,
): Promise<AccountPage> {
  const accounts: Account[] = []
  const range = { ...kindRange('account'), limit: accountsPerPage }
  const { gte: _, ...rest } = range
  const from = after === undefined ? range : { ...rest, gt: accountKey(after) }
  let seen = 0
  let last: string | undefined
  for await (const { value } of store.scan(from)) {
    const account = records.account.decode(value)
    seen += 1
    last = account.accountId
    if (!account.guest && account.deletedAt === undefined) accounts.push(account)
  }
  return { accounts, next: seen < accountsPerPage ? undefined : last }
}

/**
 * From now on nobody gets in, or somebody may again by a new session. The account; `undefined`:
 * none goes by this handle.
 */
export async function setDisabled(
  { store }: AccountContext,
  handle: string,
  disabled: boolean,
): Promise<Account | undefined> {
  for (;;) {
    const known = await knownByHandle(store, handle)
    if (known === undefined || known.account.record.deletedAt !== undefined) return undefined
    const { disabled: before, ...account } = known.account.record
    if ((before === true) === disabled) return known.account.record
    const generation = (account.generation ?? 0) + 1
    const changed: Account = { ...account, generation, ...(disabled && { disabled: true }) }
    const { accountId } = account
    const result = await store.commit({
      checks: [{ key: accountKey(accountId), version: known.account.version }],
      puts: [accountPut(changed)],
    })
    if (result.ok) return changed
  }
}
