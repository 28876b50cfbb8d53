/**
 * The bytes under a key: 16 bytes of checksum, 8 of version, then the value. The checksum is the
 * front of SHA-256 over version, value and key, so a value that was damaged, moved under another
 * key or mixed with an older one is never returned.
 * SHA-256 costs 2 µs for 1 KB and 5 ms for 8 MB, less than the write it protects. Of small values
 * the larger part of the cost is a hash object, so those are hashed in one call.
 */
import { createHash, hash } from 'node:crypto'
import { StoreDamage, type StoredValue, type Version } from './store.ts'

const checksumBytes = 16
const headerBytes = checksumBytes + 8

/** Copied to be hashed in one piece up to this length. */
const smallBytes = 4096

/** A value on its way to the store: its envelope, with the key behind it to be hashed along. */
export interface WrappedValue {
  readonly key: string
  readonly envelope: Buffer
  /** From the version to the end of the key. */
  readonly hashed: Buffer
}

/** A copy of `value` with room for the header, so that the caller may reuse its buffer at once. */
export function wrapValue(key: string, value: Uint8Array): WrappedValue {
  const keyBytes = Buffer.byteLength(key)
  const end = headerBytes + value.length
  const bytes = Buffer.allocUnsafe(end + keyBytes)
  bytes.set(value, headerBytes)
  bytes.write(key, end)
  return { key, envelope: bytes.subarray(0, end), hashed: bytes.subarray(checksumBytes) }
}

/** Writes the header in place; answers the bytes to store. */
export function sealEnvelope({ envelope, hashed }: WrappedValue, version: number): Buffer {
  writeVersion(envelope, version)
  envelope.write(hash('sha256', hashed, 'binary'), 0, checksumBytes, 'latin1')
  return envelope
}

/** A version is the number of the batch that wrote the value, for the engines alone to know. */
export const versionOf = (batch: number): Version => batch as unknown as Version
export const batchOf = (version: Version): number => version as unknown as number

/** The value and version of sealed bytes; throws `StoreDamage` unless they are what was sealed. */
export function openEnvelope(key: string, envelope: Buffer): StoredValue {
  if (envelope.length < headerBytes) throw new StoreDamage(key, 'it is too short')
  if (checksumOf(key, envelope) !== envelope.toString('latin1', 0, checksumBytes)) {
    throw new StoreDamage(key, 'its checksum is wrong')
  }
  return contentOf(envelope)
}

/** The same of one that this process sealed. */
export function contentOf({ buffer, byteOffset, length }: Uint8Array): StoredValue {
  const version = new DataView(buffer, byteOffset).getBigUint64(checksumBytes)
  const value = new Uint8Array(buffer, byteOffset + headerBytes, length - headerBytes)
  return { value, version: versionOf(Number(version)) }
}

/** A character for each byte. */
function checksumOf(key: string, envelope: Buffer): string {
  const rest = envelope.subarray(checksumBytes)
  const digest =
    rest.length <= smallBytes
      ? hash('sha256', Buffer.concat([rest, Buffer.from(key)]), 'binary')
      : createHash('sha256').update(rest).update(key).digest('binary')
  return digest.slice(0, checksumBytes)
}

/** As 64 bits; versions are whole numbers below 2^53. */
function writeVersion(envelope: Buffer, version: number): void {
  envelope.writeUInt32BE(Math.floor(version / 0x1_0000_0000), checksumBytes)
  envelope.writeUInt32BE(version % 0x1_0000_0000, checksumBytes + 4)
}
