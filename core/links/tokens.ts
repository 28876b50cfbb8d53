/**
 * Document tokens (interface §5): making their records. A new token is a list of puts, so that it
 * can be committed together with what it belongs to. The secret is derived from the record's id, so
 * a replay can hand it out again; the store holds its SHA-256 only.
 */
import {
  actorKey,
  givenTokenOf,
  tokenById,
  tokenBySha256,
  tokenOfDocument,
  useKey,
} from '../../persistence/keys.ts'
import type { Commit } from '../../persistence/store.ts'
import { type ActorId, randomName, type Slug } from '../../schema/ids.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { RecordPlan } from '../records/record-plan.ts'
import { type DocumentToken, records } from '../records/records.ts'
import { derivedSecret, type SecretKey, sha256Hex } from '../records/secrets.ts'
import { type Maker, madeFields } from './makers.ts'
import { mintedKey, unusedTokenKey } from './unused-tokens.ts'

export const unusedTokenTtlMs = 24 * 3_600_000

export interface IssuedToken {
  readonly id: string
  readonly secret: string
  readonly actor: ActorId
  readonly puts: NonNullable<Commit['puts']>
}

export interface TokenRequest {
  readonly slug: Slug
  readonly role: DocumentToken['role']
  readonly origin: DocumentToken['origin']
  readonly displayName?: string | undefined
  /** Its role is that of general access, whatever that is. */
  readonly follows?: boolean
  /** What its worth rests on; without it, it belongs to the document. */
  readonly madeBy?: Maker | undefined
  /** When it ends, milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
}

const prefixOf = (origin: DocumentToken['origin']): DocumentToken['prefix'] =>
  origin === 'handoff' || origin === 'link' ? 'shr' : 'dtk'

/** Which may be in many hands (extensions §3). */
const sharedOrigins: ReadonlySet<DocumentToken['origin']> = new Set(['handoff', 'link', 'access'])

/** Which people see in the list of who has access, and take away there. */
const givenOrigins: ReadonlySet<DocumentToken['origin']> = new Set(['create', 'handoff', 'access'])

/** A new token and the records that make it valid once they are committed. */
export function issueToken(
  { runtime, secretKey }: { readonly runtime: Runtime; readonly secretKey: SecretKey },
  request: TokenRequest,
): IssuedToken {
  const { slug, role, origin, displayName, follows = false, madeBy, expiresAt } = request
  const id = `tok_${randomName(runtime, 20)}`
  const prefix = prefixOf(origin)
  const secret = derivedSecret(secretKey, prefix, id)
  const actor = `ai:anon.tkn.${randomName(runtime, 16)}` as ActorId
  const createdAt = runtime.now()
  const unusedUntil = createdAt + unusedTokenTtlMs
  const record: DocumentToken = {
    type: 'document',
    id,
    prefix,
    slug,
    role,
    kind: sharedOrigins.has(origin) ? 'shared' : 'personal',
    origin,
    actor,
    createdAt,
    ...(displayName !== undefined && { displayName }),
    ...(origin === 'read' && { unusedUntil }),
    ...(follows && { follows }),
    ...madeFields(madeBy),
    ...(expiresAt !== undefined && { expiresAt }),
  }
  const sha256 = sha256Hex(secret)
  const pointer = records.actorHome.encode({ token: sha256 })
  const puts = [
    { key: tokenBySha256(sha256), value: records.secret.encode(record) },
    { key: tokenById(id), value: pointer },
    { key: tokenOfDocument(slug, id), value: new Uint8Array() },
    { key: actorKey(actor), value: pointer },
  ]
  if (givenOrigins.has(origin)) puts.push({ key: givenTokenOf(slug, id), value: pointer })
  if (origin === 'read') {
    puts.push({ key: unusedTokenKey(unusedUntil, id), value: pointer })
    puts.push({ key: mintedKey(slug, createdAt, id), value: pointer })
  }
  return { id, secret, actor, puts }
}

/** The secret that was handed out for the token `id`. */
export const secretAgain = (
  secretKey: SecretKey,
  origin: DocumentToken['origin'],
  id: string,
): string => derivedSecret(secretKey, prefixOf(origin), id)

/**
 * Ends a token: its record goes, or says so where somebody wrote under its name, which stays.
 * Everything that was made through it ends with it.
 */
export function endToken(plan: RecordPlan, sha256: string, record: DocumentToken): void {
  const { id, actor } = record
  const slug = record.slug as Slug
  plan.delete(givenTokenOf(slug, id), useKey(sha256))
  if (record.displayName !== undefined) {
    plan.write(tokenBySha256(sha256), records.secret, { ...record, revoked: true })
    return
  }
  plan.delete(tokenBySha256(sha256), tokenById(id), tokenOfDocument(slug, id), actorKey(actor))
}
