/** Blobs, backups taken while the store is written, and scrub. */

import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Level } from 'level'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { BackupRefused, backup } from '../../../persistence/backup.ts'
import { openBlobStore } from '../../../persistence/blob-store.ts'
import { dataPaths } from '../../../persistence/data-directory.ts'
import { versionOf } from '../../../persistence/envelope.ts'
import { readEpoch } from '../../../persistence/epoch.ts'
import { docHead, docLog, metaKey } from '../../../persistence/keys.ts'
import { openLevelStore } from '../../../persistence/level-store.ts'
import { scrubStore } from '../../../persistence/scrub.ts'
import { StoreDamage } from '../../../persistence/store.ts'
import type { Slug } from '../../../schema/ids.ts'
import { contentOf, rejection, runtime, scratchDirectory, text, untext } from './fixtures.ts'

const slug = '0123456789abcdefghij' as Slug

/** A data directory with a store, blobs and a key, opened. */
async function service() {
  const root = await scratchDirectory()
  const paths = dataPaths(join(root, 'data'))
  const store = await openLevelStore({ directory: paths.store, runtime })
  const blobs = await openBlobStore({ directory: paths.blobs, runtime })
  await writeFile(paths.key, 'secret')
  await chmod(paths.key, 0o600)
  const end = async () => {
    await store.close()
    await rm(root, { recursive: true })
  }
  return { root, paths, store, blobs, source: { store, blobs, keyFile: paths.key }, end }
}

test('a blob is what was put, once and for all', async () => {
  const { blobs, paths, end } = await service()
  const content = new Uint8Array([1, 2, 3])
  assert.is(await blobs.get('a'), undefined)
  await blobs.put('a', content)
  await blobs.put('a', content)
  await blobs.put('b', new Uint8Array())
  assert.equal(await blobs.get('a'), content)
  assert.equal(await blobs.get('b'), new Uint8Array())
  assert.instance(await rejection(blobs.put('a', text('other'))), TypeError)
  assert.equal(await blobs.list(), ['a', 'b'])
  await blobs.delete('a')
  await blobs.delete('a')
  assert.equal(await blobs.list(), ['b'])
  await writeFile(join(paths.blobs, '.new-half'), 'half')
  const again = await openBlobStore({ directory: paths.blobs, runtime })
  assert.equal(await readdir(paths.blobs), ['b'])
  assert.equal(await again.list(), ['b'])
  await end()
})

test('a blob name that is a path is a bug; damaged or swapped bytes are never served', async () => {
  const { blobs, paths, end } = await service()
  for (const id of [
    '',
    '.',
    '..',
    '../a',
    'a/b',
    '.new-a',
    'a.b',
    'a\u0000',
    '-a',
    'x'.repeat(129),
  ]) {
    assert.instance(await rejection(blobs.put(id, text(''))), TypeError, id)
    assert.instance(await rejection(blobs.get(id)), TypeError, id)
    assert.instance(await rejection(blobs.delete(id)), TypeError, id)
  }
  await blobs.put('a', text('content of a'))
  const bytes = await readFile(join(paths.blobs, 'a'))
  await writeFile(join(paths.blobs, 'b'), bytes)
  assert.instance(await rejection(blobs.get('b')), StoreDamage)
  bytes.writeUInt8(0, bytes.length - 1)
  await writeFile(join(paths.blobs, 'a'), bytes)
  assert.instance(await rejection(blobs.get('a')), StoreDamage)
  await blobs.put('a', text('content of a'))
  assert.is(untext((await blobs.get('a')) ?? text('')), 'content of a')
  await end()
})

test('a backup of a store under writes is one moment of it, with a new epoch', async () => {
  const { root, store, blobs, source, end } = await service()
  // Each commit moves the pair forward together: a backup that saw half of one would differ.
  const pair = (round: number) => ({
    puts: [
      { key: 'a', value: text(`${round}`) },
      { key: 'z', value: text(`${round}`) },
    ],
  })
  const filler = Array.from({ length: 3000 }, (_, at) => ({
    key: `k${at}`,
    value: text(`${at}`.repeat(600)),
  }))
  await store.commit({ puts: filler })
  await store.commit(pair(0))
  await blobs.put('image', text('image'))
  let done = false
  const writing = (async () => {
    let rounds = 0
    while (!done) await store.commit(pair(++rounds))
    return rounds
  })()
  const target = join(root, 'backup')
  const report = await backup(source, target, runtime)
  done = true
  assert.ok((await writing) > 0)
  assert.equal(report, { records: 3003, blobs: 1, withKey: true, outOfService: 0 })
  const paths = dataPaths(target)
  const copy = await openLevelStore({ directory: paths.store, runtime })
  const content = await contentOf(copy)
  assert.is(content.get('a'), content.get('z'))
  assert.is(content.size, 3002)
  for (const { key, value } of filler) assert.is(content.get(key), untext(value))
  assert.is.not(await readEpoch(copy), await readEpoch(store))
  await copy.close()
  const copied = await openBlobStore({ directory: paths.blobs, runtime })
  assert.is(untext((await copied.get('image')) ?? text('')), 'image')
  assert.is(await readFile(paths.key, 'utf8'), 'secret')
  assert.is((await stat(paths.key)).mode & 0o777, 0o600)
  await end()
})

test('a backup needs no key file, and refuses a directory with anything in it', async () => {
  const { root, paths, source, end } = await service()
  await rm(paths.key)
  const target = join(root, 'backup')
  await mkdir(target)
  assert.is((await backup(source, target, runtime)).withKey, false)
  assert.instance(await rejection(backup(source, target, runtime)), BackupRefused)
  await end()
})

test('scrub names damaged records and unknown keys; reads and backups of them fail', async () => {
  const { root, paths, store, blobs, end } = await service()
  const good = docHead(slug)
  const bad = docLog(slug, 1)
  const odd = 'doc/nonsense'
  await store.commit({ puts: [good, bad, odd].map((key) => ({ key, value: text('value') })) })
  await store.close()
  const level = new Level<string, Buffer>(paths.store, { valueEncoding: 'buffer' })
  const envelope = (await level.get(bad)) ?? Buffer.alloc(1)
  envelope.writeUInt8(0, envelope.length - 1)
  await level.put(bad, envelope)
  await level.close()
  await rm(join(paths.store, 'CLEAN-STOP'))
  const damaged = await openLevelStore({ directory: paths.store, runtime })
  const findings: unknown[] = []
  for await (const finding of scrubStore(damaged)) findings.push(finding)
  assert.equal(findings, [
    { key: bad, problem: 'damaged' },
    { key: odd, problem: 'unknown key' },
  ])
  assert.instance(await rejection(damaged.get(bad)), StoreDamage)
  assert.instance(await rejection(damaged.getMany([good, bad])), StoreDamage)
  assert.instance(await rejection(contentOf(damaged)), StoreDamage)
  const checked = damaged.commit({
    checks: [{ key: bad, version: versionOf(1) }],
    deletes: [metaKey('x')],
  })
  assert.instance(await rejection(checked), StoreDamage)
  const source = { store: damaged, blobs, keyFile: paths.key }
  assert.instance(await rejection(backup(source, join(root, 'backup'), runtime)), StoreDamage)
  assert.ok((await damaged.commit({ deletes: [bad] })).ok)
  await damaged.close()
  await end()
})

test.run()
