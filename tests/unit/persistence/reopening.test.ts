/**
 * A store on a disk that becomes full (extensions §1): a real LevelDB, whose writes are made to
 * fail where a full disk fails them. Reads go on; writes do when there is room; other failures end
 * it.
 */
import { rm } from 'node:fs/promises'
import { Level } from 'level'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openLevelStore } from '../../../persistence/level-store.ts'
import {
  fullDiskLookEveryMs,
  openReopeningStore,
  reopenedFromFreeBytes,
} from '../../../persistence/reopening-store.ts'
import { StoreClosed, StoreFailed, StoreFull } from '../../../persistence/store-errors.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import { rejection, scratchDirectory, text } from './fixtures.ts'

interface Batch {
  write(options: object): Promise<void>
}

/** What the writes of all LevelDBs of this process fail with. */
let failure: Error | undefined
const { batch } = Level.prototype as unknown as { batch(...given: unknown[]): Batch }
Object.assign(Level.prototype, {
  batch(this: Level, ...given: unknown[]): unknown {
    const chain = batch.apply(this, given)
    if (given.length > 0 || failure === undefined) return chain
    const error = failure
    return Object.assign(chain, { write: () => Promise.reject(error) })
  },
})
test.after(() => void Object.assign(Level.prototype, { batch }))

const full = () =>
  Object.assign(new Error('IO error: /data/000005.log: No space left on device'), {
    code: 'LEVEL_IO_ERROR',
  })

async function opened() {
  const directory = await scratchDirectory()
  const runtime = new SimulatedRuntime()
  const said: string[] = []
  const disk = { free: 0 }
  let roomy = () => {}
  const store = await openReopeningStore({
    runtime,
    open: (onFailed) => openLevelStore({ directory, runtime, onFailed }),
    freeBytes: async () => disk.free,
    onFull: () => void said.push('full'),
    onRoom: () => {
      said.push('room')
      roomy()
    },
    onTrouble: (error) => void said.push(String(error)),
    onFailed: () => void said.push('failed'),
  })
  return {
    directory,
    runtime,
    said,
    disk,
    store,
    hasRoom: () => new Promise<void>((resolve) => (roomy = resolve)),
    put: (key: string) => store.commit({ puts: [{ key, value: text(key) }] }),
    has: async (key: string) => (await store.get(key)) !== undefined,
    async close() {
      failure = undefined
      await store.close()
      await rm(directory, { recursive: true })
    },
  }
}

test('a full disk refuses writes and answers reads, and is said once', async () => {
  const { store, put, has, said, close } = await opened()
  await put('a')
  failure = full()
  assert.instance(await rejection(put('b')), StoreFull)
  failure = undefined
  assert.instance(await rejection(put('c')), StoreFull)
  assert.instance(await rejection(store.deleteRange({ gte: 'a' })), StoreFull)
  assert.ok(store.isFull)
  assert.ok(await has('a'))
  const keys: string[] = []
  for await (const { key } of store.scan({ gte: 'a', lt: 'b' })) keys.push(key)
  assert.equal(keys, ['a'])
  assert.equal(said, ['full'])
  await close()
})

test('writes are taken again when the disk has room, and watchers are told of them', async () => {
  const { store, put, has, said, disk, runtime, hasRoom, close } = await opened()
  await put('a')
  const told: string[] = []
  const unwatch = store.watch('w/', (key) => void told.push(key))
  failure = full()
  await rejection(put('b'))
  failure = undefined
  await runtime.pass(fullDiskLookEveryMs)
  assert.ok(store.isFull, 'there is no room yet')
  disk.free = reopenedFromFreeBytes
  const room = hasRoom()
  await runtime.pass(fullDiskLookEveryMs)
  const early = has('a')
  await room
  assert.ok(await early, 'a read waits while the store is opened anew')
  assert.not.ok(store.isFull)
  const before = store.lastVersion
  await put('w/c')
  assert.is(store.lastVersion, before + 1)
  assert.ok((await has('a')) && (await has('w/c')))
  assert.equal(told, ['w/c'])
  unwatch()
  await put('w/d')
  assert.equal(told, ['w/c'])
  assert.equal(said, ['full', 'room'])
  await close()
})

test('every other failure is passed on, and the store takes no more', async () => {
  const { put, said, store, close } = await opened()
  failure = new Error('IO error: Input/output error')
  assert.instance(await rejection(put('a')), StoreFailed)
  assert.equal(said, ['failed'])
  assert.not.ok(store.isFull)
  await close()
})

test('a store that is closed while the disk is full is not opened again', async () => {
  const { store, put, disk, runtime, said, close } = await opened()
  failure = full()
  await rejection(put('a'))
  disk.free = 2 * reopenedFromFreeBytes
  await close()
  await runtime.pass(fullDiskLookEveryMs)
  assert.equal(said, ['full'])
  assert.instance(await rejection(store.get('a')), StoreClosed)
})

test.run()
