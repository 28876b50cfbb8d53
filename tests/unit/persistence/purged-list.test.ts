/** The list of documents deleted for good, and what is left of deleted records in files. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { docRange, docText } from '../../../persistence/keys.ts'
import { openLevelStore } from '../../../persistence/level-store.ts'
import { readPurgedList } from '../../../persistence/purged-list.ts'
import type { Slug } from '../../../schema/ids.ts'
import { runtime, scratchDirectory, text } from './fixtures.ts'

const one = '0123456789abcdefghij' as Slug
const two = '0123456789abcdefghik' as Slug
const day = 24 * 3_600_000

test('what was added is there when it is read again; old lines and broken ones are not', async () => {
  const directory = await scratchDirectory()
  const path = join(directory, 'purged')
  const first = await readPurgedList(path, { now: 0, keptMs: 10 * day })
  assert.equal(first.slugs, [])
  await first.add(one, 0)
  await first.add(two, 5 * day)
  const read = async (now: number) => (await readPurgedList(path, { now, keptMs: 10 * day })).slugs
  assert.equal(await read(0), [one, two])
  assert.equal(await read(11 * day), [two])
  assert.equal(await read(0), [two], 'the file is shorter')
  const cut = await readFile(path, 'utf8')
  await writeFile(path, `${cut}0123456789`)
  const again = await readPurgedList(path, { now: 0, keptMs: 10 * day })
  await again.add(one, 0)
  assert.equal(await read(0), [two, one], 'behind a line that a crash cut off')
  await rm(directory, { recursive: true })
})

test('compacting a range takes what was deleted there off the disk', async () => {
  const directory = await scratchDirectory()
  const store = await openLevelStore({ directory, runtime })
  for (let revision = 1; revision <= 200; revision++) {
    const value = text(`zanzibar ${revision} `.repeat(50))
    await store.commit({ puts: [{ key: docText(one, revision), value }] })
  }
  const filesWith = async (words: string) => {
    const names = await readdir(directory)
    const files = await Promise.all(names.map((name) => readFile(join(directory, name))))
    return files.filter((file) => file.includes(words)).length
  }
  assert.ok((await filesWith('zanzibar')) > 0)
  await store.deleteRange(docRange(one))
  await store.compact(docRange(one))
  assert.is(await filesWith('zanzibar'), 0)
  await store.close()
  await rm(directory, { recursive: true })
})

test.run()
