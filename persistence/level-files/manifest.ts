/**
 * Which files a LevelDB directory lives on, as its manifest's records say. Everything else that
 * lies there is left over and not read by LevelDB.
 */
import { ByteReader } from './varint.ts'

export interface LiveTable {
  /** In bytes. */
  readonly size: number
  /** Its first and its last key, as bytes. */
  readonly first: Uint8Array
  readonly last: Uint8Array
}

export interface LiveFiles {
  /**
   * Write-ahead logs from this number on hold what no table holds yet. 0: none was needed so far.
   */
  readonly firstLog: number
  /** By the number in the file's name. */
  readonly tables: ReadonlyMap<number, LiveTable>
}

const tag = {
  comparator: 1,
  logNumber: 2,
  nextFile: 3,
  lastSequence: 4,
  compactPointer: 5,
  deletedTable: 6,
  newTable: 7,
  previousLog: 9,
} as const

const keyTrailerBytes = 8

/** LevelDB appends a sequence number and a type to each key. */
export function callersKey(internal: Uint8Array): Uint8Array {
  if (internal.length < keyTrailerBytes) throw new RangeError('a key is too short')
  return internal.subarray(0, internal.length - keyTrailerBytes)
}

/** Replays the manifest's edits. Throws RangeError when a record is not an edit. */
export function liveFiles(records: readonly Uint8Array[]): LiveFiles {
  const tables = new Map<number, LiveTable>()
  let firstLog = 0
  for (const record of records) {
    const reader = new ByteReader(record)
    while (!reader.done) {
      const field = reader.varint()
      if (field === tag.logNumber) firstLog = reader.varint()
      else readOther(field, reader, tables)
    }
  }
  return { firstLog, tables }
}

function readOther(field: number, reader: ByteReader, tables: Map<number, LiveTable>): void {
  const skipText = () => reader.skip(reader.varint())
  switch (field) {
    case tag.nextFile:
    case tag.lastSequence:
    case tag.previousLog:
      reader.varint()
      return
    case tag.comparator:
      skipText()
      return
    case tag.compactPointer:
      reader.varint()
      skipText()
      return
    case tag.deletedTable:
      reader.varint()
      tables.delete(reader.varint())
      return
    case tag.newTable: {
      reader.varint()
      const number = reader.varint()
      const size = reader.varint()
      const key = () => callersKey(reader.take(reader.varint()))
      tables.set(number, { size, first: key(), last: key() })
      return
    }
    default:
      throw new RangeError(`unknown field ${field}`)
  }
}
