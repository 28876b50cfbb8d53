/**
 * Signing in and signing up by handle and password (extensions §3, §9). Either gives a new session;
 * those that the browser had before end with the same commit. A guest who signs up stays who it is:
 * account and actor id are in texts.
 */
import { accountKey, actorKey, handleKey, passwordKey } from '../../persistence/keys.ts'
import type { Commit, Put } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { type ActorId, randomName } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type Account, type PasswordRecord, records } from '../records/records.ts'
import {
  type AccountContext,
  type AccountSnapshot,
  accountById,
  accountPut,
  isInUse,
  knownByHandle,
  nextGeneration,
} from './account-records.ts'
import { type GuestCount, offerCommit } from './guest-offers.ts'
import type { Passwords } from './passwords.ts'
import { boundSessions, endSession, newSession } from './sessions.ts'

/** The session that the browser has already. */
export interface Present {
  readonly sha256: string
  readonly account: Account
}

export interface SignedIn {
  readonly account: Account
  /** The secret of its new session. */
  readonly session: string
}

export interface SignInContext extends AccountContext {
  readonly passwords: Passwords
  readonly countDocuments: GuestCount
}

export interface SignInRequest {
  readonly handle: string
  readonly password: string
  readonly from: Present | undefined
  /** Whose turn it takes. */
  readonly address: string
}

/** Refuses LOGIN_FAILED, with one duration whether the handle or the password is wrong; BUSY. */
export async function signIn(
  context: SignInContext,
  { handle, password, from, address }: SignInRequest,
): Promise<SignedIn> {
  for (;;) {
    const find = () => knownByHandle(context.store, handle)
    const { found: known, isGood } = await context.passwords.matches(password, find, address)
    if (known === undefined || !isGood || !isInUse(known.account.record)) {
      throw new Refusal('LOGIN_FAILED')
    }
    const signedIn = await enter(context, known, from)
    if (signedIn !== undefined) return signedIn
  }
}

/** A new session of an account that was proved; `undefined`: it is another by now. */
export async function enter(
  context: SignInContext,
  { account: { record: account }, checks }: AccountSnapshot,
  from: Present | undefined,
  with_: Commit = {},
): Promise<SignedIn | undefined> {
  const session = newSession(context.runtime, account)
  const guest = await leaving(context, account, from)
  const result = await context.store.commit({
    checks: [...checks, ...guest.checks, ...(with_.checks ?? [])],
    puts: [...session.puts, ...guest.puts, ...(with_.puts ?? [])],
    deletes: [...guest.deletes, ...(with_.deletes ?? [])],
  })
  if (!result.ok) return undefined
  if (from !== undefined) await endSession(context.store, from.sha256)
  await boundSessions(context, account)
  return { account, session: session.secret }
}

/** A guest that the browser was ends, and what it leaves is offered to the account. */
async function leaving(
  context: SignInContext,
  into: Account,
  from: Present | undefined,
): Promise<Required<Pick<Commit, 'checks' | 'puts' | 'deletes'>>> {
  const none = { checks: [], puts: [], deletes: [] }
  if (from === undefined || from.account.accountId === into.accountId) return none
  if (!from.account.guest) return none
  const guest = await accountById(context.store, from.account.accountId)
  if (guest === undefined || !isInUse(guest.record)) return none
  const documents = await context.countDocuments(guest.record.actor as ActorId)
  const { accountId } = guest.record
  const offer = await offerCommit(context, into.accountId, { guest: accountId, documents })
  return {
    checks: [{ key: accountKey(accountId), version: guest.version }],
    puts: [accountPut(nextGeneration(guest.record)), ...offer.puts],
    deletes: offer.deletes,
  }
}

export interface SignUpRequest extends SignInRequest {
  /** Has passed `displayNameFrom`. */
  readonly name: string
}

/** Refuses HANDLE_TAKEN, BUSY. `password` has passed `requirePassword`. */
export async function signUp(context: SignInContext, request: SignUpRequest): Promise<SignedIn> {
  const { handle, name, password, from, address } = request
  await requireFree(context, handle)
  const hashed = await context.passwords.hash(password, address)
  return keep(context, { handle, name, from, password: hashed })
}

export async function requireFree({ store }: AccountContext, handle: string): Promise<void> {
  if ((await store.get(handleKey(handle))) === undefined) return
  throw new Refusal('HANDLE_TAKEN', { handle })
}

export interface NewAccountFields {
  readonly handle: string
  readonly name: string
  readonly from: Present | undefined
  /** Absent: it is known by an identity alone. */
  readonly password: PasswordRecord | undefined
  readonly identity?: { readonly sha256: string; readonly put: (accountId: string) => Put }
}

/** The guest's account under handle and name, or a new one. Refuses HANDLE_TAKEN. */
export async function keep(context: SignInContext, kept: NewAccountFields): Promise<SignedIn> {
  const { store, runtime } = context
  const { handle, name, password, identity } = kept
  for (;;) {
    const guest = await presentGuest(context, kept.from)
    const account: Account = {
      ...(guest?.account ?? newAccount(runtime, handle)),
      ...{ handle, name, guest: false },
      ...(identity && { identities: [identity.sha256] }),
    }
    const { accountId } = account
    const session = newSession(runtime, account)
    const identityPut = identity?.put(accountId)
    const result = await store.commit({
      checks: [
        { key: handleKey(handle), version: undefined },
        { key: accountKey(accountId), version: guest?.version },
        ...(identityPut ? [{ key: identityPut.key, version: undefined }] : []),
      ],
      puts: [
        { key: handleKey(handle), value: records.handle.encode({ accountId }) },
        accountPut(account),
        { key: actorKey(account.actor), value: records.actorHome.encode({ accountId }) },
        ...(password
          ? [{ key: passwordKey(accountId), value: records.password.encode(password) }]
          : []),
        ...(identityPut ? [identityPut] : []),
        ...session.puts,
      ],
    })
    if (result.ok) {
      if (kept.from !== undefined) await endSession(store, kept.from.sha256)
      await boundSessions(context, account)
      return { account, session: session.secret }
    }
    if (result.conflict === handleKey(handle)) throw new Refusal('HANDLE_TAKEN', { handle })
    if (result.conflict === identityPut?.key) throw new Refusal('IDENTITY_TAKEN')
  }
}

/** The guest that the browser is, as it will be: its sessions of before end. */
async function presentGuest({ store }: AccountContext, from: Present | undefined) {
  if (from?.account.guest !== true) return undefined
  const now = await accountById(store, from.account.accountId)
  if (now === undefined || !now.record.guest || !isInUse(now.record)) return undefined
  return { account: nextGeneration(now.record), version: now.version }
}

function newAccount(runtime: Runtime, handle: string): Account {
  return {
    accountId: `acc_${randomName(runtime, 20)}`,
    actor: `human:${handle}`,
    handle,
    name: handle,
    guest: false,
    createdAt: runtime.now(),
  }
}
