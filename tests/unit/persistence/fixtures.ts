/** What the tests of the store share: a runtime, scratch directories and the engines as disks. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobId } from '../../../persistence/blob-pieces.ts'
import type { BlobStore } from '../../../persistence/blob-store.ts'
import { openLevelStore } from '../../../persistence/level-store.ts'
import { createMemoryRecords, openMemoryStore } from '../../../persistence/memory-store.ts'
import { openPostgresStore } from '../../../persistence/postgres/postgres-store.ts'
import type { Store } from '../../../persistence/store.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { Chance } from '../../chance.ts'
import { newDatabase } from '../../postgres/databases.ts'
import { TransactionPooler } from '../../postgres/pooler.ts'
import type { Disk } from './store-suite.ts'

const chance = new Chance(1)

export const runtime: Runtime = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    if (ms > 10) timer.unref()
    return { cancel: () => clearTimeout(timer) }
  },
  inTurn: (callback) => void setImmediate(callback),
  randomBytes: (count) => chance.bytes(count),
}

export const scratchDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'store-'))

export async function memoryDisk(): Promise<Disk> {
  const records = createMemoryRecords()
  return { open: () => openMemoryStore({ runtime, records }), remove: async () => {} }
}

export async function levelDisk(): Promise<Disk> {
  const directory = await scratchDirectory()
  return {
    open: () => openLevelStore({ directory, runtime }),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

export async function postgresDisk(): Promise<Disk> {
  const { url, drop } = await newDatabase()
  return { open: () => openPostgresStore({ url, runtime }), remove: drop }
}

/** The same, reached through a pooler in transaction mode. */
export async function pooledDisk(): Promise<Disk> {
  const { url, drop } = await newDatabase()
  const direct = new URL(url)
  const pooler = await TransactionPooler.open(Number(direct.port))
  const pooled = new URL(url)
  pooled.port = String(pooler.port)
  return {
    open: () => openPostgresStore({ url: pooled.href, runtime }),
    async remove() {
      await pooler.close()
      await drop()
    },
  }
}

export const text = (value: string): Uint8Array => new TextEncoder().encode(value)
export const untext = (value: Uint8Array): string => new TextDecoder().decode(value)

/** What the promise was rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('should have been rejected')
    },
    (error: unknown) => error,
  )
}

/** Every record but what a store says of itself, keys to values. */
export async function contentOf(store: Store): Promise<Map<string, string>> {
  const content = new Map<string, string>()
  for await (const { key, value } of store.scan({})) {
    if (!key.startsWith('meta/')) content.set(key, Buffer.from(value).toString('latin1'))
  }
  return content
}

export async function putBlob(blobs: BlobStore, content: Uint8Array): Promise<BlobId> {
  const blob = await blobs.create()
  await blob.add(content)
  const { id } = await blob.finish()
  await blob.publish()
  await blob.discard()
  return id
}

/** `undefined`: there is no such blob. */
export async function blobText(blobs: BlobStore, id: BlobId): Promise<string | undefined> {
  const blob = await blobs.open(id)
  if (blob === undefined) return undefined
  const pieces: Uint8Array[] = []
  for await (const piece of blob.read(0, blob.size)) pieces.push(piece)
  return Buffer.concat(pieces).toString('latin1')
}
