/**
 * A way to a new password that an operator hands out (extensions §3): good once, for an hour, and
 * until the account has another password. The store has its hash alone.
 */
import { kindRange, passwordKey, resetKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import { readRecord, records } from '../records/records.ts'
import { looksLikeReset, randomSecret, sha256Hex } from '../records/secrets.ts'
import {
  type AccountContext,
  accountPut,
  generationOf,
  isInUse,
  knownByHandle,
  knownById,
  nextGeneration,
} from './account-records.ts'
import { newSession } from './sessions.ts'
import type { SignedIn, SignInContext } from './sign-in.ts'

const resetTtlMs = 3_600_000

/** The secret; `undefined`: no account goes by this handle, or nobody gets into it. */
export async function offerReset(
  { store, runtime }: AccountContext,
  handle: string,
): Promise<string | undefined> {
  const known = await knownByHandle(store, handle)
  if (known === undefined) return undefined
  const { record: account } = known.account
  if (account.guest || !isInUse(account)) return undefined
  const secret = randomSecret(runtime, 'rst')
  const value = records.reset.encode({
    accountId: account.accountId,
    generation: generationOf(account),
    endsAt: runtime.now() + resetTtlMs,
  })
  await store.commit({ puts: [{ key: resetKey(sha256Hex(secret)), value }] })
  return secret
}

/**
 * Spends it: the account has this password and one session, a new one. `password` has passed
 * `requirePassword`. Refuses LOGIN_FAILED what was spent, has expired or never was; BUSY.
 */
export async function takeReset(
  context: SignInContext,
  request: { readonly secret: string; readonly password: string; readonly address: string },
): Promise<SignedIn> {
  const { store, runtime, passwords } = context
  if (!looksLikeReset(request.secret)) throw new Refusal('LOGIN_FAILED')
  const key = resetKey(sha256Hex(request.secret))
  const good = async () => {
    const reset = await readRecord(store, key, records.reset)
    if (reset === undefined || reset.record.endsAt <= runtime.now()) {
      throw new Refusal('LOGIN_FAILED')
    }
    return reset
  }
  await good()
  const password = await passwords.hash(request.password, request.address)
  for (;;) {
    const reset = await good()
    const known = await knownById(store, reset.record.accountId)
    const isGood = known !== undefined && isInUse(known.account.record)
    if (!isGood || generationOf(known.account.record) !== reset.record.generation) {
      throw new Refusal('LOGIN_FAILED')
    }
    const account = nextGeneration(known.account.record)
    const session = newSession(runtime, account)
    const result = await store.commit({
      checks: [...known.checks, { key, version: reset.version }],
      puts: [
        accountPut(account),
        { key: passwordKey(account.accountId), value: records.password.encode(password) },
        ...session.puts,
      ],
      deletes: [key],
    })
    if (result.ok) return { account, session: session.secret }
  }
}

/** Deletes those whose time is over. */
export async function sweepResets({ store, runtime }: AccountContext): Promise<void> {
  for await (const { key, value, version } of store.scan(kindRange('reset'))) {
    if (records.reset.decode(value).endsAt > runtime.now()) continue
    await store.commit({ checks: [{ key, version }], deletes: [key] })
  }
}
