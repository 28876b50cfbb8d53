/** Blobs, backups taken while the store is written, and scrub. */

import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Level } from 'level'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { BackupRefused, backup } from '../../../persistence/backup.ts'
import { openBlobStore } from '../../../persistence/blob-store.ts'
import { dataPaths } from '../../../persistence/data-directory.ts'
import { versionOf } from '../../../persistence/envelope.ts'
import { readEpoch } from '../../../persistence/epoch.ts'
import { blobReference, docHead, docLog, metaKey } from '../../../persistence/keys.ts'
import { openLevelStore } from '../../../persistence/level-store.ts'
import { scrubStore } from '../../../persistence/scrub.ts'
import { StoreDamage } from '../../../persistence/store.ts'
import type { Slug } from '../../../schema/ids.ts'
import {
  blobText,
  contentOf,
  putBlob,
  rejection,
  runtime,
  scratchDirectory,
  text,
  untext,
} from './fixtures.ts'

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
  const id = await putBlob(blobs, text('image'))
  await store.commit({ puts: [{ key: blobReference(id, slug, 'img_1'), value: text('') }] })
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
  assert.equal(report, { records: 3004, blobs: 1, withKey: true, outOfService: 0 })
  const paths = dataPaths(target)
  const copy = await openLevelStore({ directory: paths.store, runtime })
  const content = await contentOf(copy)
  assert.is(content.get('a'), content.get('z'))
  assert.is(content.size, 3003)
  for (const { key, value } of filler) assert.is(content.get(key), untext(value))
  assert.is.not(await readEpoch(copy), await readEpoch(store))
  await copy.close()
  const copied = await openBlobStore({ directory: paths.blobs, runtime })
  assert.is(await blobText(copied, id), 'image')
  assert.is(await readFile(paths.key, 'utf8'), 'secret')
  assert.is((await stat(paths.key)).mode & 0o777, 0o600)
  await end()
})

test('a backup without a blob that a record refers to, or with a damaged one, is none', async () => {
  const { root, paths, store, blobs, source, end } = await service()
  const id = await putBlob(blobs, text('image'))
  await store.commit({ puts: [{ key: blobReference(id, slug, 'img_1'), value: text('') }] })
  const file = join(paths.blobs, id.slice(0, 2), id)
  const bytes = await readFile(file)
  bytes.writeUInt8(0, 0)
  await writeFile(file, bytes)
  assert.instance(await rejection(backup(source, join(root, 'damaged'), runtime)), StoreDamage)
  await blobs.delete(id)
  assert.instance(await rejection(backup(source, join(root, 'missing'), runtime)), StoreDamage)
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
