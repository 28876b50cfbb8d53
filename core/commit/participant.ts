/**
 * What belongs to a document and is stored beside its text, record by record, in the same commits:
 * a section of keys, how it is read back, and what a write changes of it. Whoever adds a kind of
 * record implements this and is listed by `DocumentState.participants`; loading, storing and
 * verifying know no more of it.
 */
import type { DocSection } from '../../persistence/keys.ts'
import type { BlockId } from '../../schema/ids.ts'
import type { DocumentText } from '../../schema/markdown/document-text.ts'

export interface StoredRecord {
  /** What follows the section in its key. */
  readonly path: readonly string[]
  readonly value: Uint8Array
}

/** Each put or delete of one commit; the last of a path counts. */
export interface RecordWriter {
  put(path: readonly (string | number)[], value: Uint8Array): void
  delete(path: readonly (string | number)[]): void
}

/**
 * A block that a write deleted, and where it stood, told by one that survives. `after`: the place
 * is after the survivor, so retry with `after_block` (interface §7).
 */
export interface GoneBlock {
  readonly id: BlockId
  /** Null when no block of the old document is left. */
  readonly survivor: BlockId | null
  readonly relation: 'after' | 'before'
}

/** What a write brought to the text. */
export interface InsertedContent {
  /** Blocks that came or whose content changed, and those around them. */
  readonly touched: ReadonlySet<BlockId>
  /** The clocks of clients from which on structs are its own. */
  readonly before: ReadonlyMap<number, number>
  /** The text before it. */
  readonly former?: DocumentText | undefined
  /** It is a revert: what is new in it had stood there. */
  readonly bringsBack?: boolean
}

/** What a write was, live or not. */
export interface Write {
  readonly revision: number
  readonly deleted: readonly GoneBlock[]
  readonly revived: readonly BlockId[]
  /** Only where something is anchored in the document. */
  readonly came?: InsertedContent | undefined
}

export interface Participant {
  readonly section: DocSection
  /** All that is stored of it, in the order of its keys; before the text is there. */
  load(records: readonly StoredRecord[]): void
  /** Called after each write: what it, and those before that stored nothing, have changed. */
  commit(write: Write, records: RecordWriter): void
  /** What is wrong with it, beside the text that was loaded; for an operator. */
  verify?(): string | undefined
}

export const jsonRecord = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

/** Of bytes that the store has found to be those that were written. */
export const recordOf = <T>({ value }: StoredRecord): T => JSON.parse(Buffer.from(value).toString())
