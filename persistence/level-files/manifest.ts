/**
 * Which files a LevelDB directory lives on, as its manifest's records say. Everything else that
 * lies there is left over and not read by LevelDB.
 */
import { ByteReader } from './varint.ts'

export interface LiveFiles {
  /**
   * Write-ahead logs from this number on hold what no table holds yet. 0: none was needed so far.
   */
  readonly firstLog: number
  /** Table number → size in bytes. */
  readonly tables: ReadonlyMap<number, number>
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

/** Replays the manifest's edits. Throws RangeError when a record is not an edit. */
export function liveFiles(records: readonly Uint8Array[]): LiveFiles {
  const tables = new Map<number, number>()
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

function readOther(field: number, reader: ByteReader, tables: Map<number, number>): void {
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
      tables.set(number, reader.varint())
      skipText()
      skipText()
      return
    }
    default:
      throw new RangeError(`unknown field ${field}`)
  }
}
