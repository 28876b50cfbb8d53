/**
 * Reads LevelDB's log format, of its write-ahead logs and its manifest: 32 KiB blocks of physical
 * records (masked CRC-32C, length, type), one or several of which make a logical record. LevelDB
 * skips what it cannot read; this reader tells the torn end a crash may leave from damage to what
 * was durable. Each logical record was fsynced before the next began, so only the last one can be
 * torn.
 */
import { maskedCrc32c, runningMaskedCrc32c, viewOf } from './crc32c.ts'

const blockBytes = 32 * 1024
export const headerBytes = 7
/** What a disk writes whole or not at all; bytes that never arrived read as zeros. */
const sectorBytes = 512
const full = 1
const first = 2
const middle = 3
const last = 4

export interface LogContent {
  readonly records: readonly Uint8Array[]
  /** Where reading had to end, if not at the end of the file, at the start of a logical record. */
  readonly stop?: {
    readonly at: number
    /** Of the first part of that record which is not sound; where all are, their order is not. */
    readonly part: number | undefined
    readonly damage: string | undefined
  }
}

type Physical =
  | { readonly state: 'sound'; readonly type: number; readonly from: number; readonly to: number }
  | { readonly state: 'short' | 'zeros' | 'wrong' }

/**
 * All logical records behind byte `from` up to the first that is incomplete or wrong.
 * `stop.damage` says why that cannot be the work of a crash; `undefined` there: it is a torn end,
 * and nothing durable was lost.
 */
export function readLog(bytes: Uint8Array, from = 0): LogContent {
  const records: Uint8Array[] = []
  let parts: Uint8Array[] = []
  let logicalStart = from
  let at = skipTrailer(from)
  const stopped = (damage: string | undefined, part?: number): LogContent => ({
    records,
    stop: { at: logicalStart, part, damage },
  })
  while (at < bytes.length) {
    if (parts.length === 0) logicalStart = at
    const record = physicalAt(bytes, at)
    if (record.state !== 'sound') return stopped(damageAt(bytes, at, record.state), at)
    const starts = record.type === full || record.type === first
    if (starts !== (parts.length === 0)) return stopped('its fragments are out of order')
    parts.push(bytes.subarray(record.from, record.to))
    if (record.type === full || record.type === last) {
      records.push(joined(parts))
      parts = []
    }
    at = skipTrailer(record.to)
  }
  return parts.length === 0 ? { records } : stopped(undefined)
}

/** The file that holds these records: what `readLog` reads back. */
export function writtenLog(records: readonly Uint8Array[]): Uint8Array {
  const pieces: Uint8Array[] = []
  let at = 0
  const add = (piece: Uint8Array): void => {
    pieces.push(piece)
    at += piece.length
  }
  for (const record of records) {
    let done = 0
    do {
      const left = blockBytes - (at % blockBytes)
      if (left < headerBytes) add(new Uint8Array(left))
      const room = blockBytes - (at % blockBytes) - headerBytes
      const part = record.subarray(done, done + room)
      const [isFirst, isLast] = [done === 0, done + part.length === record.length]
      const type = isFirst ? (isLast ? full : first) : isLast ? last : middle
      add(physical(type, part))
      done += part.length
    } while (done < record.length)
  }
  return Buffer.concat(pieces)
}

function physical(type: number, part: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(headerBytes + part.length)
  const view = viewOf(bytes)
  bytes.set(part, headerBytes)
  bytes[6] = type
  view.setUint16(4, part.length, true)
  view.setUint32(0, maskedCrc32c(view, 6, bytes.length), true)
  return bytes
}

/** Too few bytes for a header at the end of a block are filler. */
function skipTrailer(at: number): number {
  const left = blockBytes - (at % blockBytes)
  return left < headerBytes ? at + left : at
}

export function physicalAt(bytes: Uint8Array, at: number): Physical {
  if (at + headerBytes > bytes.length) return { state: 'short' }
  const view = viewOf(bytes)
  const length = view.getUint16(at + 4, true)
  const type = view.getUint8(at + 6)
  if (isZero(bytes, at, at + headerBytes)) return { state: 'zeros' }
  const from = at + headerBytes
  const to = from + length
  const blockEnd = at - (at % blockBytes) + blockBytes
  if (to > blockEnd) return { state: bytes.length < blockEnd ? 'short' : 'wrong' }
  if (to > bytes.length) return { state: 'short' }
  if (type < full || type > last) return { state: 'wrong' }
  if (view.getUint32(at, true) !== maskedCrc32c(view, at + 6, to)) return { state: 'wrong' }
  return { state: 'sound', type, from, to }
}

/** Why the record at `at` cannot be a torn end; `undefined`: it can. */
function damageAt(
  bytes: Uint8Array,
  at: number,
  state: 'short' | 'zeros' | 'wrong',
): string | undefined {
  const later = recordStartAfter(bytes, at)
  if (later !== undefined) return `a sound record follows at byte ${later}`
  if (state === 'short' && wasWhole(bytes, at)) return 'the length of its last record is wrong'
  if (state === 'wrong' && !missesSector(bytes, at))
    return 'the checksum of its last record is wrong'
  return undefined
}

/**
 * Where a sound record begins after `at`. Within a torn record only its own later fragments can be
 * sound, so the beginning of another one proves that the bytes at `at` had been durable.
 */
export function recordStartAfter(bytes: Uint8Array, at: number): number | undefined {
  for (let next = at + 1; next + headerBytes <= bytes.length; next++) {
    const type = bytes[next + 6]
    if (type !== full && type !== first) continue
    if (physicalAt(bytes, next).state === 'sound') return next
  }
  return undefined
}

/** Whether the checksum holds for some shorter length: then the length itself was damaged. */
function wasWhole(bytes: Uint8Array, at: number): boolean {
  if (at + headerBytes > bytes.length) return false
  const view = viewOf(bytes)
  const stored = view.getUint32(at, true)
  const feed = runningMaskedCrc32c()
  return bytes.subarray(at + headerBytes - 1).some((byte) => feed(byte) === stored)
}

/** Whether a sector from `at` to the end of its block holds nothing but zeros. */
function missesSector(bytes: Uint8Array, at: number): boolean {
  const end = Math.min(at - (at % blockBytes) + blockBytes, bytes.length)
  for (let from = at; from < end; ) {
    const to = Math.min(from - (from % sectorBytes) + sectorBytes, end)
    if (isZero(bytes, from, to)) return true
    from = to
  }
  return false
}

const isZero = (bytes: Uint8Array, from: number, to: number): boolean =>
  bytes.subarray(from, to).every((byte) => byte === 0)

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
}
