/**
 * People whom a provider of identities vouches for (extensions §3). An account is known again by
 * issuer and subject alone: names, handles and mail addresses there may change hands.
 */
import { accountKey, identityKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import { displayNameFrom } from '../records/display-name.ts'
import { type Account, readRecord, records } from '../records/records.ts'
import { sha256Hex } from '../records/secrets.ts'
import { accountById, accountPut, isInUse, knownById } from './account-records.ts'
import { enter, keep, type Present, type SignedIn, type SignInContext } from './sign-in.ts'

/** Identities at a provider that one account is known by. */
const identitiesPerAccount = 8

export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** What the provider calls them; a wish, no proof. */
  readonly preferredHandle: string | undefined
  readonly name: string | undefined
}

const sha256Of = ({ issuer, subject }: Identity): string =>
  sha256Hex(JSON.stringify([issuer, subject]))

const identityPut = (sha256: string, accountId: string) => ({
  key: identityKey(sha256),
  value: records.identity.encode({ accountId }),
})

/**
 * The account of this identity; where there is none, the guest's or a new one becomes it. Refuses
 * LOGIN_FAILED where nobody gets into it, FORBIDDEN where there is none and none is made.
 */
export async function signInAs(
  context: SignInContext,
  identity: Identity,
  { from, mayMake }: { readonly from: Present | undefined; readonly mayMake: boolean },
): Promise<SignedIn> {
  const sha256 = sha256Of(identity)
  for (;;) {
    const home = await readRecord(context.store, identityKey(sha256), records.identity)
    if (home === undefined) {
      if (!mayMake) throw new Refusal('FORBIDDEN')
      const made = await make(context, { identity, sha256, from })
      if (made !== undefined) return made
      continue
    }
    const known = await knownById(context.store, home.record.accountId)
    if (known === undefined || !isInUse(known.account.record)) throw new Refusal('LOGIN_FAILED')
    const signedIn = await enter(context, known, from)
    if (signedIn !== undefined) return signedIn
  }
}

/** Refuses IDENTITY_TAKEN when it is another account's, or this one has too many. */
export async function linkIdentity(
  { store }: Pick<SignInContext, 'store'>,
  identity: Identity,
  { account: { accountId } }: Present,
): Promise<void> {
  const sha256 = sha256Of(identity)
  for (;;) {
    const [home, account] = await Promise.all([
      readRecord(store, identityKey(sha256), records.identity),
      accountById(store, accountId),
    ])
    if (account === undefined || !isInUse(account.record)) throw new Refusal('AUTH_REQUIRED')
    if (home?.record.accountId === accountId) return
    const { identities = [] } = account.record
    const isFull = identities.length >= identitiesPerAccount
    if (home !== undefined || isFull) throw new Refusal('IDENTITY_TAKEN')
    const result = await store.commit({
      checks: [
        { key: identityKey(sha256), version: undefined },
        { key: accountKey(accountId), version: account.version },
      ],
      puts: [
        identityPut(sha256, accountId),
        accountPut({ ...account.record, identities: [...identities, sha256] }),
      ],
    })
    if (result.ok) return
  }
}

interface Making {
  readonly identity: Identity
  readonly sha256: string
  readonly from: Present | undefined
}

/** `undefined`: somebody made it in the same moment. */
async function make(
  context: SignInContext,
  { identity, sha256, from }: Making,
): Promise<SignedIn | undefined> {
  const base = handleFrom(identity.preferredHandle)
  for (let attempt = 1; ; attempt++) {
    const handle = attempt === 1 ? base : `${base}-${suffix(context, attempt)}`
    try {
      return await keep(context, {
        handle,
        name: nameFrom(identity.name) ?? nameFrom(identity.preferredHandle) ?? handle,
        from,
        password: undefined,
        identity: { sha256, put: (accountId) => identityPut(sha256, accountId) },
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'IDENTITY_TAKEN') return undefined
      if (error.code !== 'HANDLE_TAKEN') throw error
    }
  }
}

/** A small number first, since a person has to remember it; then chance, which finds one. */
function suffix({ runtime }: SignInContext, attempt: number): string {
  if (attempt < 10) return String(attempt)
  const [high = 0, low = 0] = runtime.randomBytes(2)
  return String(1_000 + ((high * 256 + low) % 9_000))
}

function handleFrom(preferred: string | undefined): string {
  const [local = ''] = (preferred ?? '').split('@', 1)
  const handle = local
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+|-$/g, '')
    .slice(0, 32)
  return handle.length < 2 ? 'person' : handle
}

function nameFrom(name: string | undefined): Account['name'] | undefined {
  try {
    return name === undefined ? undefined : displayNameFrom(name)
  } catch {
    return undefined
  }
}
