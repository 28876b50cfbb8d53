/**
 * The reader of LevelDB's tables, on tables that LevelDB made: every flipped bit that counts is
 * seen.
 */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Level } from 'level'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { unsnappy } from '../../../../persistence/level-files/snappy.ts'
import { examineTable } from '../../../../persistence/level-files/table-file.ts'
import { Chance } from '../../../chance.ts'
import { scratchDirectory } from '../fixtures.ts'

const seed = 5
const flips = 300
const footerBytes = 48

/** The table that LevelDB makes of `count` records. */
async function tableOf(count: number, value: (number: number) => Buffer): Promise<Buffer> {
  const directory = await scratchDirectory()
  const level = new Level<string, Buffer>(directory, { valueEncoding: 'buffer' })
  const key = (number: number) => `doc/0123456789abcdefghij/log/${String(number).padStart(12, '0')}`
  await level.batch(
    Array.from({ length: count }, (_, at) => ({ type: 'put', key: key(at), value: value(at) })),
  )
  await level.close()
  // The next start makes a table of the log.
  await level.open()
  await level.close()
  const tables = (await readdir(directory)).filter((name) => name.endsWith('.ldb'))
  assert.is(tables.length, 1)
  const bytes = await readFile(join(directory, tables[0] ?? ''))
  await rm(directory, { recursive: true })
  return bytes
}

/** Where the footer's filler begins: after its two pairs of numbers. */
function fillerFrom(table: Buffer): number {
  let at = table.length - footerBytes
  for (let numbers = 0; numbers < 4; at++) if (table.readUInt8(at) < 128) numbers++
  return at
}

const chance = new Chance(seed)
const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => chance.below(256)))

for (const [name, count, value] of [
  ['compressed', 2000, (number: number) => Buffer.from(`the same words ${number} `.repeat(10))],
  ['incompressible', 300, () => noise(500)],
  ['tiny', 1, () => Buffer.from('x')],
] as const) {
  test(`a ${name} table is sound, and no flipped or missing byte of it goes unseen`, async () => {
    const table = await tableOf(count, value)
    assert.is(examineTable(table).kind, 'sound')
    const filler = fillerFrom(table)
    for (let flip = 0; flip < flips; flip++) {
      // Half of them in the index and the footer, which are small.
      const at =
        flip % 2 ? chance.below(table.length) : Math.max(0, table.length - 1 - chance.below(200))
      const flipped = Buffer.from(table)
      flipped.writeUInt8(table.readUInt8(at) ^ (1 << chance.below(8)), at)
      const seen = examineTable(flipped).kind !== 'sound'
      assert.is(seen, at < filler || at >= table.length - 8, `byte ${at} of ${table.length}`)
    }
    for (const cut of [0, 10, 47, table.length >> 1, table.length - 1]) {
      assert.is(examineTable(table.subarray(0, cut)).kind, 'broken')
    }
    console.log(`\nseed ${seed} table flips ${name}: ${flips} runs`)
  })
}

test('snappy: literals, near, far and overlapping copies', () => {
  const near = [9, 0x08, 97, 98, 99, 0x09, 3]
  assert.is(Buffer.from(unsnappy(Buffer.from(near), 100)).toString(), 'abcabcabc')
  const far = [7, 0x00, 97, 0x16, 1, 0]
  assert.is(Buffer.from(unsnappy(Buffer.from(far), 100)).toString(), 'aaaaaaa')
  const long = Buffer.concat([Buffer.from([100, 60 << 2, 99]), Buffer.alloc(100, 98)])
  assert.is(Buffer.from(unsnappy(long, 100)).toString(), 'b'.repeat(100))
  for (const broken of [
    [101, 0],
    [5, 0x08, 97],
    [4, 0x01, 1],
    [2, 0x00, 97],
    [1, 0x04, 97, 98],
  ]) {
    assert.throws(
      () => unsnappy(Buffer.from(broken), 100),
      (error: unknown) => error instanceof RangeError,
    )
  }
})

test.run()
