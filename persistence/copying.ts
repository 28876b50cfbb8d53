/** Records and blobs from one store into another, and whether both hold the same. */
import { createHash, type Hash } from 'node:crypto'
import type { BlobStore } from './blob-store.ts'
import { type KeyedValue, type Store, StoreDamage } from './store.ts'

const chunkMaxBytes = 4 * 1024 * 1024
const chunkMaxRecords = 1000

export interface Content {
  readonly records: number
  readonly digest: string
}

/** Of keys and values. */
class ContentHash {
  readonly #hash: Hash = createHash('sha256')
  #records = 0

  add({ key, value }: KeyedValue): void {
    this.#hash.update(`${Buffer.byteLength(key)} ${value.length} ${key}`).update(value)
    this.#records += 1
  }

  finish(): Content {
    return { records: this.#records, digest: this.#hash.digest('hex') }
  }
}

/**
 * Every record of a snapshot that is in service. Throws `StoreDamage` at one that is damaged and
 * still is.
 */
export async function* inService(store: Store): AsyncGenerator<KeyedValue> {
  for await (const record of store.scanRaw({})) {
    if (!('damaged' in record)) yield record
    else if (record.upTo === undefined) throw new StoreDamage(record.key, 'it is damaged')
  }
}

type Records = AsyncIterable<KeyedValue>

/** All but those with these keys. */
export async function copyRecords(
  from: Records,
  to: Store,
  without: readonly string[],
): Promise<Content> {
  const content = new ContentHash()
  let puts: { key: string; value: Uint8Array }[] = []
  let bytes = 0
  for await (const record of from) {
    if (without.includes(record.key)) continue
    content.add(record)
    puts.push({ key: record.key, value: record.value })
    bytes += record.value.length
    if (bytes < chunkMaxBytes && puts.length < chunkMaxRecords) continue
    await to.commit({ puts })
    puts = []
    bytes = 0
  }
  await to.commit({ puts })
  return content.finish()
}

export async function contentOf(records: Records, without: readonly string[]): Promise<Content> {
  const content = new ContentHash()
  for await (const record of records) if (!without.includes(record.key)) content.add(record)
  return content.finish()
}

/** Those that are not there yet. */
export async function copyBlobs(from: BlobStore, to: BlobStore): Promise<void> {
  for await (const id of from.list()) {
    const [blob, there] = [await from.open(id), await to.open(id)]
    if (blob === undefined || there !== undefined) continue
    const copy = await to.create()
    try {
      for await (const piece of blob.read(0, blob.size)) await copy.add(piece)
      await copy.finish()
      await copy.publish()
    } finally {
      await copy.discard()
    }
  }
}

/** Reads every blob back; a damaged one throws. */
export async function countIntact(blobs: BlobStore): Promise<number> {
  let count = 0
  for await (const id of blobs.list()) {
    const blob = await blobs.open(id)
    if (blob !== undefined) for await (const _ of blob.read(0, blob.size));
    count += 1
  }
  return count
}
