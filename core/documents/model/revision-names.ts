/**
 * The names that people gave to revisions (extensions §12), by revision. Invariant: there are no
 * more than `revisionNamesMax` of them.
 */
import { Refusal } from '../../../schema/errors.ts'
import {
  jsonRecord,
  type Participant,
  type RecordWriter,
  recordOf,
  type StoredRecord,
} from '../../commit/participant.ts'

const revisionNamesMax = 1_000

export interface RevisionName {
  readonly name: string
}

export class RevisionNames implements Participant {
  readonly section = 'name'
  readonly #names = new Map<number, string>()

  load(records: readonly StoredRecord[]): void {
    for (const record of records) {
      this.#names.set(Number(record.path[0]), recordOf<RevisionName>(record).name)
    }
  }

  /** A write changes none. */
  commit(): void {}

  /**
   * Null takes the name away. Answers whether that changed anything. Refuses PAYLOAD_TOO_LARGE
   * where there are too many.
   */
  set(revision: number, name: string | null, records: RecordWriter): boolean {
    const before = this.#names.get(revision)
    if (name === (before ?? null)) return false
    if (name === null) {
      this.#names.delete(revision)
      records.delete([revision])
      return true
    }
    const limit = revisionNamesMax
    if (before === undefined && this.#names.size >= limit) {
      throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size: this.#names.size + 1 })
    }
    this.#names.set(revision, name)
    records.put([revision], jsonRecord({ name }))
    return true
  }
}
