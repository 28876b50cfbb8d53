/** What the level store takes for a crash, what for damage, and what a clean stop promises. */
import { appendFile, cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Level } from 'level'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readEpoch } from '../../../../persistence/epoch.ts'
import { verifyTables } from '../../../../persistence/level-files/verify.ts'
import { type LevelStore, openLevelStore } from '../../../../persistence/level-store.ts'
import { DamagedFile, StoreInUse } from '../../../../persistence/store-errors.ts'
import { contentOf, rejection, runtime, scratchDirectory, text } from '../fixtures.ts'

const open = (directory: string): Promise<LevelStore> => openLevelStore({ directory, runtime })

/** A store with twenty acknowledged commits: `image` is its directory as a crash would leave it. */
async function stores(): Promise<{ stopped: string; image: string; content: Map<string, string> }> {
  const stopped = await scratchDirectory()
  const image = await scratchDirectory()
  const store = await open(stopped)
  for (let at = 10; at < 30; at++) {
    await store.commit({ puts: [{ key: `k${at}`, value: text(`${at}`.repeat(at)) }] })
  }
  const content = await contentOf(store)
  await cp(stopped, image, { recursive: true })
  await store.close()
  return { stopped, image, content }
}

async function fileIn(directory: string, ending: RegExp): Promise<string> {
  const name = (await readdir(directory)).find((candidate) => ending.test(candidate))
  if (name === undefined) throw new Error(`no ${ending} in ${directory}`)
  return join(directory, name)
}

const withStores = (run: (at: Awaited<ReturnType<typeof stores>>) => Promise<void>) => async () => {
  const at = await stores()
  await run(at)
  for (const directory of [at.stopped, at.image]) await rm(directory, { recursive: true })
}

async function assertRefused(directory: string, problem: RegExp): Promise<void> {
  const before = (await readdir(directory)).filter((name) => !name.startsWith('LO')).sort()
  const error = await rejection(open(directory))
  assert.instance(error, DamagedFile)
  assert.match(String(error), problem)
  const after = (await readdir(directory)).filter((name) => !name.startsWith('LO')).sort()
  assert.equal(after, before, 'a refused directory stays as it was')
}

async function assertHolds(directory: string, content: Map<string, string>): Promise<void> {
  const store = await open(directory)
  assert.equal(await contentOf(store), content)
  assert.equal(await verifyTables(directory), [])
  await store.close()
}

test(
  'a clean stop and a crash both open with everything, again and again',
  withStores(async ({ stopped, image, content }) => {
    for (let start = 0; start < 3; start++) {
      await assertHolds(stopped, content)
      await assertHolds(image, content)
    }
  }),
)

test(
  'the marker is there after a clean stop only, and gone while the store is open',
  withStores(async ({ stopped, image }) => {
    const has = async (directory: string) => (await readdir(directory)).includes('CLEAN-STOP')
    assert.is(await has(stopped), true)
    assert.is(await has(image), false)
    const store = await open(stopped)
    assert.is(await has(stopped), false)
    await store.close()
    assert.is(await has(stopped), true)
  }),
)

test(
  'a torn end of the log is a crash without a marker, damage with one',
  withStores(async ({ stopped, image, content }) => {
    const log = await fileIn(image, /\.log$/)
    await truncate(log, (await stat(log)).size - 5)
    const less = new Map(content)
    less.delete('k29')
    await assertHolds(image, less)
    const cleanLog = await fileIn(stopped, /\.log$/)
    await truncate(cleanLog, (await stat(cleanLog)).size - 5)
    await assertRefused(stopped, /bytes at the last clean stop/)
  }),
)

test(
  'zeros behind the log are a crash without a marker, damage with one',
  withStores(async ({ stopped, image, content }) => {
    await appendFile(await fileIn(image, /\.log$/), new Uint8Array(5000))
    await assertHolds(image, content)
    await appendFile(await fileIn(stopped, /\.log$/), new Uint8Array(5000))
    await assertRefused(stopped, /bytes at the last clean stop/)
  }),
)

test(
  'a log cut at a record’s edge, which no checksum shows, is noticed after a clean stop',
  withStores(async ({ stopped }) => {
    const log = await fileIn(stopped, /\.log$/)
    const bytes = await readFile(log)
    const firstRecord = 7 + bytes.readUInt16LE(4)
    await truncate(log, firstRecord)
    await assertRefused(stopped, /bytes at the last clean stop/)
  }),
)

test(
  'a missing file is noticed, CURRENT too, for which LevelDB would start empty',
  withStores(async ({ stopped, image }) => {
    await rm(await fileIn(stopped, /\.log$/))
    await assertRefused(stopped, /is missing/)
    await rm(await fileIn(image, /CURRENT$/))
    await assertRefused(image, /is missing/)
  }),
)

test(
  'the log that the manifest counts on must be there, and so must the tables',
  withStores(async ({ image }) => {
    const store = await open(image)
    const crashed = await scratchDirectory()
    const crash = async () => {
      await rm(crashed, { recursive: true })
      await cp(image, crashed, { recursive: true })
    }
    await crash()
    await rm(await fileIn(crashed, /\.log$/))
    await assertRefused(crashed, /is missing/)
    await crash()
    const table = await fileIn(crashed, /\.ldb$/)
    await rm(table)
    await assertRefused(crashed, /is missing/)
    await crash()
    await truncate(table, 100)
    await assertRefused(crashed, /its size is wrong/)
    assert.is((await verifyTables(crashed)).length, 1)
    await store.close()
    await rm(crashed, { recursive: true })
  }),
)

test(
  'cut where the refusal says, a damaged log opens with what is before',
  withStores(async ({ image }) => {
    const log = await fileIn(image, /\.log$/)
    const bytes = await readFile(log)
    const middle = bytes.length >> 1
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
    await writeFile(log, bytes)
    const error = await rejection(open(image))
    assert.instance(error, DamagedFile)
    const [, at] = /from byte (\d+) on/.exec(String(error)) ?? []
    await truncate(log, Number(at))
    const store = await open(image)
    const left = [...(await contentOf(store)).keys()]
    assert.ok(left.length > 5 && left.length < 20)
    assert.equal(
      left,
      Array.from(left, (_, number) => `k${10 + number}`),
    )
    await store.close()
  }),
)

test(
  'a damaged marker is refused, and removing it is the way out',
  withStores(async ({ stopped, content }) => {
    const marker = join(stopped, 'CLEAN-STOP')
    await writeFile(marker, 'nonsense')
    await assertRefused(stopped, /marker of the last clean stop is damaged/)
    await rm(marker)
    await assertHolds(stopped, content)
  }),
)

test(
  'a second opener is told that the store is in use, and disturbs nothing',
  withStores(async ({ stopped }) => {
    const store = await open(stopped)
    assert.instance(await rejection(open(stopped)), StoreInUse)
    // Not even when its half-written files would look damaged to the second opener.
    const halfWritten = join(stopped, '999999.log')
    await writeFile(halfWritten, 'x'.repeat(40_000))
    assert.instance(await rejection(open(stopped)), StoreInUse)
    await rm(halfWritten)
    assert.ok((await store.commit({ puts: [{ key: 'a', value: text('a') }] })).ok)
    const epoch = await readEpoch(store)
    await store.close()
    const again = await open(stopped)
    assert.is(await readEpoch(again), epoch)
    await again.close()
  }),
)

test('every batch is written with fsync: lost power cannot be staged, the flag can be seen', async () => {
  const directory = await scratchDirectory()
  const level = new Level(join(directory, 'other'))
  await level.open()
  const batch = level.batch()
  const prototype: { write(options?: { sync?: boolean }): Promise<void> } = Object.getPrototypeOf(
    Object.getPrototypeOf(batch),
  )
  await batch.close()
  await level.close()
  const written: (boolean | undefined)[] = []
  const write = prototype.write
  prototype.write = function (options) {
    written.push(options?.sync)
    return write.call(this, options)
  }
  try {
    const store = await open(join(directory, 'store'))
    await store.commit({ puts: [{ key: 'a', value: text('a') }] })
    await store.commit({ deletes: ['a'] })
    await store.close()
  } finally {
    prototype.write = write
  }
  assert.equal(written, [true, true, true])
  await rm(directory, { recursive: true })
})

test('a directory without a database has no damaged tables', async () => {
  const directory = await scratchDirectory()
  assert.equal(await verifyTables(directory), [])
  await rm(directory, { recursive: true })
})

test.run()
