/**
 * Commits a chain of records and knows what the store said of each: every commit checks the counter
 * that the one before wrote, so that none can be lost or come twice without being noticed.
 */
import * as assert from 'uvu/assert'
import type { KeyedValue, Store, Version } from '../../persistence/store.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../persistence/store-errors.ts'

export class ChainWriter {
  readonly acknowledged: number[] = []
  refused = 0
  unknown = 0
  readonly #store: Store
  readonly #name: string
  /** Of the counter, as far as it is known. */
  #number = 0
  #version: Version | undefined

  constructor(store: Store, name: string) {
    this.#store = store
    this.#name = name
  }

  /** Until `isOver`; writes through every outage. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#write(this.#number + 1)
  }

  async #write(number: number): Promise<void> {
    const key = `counter/${this.#name}`
    const puts = [
      { key, value: Buffer.from(String(number)) },
      { key: this.#keyOf(number), value: Buffer.from(`${number} `.repeat(1 + (number % 200))) },
    ]
    const checks = [
      { key, version: this.#version },
      { key: this.#keyOf(number), version: undefined },
    ]
    try {
      const result = await this.#store.commit({ checks, puts })
      if (!result.ok) throw new Error(`${key}: ${result.conflict} is not what it was`)
      this.acknowledged.push(number)
      this.#number = number
      this.#version = result.version
    } catch (error) {
      if (error instanceof StoreUnavailable) this.refused += 1
      else if (error instanceof OutcomeUnknown) this.unknown += 1
      else throw error
      const before = this.#number
      await this.#readAgain()
      const most = error instanceof OutcomeUnknown ? number : before
      assert.ok(this.#number >= before && this.#number <= most, `${number} was refused and came`)
    }
  }

  /** What came of a commit whose outcome is unknown is settled before the next one of the store. */
  async #readAgain(): Promise<void> {
    for (;;) {
      try {
        await this.#store.commit({
          puts: [{ key: `touched/${this.#name}`, value: Buffer.from('') }],
        })
        const stored = await this.#store.get(`counter/${this.#name}`)
        this.#number = Number(stored === undefined ? 0 : Buffer.from(stored.value).toString())
        this.#version = stored?.version
        return
      } catch (error) {
        const isOutage = error instanceof StoreUnavailable || error instanceof OutcomeUnknown
        if (!isOutage) throw error
      }
    }
  }

  /** Every record up to the counter is there, whole, and none behind it; all acknowledged ones. */
  async assertWhole(store: Store): Promise<void> {
    const records: KeyedValue[] = []
    const range = { gte: this.#keyOf(0), lt: `record/${this.#name}0` }
    for await (const record of store.scan(range)) records.push(record)
    const stored = await store.get(`counter/${this.#name}`)
    const counter = Number(stored && Buffer.from(stored.value).toString())
    assert.is(records.length, counter, 'records and counter agree')
    for (const [at, { key, value }] of records.entries()) {
      const number = at + 1
      assert.is(key, this.#keyOf(number))
      assert.is(value.length, `${number} `.length * (1 + (number % 200)))
    }
    assert.ok(
      this.acknowledged.every((number) => number <= counter),
      'none is lost',
    )
    const isOnce = new Set(this.acknowledged).size === this.acknowledged.length
    assert.ok(isOnce, 'none is acknowledged twice')
    assert.ok(counter <= this.acknowledged.length + this.unknown, 'none came that was refused')
  }

  #keyOf(number: number): string {
    return `record/${this.#name}/${String(number).padStart(9, '0')}`
  }
}
