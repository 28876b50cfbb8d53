/**
 * The reader of LevelDB's logs: every cut is a torn end, every flipped bit behind or before sound
 * records is damage, and no record is ever invented.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { crc32c, maskedCrc32c, viewOf } from '../../../../persistence/level-files/crc32c.ts'
import { readLog } from '../../../../persistence/level-files/log-file.ts'

const blockBytes = 32 * 1024
const headerBytes = 7

/** Writes logical records as LevelDB does. */
function logOf(...sizes: number[]): Buffer {
  const parts: Buffer[] = []
  let at = 0
  const append = (part: Buffer) => {
    parts.push(part)
    at += part.length
  }
  for (const [number, size] of sizes.entries()) {
    const payload = Buffer.alloc(size, 0x40 + number)
    let from = 0
    do {
      const room = blockBytes - (at % blockBytes)
      if (room < headerBytes) append(Buffer.alloc(room))
      const fits = Math.min(blockBytes - (at % blockBytes) - headerBytes, size - from)
      const starts = from === 0
      const ends = from + fits === size
      const fragment = Buffer.alloc(headerBytes + fits)
      fragment.writeUInt16LE(fits, 4)
      fragment.writeUInt8(starts ? (ends ? 1 : 2) : ends ? 4 : 3, 6)
      payload.copy(fragment, headerBytes, from, from + fits)
      fragment.writeUInt32LE(maskedCrc32c(viewOf(fragment), 6, fragment.length), 0)
      append(fragment)
      from += fits
    } while (from < size)
  }
  return Buffer.concat(parts)
}

const sizesRead = (bytes: Uint8Array): number[] =>
  readLog(bytes).records.map(({ length }) => length)

function assertTorn(bytes: Uint8Array, sizes: number[], at: number): void {
  const { records, stop } = readLog(bytes)
  assert.equal(
    records.map(({ length }) => length),
    sizes,
  )
  assert.equal({ at: stop?.at, damage: stop?.damage }, { at, damage: undefined })
}

function assertDamaged(bytes: Uint8Array): void {
  assert.type(readLog(bytes).stop?.damage, 'string')
}

test('the checksum is CRC-32C', () => {
  assert.is(crc32c(viewOf(Buffer.from('123456789')), 0, 9), 0xe3069283)
  const long = Buffer.from('The quick brown fox jumps over the lazy dog')
  assert.is(crc32c(viewOf(long), 0, long.length), 0x22620404)
})

test('whole logs: small, fragmented and empty records, and filler at a block’s end', () => {
  for (const sizes of [[], [0], [1, 2, 3], [100_000, 5], [blockBytes - 2 * headerBytes + 3, 9]]) {
    const log = logOf(...sizes)
    assert.equal(sizesRead(log), sizes)
    assert.is(readLog(log).stop, undefined)
  }
})

test('a log cut anywhere is torn: the records before the cut, and no damage', () => {
  const sizes = [40, 70_000, 30]
  const log = logOf(...sizes)
  const ends = [47, log.length - 37, log.length]
  for (let cut = 0; cut < log.length; cut += cut > 60 && cut < log.length - 60 ? 997 : 1) {
    const whole = ends.filter((end) => end <= cut).length
    const { records, stop } = readLog(log.subarray(0, cut))
    assert.is(records.length, whole, `cut at ${cut}`)
    assert.is(stop?.damage, undefined, `cut at ${cut}`)
  }
})

test('sectors that never arrived are torn: zeros at the end, also before later fragments', () => {
  const log = logOf(40, 70_000)
  assertTorn(Buffer.concat([logOf(40), Buffer.alloc(5000)]), [40], 47)
  assertTorn(Buffer.from(log).fill(0, 47, 4096), [40], 47)
  assertTorn(Buffer.from(log).fill(0, 8192, 12_288), [40], 47)
  assertTorn(Buffer.from(log).fill(0, 40_960, 45_056), [40], 47)
})

test('zeros before a later record are damage', () => {
  assertDamaged(logOf(40, 40, 40).fill(0, 47, 94))
  assertDamaged(logOf(40, 40_000, 40).fill(0, 4096, 8192))
})

test('any flipped bit is damage, or lies in filler', () => {
  const sizes = [40, 33_000, 60]
  const log = logOf(...sizes)
  const near = (at: number, place: number) => Math.abs(at - place) < 20
  for (let at = 0; at < log.length; at++) {
    if (at > 60 && !near(at, blockBytes) && !near(at, log.length - 67) && at % 499 > 0) continue
    for (const bit of [0, 3, 7]) {
      const flipped = Buffer.from(log)
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at)
      assert.type(readLog(flipped).stop?.damage, 'string', `byte ${at} bit ${bit}`)
    }
  }
})

test.run()
