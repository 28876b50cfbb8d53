/**
 * Requests with an `Idempotency-Key` (interface §4.2, §4.5): one effect and one outcome for 24
 * hours, under the identity that sent them. A second request with the key of one still running
 * waits for it. Only outcomes that changed or confirmed something (2xx) are kept, in the same
 * commit as their effect; their documents find them, for what is purged takes them along.
 */
import { idempotencyKey, kindRange } from '../../../persistence/keys.ts'
import type { Check, Store } from '../../../persistence/store.ts'
import type { ErrorCode } from '../../../schema/errors.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { type AttachedRecords, noAttachedRecords } from '../../commit/attached-records.ts'
import {
  decodeOutcome,
  foundBy,
  type IdempotencyClaim,
  type Keeping,
  type KeptOutcome,
  outcomeRecords,
} from '../../commit/kept-outcomes.ts'

export const idempotencyTtlMs = 24 * 3_600_000

interface Expired extends Check {
  readonly index: readonly string[]
}

interface Run<Outcome> {
  /** What a key with another fingerprint is refused with. */
  readonly conflict: ErrorCode
  effect(keeping: Keeping | undefined): Promise<Outcome>
  replay(kept: KeptOutcome): Promise<Outcome>
}

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
   * fingerprint is refused with `conflict`. The effect's commit must hold
   * `keeping.check` and its `outcomeRecords`.
   */
  async once<Outcome>(
    claim: IdempotencyClaim | undefined,
    conflict: ErrorCode,
    run: Omit<Run<Outcome>, 'conflict'>,
  ): Promise<Outcome> {
    if (claim === undefined) return run.effect(undefined)
    const key = idempotencyKey(claim.identity, claim.key)
    for (;;) {
      const running = this.#running.get(key)
      if (running === undefined) break
      await running
    }
    const finish = this.#begin(key)
    try {
      return await this.#onceAmongNodes(key, () => this.#look(key, claim, { conflict, ...run }))
    } finally {
      finish()
    }
  }

  /** Another node may have the same request: what it did is looked for once more. */
  async #onceAmongNodes<Outcome>(key: string, look: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await look()
    } catch (error) {
      const isOvertaken = error instanceof Refusal && error.details['conflict'] === key
      if (!isOvertaken) throw error
      return look()
    }
  }

  async #look<Outcome>(
    key: string,
    claim: IdempotencyClaim,
    { conflict, effect, replay }: Run<Outcome>,
  ): Promise<Outcome> {
    const stored = await this.#store.get(key)
    const kept = stored && decodeOutcome(stored.value)
    if (kept === undefined || kept.expiresAt <= this.#runtime.now()) {
      const expiresAt = this.#runtime.now() + idempotencyTtlMs
      return effect({ claim, expiresAt, check: { key, version: stored?.version } })
    }
    if (kept.fingerprint !== claim.fingerprint) throw new Refusal(conflict)
    return replay(kept)
  }

  /**
   * The same for an effect whose answer is made of a note: JSON, without secrets. The effect's commit
   * must hold what it is given beside.
   */
  keep<Note>(
    claim: IdempotencyClaim | undefined,
    slug: Slug | undefined,
    effect: (attached: AttachedRecords<Note>) => Promise<Note>,
  ): Promise<Note> {
    const of = slug === undefined ? {} : { slug }
    return this.once(claim, 'IDEMPOTENCY_KEY_REUSED', {
      effect: (keeping) =>
        keeping === undefined
          ? effect(noAttachedRecords)
          : effect({
              checks: [keeping.check],
              puts: (answer) => outcomeRecords(keeping, { ...of, revision: 0, answer }),
            }),
      replay: async ({ answer }) => answer as Note,
    })
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
