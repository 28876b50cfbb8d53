/**
 * Browser sessions (extensions §3): a secret of 256 random bits stands for an account until it is
 * ended, or has not been used for `sessionIdleMs`. The store holds its SHA-256 alone, and an
 * index by the second in which it would end, so that ended ones go.
 */
import {
  indexKey,
  indexRange,
  sessionOfAccount,
  tokenBySha256,
  useKey,
} from '../../persistence/keys.ts'
import type { Commit, Store, Version } from '../../persistence/store.ts'
import type { Runtime } from '../../schema/runtime.ts'
import {
  type Account,
  readRecord,
  records,
  type SessionRecord,
  type Versioned,
} from '../records/records.ts'
import { randomSecret, sessionIdOf, sha256Hex } from '../records/secrets.ts'
import { generationOf } from './account-records.ts'

/** Of one account; the one used longest ago gives way. */
const sessionsPerAccount = 100

const sessionUseNotedEveryMs = 24 * 3_600_000

/** A session that is not used for so long ends. */
export const sessionIdleMs = 180 * 24 * 3_600_000

type SessionContext = { readonly store: Store; readonly runtime: Runtime }

export interface NewSession {
  readonly secret: string
  readonly puts: NonNullable<Commit['puts']>
}

const endKey = (endsAt: number, sha256: string): string =>
  indexKey('session-end', Math.ceil(endsAt / 1000), sha256)

/** A session of this account and the records that make it valid once they are committed. */
export function newSession(runtime: Runtime, account: Account): NewSession {
  const secret = randomSecret(runtime, 'ses')
  const sha256 = sha256Hex(secret)
  const { accountId } = account
  const now = runtime.now()
  const generation = generationOf(account)
  const record: SessionRecord = {
    ...{ type: 'session', accountId, createdAt: now, usedAt: now },
    ...(generation > 0 && { generation }),
  }
  const puts = [
    { key: tokenBySha256(sha256), value: records.secret.encode(record) },
    endPut(now, sha256),
    ownPut(accountId, sha256),
  ]
  return { secret, puts }
}

/** So that an account's sessions are found. */
const ownPut = (accountId: string, sha256: string) => ({
  key: sessionOfAccount(accountId, sessionIdOf(sha256)),
  value: records.actorHome.encode({ token: sha256 }),
})

const endOf = (usedAt: number): number => usedAt + sessionIdleMs

const endPut = (usedAt: number, sha256: string) => ({
  key: endKey(endOf(usedAt), sha256),
  value: records.actorHome.encode({ token: sha256 }),
})

interface UsedSession extends Versioned<SessionRecord> {
  readonly usedAt: number
  /** Of the note of it; `undefined`: there is none beside the record. */
  readonly useVersion: Version | undefined
}

async function sessionAt(store: Store, sha256: string): Promise<UsedSession | undefined> {
  const [found, use] = await Promise.all([
    readRecord(store, tokenBySha256(sha256), records.secret),
    readRecord(store, useKey(sha256), records.use),
  ])
  if (found?.record.type !== 'session') return undefined
  const { record, version } = found
  return {
    record,
    version,
    usedAt: use?.record.usedAt ?? record.usedAt,
    useVersion: use?.version,
  }
}

/** The session as it counts now, which is a use of it; `undefined`: it ended. */
export async function liveSession(
  { store, runtime }: SessionContext,
  sha256: string,
): Promise<Versioned<SessionRecord> | undefined> {
  const found = await sessionAt(store, sha256)
  if (found === undefined) return undefined
  const { version, usedAt, useVersion } = found
  const now = runtime.now()
  if (endOf(usedAt) <= now) return undefined
  if (now - usedAt < sessionUseNotedEveryMs) return found
  const noted = await store.commit({
    checks: [
      { key: tokenBySha256(sha256), version },
      { key: useKey(sha256), version: useVersion },
    ],
    puts: [
      { key: useKey(sha256), value: records.use.encode({ usedAt: now }) },
      endPut(now, sha256),
      // Sessions of before were not found by their account.
      ownPut(found.record.accountId, sha256),
    ],
    deletes: [endKey(endOf(usedAt), sha256)],
  })
  return noted.ok ? found : sessionAt(store, sha256)
}

/** From now on it stands for nobody. */
export async function endSession(store: Store, sha256: string): Promise<void> {
  for (;;) {
    const found = await sessionAt(store, sha256)
    if (found === undefined) return
    const key = tokenBySha256(sha256)
    const result = await store.commit({
      checks: [
        { key, version: found.version },
        { key: useKey(sha256), version: found.useVersion },
      ],
      deletes: [
        key,
        useKey(sha256),
        endKey(endOf(found.usedAt), sha256),
        sessionOfAccount(found.record.accountId, sessionIdOf(sha256)),
      ],
    })
    if (result.ok) return
  }
}

/** Deletes the sessions whose time is over; returns how many. Safe beside their use. */
export async function sweepEndedSessions({ store, runtime }: SessionContext): Promise<number> {
  const range = { ...indexRange('session-end'), lt: endKey(runtime.now(), '!') }
  let swept = 0
  for await (const { value } of store.scan(range)) {
    const pointer = records.actorHome.decode(value)
    if (!('token' in pointer)) continue
    await endSession(store, pointer.token)
    swept += 1
  }
  return swept
}

/** A session as its account sees it. */
export interface ListedSession {
  /** Public: it opens nothing. */
  readonly id: string
  readonly sha256: string
  readonly createdAt: number
  readonly usedAt: number
}

/** Entries that a race left behind are read too, and deleted in passing. */
const listedMax = 2 * sessionsPerAccount

/** Those that are good, the one used last first; those that have ended go. */
export async function sessionsOf(
  context: SessionContext,
  account: Account,
): Promise<ListedSession[]> {
  const { store, runtime } = context
  const listed: ListedSession[] = []
  const range = { ...indexRange('session-of', account.accountId), limit: listedMax }
  for await (const { key, value } of store.scan(range)) {
    const pointer = records.actorHome.decode(value)
    if (!('token' in pointer)) continue
    const { token: sha256 } = pointer
    const found = await sessionAt(store, sha256)
    const isGood =
      found !== undefined &&
      generationOf(found.record) >= generationOf(account) &&
      endOf(found.usedAt) > runtime.now()
    if (isGood) {
      const { createdAt } = found.record
      listed.push({ id: sessionIdOf(sha256), sha256, createdAt, usedAt: found.usedAt })
    } else if (found === undefined) await store.commit({ deletes: [key] })
    else await endSession(store, sha256)
  }
  return listed.sort((a, b) => b.usedAt - a.usedAt || b.createdAt - a.createdAt)
}

/** Ends those that are more than an account may have, the ones used longest ago. */
export async function boundSessions(context: SessionContext, account: Account): Promise<void> {
  const listed = await sessionsOf(context, account)
  for (const { sha256 } of listed.slice(sessionsPerAccount)) {
    await endSession(context.store, sha256)
  }
}

/** The hash of one of the account's sessions by its public id; `undefined`: there is none. */
export async function sessionById(
  { store }: Pick<SessionContext, 'store'>,
  account: Account,
  id: string,
): Promise<string | undefined> {
  const key = sessionOfAccount(account.accountId, id)
  const pointer = await readRecord(store, key, records.actorHome)
  if (pointer === undefined || !('token' in pointer.record)) return undefined
  const found = await sessionAt(store, pointer.record.token)
  const isGood = found !== undefined && generationOf(found.record) === generationOf(account)
  return isGood ? pointer.record.token : undefined
}
