/**
 * The contract of the Store port as one suite, run on every engine that is there. `disk` stands for
 * what outlives a close: opening the same disk again is a restart. Knows no engine.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { KeyedValue, Range, Store, Version } from '../../../persistence/store.ts'
import { StoreClosed } from '../../../persistence/store-errors.ts'
import { needing } from '../../postgres/databases.ts'
import { rejection, text, untext } from './fixtures.ts'

export interface Disk {
  open(): Promise<Store>
  remove(): Promise<void>
}

const put = (key: string, value = key) => ({ key, value: text(value) })

async function collect(records: AsyncIterable<KeyedValue>): Promise<string[]> {
  const found: string[] = []
  for await (const { key, value } of records) found.push(`${key}=${untext(value)}`)
  return found
}

/** The keys of a scan, without the store's own `meta/`. */
async function keysOf(store: Store, range: Range): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of store.scan(range)) if (!key.startsWith('meta/')) found.push(key)
  return found
}

async function versionAfter(store: Store, key: string, value = key): Promise<Version> {
  const result = await store.commit({ puts: [put(key, value)] })
  if (!result.ok) throw new TypeError('a commit without checks found a conflict')
  return result.version
}

export function storeSuite(name: string, newDisk: () => Promise<Disk>, isThere = true): void {
  const all = suite(name)
  const test = needing(all, isThere)

  const withStore = (run: (store: Store, disk: Disk) => Promise<void>) => async () => {
    const disk = await newDisk()
    const store = await disk.open()
    try {
      await run(store, disk)
    } finally {
      await store.close()
      await disk.remove()
    }
  }

  test(
    'absence is undefined, presence is the value and the version of its commit',
    withStore(async (store) => {
      assert.is(await store.get('a'), undefined)
      const version = await versionAfter(store, 'a', 'one')
      assert.equal(await store.get('a'), { value: text('one'), version })
      const many = await store.getMany(['b', 'a', 'b'])
      assert.equal(many, [undefined, { value: text('one'), version }, undefined])
      assert.equal(await store.getMany([]), [])
    }),
  )

  test(
    'a range is deleted with all that is in it, and nothing else',
    withStore(async (store) => {
      const many = Array.from({ length: 2_500 }, (_, n) => put(`m/${String(n).padStart(5, '0')}`))
      await store.commit({ puts: [...many, put('l'), put('m'), put('m0')] })
      const before = (await store.get('m/00000'))?.version
      assert.is(await store.deleteRange({ gte: 'm/', lt: 'm0' }), many.length)
      assert.equal(await keysOf(store, {}), ['l', 'm', 'm0'])
      assert.is(await store.deleteRange({ gte: 'm/', lt: 'm0' }), 0, 'again, as after a crash')
      assert.is.not(await versionAfter(store, 'm/00000'), before)
      const stale = { checks: [{ key: 'm/00000', version: before }], puts: [put('l', 'x')] }
      assert.equal(await store.commit(stale), { ok: false, conflict: 'm/00000' })
    }),
  )

  test(
    'every commit makes another version, one for all that it writes',
    withStore(async (store) => {
      const first = await versionAfter(store, 'a')
      const result = await store.commit({ puts: [put('b'), put('c')], deletes: ['a'] })
      if (!result.ok) return assert.unreachable()
      assert.is.not(result.version, first)
      const [b, c] = await store.getMany(['b', 'c'])
      assert.is(b?.version, c?.version)
      assert.is(b?.version, result.version)
    }),
  )

  test(
    'a commit is all or nothing: one failed check and none of it happens',
    withStore(async (store) => {
      const version = await versionAfter(store, 'a', 'old')
      const result = await store.commit({
        checks: [
          { key: 'a', version },
          { key: 'b', version: 7 as unknown as Version },
        ],
        puts: [put('a', 'new'), put('c')],
        deletes: ['a2'],
      })
      assert.equal(result, { ok: false, conflict: 'b' })
      assert.equal(await collect(store.scan({ gte: 'a', lt: 'd' })), ['a=old'])
    }),
  )

  test(
    'a check holds for the exact version and for absence',
    withStore(async (store) => {
      const absent = { checks: [{ key: 'a', version: undefined }], puts: [put('a', '1')] }
      const first = await store.commit(absent)
      assert.ok(first.ok)
      assert.equal(await store.commit(absent), { ok: false, conflict: 'a' })
      const version = first.ok ? first.version : undefined
      const next = { checks: [{ key: 'a', version }], puts: [put('a', '2')] }
      assert.ok((await store.commit(next)).ok)
      assert.equal(await store.commit(next), { ok: false, conflict: 'a' })
      await store.commit({ deletes: ['a'] })
      assert.ok((await store.commit(absent)).ok)
    }),
  )

  test(
    'commits made at once are judged in the order they were made',
    withStore(async (store) => {
      const absent = [{ key: 'a', version: undefined }]
      const results = await Promise.all([
        store.commit({ checks: absent, puts: [put('a', 'first')] }),
        store.commit({ checks: absent, puts: [put('a', 'second')] }),
        store.commit({ deletes: ['a'] }),
        store.commit({ checks: absent, puts: [put('a', 'third')] }),
        store.commit({ puts: [put('b', 'early')] }),
        store.commit({ puts: [put('b', 'late')] }),
      ])
      assert.equal(
        results.map(({ ok }) => ok),
        [true, false, true, true, true, true],
      )
      const versions = results.flatMap((result) => (result.ok ? [result.version] : []))
      assert.is(new Set(versions).size, versions.length)
      assert.equal(await collect(store.scan({ gte: 'a', lt: 'c' })), ['a=third', 'b=late'])
    }),
  )

  test(
    'of many writers of one key exactly one wins each round',
    withStore(async (store) => {
      let version: Version | undefined
      for (let round = 0; round < 5; round++) {
        const checks = [{ key: 'head', version }]
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, writer) =>
            store.commit({ checks, puts: [put('head', `${round}.${writer}`)] }),
          ),
        )
        const winners = results.filter(({ ok }) => ok)
        assert.is(winners.length, 1)
        version = (await store.get('head'))?.version
      }
    }),
  )

  test(
    'the value written is the value at the call, and the value read is the caller’s own',
    withStore(async (store) => {
      const value = Buffer.from('before')
      const done = store.commit({ puts: [{ key: 'a', value }] })
      value.fill(0)
      await done
      const read = await store.get('a')
      assert.is(untext(read?.value ?? text('')), 'before')
      read?.value.fill(0)
      assert.equal(await collect(store.scan({ gte: 'a', lt: 'b' })), ['a=before'])
    }),
  )

  test(
    'a scan gives a range in key order, backwards, limited, with open and closed ends',
    withStore(async (store) => {
      await store.commit({ puts: ['e', 'b', 'd', 'a', 'c'].map((key) => put(key)) })
      assert.equal(await keysOf(store, {}), ['a', 'b', 'c', 'd', 'e'])
      assert.equal(await keysOf(store, { gte: 'b', lt: 'd' }), ['b', 'c'])
      assert.equal(await keysOf(store, { gt: 'b', lte: 'd' }), ['c', 'd'])
      assert.equal(await keysOf(store, { gt: 'b', lte: 'd', reverse: true }), ['d', 'c'])
      assert.equal(await keysOf(store, { lt: 'z', reverse: true, limit: 3 }), ['e'])
      assert.equal(await keysOf(store, { gte: 'b', limit: 2 }), ['b', 'c'])
      assert.equal(await keysOf(store, { gte: 'b', limit: 0 }), [])
      assert.equal(await keysOf(store, { gte: 'a', gt: 'b', lte: 'e', lt: 'e' }), ['c', 'd'])
      assert.equal(await keysOf(store, { gte: 'd', lt: 'b' }), [])
      assert.equal(await keysOf(store, { gte: '', lt: 'b' }), ['a'])
      assert.equal(await keysOf(store, { lt: '' }), [])
    }),
  )

  test(
    'a scan sees the moment of its call, whatever is written while it runs',
    withStore(async (store) => {
      await store.commit({ puts: [put('a', '1'), put('b', '1'), put('c', '1')] })
      const scan = store.scan({ gte: 'a', lt: 'd' })
      const raw = store.scanRaw({ gte: 'a', lt: 'd' })
      await store.commit({ puts: [put('a', '2'), put('bb', '2')], deletes: ['c'] })
      assert.equal(await collect(scan), ['a=1', 'b=1', 'c=1'])
      let seen = 0
      for await (const record of raw) seen += 'value' in record ? 1 : 0
      assert.is(seen, 3)
      assert.equal(await collect(store.scan({ gte: 'a', lt: 'd' })), ['a=2', 'b=1', 'bb=2'])
    }),
  )

  test(
    'a scan may be left early',
    withStore(async (store) => {
      await store.commit({ puts: Array.from({ length: 3000 }, (_, at) => put(`k${at}`)) })
      for await (const { key } of store.scan({ gte: 'k' })) if (key === 'k10') break
      assert.is((await keysOf(store, { gte: 'k', lt: 'l' })).length, 3000)
    }),
  )

  test(
    'keys are any Unicode, ordered by code point',
    withStore(async (store) => {
      const keys = ['!', 'a/b', 'é', '語', '\ue000', '\uffff', '\u{10000}', '\u{1f600}']
      await store.commit({ puts: [...keys].reverse().map((key) => put(key)) })
      assert.equal(await keysOf(store, {}), keys)
      assert.equal(await keysOf(store, { gt: '\uffff' }), ['\u{10000}', '\u{1f600}'])
      for (const key of keys) assert.is(untext((await store.get(key))?.value ?? text('')), key)
    }),
  )

  test(
    'keys that no engine can hold are a bug',
    withStore(async (store) => {
      for (const key of ['', '\u0000x', '\ud800']) {
        assert.instance(await rejection(store.get(key)), TypeError)
        assert.instance(await rejection(store.commit({ puts: [put(key)] })), TypeError)
        assert.instance(await rejection(store.commit({ deletes: [key] })), TypeError)
      }
      const twice = store.commit({ puts: [put('a')], deletes: ['a'] })
      assert.instance(await rejection(twice), TypeError)
      assert.ok((await store.commit({ puts: [put('a')] })).ok)
    }),
  )

  test(
    'empty and huge values come back as they were',
    withStore(async (store, disk) => {
      const huge = new Uint8Array(8 * 1024 * 1024).map((_, at) => (at * 2654435761) >>> 13)
      await store.commit({
        puts: [
          { key: 'empty', value: new Uint8Array() },
          { key: 'huge', value: huge },
        ],
      })
      const check = async (from: Store) => {
        assert.is((await from.get('empty'))?.value.length, 0)
        assert.is(Buffer.compare((await from.get('huge'))?.value ?? text(''), huge), 0)
      }
      await check(store)
      await store.close()
      const again = await disk.open()
      await check(again)
      await again.close()
    }),
  )

  test(
    'a watcher hears of written keys under its prefix until it leaves',
    withStore(async (store) => {
      const heard: string[] = []
      const leave = store.watch('doc/', (key) => heard.push(key))
      await store.commit({ puts: [put('doc/a'), put('token/a')], deletes: ['doc/b'] })
      await store.get('doc/a')
      assert.equal(heard.sort(), ['doc/a', 'doc/b'])
      leave()
      await store.commit({ puts: [put('doc/c')] })
      await store.get('doc/c')
      assert.is(heard.length, 2)
    }),
  )

  test(
    'closed: every call is refused with StoreClosed, closing again is not',
    withStore(async (store) => {
      await store.commit({ puts: [put('a')] })
      const scan = store.scan({})
      await store.close()
      await store.close()
      assert.instance(await rejection(store.get('a')), StoreClosed)
      assert.instance(await rejection(store.getMany(['a'])), StoreClosed)
      assert.instance(await rejection(store.commit({ puts: [put('a')] })), StoreClosed)
      assert.throws(
        () => store.scan({}),
        (error: unknown) => error instanceof StoreClosed,
      )
      assert.instance(await rejection(collect(scan)), StoreClosed)
    }),
  )

  test(
    'reopened: what was committed is there, versions go on growing, checks still hold',
    withStore(async (store, disk) => {
      const version = await versionAfter(store, 'a', '1')
      await store.commit({ puts: [put('b')] })
      const deleted = await store.commit({ deletes: ['b'] })
      await store.close()
      const again = await disk.open()
      assert.equal(await again.get('a'), { value: text('1'), version })
      assert.is(await again.get('b'), undefined)
      assert.equal(
        await again.commit({ checks: [{ key: 'a', version: undefined }], puts: [put('c')] }),
        { ok: false, conflict: 'a' },
      )
      const next = await again.commit({ checks: [{ key: 'a', version }], puts: [put('a', '2')] })
      assert.ok(next.ok && deleted.ok && next.version !== deleted.version)
      await again.close()
    }),
  )

  test(
    'closing answers the commits in flight first, and they last',
    withStore(async (store, disk) => {
      const commits = Array.from({ length: 50 }, (_, at) => store.commit({ puts: [put(`k${at}`)] }))
      const closed = store.close()
      for (const result of await Promise.all(commits)) assert.ok(result.ok)
      await closed
      const again = await disk.open()
      assert.is((await keysOf(again, { gte: 'k', lt: 'l' })).length, 50)
      await again.close()
    }),
  )

  test(
    'a new store has an epoch, and keeps it',
    withStore(async (store, disk) => {
      const epoch = untext((await store.get('meta/epoch'))?.value ?? text(''))
      assert.match(epoch, /^[0-9a-z]{20}$/)
      await store.close()
      const again = await disk.open()
      assert.is(untext((await again.get('meta/epoch'))?.value ?? text('')), epoch)
      await again.close()
    }),
  )

  all.run()
}
