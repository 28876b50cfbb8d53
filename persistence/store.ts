/**
 * The Store port: ordered string keys, byte values, one conditional atomic commit. Nothing above it
 * may assume a single process: safety is the version check, never a lock in memory. A commit that
 * resolved is on disk; a value whose bytes were damaged is never returned. Keys are well-formed,
 * not empty, do not begin with U+0000, and are ordered by code point; a commit writes each key at
 * most once. Anything else is a bug of the caller (TypeError). After `close` every call fails with
 * `StoreClosed`; after a failed write commits do, with `StoreFailed`.
 */
declare const isVersion: unique symbol

/**
 * Which of its values a key has: two are the same or not, and nothing else follows from them. A key
 * that is made again never has a version that it had before.
 */
export type Version = { readonly [isVersion]: true }

export interface StoredValue {
  readonly value: Uint8Array
  readonly version: Version
}

export interface KeyedValue extends StoredValue {
  readonly key: string
}

export interface Check {
  readonly key: string
  /** The version the key must have now; `undefined`: the key must be absent. */
  readonly version: Version | undefined
}

export interface Put {
  readonly key: string
  readonly value: Uint8Array
}

export interface Commit {
  readonly checks?: readonly Check[]
  readonly puts?: readonly Put[]
  readonly deletes?: readonly string[]
  /**
   * A hint that commits which check the keys of this one come soon: an engine may remember their
   * versions.
   */
  readonly checksFollow?: boolean
}

export type CommitResult =
  /** The version of every key that it wrote. */
  | { readonly ok: true; readonly version: Version }
  | { readonly ok: false; readonly conflict: string }

export interface Range {
  readonly gte?: string
  readonly gt?: string
  readonly lte?: string
  readonly lt?: string
  readonly reverse?: boolean
  readonly limit?: number
}

/** All keys that begin with `gte`. */
export type Below = Required<Pick<Range, 'gte' | 'lt'>>

export interface DamagedRecords {
  readonly key: string
  readonly damaged: true
  /** All keys from `key` up to this one are out of service, whether they had records or not. */
  readonly upTo?: string
}

export interface Store {
  /** All of it or nothing; durable when it resolves. Checks and writes happen as of one moment. */
  commit(commit: Commit): Promise<CommitResult>
  /** Absence is `undefined`. Throws `StoreDamage` when the stored bytes fail their checksum. */
  get(key: string): Promise<StoredValue | undefined>
  getMany(keys: readonly string[]): Promise<(StoredValue | undefined)[]>
  /** In key order over one snapshot taken at the call. Throws `StoreDamage` like `get`. */
  scan(range: Range): AsyncIterable<KeyedValue>
  /** Like `scan`, but what is damaged is reported in its place instead of thrown (for scrub). */
  scanRaw(range: Range): AsyncIterable<KeyedValue | DamagedRecords>
  /**
   * Deletes every record of the range, in several commits; answers how many. Not atomic: what is
   * written into the range meanwhile may stay, and after a crash it is to be called again. Records
   * that are damaged or out of service stay.
   */
  deleteRange(range: Range): Promise<number>
  /**
   * A hint that all below a prefix was deleted and had better leave the disk too; resolves when
   * that is done, as far as the engine can.
   */
  compact(range: Below): Promise<void>
  /**
   * A hint that keys under `prefix` may have changed, soon or late (an engine may look now and
   * then); never relied on for safety.
   */
  watch(prefix: string, listener: (key: string) => void): () => void
  /**
   * Names the unbroken life of what is below the store: another one after a failover, in which
   * commits may have been lost. Absent: there is none.
   */
  timeline?(): Promise<string>
  close(): Promise<void>
}

/** A stored record whose bytes are not the bytes that were written. */
export class StoreDamage extends Error {
  readonly key: string
  readonly reason: string

  constructor(key: string, reason: string) {
    super(`stored record ${key} is damaged: ${reason}`)
    this.name = 'StoreDamage'
    this.key = key
    this.reason = reason
  }
}
