/**
 * Requests with an `Idempotency-Key` (interface §4.2, §4.5): one effect and one outcome for 24
 * hours, under the identity that sent them. A second request with the key of one still running
 * waits for it. Only outcomes that changed or confirmed something (2xx) are kept, in the same
 * commit as their effect; their documents find them, for what is purged takes them along.
 */
import {
  idempotencyKey,
  idempotencyOfDocument,
  kindRange,
  parseKey,
} from '../../persistence/keys.ts'
import type { Check, Store } from '../../persistence/store.ts'
import type { ErrorCode } from '../../schema/errors.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type Beside, nothingBeside } from '../commit/beside.ts'
import type { IdempotencyClaim } from './contract.ts'

export interface KeptOutcome {
  readonly fingerprint: string
  readonly expiresAt: number
  /** The document that it tells of, if any. */
  readonly slug?: Slug
  readonly revision: number
  /** What else the answer needs. */
  readonly answer: unknown
}

interface Expired extends Check {
  readonly index: readonly string[]
}

/** Where the outcome is found by its document. */
const foundBy = (slug: Slug | undefined, key: string): string[] =>
  slug === undefined ? [] : [idempotencyOfDocument(slug, parseKey(key)?.path ?? [])]

export class Idempotency {
  readonly #store: Store
  readonly #runtime: Runtime
  readonly #running = new Map<string, Promise<unknown>>()

  constructor(store: Store, runtime: Runtime) {
    this.#store = store
    this.#runtime = runtime
  }

  /**
   * Runs `effect` unless the key has an outcome; then `replay` gets that. The key with another
   * fingerprint is refused with `conflict`. The effect's commit must hold `checks` and `record`.
   */
  async once<Outcome>(
    claim: IdempotencyClaim | undefined,
    conflict: ErrorCode,
    run: {
      effect(checks: readonly Check[]): Promise<Outcome>
      replay(kept: KeptOutcome): Promise<Outcome>
    },
  ): Promise<Outcome> {
    if (claim === undefined) return run.effect([])
    const key = idempotencyKey(claim.identity, claim.key)
    for (;;) {
      const running = this.#running.get(key)
      if (running === undefined) break
      await running
    }
    const finish = this.#begin(key)
    try {
      const stored = await this.#store.get(key)
      const kept = stored && decodeOutcome(stored.value)
      if (kept === undefined || kept.expiresAt <= this.#runtime.now()) {
        return await run.effect([{ key, version: stored?.version }])
      }
      if (kept.fingerprint !== claim.fingerprint) throw new Refusal(conflict)
      return await run.replay(kept)
    } finally {
      finish()
    }
  }

  /**
   * The same for an effect whose answer is made of a note: JSON, without secrets. The effect's commit
   * must hold what it is given beside.
   */
  keep<Note>(
    claim: IdempotencyClaim | undefined,
    slug: Slug | undefined,
    effect: (beside: Beside<Note>) => Promise<Note>,
  ): Promise<Note> {
    if (claim === undefined) return effect(nothingBeside)
    const of = slug === undefined ? {} : { slug }
    return this.once(claim, 'IDEMPOTENCY_KEY_REUSED', {
      effect: (checks) =>
        effect({
          checks,
          puts: (answer) => this.records(claim, { ...of, revision: 0, answer }),
        }),
      replay: async ({ answer }) => answer as Note,
    })
  }

  /** The records to store in the same commit as the effect. */
  records(
    claim: IdempotencyClaim,
    outcome: { readonly slug?: Slug; readonly revision: number; readonly answer: unknown },
  ): { readonly key: string; readonly value: Uint8Array }[] {
    const kept: KeptOutcome = {
      fingerprint: claim.fingerprint,
      expiresAt: this.#runtime.now() + limits.idempotencyTtlMs,
      ...outcome,
    }
    const value = Buffer.from(JSON.stringify(kept))
    const key = idempotencyKey(claim.identity, claim.key)
    const index = foundBy(outcome.slug, key).map((found) => ({
      key: found,
      value: new Uint8Array(),
    }))
    return [{ key, value }, ...index]
  }

  /**
   * Deletes outcomes that are past their time, as it comes upon them; returns how many. One that
   * was written anew meanwhile stays.
   */
  async sweep(): Promise<number> {
    let swept = 0
    let expired: Expired[] = []
    for await (const { key, value, version } of this.#store.scan(kindRange('idempotency'))) {
      const { slug, expiresAt } = decodeOutcome(value)
      if (expiresAt > this.#runtime.now()) continue
      expired.push({ key, version, index: foundBy(slug, key) })
      if (expired.length < sweptAtOnce) continue
      swept += await this.#forget(expired)
      expired = []
    }
    return swept + (await this.#forget(expired))
  }

  async #forget(expired: readonly Expired[]): Promise<number> {
    if (expired.length === 0) return 0
    const deletes = expired.flatMap(({ key, index }) => [key, ...index])
    const checks = expired.map(({ key, version }) => ({ key, version }))
    const result = await this.#store.commit({ checks, deletes })
    if (result.ok) return expired.length
    return this.#forget(expired.filter(({ key }) => key !== result.conflict))
  }

  #begin(key: string): () => void {
    let finish = () => {}
    const running = new Promise<void>((resolve) => {
      finish = resolve
    })
    this.#running.set(key, running)
    return () => {
      this.#running.delete(key)
      finish()
    }
  }
}

/** Of expired outcomes. */
const sweptAtOnce = 500

export const decodeOutcome = (value: Uint8Array): KeptOutcome =>
  JSON.parse(Buffer.from(value).toString())

/** Of an outcome that a document has. */
export function documentOf({ slug }: KeptOutcome): Slug {
  if (slug === undefined) throw new TypeError('the outcome of no document')
  return slug
}
