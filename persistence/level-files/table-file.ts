/**
 * Verifies one LevelDB table file: the footer points to the index, the index to every block, and
 * each block ends in a masked CRC-32C, which LevelDB itself does not check when it reads. A block
 * with a damaged key hides its records without an error, so this is the only way to know. When only
 * blocks of records are wrong, the index still says between which keys each of them lay.
 */
import { maskedCrc32c, viewOf } from './crc32c.ts'
import { callersKey } from './manifest.ts'
import { unsnappy } from './snappy.ts'
import { ByteReader } from './varint.ts'

export const footerBytes = 48
export const trailerBytes = 5
const magic = 0xdb4775248b80fb57n
const snappyCompressed = 1
/** All that an empty block has. */
const restartCountBytes = 4
const indexMaxBytes = 256 * 1024 * 1024

/** Where a block lies in its file; a trailer of five bytes follows it. */
export interface BlockHandle {
  readonly offset: number
  readonly size: number
}

/** A block of records whose bytes are wrong, and the separator keys of the index on both sides. */
export interface WrongBlock extends BlockHandle {
  /** Its keys come after this one; `undefined`: it is the table's first block. */
  readonly after: Uint8Array | undefined
  /** Its keys go up to this one; `undefined`: it is the table's last block. */
  readonly upTo: Uint8Array | undefined
}

export type TableFinding =
  | { readonly kind: 'sound' }
  /** Footer, index or filter: nothing of the table can be relied on. */
  | { readonly kind: 'broken'; readonly problem: string }
  /** All is sound but these. */
  | { readonly kind: 'wrong blocks'; readonly blocks: readonly WrongBlock[] }

export function examineTable(bytes: Uint8Array): TableFinding {
  try {
    return examine(bytes)
  } catch (error) {
    if (error instanceof RangeError) return broken(error.message)
    throw error
  }
}

function examine(bytes: Uint8Array): TableFinding {
  if (bytes.length < footerBytes) return broken('it is cut off')
  const view = viewOf(bytes)
  const footer = footerOf(bytes)
  if (footer === undefined) return broken('its last bytes are wrong')
  const { metaIndex, index } = footer
  for (const block of [metaIndex, index]) if (!isSound(view, block)) return brokenAt(block)
  // The meta index points to the filter, which says of keys that the table does not have them.
  for (const { block } of entriesOf(plainBlock(bytes, metaIndex))) {
    if (!isSound(view, block)) return brokenAt(block)
  }
  const blocks: WrongBlock[] = []
  const entries = [...entriesOf(plainBlock(bytes, index))]
  for (const [at, { key, block }] of entries.entries()) {
    if (block.offset + block.size + trailerBytes > bytes.length) return brokenAt(block)
    if (isSound(view, block)) continue
    const before = entries[at - 1]
    const after = before && callersKey(before.key)
    const upTo = at === entries.length - 1 ? undefined : callersKey(key)
    blocks.push({ ...block, after, upTo })
  }
  return blocks.length === 0 ? { kind: 'sound' } : { kind: 'wrong blocks', blocks }
}

export interface Footer {
  readonly metaIndex: BlockHandle
  readonly index: BlockHandle
}

/** Undefined: the file does not end as one of a table. */
export function footerOf(bytes: Uint8Array): Footer | undefined {
  if (viewOf(bytes).getBigUint64(bytes.length - 8, true) !== magic) return undefined
  const reader = new ByteReader(bytes.subarray(bytes.length - footerBytes))
  return { metaIndex: handle(reader), index: handle(reader) }
}

const broken = (problem: string): TableFinding => ({ kind: 'broken', problem })
const brokenAt = (block: BlockHandle): TableFinding => broken(wrongBlock(block))

export const wrongBlock = ({ offset }: BlockHandle): string =>
  `the block at byte ${offset} is wrong`

/**
 * An empty block of this size with its trailer: to put in the place of a wrong one, so that LevelDB
 * can neither choke on it nor copy its bytes elsewhere under a fresh checksum.
 */
export function emptyBlock(size: number): Uint8Array {
  // No restart points, as the last four bytes say: LevelDB reads no further.
  const bytes = new Uint8Array(size + trailerBytes)
  const view = viewOf(bytes)
  view.setUint32(size + 1, maskedCrc32c(view, 0, size + 1), true)
  return bytes
}

/** A table of this many bytes without any record: to put in the place of one that is lost. */
export function emptyTable(size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  const block = emptyBlock(restartCountBytes)
  bytes.set(block)
  bytes.set(block, block.length)
  const footer = size - footerBytes
  bytes.set([0, restartCountBytes, block.length, restartCountBytes], footer)
  viewOf(bytes).setBigUint64(size - 8, magic, true)
  return bytes
}

function handle(reader: ByteReader): BlockHandle {
  return { offset: reader.varint(), size: reader.varint() }
}

export function isSound(view: DataView, { offset, size }: BlockHandle): boolean {
  const end = offset + size
  if (end + trailerBytes > view.byteLength) return false
  return view.getUint32(end + 1, true) === maskedCrc32c(view, offset, end + 1)
}

export function plainBlock(bytes: Uint8Array, { offset, size }: BlockHandle): Uint8Array {
  const stored = bytes.subarray(offset, offset + size)
  return bytes[offset + size] === snappyCompressed ? unsnappy(stored, indexMaxBytes) : stored
}

interface IndexEntry {
  readonly key: Uint8Array
  readonly block: BlockHandle
}

/** Each entry: lengths of shared key, own key and value; own key; the handle as value. */
export function* entriesOf(index: Uint8Array): Generator<IndexEntry> {
  const restarts = viewOf(index).getUint32(index.length - 4, true)
  const reader = new ByteReader(index.subarray(0, index.length - 4 - restarts * 4))
  let key: Uint8Array = new Uint8Array()
  while (!reader.done) {
    const shared = reader.varint()
    const ownBytes = reader.varint()
    reader.varint()
    key = Buffer.concat([key.subarray(0, shared), reader.take(ownBytes)])
    yield { key, block: handle(reader) }
  }
}
