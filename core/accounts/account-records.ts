/** Accounts as they lie in the store, and what of them counts now (extensions §3, §9). */
import { accountKey, handleKey, passwordKey } from '../../persistence/keys.ts'
import type { Check, Store } from '../../persistence/store.ts'
import type { Runtime } from '../../schema/runtime.ts'
import {
  type Account,
  type PasswordRecord,
  readRecord,
  records,
  type Versioned,
} from '../records/records.ts'

export interface AccountContext {
  readonly store: Store
  readonly runtime: Runtime
}

export const accountById = (
  store: Store,
  accountId: string,
): Promise<Versioned<Account> | undefined> =>
  readRecord(store, accountKey(accountId), records.account)

/** Whether anybody can get in. */
export const isInUse = ({ disabled, deletedAt }: Account): boolean =>
  disabled === undefined && deletedAt === undefined

export const generationOf = ({ generation }: { readonly generation?: number }): number =>
  generation ?? 0

/** The account as a commit leaves it in which all its sessions of before end. */
export const nextGeneration = <A extends Account>(account: A): A & { generation: number } => ({
  ...account,
  generation: generationOf(account) + 1,
})

export const accountPut = (account: Account) => ({
  key: accountKey(account.accountId),
  value: records.account.encode(account),
})

/** An account and its password, as of one look. */
export interface AccountSnapshot {
  readonly account: Versioned<Account>
  readonly password: Versioned<PasswordRecord> | undefined
  /** That both are as they were. */
  readonly checks: readonly Check[]
}

export async function knownById(
  store: Store,
  accountId: string,
): Promise<AccountSnapshot | undefined> {
  const [account, password] = await Promise.all([
    accountById(store, accountId),
    readRecord(store, passwordKey(accountId), records.password),
  ])
  return account && { account, password, checks: checksOf(accountId, account, password) }
}

const checksOf = (
  accountId: string,
  account: Versioned<Account>,
  password: Versioned<PasswordRecord> | undefined,
): Check[] => [
  { key: accountKey(accountId), version: account.version },
  { key: passwordKey(accountId), version: password?.version },
]

const handleShape = /^[a-z0-9][a-z0-9_-]{1,38}$/
/** Looked for in the place of one that nobody has, so that it takes as long. */
const nobody = 'nobody'

/** The account that goes by this handle now; the same work whether there is one or not. */
export async function knownByHandle(
  store: Store,
  handle: string,
): Promise<AccountSnapshot | undefined> {
  const sought = handleShape.test(handle) ? handle : nobody
  const home = await readRecord(store, handleKey(sought), records.handle)
  const accountId =
    home !== undefined && 'accountId' in home.record ? home.record.accountId : nobody
  const known = await knownById(store, accountId)
  return known?.account.record.handle === handle ? known : undefined
}
