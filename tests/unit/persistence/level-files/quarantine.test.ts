/**
 * A damaged block of records puts its keys out of service and no others: not read, not scanned, not
 * written, whatever LevelDB makes of its files afterwards, until a backup is restored.
 */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { backup } from '../../../../persistence/backup.ts'
import { openBlobStore } from '../../../../persistence/blob-store.ts'
import { examineTable } from '../../../../persistence/level-files/table-file.ts'
import { verifyTables } from '../../../../persistence/level-files/verify.ts'
import { type LevelStore, openLevelStore } from '../../../../persistence/level-store.ts'
import { type KeySpan, Quarantine, textOfKey } from '../../../../persistence/quarantine.ts'
import { type Range, StoreDamage } from '../../../../persistence/store.ts'
import { DamagedFile, StoreFailed } from '../../../../persistence/store-errors.ts'
import { Chance } from '../../../chance.ts'
import { rejection, runtime, scratchDirectory, text, untext } from '../fixtures.ts'

const seed = 11
const records = 900
const keyOf = (at: number): string => `k/${String(at).padStart(6, '0')}`
const contents = new Map<string, Uint8Array>()
const contentAt = (at: number, round: number): Uint8Array => {
  const known = contents.get(`${at} ${round}`)
  if (known !== undefined) return known
  const chance = new Chance(seed + at * 7 + round)
  const made = text(Array.from({ length: 200 }, () => chance.below(1e9).toString(36)).join(''))
  contents.set(`${at} ${round}`, made)
  return made
}
const spanText = ({ from, to }: KeySpan): string => `${textOfKey(from)}..${textOfKey(to)}`
const open = (directory: string): Promise<LevelStore> => openLevelStore({ directory, runtime })

/** A closed store whose second half of records was written twice, and all lies in tables. */
async function imageOf(): Promise<string> {
  const directory = await scratchDirectory()
  let store = await open(directory)
  for (const round of [1, 2]) {
    for (let at = round === 1 ? 0 : records / 2; at < records; at += 50) {
      const part = Array.from({ length: 50 }, (_, more) => at + more)
      await store.commit({ puts: part.map((n) => ({ key: keyOf(n), value: contentAt(n, round) })) })
    }
    await store.close()
    store = await open(directory)
  }
  await store.close()
  return directory
}

const image = await imageOf()
test.after(() => rm(image, { recursive: true }))

/** Damages the block `share` of the way through the newest large table, all of it or a bit. */
async function damage(directory: string, share: number, kind: 'bit' | 'all'): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.ldb')).sort()
  for (const name of names.reverse()) {
    const path = join(directory, name)
    const bytes = await readFile(path)
    if (bytes.length < 200_000) continue
    const at = Math.floor(bytes.length * share)
    const count = kind === 'bit' ? 1 : 6000
    for (let more = 0; more < count; more++) {
      bytes.writeUInt8(bytes.readUInt8(at + more) ^ (kind === 'bit' ? 8 : 0x5a), at + more)
    }
    assert.is(examineTable(bytes).kind, 'wrong blocks')
    await writeFile(path, bytes)
    return
  }
  throw new Error('no table is large enough')
}

const wanted = (at: number): string => untext(contentAt(at, at >= records / 2 ? 2 : 1))

/** Every record is right or out of service; the keys that are. */
async function lostKeys(store: LevelStore): Promise<string[]> {
  const lost: string[] = []
  for (let at = 0; at < records; at++) {
    try {
      const read = await store.get(keyOf(at))
      assert.is(read && untext(read.value), wanted(at), keyOf(at))
    } catch (error) {
      assert.instance(error, StoreDamage, String(error))
      lost.push(keyOf(at))
    }
  }
  return lost
}

const damaged = async (kind: 'bit' | 'all', share = 0.5): Promise<string> => {
  const directory = await scratchDirectory()
  await cp(image, directory, { recursive: true })
  await damage(directory, share, kind)
  return directory
}

for (const kind of ['bit', 'all'] as const) {
  test(`a block with ${kind} wrong: its keys are out of service, through compactions`, async () => {
    const directory = await damaged(kind)
    let store = await open(directory)
    const lost = await lostKeys(store)
    assert.ok(lost.length > 0 && lost.length < 20, `${lost}`)
    const before = keyOf(Number(lost[0]?.slice(2)) - 1)
    assert.ok(store.quarantine.length <= 3)
    assert.equal(await verifyTables(directory), [])
    for (let round = 0; round < 4; round++) {
      for (let at = 0; at < records; at += 50) {
        const part = Array.from({ length: 50 }, (_, more) => keyOf(at + more))
        const value = text('x'.repeat(4000 + round))
        // Beside each record, but not among the lost ones.
        const free = part.filter((key) => key < before || key > (lost.at(-1) ?? ''))
        await store.commit({ puts: free.map((key) => ({ key: `${key}+`, value })) })
      }
      await store.close()
      store = await open(directory)
      assert.equal(await lostKeys(store), lost)
    }
    await store.close()
    await rm(directory, { recursive: true })
  })
}

test('keys out of service are not read, scanned, checked, written or deleted', async () => {
  const directory = await damaged('all')
  const store = await open(directory)
  const lost = await lostKeys(store)
  const [first = ''] = lost
  const last = lost.at(-1) ?? ''
  const value = text('new')
  for (const commit of [
    { puts: [{ key: last, value }] },
    { puts: [{ key: 'a', value }], deletes: [first] },
    { puts: [{ key: 'a', value }], checks: [{ key: first, version: undefined }] },
  ]) {
    const error = await rejection(store.commit(commit))
    assert.instance(error, StoreDamage)
  }
  assert.is(await store.get('a'), undefined, 'all of a commit or nothing')
  assert.instance(await rejection(store.getMany([keyOf(0), first])), StoreDamage)
  const scanned = async (range: Range): Promise<number> => {
    let count = 0
    for await (const _ of store.scan(range)) count++
    return count
  }
  assert.instance(await rejection(scanned({ gte: 'k' })), StoreDamage)
  assert.instance(await rejection(scanned({ gte: last, limit: 1 })), StoreDamage)
  assert.instance(await rejection(scanned({ lte: first, reverse: true, limit: 1 })), StoreDamage)
  const at = Number(first.slice(2))
  assert.is(await scanned({ gte: 'k', lt: keyOf(at - 1) }), at - 1)
  await store.close()
  await rm(directory, { recursive: true })
})

test('a raw scan tells of a span in its place and goes on, both ways', async () => {
  const directory = await damaged('bit')
  const store = await open(directory)
  const lost = await lostKeys(store)
  for (const reverse of [false, true]) {
    const seen: string[] = []
    for await (const record of store.scanRaw({ gte: 'k/', lt: 'k0', reverse })) {
      seen.push('damaged' in record ? 'span' : record.key)
    }
    if (reverse) seen.reverse()
    const all = Array.from({ length: records }, (_, at) => keyOf(at))
    const sound = all.filter((key) => !lost.includes(key))
    sound.splice(all.indexOf(lost[0] ?? ''), 0, 'span')
    assert.equal(seen, sound)
  }
  const keys: string[] = []
  for await (const { key } of store.scanRaw({ gte: lost[0] ?? '', limit: 2 })) keys.push(key)
  assert.is(keys.length, 2)
  await store.close()
  await rm(directory, { recursive: true })
})

test('a quarantine grows, and a start that was cut short is made good', async () => {
  const directory = await damaged('bit', 0.3)
  const store = await open(directory)
  const before = await lostKeys(store)
  await store.close()
  await damage(directory, 0.7, 'all')
  const again = await scratchDirectory()
  await cp(directory, again, { recursive: true })
  const grown = await open(directory)
  const lost = await lostKeys(grown)
  await grown.close()
  // As after a crash between writing the file and blanking the blocks.
  await cp(join(directory, 'QUARANTINE'), join(again, 'QUARANTINE'))
  const repeated = await open(again)
  assert.equal(await lostKeys(repeated), lost)
  assert.equal(
    lost.filter((key) => before.includes(key)),
    before,
  )
  assert.ok(lost.length > before.length)
  await repeated.close()
  for (const path of [directory, again]) await rm(path, { recursive: true })
})

test('a backup has all that is in service, and keeps the rest out of it', async () => {
  const directory = await damaged('all')
  const store = await open(directory)
  const lost = await lostKeys(store)
  const root = await scratchDirectory()
  const blobs = await openBlobStore({ directory: join(root, 'blobs'), runtime })
  const target = join(root, 'backup')
  const source = { store, blobs, keyFile: join(root, 'no-key') }
  const report = await backup(source, target, runtime)
  assert.equal(
    [report.records, report.outOfService],
    // And the one that names the layout.
    [records - lost.length + 1, store.quarantine.length],
  )
  const copy = await open(join(target, 'store'))
  assert.equal(await lostKeys(copy), lost)
  assert.equal(copy.quarantine.map(spanText), store.quarantine.map(spanText))
  for (const one of [copy, store]) await one.close()
  for (const path of [directory, root]) await rm(path, { recursive: true })
})

test('without its quarantine, or with a damaged one, a store does not start', async () => {
  const directory = await damaged('bit')
  await (await open(directory)).close()
  const path = join(directory, 'QUARANTINE')
  const bytes = await readFile(path)
  await rm(path)
  assert.instance(await rejection(open(directory)), DamagedFile)
  bytes.writeUInt8(bytes.readUInt8(80) ^ 1, 80)
  await writeFile(path, bytes)
  assert.instance(await rejection(open(directory)), DamagedFile)
  await rm(directory, { recursive: true })
})

test('a block that may hold what the whole store needs stops the start', async () => {
  const directory = await scratchDirectory()
  await cp(image, directory, { recursive: true })
  await damage(directory, 0, 'bit')
  const before = (await readdir(directory)).filter((name) => !name.startsWith('LO'))
  const error = await rejection(open(directory))
  assert.instance(error, DamagedFile)
  assert.match(String(error), /Restore/)
  const after = (await readdir(directory)).filter((name) => !name.startsWith('LO'))
  assert.equal(after, before, 'a refused directory stays as it was')
  await rm(directory, { recursive: true })
})

test('a block that goes bad under a running store: it fails once, and starts anew', async () => {
  const directory = await scratchDirectory()
  await cp(image, directory, { recursive: true })
  const failures: StoreFailed[] = []
  const onFailed = (failure: StoreFailed) => void failures.push(failure)
  const store = await openLevelStore({ directory, runtime, onFailed })
  await damage(directory, 0.5, 'all')
  const acknowledged: string[] = []
  let error: unknown
  for (let at = 0; at < 100 && error === undefined; at++) {
    // On both sides of the damage, so that a compaction comes by it.
    const keys = [`${keyOf(0)}/${at}`, `${keyOf(records)}/${at}`]
    const value = runtime.randomBytes(500_000)
    error = await store.commit({ puts: keys.map((key) => ({ key, value })) }).then(
      () => void acknowledged.push(...keys),
      (thrown: unknown) => thrown,
    )
  }
  assert.instance(error, StoreFailed)
  assert.equal(failures, [error])
  assert.is(await rejection(store.commit({ puts: [] })), error)
  await store.close()
  const again = await open(directory)
  const lost = await lostKeys(again)
  assert.ok(lost.length > 0 && lost.length < 20, `${lost}`)
  for (const key of acknowledged) assert.ok((await again.get(key)) !== undefined, key)
  await again.commit({ puts: [{ key: 'k/after', value: text('x') }] })
  await again.close()
  await rm(directory, { recursive: true })
})

test('spans that overlap are one, and a range meets them where it enters', () => {
  const span = (from: string, to: string): KeySpan => ({ from: text(from), to: text(to) })
  const { spans } = new Quarantine([span('m', 'p'), span('a', 'c'), span('b', 'd')])
  assert.equal(
    spans.map(({ from, to }) => `${textOfKey(from)}-${textOfKey(to)}`),
    ['a-d', 'm-p'],
  )
  const meets = (range: Range) =>
    new Quarantine(spans).within(range).map(({ from }) => textOfKey(from))
  assert.equal(meets({}), ['a', 'm'])
  assert.equal(meets({ gte: 'c', lt: 'm' }), ['c'])
  assert.equal(meets({ gt: 'd', lte: 'm' }), ['m'])
  assert.equal(meets({ gt: 'd', lt: 'm' }), [])
  assert.equal(meets({ gt: 'p' }), [])
})

test.run()
