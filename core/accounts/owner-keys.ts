/**
 * Owner keys (interface §5): by one a script creates documents and ephemeral agents as its owner,
 * and does nothing else. Shown once; the store holds the SHA-256. An account has so many and finds
 * them by its own id, a secret leads to its key.
 */
import {
  accountKey,
  ownerKeyKey,
  ownerKeysOf,
  tokenBySha256,
  useKey,
} from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { randomName } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import {
  type AttachedRecords,
  assertNoAttachedConflict,
  noAttachedRecords,
} from '../commit/attached-records.ts'
import { type OwnerKeyRecord, peopleRecords } from '../records/people-records.ts'
import { readRecord, records } from '../records/records.ts'
import { randomSecret, sha256Hex } from '../records/secrets.ts'
import { lastUses } from '../records/uses.ts'
import { accountById, isInUse } from './account-records.ts'

export const ownerKeysPerAccount = 100

interface OwnerKeyContext {
  readonly store: Store
  readonly runtime: Runtime
}

export interface NewOwnerKey {
  readonly keyId: string
  /** Shown this once. */
  readonly secret: string
  readonly createdAt: number
}

export interface ListedOwnerKey extends Omit<OwnerKeyRecord, 'sha256'> {
  readonly lastUsedAt: number | null
}

async function keysOf(store: Store, accountId: string): Promise<OwnerKeyRecord[]> {
  const keys: OwnerKeyRecord[] = []
  for await (const { value } of store.scan(ownerKeysOf(accountId))) {
    keys.push(peopleRecords.ownerKey.decode(value))
  }
  return keys
}

export interface KeyRequest {
  readonly accountId: string
  /** Has passed `displayNameFrom`. */
  readonly name: string
  /** Random unless it has to be known again. */
  readonly secret?: string
}

/** Refuses LIMIT_REACHED, and FORBIDDEN without a full account. */
export async function createOwnerKey(
  { store, runtime }: OwnerKeyContext,
  { accountId, name, secret = randomSecret(runtime, 'ark') }: KeyRequest,
  attached: AttachedRecords<NewOwnerKey> = noAttachedRecords,
): Promise<NewOwnerKey> {
  for (;;) {
    const account = await accountById(store, accountId)
    if (account === undefined || account.record.guest || !isInUse(account.record)) {
      throw new Refusal('FORBIDDEN')
    }
    if ((await keysOf(store, accountId)).length >= ownerKeysPerAccount) {
      throw new Refusal('LIMIT_REACHED', { limit: 'keys', max: ownerKeysPerAccount })
    }
    const keyId = `key_${randomName(runtime, 20)}`
    const sha256 = sha256Hex(secret)
    const createdAt = runtime.now()
    const made = { keyId, secret, createdAt }
    const result = await store.commit({
      checks: [{ key: accountKey(accountId), version: account.version }, ...attached.checks],
      puts: [
        ...attached.puts(made),
        {
          key: ownerKeyKey(accountId, keyId),
          value: peopleRecords.ownerKey.encode({ keyId, name, sha256, createdAt }),
        },
        {
          key: tokenBySha256(sha256),
          value: records.secret.encode({ type: 'owner-key', keyId, accountId, createdAt }),
        },
      ],
    })
    if (result.ok) return made
    assertNoAttachedConflict(attached, result)
  }
}

/** The newest first, without the secrets. What was used just now is told when `Uses` has stored it. */
export async function listOwnerKeys(store: Store, accountId: string): Promise<ListedOwnerKey[]> {
  const keys = await keysOf(store, accountId)
  const uses = await lastUses(
    store,
    keys.map(({ sha256 }) => useKey(sha256)),
  )
  return keys
    .map(({ sha256: _, ...key }, index) => ({ ...key, lastUsedAt: uses[index] ?? null }))
    .toSorted((one, other) => other.createdAt - one.createdAt)
}

/** From now on it stands for nobody. Refuses NOT_FOUND. */
export async function revokeOwnerKey(
  store: Store,
  accountId: string,
  keyId: string,
): Promise<void> {
  const key = ownerKeyKey(accountId, keyId)
  const found = await readRecord(store, key, peopleRecords.ownerKey)
  if (found === undefined) throw new Refusal('NOT_FOUND')
  const { sha256 } = found.record
  await store.commit({ deletes: [key, tokenBySha256(sha256), useKey(sha256)] })
}

/** Of an account that is deleted. */
export async function revokeAllOwnerKeys(store: Store, accountId: string): Promise<void> {
  for (const { keyId } of await keysOf(store, accountId)) {
    await revokeOwnerKey(store, accountId, keyId)
  }
}
