/**
 * One log record: the Yjs updates of one flush. Its sequence number is dense and it carries the
 * hash of the record before it, so that the log of a document is one unbroken chain up to its head.
 */
import { hash } from 'node:crypto'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'

export interface LogRecord {
  readonly seq: number
  /** The document's revision after this record. */
  readonly revision: number
  /** Hash of the record before, hex. */
  readonly previous: string
  readonly updates: readonly Uint8Array[]
}

const format = 1

export function encodeLogRecord(record: LogRecord): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, format)
  encoding.writeVarUint(encoder, record.seq)
  encoding.writeVarUint(encoder, record.revision)
  encoding.writeVarString(encoder, record.previous)
  encoding.writeVarUint(encoder, record.updates.length)
  for (const update of record.updates) encoding.writeVarUint8Array(encoder, update)
  return encoding.toUint8Array(encoder)
}

/** Throws when the bytes are of another format. */
export function decodeLogRecord(value: Uint8Array): LogRecord {
  const decoder = decoding.createDecoder(value)
  if (decoding.readVarUint(decoder) !== format) throw new Error('unknown log record format')
  const seq = decoding.readVarUint(decoder)
  const revision = decoding.readVarUint(decoder)
  const previous = decoding.readVarString(decoder)
  const count = decoding.readVarUint(decoder)
  const updates = Array.from({ length: count }, () => decoding.readVarUint8Array(decoder))
  return { seq, revision, previous, updates }
}

/** 32 hex digits. */
export function chainHash(value: Uint8Array): string {
  return hash('sha256', value, 'hex').slice(0, 32)
}
