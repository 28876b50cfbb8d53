/**
 * What people change about their own account (extensions §3): the password, and whether there is an
 * account at all. A new password ends every other session in the commit that brings it.
 */
import { accountWorkKey, identityKey, passwordKey, tokenBySha256 } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import { type Account, readRecord, records } from '../records/records.ts'
import {
  type AccountSnapshot,
  accountPut,
  generationOf,
  isInUse,
  knownById,
  nextGeneration,
} from './account-records.ts'
import { offerKeys } from './guest-offers.ts'
import type { Present, SignInContext } from './sign-in.ts'

interface Proof {
  readonly password: string | undefined
  readonly address: string
}

/** Refuses LOGIN_FAILED unless the password is right, where there is one; BUSY. */
async function requireProof(
  { passwords }: SignInContext,
  known: AccountSnapshot,
  { password, address }: Proof,
): Promise<void> {
  if (known.password === undefined) return
  if (password === undefined) throw new Refusal('LOGIN_FAILED')
  const { isGood } = await passwords.matches(password, async () => known, address)
  if (!isGood) throw new Refusal('LOGIN_FAILED')
}

async function presentAccount(
  { store }: SignInContext,
  accountId: string,
): Promise<AccountSnapshot> {
  const known = await knownById(store, accountId)
  if (known === undefined || !isInUse(known.account.record)) throw new Refusal('AUTH_REQUIRED')
  return known
}

/**
 * The account under another password, and a name if one is given. Refuses LOGIN_FAILED without the
 * present one, FORBIDDEN to a guest, AUTH_REQUIRED when the session has ended, BUSY.
 */
export async function changePassword(
  context: SignInContext,
  from: Present,
  change: {
    readonly password: string
    readonly current: string | undefined
    readonly name: string | undefined
    readonly address: string
  },
): Promise<Account> {
  const { store, passwords } = context
  const { accountId } = from.account
  const { address } = change
  const hashed = await presentAccount(context, accountId).then(async (known) => {
    if (known.account.record.guest) throw new Refusal('FORBIDDEN', { next: 'POST /auth/signup' })
    await requireProof(context, known, { password: change.current, address })
    return { password: await passwords.hash(change.password, address), known }
  })
  const { known } = hashed
  const account = nextGeneration({
    ...known.account.record,
    ...(change.name !== undefined && { name: change.name }),
  })
  const sessionKey = tokenBySha256(from.sha256)
  const session = await readRecord(store, sessionKey, records.secret)
  if (session?.record.type !== 'session') throw new Refusal('AUTH_REQUIRED')
  const kept = { ...session.record, generation: generationOf(account) }
  const result = await store.commit({
    checks: [...known.checks, { key: sessionKey, version: session.version }],
    puts: [
      accountPut(account),
      { key: passwordKey(accountId), value: records.password.encode(hashed.password) },
      { key: sessionKey, value: records.secret.encode(kept) },
    ],
  })
  // Whoever changed something meanwhile may have changed what was proved.
  return result.ok ? account : changePassword(context, from, change)
}

/**
 * Ends the account: nobody gets in from this commit on, and what is left to do is noted with it.
 * Refuses LOGIN_FAILED without its password, AUTH_REQUIRED when it is gone, BUSY.
 */
export async function endAccount(
  context: SignInContext,
  from: Present,
  proof: Proof,
): Promise<void> {
  const { store, runtime } = context
  const { accountId } = from.account
  for (;;) {
    const known = await presentAccount(context, accountId)
    await requireProof(context, known, proof)
    const { identities, ...account } = nextGeneration(known.account.record)
    const result = await store.commit({
      checks: known.checks,
      puts: [
        accountPut({ ...account, deletedAt: runtime.now() }),
        { key: accountWorkKey(accountId), value: records.accountWork.encode({ what: 'end' }) },
      ],
      deletes: [
        passwordKey(accountId),
        ...(await offerKeys(store, accountId)),
        ...(identities ?? []).map(identityKey),
      ],
    })
    if (result.ok) return
  }
}
