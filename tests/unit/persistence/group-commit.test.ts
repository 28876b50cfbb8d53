/**
 * Group commit against a disk that this test holds in its hand: what is joined, answered and
 * rejected.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { versionOf } from '../../../persistence/envelope.ts'
import { type BatchWrite, GroupCommit } from '../../../persistence/group-commit.ts'
import { type CommitResult, StoreDamage } from '../../../persistence/store.ts'
import { StoreClosed, StoreFailed } from '../../../persistence/store-errors.ts'
import { rejection, text } from './fixtures.ts'

interface PendingWrite {
  readonly batch: BatchWrite
  finish(): void
  fail(): void
}

/** A disk whose writes wait to be finished or failed by hand. */
function heldDisk(durable: Readonly<Record<string, number | StoreDamage>> = {}) {
  const writes: PendingWrite[] = []
  const arrivals: (() => void)[] = []
  const reads: string[][] = []
  const commits = new GroupCommit({
    lastVersion: 10,
    write: (batch) =>
      new Promise((resolve, reject) => {
        writes.push({ batch, finish: resolve, fail: () => reject(new Error('the disk is gone')) })
        arrivals.shift()?.()
      }),
    readVersions: async (keys) => {
      reads.push([...keys])
      return keys.map((key) => {
        const known = durable[key]
        return typeof known === 'number' ? versionOf(known) : known
      })
    },
    written: () => {},
    failed: () => {},
  })
  const nextWrite = async (): Promise<PendingWrite> => {
    if (writes.length === 0) await new Promise<void>((arrived) => arrivals.push(arrived))
    const write = writes.shift()
    assert.ok(write)
    return write ?? assert.unreachable()
  }
  const put = (key: string, ...checks: [string, number | undefined][]) =>
    commits.commit({
      checks: checks.map(([checked, batch]) => {
        return { key: checked, version: batch === undefined ? undefined : versionOf(batch) }
      }),
      puts: [{ key, value: text(key) }],
    })
  return { commits, put, nextWrite, writes, reads }
}

const ok = (batch: number): CommitResult => ({ ok: true, version: versionOf(batch) })
const conflict = (key: string): CommitResult => ({ ok: false, conflict: key })

test('commits of one tick share a batch, those made during its write the next', async () => {
  const { put, nextWrite, writes } = heldDisk()
  const first = [put('a'), put('b')]
  const one = await nextWrite()
  assert.equal([...one.batch.writes.keys()], ['a', 'b'])
  const second = [put('c'), put('d'), put('c')]
  await Promise.resolve()
  assert.is(writes.length, 0, 'one batch in flight')
  one.finish()
  assert.equal(await Promise.all(first), [ok(11), ok(12)])
  const two = await nextWrite()
  assert.equal([...two.batch.writes.keys()], ['c', 'd'])
  assert.is(two.batch.lastVersion, 15)
  two.finish()
  assert.equal(await Promise.all(second), [ok(13), ok(14), ok(15)])
})

test('a check sees what the waiting batch accepted, and only that commit conflicts', async () => {
  const { put, nextWrite } = heldDisk({ head: 7 })
  const results = [
    put('head', ['head', 7]),
    put('x', ['head', 7]),
    put('y', ['head', 11]),
    put('z', ['missing', undefined]),
  ]
  const write = await nextWrite()
  assert.equal([...write.batch.writes.keys()], ['head', 'y', 'z'])
  write.finish()
  assert.equal(await Promise.all(results), [ok(11), conflict('head'), ok(12), ok(13)])
})

test('of a put and a delete of one key in one batch the later counts', async () => {
  const { commits, put, nextWrite } = heldDisk()
  const done = [put('a'), commits.commit({ deletes: ['a', 'b'] }), put('b')]
  const { batch, finish } = await nextWrite()
  assert.is(batch.writes.get('a'), undefined)
  assert.ok(batch.writes.has('a') && batch.writes.get('b'))
  finish()
  await Promise.all(done)
})

test('small commits pass a large one that is not being written yet, once', async () => {
  const { commits, put, nextWrite } = heldDisk()
  const value = new Uint8Array(1_000_000)
  const putLarge = (key: string) => commits.commit({ puts: [{ key, value }] })
  const done = [putLarge('first')]
  const keysOfNext = async (meanwhile: () => void) => {
    const { batch, finish } = await nextWrite()
    meanwhile()
    finish()
    return [...batch.writes.keys()]
  }
  const written = [
    await keysOfNext(
      () => void done.push(putLarge('second'), put('a'), put('b'), putLarge('third')),
    ),
    await keysOfNext(() => void done.push(put('c'))),
    await keysOfNext(() => undefined),
  ]
  assert.equal(written, [['first'], ['a', 'b'], ['second', 'third', 'c']])
  const versions = (await Promise.all(done)).map((result) => result.ok && result.version)
  const order = [11, 14, 12, 13, 15, 16].map(versionOf)
  assert.equal(versions, order)
})

test('versions are read once, then known', async () => {
  const { put, nextWrite, reads } = heldDisk({ a: 3 })
  for (const version of [3, 11, 12]) {
    const done = put('a', ['a', version])
    const write = await nextWrite()
    write.finish()
    assert.ok((await done).ok)
  }
  assert.equal(reads, [['a']])
})

test('versions of a commit whose checks follow are known, until the key is deleted', async () => {
  const { commits, put, nextWrite, reads } = heldDisk()
  const written = async (commit: Promise<CommitResult>) => {
    const write = await nextWrite()
    write.finish()
    assert.ok((await commit).ok)
  }
  const puts = [{ key: 'a', value: text('a') }]
  await written(commits.commit({ puts, checksFollow: true }))
  await written(commits.commit({ checks: [{ key: 'a', version: versionOf(11) }], deletes: ['a'] }))
  assert.equal(reads, [])
  await written(put('a', ['a', undefined]))
  assert.equal(reads, [['a']])
})

test('a failed write rejects its batch, its conflicts, what waits and what comes', async () => {
  const { commits, put, nextWrite } = heldDisk({ head: 7 })
  const taken = [put('head', ['head', 7]), put('x', ['head', 7])]
  const write = await nextWrite()
  const waiting = put('y', ['head', 11])
  const errors = Promise.all([...taken, waiting].map(rejection))
  write.fail()
  for (const error of await errors) assert.instance(error, StoreFailed)
  assert.instance(await rejection(put('z')), StoreFailed)
  assert.instance(commits.failure, StoreFailed)
  assert.is(commits.lastVersion, 10)
  await commits.close()
})

test('a damaged record rejects the commits that check it and no others', async () => {
  const { put, nextWrite } = heldDisk({ bad: new StoreDamage('bad', 'test') })
  const bad = rejection(put('x', ['bad', 1]))
  const good = put('y', ['fine', undefined])
  const write = await nextWrite()
  write.finish()
  assert.instance(await bad, StoreDamage)
  assert.equal(await good, ok(11))
})

test('conflicts alone write nothing', async () => {
  const { put, writes } = heldDisk({ a: 1 })
  assert.equal(await put('x', ['a', 2]), conflict('a'))
  assert.is(writes.length, 0)
})

test('closing waits for what was taken and takes no more', async () => {
  const { commits, put, nextWrite } = heldDisk()
  const taken = put('a')
  const closed = commits.close()
  assert.instance(await rejection(put('b')), StoreClosed)
  const write = await nextWrite()
  write.finish()
  assert.equal(await taken, ok(11))
  await closed
})

test.run()
