/**
 * Browser sessions (extensions §3): a secret of 256 random bits stands for an account until it is
 * ended, or has not been used for `limits.sessionIdleMs`. The store holds its SHA-256 alone, and an
 * index by the second in which it would end, so that ended ones go.
 */
import { indexKey, indexRange, tokenBySha256 } from '../../persistence/keys.ts'
import type { Commit, Store } from '../../persistence/store.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { readRecord, records, type SessionRecord, type Versioned } from './records.ts'
import { randomSecret, sha256Hex } from './secrets.ts'

type Context = { readonly store: Store; readonly runtime: Runtime }

export interface NewSession {
  readonly secret: string
  readonly puts: NonNullable<Commit['puts']>
}

const endKey = (endsAt: number, sha256: string): string =>
  indexKey('session-end', Math.ceil(endsAt / 1000), sha256)

/** A session of this account and the records that make it valid once they are committed. */
export function newSession(runtime: Runtime, accountId: string): NewSession {
  const secret = randomSecret(runtime, 'ses')
  const now = runtime.now()
  const record = { accountId, createdAt: now, usedAt: now }
  return { secret, puts: putsOf(sha256Hex(secret), { type: 'session', ...record }) }
}

const endOf = ({ usedAt }: SessionRecord): number => usedAt + limits.sessionIdleMs

function putsOf(sha256: string, record: SessionRecord): NonNullable<Commit['puts']> {
  return [
    { key: tokenBySha256(sha256), value: records.secret.encode(record) },
    {
      key: endKey(endOf(record), sha256),
      value: records.actorHome.encode({ token: sha256 }),
    },
  ]
}

async function sessionAt(
  store: Store,
  sha256: string,
): Promise<Versioned<SessionRecord> | undefined> {
  const found = await readRecord(store, tokenBySha256(sha256), records.secret)
  if (found?.record.type !== 'session') return undefined
  return { record: found.record, version: found.version }
}

/** The session as it counts now, which is a use of it; `undefined`: it ended. */
export async function liveSession(
  context: Context,
  sha256: string,
): Promise<Versioned<SessionRecord> | undefined> {
  const { store, runtime } = context
  const found = await sessionAt(store, sha256)
  if (found === undefined) return undefined
  const { record, version } = found
  const now = runtime.now()
  if (endOf(record) <= now) return undefined
  if (now - record.usedAt < limits.sessionUseNotedEveryMs) return found
  const used = { ...record, usedAt: now }
  const noted = await store.commit({
    checks: [{ key: tokenBySha256(sha256), version }],
    puts: putsOf(sha256, used),
    deletes: [endKey(endOf(record), sha256)],
  })
  return noted.ok ? { record: used, version: noted.version } : sessionAt(store, sha256)
}

/** From now on it stands for nobody. */
export async function endSession(store: Store, sha256: string): Promise<void> {
  for (;;) {
    const found = await sessionAt(store, sha256)
    if (found === undefined) return
    const key = tokenBySha256(sha256)
    const result = await store.commit({
      checks: [{ key, version: found.version }],
      deletes: [key, endKey(endOf(found.record), sha256)],
    })
    if (result.ok) return
  }
}

/** Deletes the sessions whose time is over; returns how many. Safe beside their use. */
export async function sweepEndedSessions({ store, runtime }: Context): Promise<number> {
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
