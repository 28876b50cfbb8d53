/**
 * Small records that were read of late, absent ones too, so that what every request asks for (who
 * comes, to which document) is not read from the files each time. It may forget but never err:
 * every durable write drops the records it wrote before it is answered, and a read that began
 * before a write is not kept after it.
 */
import { LRUCache } from 'lru-cache'
import type { StoredValue } from './store.ts'

type Reading = Promise<StoredValue | undefined>

/** Heads and people's records are smaller; snapshots and whole texts stay out. */
const valueMaxBytes = 2048

export class RecordCache {
  readonly #known: LRUCache<string, Reading>

  constructor(maxKeys: number) {
    this.#known = new LRUCache({ max: maxKeys })
  }

  /** What is known of the record, or what `read` answers; the bytes are the caller's own. */
  async get(key: string, read: () => Reading): Reading {
    const record = await (this.#known.get(key) ?? this.#read(key, read))
    return record && { value: new Uint8Array(record.value), version: record.version }
  }

  /** These records were written. */
  drop(keys: readonly string[]): void {
    for (const key of keys) this.#known.delete(key)
  }

  #read(key: string, read: () => Reading): Reading {
    const reading = read()
    this.#known.set(key, reading)
    const forget = () => {
      if (this.#known.get(key) === reading) this.#known.delete(key)
    }
    reading.then((record) => {
      if (record !== undefined && record.value.length > valueMaxBytes) forget()
    }, forget)
    return reading
  }
}
