/**
 * One flipped bit anywhere in the files of a store: it is noticed, or it changes nothing. Never a
 * wrong value, an old value, or a record that is silently gone. LONG=1 flips five times as many.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type LevelStore, openLevelStore } from '../../../persistence/level-store.ts'
import { StoreDamage } from '../../../persistence/store.ts'
import { DamagedFile } from '../../../persistence/store-errors.ts'
import { Chance } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { contentOf, runtime, scratchDirectory } from '../../unit/persistence/fixtures.ts'

const flips = process.env['LONG'] === undefined ? 24 : 200
const seed = 20_261_121

/**
 * Enough writing, overwriting and deleting over several starts for tables, a manifest and a log.
 */
async function fillStore(directory: string): Promise<LevelStore> {
  const chance = new Chance(seed)
  const value = (bytes: number) =>
    Buffer.from(
      Array.from({ length: bytes }, () => (chance.below(3) === 0 ? chance.below(256) : 97)),
    )
  const batches = async (store: LevelStore, count: number) => {
    for (let batch = 0; batch < count; batch++) {
      const at = Array.from({ length: 20 }, (_, part) => batch * 20 + part)
      const puts = at.filter((number) => number % 5 > 0)
      await store.commit({
        puts: puts.map((number) => ({
          key: `k/${chance.below(900)}/${number}`,
          value: value(700),
        })),
        deletes: [`k/${chance.below(900)}/${batch}`],
      })
      if (batch % 3 === 0) await store.commit({ puts: [{ key: 'head', value: value(50) }] })
    }
  }
  let store = await openLevelStore({ directory, runtime })
  await batches(store, 150)
  await store.close()
  store = await openLevelStore({ directory, runtime })
  await batches(store, 60)
  return store
}

type Outcome = 'refused to open' | 'refused to read' | 'harmless'

async function openFlipped(directory: string, content: ReadonlyMap<string, string>) {
  let store: LevelStore | undefined
  try {
    store = await openLevelStore({ directory, runtime })
    assert.equal(await contentOf(store), content)
    for (const [key, value] of content) {
      const read = await store.get(key)
      assert.is(read && Buffer.from(read.value).toString('latin1'), value)
    }
    return 'harmless'
  } catch (error) {
    if (error instanceof assert.Assertion) throw error
    if (store !== undefined) {
      assert.instance(error, StoreDamage)
      return 'refused to read'
    }
    assert.ok(error instanceof DamagedFile || error instanceof StoreDamage, String(error))
    return 'refused to open'
  } finally {
    await store?.close()
  }
}

/** Flips bits in copies of `image`, file after file; says what came of them. */
async function flipBits(image: string, content: ReadonlyMap<string, string>): Promise<Tally> {
  const chance = new Chance(seed)
  const files = (await readdir(image)).filter((name) => !/^LO(CK|G)/.test(name)).sort()
  const outcomes = new Tally()
  const copy = await scratchDirectory()
  for (let number = 0; number < flips; number++) {
    const file = files[number % files.length] ?? ''
    await rm(copy, { recursive: true })
    await mkdir(copy)
    await cp(image, copy, { recursive: true })
    const bytes = await readFile(join(copy, file))
    if (bytes.length === 0) continue
    const at = chance.below(bytes.length)
    const bit = chance.below(8)
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
    await writeFile(join(copy, file), bytes)
    const outcome: Outcome = await openFlipped(copy, content).catch((error: unknown) => {
      throw new Error(`${file} byte ${at} bit ${bit}: ${error}`, { cause: error })
    })
    outcomes.add('flips')
    outcomes.add(`${file.replace(/\d+/, '')} ${outcome}`)
  }
  await rm(copy, { recursive: true })
  return outcomes
}

const least = { flips: flips / 2, '.log refused to open': 1, 'MANIFEST- refused to open': 1 }

test('after a clean stop every flipped bit is noticed or harmless', async () => {
  const directory = await scratchDirectory()
  const store = await fillStore(directory)
  const content = await contentOf(store)
  await store.close()
  const outcomes = await flipBits(directory, content)
  outcomes.tell(`${seed} flips after a clean stop`, least)
  await rm(directory, { recursive: true })
})

test('after a crash too: the last batch is whole, so a flip in it is no torn end', async () => {
  const directory = await scratchDirectory()
  const store = await fillStore(directory)
  const content = await contentOf(store)
  const image = await scratchDirectory()
  await cp(directory, image, { recursive: true })
  await store.close()
  const outcomes = await flipBits(image, content)
  outcomes.tell(`${seed} flips after a crash`, least)
  await Promise.all([directory, image].map((path) => rm(path, { recursive: true })))
})

test.run()
