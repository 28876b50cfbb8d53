/**
 * Small records that were read of late, absent ones too, so that what every request asks for (who
 * comes, to which document) is not read from the files each time. It may forget but never err:
 * of every durable write it takes what it knows over before that is answered, and a read that
 * began before a write is not kept after it.
 */
import { LRUCache } from 'lru-cache'
import { contentOf } from './envelope.ts'
import type { StoredValue } from './store.ts'

type Reading = Promise<StoredValue | undefined>

/** As it was read, or the envelope that was written: of most nobody asks before the next one. */
type CachedRecord = Reading | Uint8Array

/** Heads and people's records are smaller; snapshots and whole texts stay out. */
const valueMaxBytes = 2048

export class RecordCache {
  readonly #known: LRUCache<string, CachedRecord>

  constructor(maxKeys: number) {
    this.#known = new LRUCache({ max: maxKeys })
  }

  /** What is known of the record, or what `read` answers; the bytes are the caller's own. */
  async get(key: string, read: () => Reading): Reading {
    const known = this.#known.get(key)
    if (known instanceof Uint8Array) return copied(contentOf(known))
    const record = await (known ?? this.#read(key, read))
    return record && copied(record)
  }

  /**
   * These envelopes were written; undefined: the key was deleted. What nobody asked for is not
   * kept, since most of what is written is never read again.
   */
  written(writes: ReadonlyMap<string, Buffer | undefined>): void {
    for (const [key, envelope] of writes) {
      if (!this.#known.has(key)) continue
      if (envelope === undefined) this.#known.set(key, absent)
      else if (envelope.length > valueMaxBytes) this.#known.delete(key)
      // Not the buffer itself, which is a small part of a larger one.
      else this.#known.set(key, new Uint8Array(envelope))
    }
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

const absent: Reading = Promise.resolve(undefined)

const copied = ({ value, version }: StoredValue): StoredValue => ({
  value: new Uint8Array(value),
  version,
})
