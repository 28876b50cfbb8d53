/**
 * The bytes of a stored value: 16 bytes of checksum, then the value. The checksum is the front of
 * SHA-256 over version, value and key, as in the envelopes of LevelDB; the version is a column of
 * its own, so that SQL can compare it.
 */
import { createHash } from 'node:crypto'
import { type KeyedValue, StoreDamage, type Version } from '../store.ts'

const checksumBytes = 16
export const versionBytes = 12

/** Random, so that no version comes again, not even after a failover that lost commits. */
export const versionOfBytes = (bytes: Uint8Array): Version =>
  Buffer.from(bytes).toString('hex') as unknown as Version

/** Of what another engine gave out, no bytes that a row has. */
export const bytesOfVersion = (version: Version): Buffer => Buffer.from(String(version), 'hex')

/** A copy of `value` behind its checksum. */
export function sealValue(key: string, version: Uint8Array, value: Uint8Array): Buffer {
  const sealed = Buffer.allocUnsafe(checksumBytes + value.length)
  sealed.set(value, checksumBytes)
  sealed.set(checksumOf(key, version, sealed.subarray(checksumBytes)))
  return sealed
}

/** A row as it was read. Throws `StoreDamage` unless it is what was sealed. */
export function openRow({ key, value, version }: StoredRow): KeyedValue {
  const text = key.toString()
  if (value.length < checksumBytes) throw new StoreDamage(text, 'it is too short')
  const content = value.subarray(checksumBytes)
  if (!checksumOf(text, version, content).equals(value.subarray(0, checksumBytes))) {
    throw new StoreDamage(text, 'its checksum is wrong')
  }
  return { key: text, value: new Uint8Array(content), version: versionOfBytes(version) }
}

export interface StoredRow {
  readonly key: Buffer
  readonly value: Buffer
  readonly version: Buffer
}

/** True for rows that `openRow` opens. */
export const isIntactSql = `
  length(value) >= ${checksumBytes} AND substr(value, 1, ${checksumBytes}) = substr(
    sha256(version || substr(value, ${checksumBytes + 1}) || key), 1, ${checksumBytes})`

function checksumOf(key: string, version: Uint8Array, value: Uint8Array): Buffer {
  const hash = createHash('sha256').update(version).update(value).update(key)
  return hash.digest().subarray(0, checksumBytes)
}
