/** What is put right of files of the store that are damaged, and what is given up. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { maskedCrc32c, viewOf } from '../../../../persistence/level-files/crc32c.ts'
import { readLog, writtenLog } from '../../../../persistence/level-files/log-file.ts'
import { salvageLog } from '../../../../persistence/level-files/log-salvage.ts'
import { mendChecked } from '../../../../persistence/level-files/one-bit.ts'
import { emptyTable, examineTable } from '../../../../persistence/level-files/table-file.ts'
import { mendTable } from '../../../../persistence/level-files/table-salvage.ts'
import { Chance } from '../../../chance.ts'

const chance = new Chance(7)
const records = [10, 0, 40_000, 300, 32_761, 1, 100_000].map((length) => chance.bytes(length))

const flipped = (bytes: Uint8Array, at: number, bit: number): Buffer => {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(at) ^ (1 << bit), at)
  return changed
}

test('a log that was written reads back, whatever the lengths', () => {
  for (let from = 0; from < records.length; from++) {
    const { records: read, stop } = readLog(writtenLog(records.slice(from)))
    assert.is(stop, undefined)
    assert.equal(read.map(toHex), records.slice(from).map(toHex))
  }
})

test('any single bit of a checked stretch and of its checksum is found', () => {
  const bytes = Buffer.from(chance.bytes(64))
  const view = viewOf(bytes)
  view.setUint32(0, maskedCrc32c(view, 4, 64), true)
  for (let at = 0; at < 64; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const wrong = flipped(bytes, at, bit)
      assert.ok(mendChecked(wrong, { from: 4, to: 64, checksumAt: 0 }))
      assert.is(toHex(wrong), toHex(bytes), `byte ${at}, bit ${bit}`)
    }
  }
})

test('what is more than one bit is left as it is', () => {
  const bytes = Buffer.from(chance.bytes(64))
  const view = viewOf(bytes)
  view.setUint32(0, maskedCrc32c(view, 4, 64), true)
  for (let at = 4; at < 60; at++) {
    const wrong = flipped(flipped(bytes, at, 1), at + 3, 5)
    const before = toHex(wrong)
    assert.not.ok(mendChecked(wrong, { from: 4, to: 64, checksumAt: 0 }))
    assert.is(toHex(wrong), before)
  }
})

test('a flipped bit anywhere in a log loses no record', () => {
  const log = writtenLog(records)
  for (let round = 0; round < 150; round++) {
    const at = round < 40 ? round : chance.below(log.length)
    const { records: left, lost } = salvageLog(flipped(log, at, chance.below(8)))
    assert.equal(lost, [], `byte ${at}`)
    assert.equal(left.map(toHex), records.map(toHex), `byte ${at}`)
  }
})

test('a hole in a log costs the records that it hit', () => {
  const small = Array.from({ length: 200 }, () => chance.bytes(100))
  const log = writtenLog(small)
  const hole = { from: 50 * 107 + 20, to: 53 * 107 + 20 }
  const { records: left, lost } = salvageLog(Buffer.from(log).fill(0x55, hole.from, hole.to))
  assert.equal(lost, [{ from: 50 * 107, to: 54 * 107 }])
  assert.equal(left.map(toHex), [...small.slice(0, 50), ...small.slice(54)].map(toHex))
})

test('a torn end is no damage, and what it tore was never answered', () => {
  const log = writtenLog(records)
  const { records: left, lost } = salvageLog(Buffer.from(log.subarray(0, log.length - 20)))
  assert.equal(lost, [])
  assert.is(left.length, records.length - 1)
})

test('an empty table is a sound one, and a bit of its is put right', () => {
  const table = emptyTable(500)
  assert.is(examineTable(table).kind, 'sound')
  const parts = [...Array(18).keys(), ...Array.from({ length: 48 }, (_, at) => 452 + at)]
  for (const at of parts) {
    const wrong = flipped(table, at, at % 8)
    mendTable(wrong)
    assert.is(examineTable(wrong).kind, 'sound', `byte ${at}`)
  }
})

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

test.run()
