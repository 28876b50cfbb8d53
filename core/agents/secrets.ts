/**
 * A new secret for an agent (interface §4.12): the one before stays good for a day, each of at most
 * five old ones for its own.
 */
import { agentKey, tokenBySha256 } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import {
  type AttachedRecords,
  assertNoAttachedConflict,
  noAttachedRecords,
} from '../commit/attached-records.ts'
import { type AgentSecret, readRecords, records } from '../records/records.ts'
import { randomSecret, sha256Hex } from '../records/secrets.ts'
import { type AgentsContext, agentById } from './registration.ts'

export interface RotatedSecret {
  /** Shown this once. */
  readonly secret: string
  /** Until when the one before is good; milliseconds since the epoch. */
  readonly previousUntil: number
}

export interface Rotation {
  readonly agentId: string
  /** SHA-256 of the secret that asks for it. */
  readonly used: string
  /** Random unless it has to be known again. */
  readonly secret?: string
}

/** Refuses AUTH_REQUIRED. */
export async function rotateSecret(
  { store, runtime }: AgentsContext,
  { agentId, used, secret = randomSecret(runtime, 'as') }: Rotation,
  attached: AttachedRecords<RotatedSecret> = noAttachedRecords,
): Promise<RotatedSecret> {
  for (;;) {
    const found = await agentById(store, agentId)
    if (found === undefined) throw new Refusal('AUTH_REQUIRED')
    // An agent of before has one, and it is the one that is used.
    const hashes = found.record.secrets ?? [used]
    const known = await readRecords(store, hashes.map(tokenBySha256), records.secret)
    const now = runtime.now()
    const good: { sha256: string; record: AgentSecret }[] = []
    for (const [index, sha256] of hashes.entries()) {
      const record = known[index]?.record
      if (record?.type === 'agent' && (record.until ?? now + 1) > now) good.push({ sha256, record })
    }
    const kept = good.slice(0, limits.oldSecretsMax)
    const keptHashes = new Set(kept.map(({ sha256 }) => sha256))
    const previousUntil = now + limits.oldSecretKeptMs
    const rotated = { secret, previousUntil }
    const sha256 = sha256Hex(secret)
    const secrets = [sha256, ...keptHashes]
    const result = await store.commit({
      checks: [{ key: agentKey(agentId), version: found.version }, ...attached.checks],
      puts: [
        ...attached.puts(rotated),
        { key: agentKey(agentId), value: records.agent.encode({ ...found.record, secrets }) },
        {
          key: tokenBySha256(sha256),
          value: records.secret.encode({ type: 'agent', agentId, createdAt: now }),
        },
        ...kept
          .filter(({ record }) => record.until === undefined)
          .map(({ sha256, record }) => ({
            key: tokenBySha256(sha256),
            value: records.secret.encode({ ...record, until: previousUntil }),
          })),
      ],
      deletes: hashes.filter((hash) => !keptHashes.has(hash)).map(tokenBySha256),
    })
    if (result.ok) return rotated
    assertNoAttachedConflict(attached, result)
  }
}
