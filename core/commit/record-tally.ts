/**
 * What a document's head says about its other small records (clients, exceptions, ledger,
 * tombstones): how many there are and an order-free hash of all of them, so that one that vanished
 * is noticed. Log, snapshot and history have chains of their own and are not counted here.
 */
import { createHash } from 'node:crypto'

export interface Tally {
  readonly count: number
  /** 16 hex digits. */
  readonly hash: string
}

const fingerprint = (key: string, value: Uint8Array): bigint =>
  createHash('sha256').update(key).update('\0').update(value).digest().readBigUInt64BE(0)

export class RecordTally {
  readonly #fingerprints = new Map<string, bigint>()
  #hash = 0n
  #current: Tally | undefined

  put(key: string, value: Uint8Array): void {
    this.delete(key)
    const added = fingerprint(key, value)
    this.#fingerprints.set(key, added)
    this.#current = undefined
    this.#hash ^= added
  }

  /** Whether there was such a record. */
  delete(key: string): boolean {
    const removed = this.#fingerprints.get(key)
    if (removed === undefined) return false
    this.#fingerprints.delete(key)
    this.#current = undefined
    this.#hash ^= removed
    return true
  }

  current(): Tally {
    this.#current ??= {
      count: this.#fingerprints.size,
      hash: this.#hash.toString(16).padStart(16, '0'),
    }
    return this.#current
  }

  equals(other: Tally): boolean {
    const mine = this.current()
    return mine.count === other.count && mine.hash === other.hash
  }
}
