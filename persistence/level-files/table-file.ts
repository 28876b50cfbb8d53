/**
 * Verifies one LevelDB table file: the footer points to the index, the index to every block, and
 * each block ends in a masked CRC-32C, which LevelDB itself does not check when it reads. A block
 * with a damaged key hides its records without an error, so this is the only way to know.
 */
import { maskedCrc32c, viewOf } from './crc32c.ts'
import { unsnappy } from './snappy.ts'
import { ByteReader } from './varint.ts'

const footerBytes = 48
const trailerBytes = 5
const magic = 0xdb4775248b80fb57n
const snappyCompressed = 1
const indexMaxBytes = 256 * 1024 * 1024

interface Handle {
  readonly offset: number
  readonly size: number
}

/** What is wrong with the table, or `undefined`. */
export function tableDamage(bytes: Uint8Array): string | undefined {
  try {
    if (bytes.length < footerBytes) return 'it is cut off'
    const view = viewOf(bytes)
    if (view.getBigUint64(bytes.length - 8, true) !== magic) return 'its last bytes are wrong'
    const reader = new ByteReader(bytes.subarray(bytes.length - footerBytes))
    // The meta index, which points to the filter, and the index, which points to the records.
    for (const index of [handle(reader), handle(reader)]) {
      if (!isSound(view, index)) return wrongBlock(index)
      for (const block of blocksOf(plainBlock(bytes, index))) {
        if (!isSound(view, block)) return wrongBlock(block)
      }
    }
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}

const wrongBlock = ({ offset }: Handle): string => `the block at byte ${offset} is wrong`

function handle(reader: ByteReader): Handle {
  return { offset: reader.varint(), size: reader.varint() }
}

function isSound(view: DataView, { offset, size }: Handle): boolean {
  const end = offset + size
  if (end + trailerBytes > view.byteLength) return false
  return view.getUint32(end + 1, true) === maskedCrc32c(view, offset, end + 1)
}

function plainBlock(bytes: Uint8Array, { offset, size }: Handle): Uint8Array {
  const stored = bytes.subarray(offset, offset + size)
  return bytes[offset + size] === snappyCompressed ? unsnappy(stored, indexMaxBytes) : stored
}

/** The entries of an index block: lengths of shared key, own key and value; own key; the handle. */
function* blocksOf(index: Uint8Array): Generator<Handle> {
  const restarts = viewOf(index).getUint32(index.length - 4, true)
  const reader = new ByteReader(index.subarray(0, index.length - 4 - restarts * 4))
  while (!reader.done) {
    reader.varint()
    const keyBytes = reader.varint()
    reader.varint()
    reader.skip(keyBytes)
    yield handle(reader)
  }
}
