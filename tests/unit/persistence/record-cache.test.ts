/** Records that are read again and again: kept until they are written, and never out of date. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sealEnvelope, versionOf, wrapValue } from '../../../persistence/envelope.ts'
import { RecordCache } from '../../../persistence/record-cache.ts'
import type { StoredValue } from '../../../persistence/store.ts'

const record = (text: string, batch = 1): StoredValue => ({
  value: Buffer.from(text),
  version: versionOf(batch),
})
const textOf = (stored: StoredValue | undefined) => stored && Buffer.from(stored.value).toString()

/** A store of one record whose reads are counted, and wait when they are held. */
function counted(now: StoredValue | undefined) {
  const cache = new RecordCache(100)
  const state = { now, reads: 0, held: Promise.resolve() }
  const get = () =>
    cache.get('key', async () => {
      state.reads++
      const found = state.now
      await state.held
      return found
    })
  return { cache, state, get }
}

test('a record is read once, also one that is not there', async () => {
  for (const now of [record('here'), undefined]) {
    const { state, get } = counted(now)
    assert.is(textOf(await get()), textOf(now))
    await Promise.all([get(), get()])
    assert.is(state.reads, 1)
  }
})

const writing = (text: string, batch: number) =>
  new Map([['key', sealEnvelope(wrapValue('key', Buffer.from(text)), batch)]])

test('what is written takes the place of what was read, and of what is being read', async () => {
  const { cache, state, get } = counted(record('old'))
  let release = () => {}
  state.held = new Promise((resolve) => {
    release = resolve
  })
  const before = get()
  cache.written(writing('new', 2))
  const after = get()
  release()
  assert.is(textOf(await before), 'old')
  assert.is(textOf(await after), 'new')
  assert.is((await get())?.version, versionOf(2))
  cache.written(new Map([['key', undefined]]))
  assert.is(await get(), undefined)
  assert.is(state.reads, 1)
})

test('of what is written, what nobody asked for and what is large is not kept', async () => {
  const { cache, state, get } = counted(record('read'))
  cache.written(writing('unasked', 2))
  assert.is(textOf(await get()), 'read')
  cache.written(writing('x'.repeat(5_000), 3))
  assert.is(textOf(await get()), 'read')
  assert.is(state.reads, 2)
})

test('a read that failed is tried again, and large records are read each time', async () => {
  const cache = new RecordCache(100)
  const failed = cache.get('key', () => Promise.reject(new Error('damaged')))
  assert.is(await failed.catch((error: Error) => error.message), 'damaged')
  assert.is(textOf(await cache.get('key', async () => record('whole'))), 'whole')
  await cache.get('large', async () => record('x'.repeat(5_000)))
  assert.is(await cache.get('large', async () => undefined), undefined)
})

test('the bytes are the caller’s own', async () => {
  const { cache, get } = counted(record('kept'))
  const read = await get()
  read?.value.fill(0)
  assert.is(textOf(await get()), 'kept')
  const writes = writing('written', 2)
  cache.written(writes)
  writes.get('key')?.fill(0)
  for (let turn = 0; turn < 2; turn++) {
    const again = await get()
    assert.is(textOf(again), 'written')
    again?.value.fill(0)
  }
})

test.run()
