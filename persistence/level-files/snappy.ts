/**
 * Snappy, decoding only: LevelDB compresses its blocks with it. Throws RangeError on broken input.
 */
import { ByteReader } from './varint.ts'

const literal = 0
const nearCopy = 1
const farCopy = 2

export function unsnappy(compressed: Uint8Array, maxBytes: number): Uint8Array {
  const reader = new ByteReader(compressed)
  const length = reader.varint()
  if (length > maxBytes) throw new RangeError('a block is too large')
  const plain = new Uint8Array(length)
  let end = 0
  while (!reader.done) {
    const head = reader.byte()
    const kind = head & 3
    if (kind === literal) {
      const bytes = reader.take(literalLength(head >>> 2, reader))
      if (end + bytes.length > length) throw new RangeError('a block is longer than it says')
      plain.set(bytes, end)
      end += bytes.length
    } else {
      const count = kind === nearCopy ? ((head >>> 2) & 7) + 4 : (head >>> 2) + 1
      const back =
        kind === nearCopy
          ? ((head >>> 5) << 8) | reader.byte()
          : littleEndian(reader, kind === farCopy ? 2 : 4)
      if (back === 0 || back > end || end + count > length) throw new RangeError('a bad copy')
      // Byte by byte: a copy may overlap what it writes.
      for (const stop = end + count; end < stop; end++) plain[end] = plain[end - back] ?? 0
    }
  }
  if (end !== length) throw new RangeError('a block is shorter than it says')
  return plain
}

const literalLength = (code: number, reader: ByteReader): number =>
  (code < 60 ? code : littleEndian(reader, code - 59)) + 1

function littleEndian(reader: ByteReader, bytes: number): number {
  let number = 0
  for (let at = 0; at < bytes; at++) number += reader.byte() * 256 ** at
  return number
}
