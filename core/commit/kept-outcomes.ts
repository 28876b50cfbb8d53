/**
 * What is kept of a request with an `Idempotency-Key` (interface §4.2, §4.5), for 24 hours: records
 * that are stored in the same commit as its effect, and found by the document that they tell of.
 */
import { idempotencyKey, idempotencyOfDocument, parseKey } from '../../persistence/keys.ts'
import type { Check } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'

/**
 * Names one retry-safe request: the same `identity` and `key` with another `fingerprint` is a
 * conflict.
 */
export interface IdempotencyClaim {
  /** Whose keys these are: a token id, an agent id, a visitor id. */
  readonly identity: string
  readonly key: string
  /** Hash of method, path and body. */
  readonly fingerprint: string
}

/** How the outcome of a request is kept for its retries. */
export interface Keeping {
  readonly claim: IdempotencyClaim
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** Of the effect's commit: nobody has kept an outcome under this key meanwhile. */
  readonly check: Check
}

export interface KeptOutcome {
  readonly fingerprint: string
  readonly expiresAt: number
  /** The document that it tells of, if any. */
  readonly slug?: Slug
  readonly revision: number
  /** What else the answer needs. */
  readonly answer: unknown
}

/** The keys by which the outcome is found by its document. */
export const foundBy = (slug: Slug | undefined, key: string): string[] =>
  slug === undefined ? [] : [idempotencyOfDocument(slug, parseKey(key)?.path ?? [])]

/** The records to store in the same commit as the effect, beside `check`. */
export function outcomeRecords(
  { claim, expiresAt }: Keeping,
  outcome: Pick<KeptOutcome, 'slug' | 'revision' | 'answer'>,
): { readonly key: string; readonly value: Uint8Array }[] {
  const kept: KeptOutcome = { fingerprint: claim.fingerprint, expiresAt, ...outcome }
  const key = idempotencyKey(claim.identity, claim.key)
  const index = foundBy(outcome.slug, key).map((found) => ({ key: found, value: new Uint8Array() }))
  return [{ key, value: Buffer.from(JSON.stringify(kept)) }, ...index]
}

export const decodeOutcome = (value: Uint8Array): KeptOutcome =>
  JSON.parse(Buffer.from(value).toString())

/** Of an outcome that a document has. */
export function documentOf({ slug }: KeptOutcome): Slug {
  if (slug === undefined) throw new TypeError('the outcome of no document')
  return slug
}
