/**
 * A plan in the making: what it reads it rests on, so that the commit that stores it fails where
 * one of those records was written meanwhile. Each key is written once, the last word counts.
 */

import type { Check, Put, Store } from '../../persistence/store.ts'
import type { PlannedRecords } from '../commit/planned-records.ts'
import type { RecordShape } from './records.ts'

export class RecordPlan {
  readonly #store: Store
  readonly #checks = new Map<string, Check>()
  readonly #writes = new Map<string, Uint8Array | undefined>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Absence is `undefined`, and rested on too. */
  async read<T>(key: string, shape: RecordShape<T>): Promise<T | undefined> {
    const found = await this.#store.get(key)
    this.#checks.set(key, { key, version: found?.version })
    return found && shape.decode(found.value)
  }

  restOn(checks: readonly Check[]): void {
    for (const check of checks) if (!this.#checks.has(check.key)) this.#checks.set(check.key, check)
  }

  write<T>(key: string, shape: RecordShape<T>, record: T): void {
    this.#writes.set(key, shape.encode(record))
  }

  put(puts: readonly Put[]): void {
    for (const { key, value } of puts) this.#writes.set(key, value)
  }

  delete(...keys: readonly string[]): void {
    for (const key of keys) this.#writes.set(key, undefined)
  }

  done<T>(answer: T): PlannedRecords<T> {
    const puts: Put[] = []
    const deletes: string[] = []
    for (const [key, value] of this.#writes) {
      if (value === undefined) deletes.push(key)
      else puts.push({ key, value })
    }
    return { answer, records: { checks: [...this.#checks.values()], puts, deletes } }
  }
}
