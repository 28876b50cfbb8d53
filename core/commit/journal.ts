/**
 * An open document's hand on the store: turns a pending commit into one conditional batch (log
 * record, history rows, small records, head, now and then a snapshot or a whole text) and keeps the
 * head. Safety against other writers is the check on the head's version alone.
 */
import {
  docFarThreads,
  docHead,
  docHistory,
  docLog,
  docRecord,
  docSnapshot,
  docText,
  docView,
} from '../../persistence/keys.ts'
import type { Check, Version } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import type { DocumentText } from '../../schema/markdown/document-text.ts'
import { titleOf } from '../../schema/markdown/title.ts'
import { encodeHead, type Head, type StoredViewName } from './head.ts'
import { encodeHistoryRow, type HistoryRow } from './history-row.ts'
import { chainHash, encodeLogRecord } from './log-record.ts'
import type { PendingCommit, ViewRecords } from './pending-commit.ts'
import { type HeldPermission, Withdrawn } from './permission.ts'
import type { RecordTally } from './record-tally.ts'
import type { ShowingStore } from './showing-store.ts'

/** Of history rows that are read to find the text of a revision, where the text is shorter. */
const historyRowsBytes = 256 * 1024

const historyFullTextEvery = 512

const compactMinBytes = 64 * 1024

const compactBytesPerRecord = 512

const compactAfterRecords = 500

/** Among which the title is looked for that lists show. */
const listedTitleBlocksMax = 200

export interface JournalStart {
  readonly store: ShowingStore
  readonly slug: Slug
  readonly head: Head
  /** Undefined: the document is being created. */
  readonly headVersion: Version | undefined
  readonly tally: RecordTally
  /** What the log holds since the snapshot. */
  readonly logRecords: number
  readonly logBytes: number
  readonly snapshot: Uint8Array | undefined
}

/** What the document is at the moment of a commit. */
export interface JournalMoment {
  readonly revision: number
  /** The newest revision whose text cannot change any more. */
  readonly sealed: { readonly revision: number; readonly text: DocumentText }
  /** As it is now. */
  readonly text: DocumentText
  /** When its text changed last. */
  readonly changedAt: number
  /** The whole as a snapshot, grown from the one before. */
  snapshot(before: Uint8Array | undefined): Uint8Array
  /** What it costs in memory. */
  readonly weight: number
}

/** What one commit writes; each key once. */
interface DocumentBatch {
  readonly puts: { readonly key: string; readonly value: Uint8Array }[]
  readonly deletes: string[]
}

interface Storing {
  readonly permissions: ReadonlySet<HeldPermission>
  /** See `ShowingStore`. */
  readonly show: (() => void) | undefined
}

export class DocumentJournal {
  readonly #store: ShowingStore
  readonly slug: Slug
  readonly #tally: RecordTally
  #head: Head
  #headVersion: Version | undefined
  #logRecords: number
  #logBytes: number
  /** The stored one, from which the next grows. */
  #snapshot: Uint8Array | undefined

  constructor(start: JournalStart) {
    this.#store = start.store
    this.slug = start.slug
    this.#tally = start.tally
    this.#head = start.head
    this.#headVersion = start.headVersion
    this.#logRecords = start.logRecords
    this.#logBytes = start.logBytes
    this.#snapshot = start.snapshot
  }

  get head(): Head {
    return this.#head
  }

  /** What has to be read to open the document. */
  get storedBytes(): number {
    return this.#snapshotBytes + this.#logBytes
  }

  get #snapshotBytes(): number {
    return this.#snapshot?.length ?? 0
  }

  /** Whether the authors of this text should be stored whole, for the history. */
  authorsAreDue({ revision, text }: JournalMoment['sealed']): boolean {
    const { authors = { revision: 1, rowBytes: 0 } } = this.#head
    const { rowBytes } = authors
    return isDue({ revisions: revision - authors.revision, rowBytes }, text)
  }

  get hasLog(): boolean {
    return this.#logRecords > 0
  }

  /**
   * Refuses UNAVAILABLE when another process wrote meanwhile; throws `Withdrawn` when what a write
   * of it rests on is not so any more; rethrows what the store throws.
   */
  async commit(pending: PendingCommit, moment: JournalMoment, show?: () => void): Promise<void> {
    const batch: DocumentBatch = { puts: [], deletes: [] }
    let rowBytes = this.#head.rowBytes ?? 0
    for (const row of pending.rows.values()) {
      const value = encodeHistoryRow(row)
      rowBytes += value.length
      batch.puts.push({ key: docHistory(this.slug, row.revision), value })
    }
    this.#addRecords(pending, batch)
    const head = this.#addContent(pending, moment, { batch, rowBytes })
    const key = docHead(this.slug)
    batch.puts.push({ key, value: encodeHead(head) })
    const own = [{ key, version: this.#headVersion }, ...pending.checks]
    this.#headVersion = await this.#storeBatch(batch, own, {
      permissions: pending.permissions,
      show,
    })
    this.#head = head
  }

  /** Answers the version of what was written. */
  async #storeBatch(
    { puts, deletes }: DocumentBatch,
    own: readonly Check[],
    { permissions, show }: Storing,
  ): Promise<Version> {
    const checks = [...own, ...[...permissions].flatMap((one) => one.checks)]
    const result = await this.#store.commit({ checks, puts, deletes }, show)
    if (result.ok) return result.version
    const { conflict } = result
    const rests = (on: { readonly checks: readonly Check[] }) =>
      on.checks.some(({ key }) => key === conflict)
    const stale = [...permissions].filter(rests)
    if (rests({ checks: own }) || stale.length === 0) {
      throw new Refusal('UNAVAILABLE', { conflict })
    }
    throw new Withdrawn(stale)
  }

  #addRecords(pending: PendingCommit, { puts, deletes }: DocumentBatch): void {
    if (pending.puts.size + pending.deletes.size === 0) return
    const own = `doc/${this.slug}/`
    for (const [key, value] of pending.puts) {
      puts.push({ key, value })
      if (key.startsWith(own)) this.#tally.put(key, value)
    }
    for (const key of pending.deletes) {
      if (key.startsWith(own) && !this.#tally.delete(key)) continue
      deletes.push(key)
    }
  }

  /** Log record or snapshot, whole text when due; the head that goes with them. */
  #addContent(
    pending: PendingCommit,
    moment: JournalMoment,
    { batch, rowBytes: allRowBytes }: { readonly batch: DocumentBatch; readonly rowBytes: number },
  ): Head {
    const { puts, deletes } = batch
    let { seq, chain, snapshotSeq, snapshotHash, textRevision, changedAt } = this.#head
    let record: Uint8Array | undefined
    if (pending.updates.length > 0) {
      seq++
      record = encodeLogRecord({
        seq,
        revision: moment.revision,
        previous: chain,
        updates: pending.updates,
      })
      chain = chainHash(record)
      this.#logRecords++
      this.#logBytes += record.length
      changedAt = moment.changedAt
    }
    const isNews = pending.rows.size > 0 || this.#head.title === undefined
    const said = isNews ? this.#said(pending, moment) : this.#head
    if (pending.compact || this.#compactionIsDue()) {
      const snapshot = moment.snapshot(this.#snapshot)
      snapshotHash = chainHash(snapshot)
      const last = record === undefined ? seq : seq - 1
      for (let old = snapshotSeq + 1; old <= last; old++) deletes.push(docLog(this.slug, old))
      puts.push({ key: docSnapshot(this.slug), value: snapshot })
      snapshotSeq = seq
      chain = snapshotHash
      this.#logRecords = 0
      this.#logBytes = 0
      this.#snapshot = snapshot
    } else if (record !== undefined) puts.push({ key: docLog(this.slug, seq), value: record })
    let rowBytes = allRowBytes
    const { sealed } = moment
    const since = { revisions: sealed.revision - textRevision, rowBytes }
    const textIsDue = textRevision === 0 || isDue(since, sealed.text)
    if (textIsDue && sealed.revision > textRevision) {
      const value = Buffer.from(sealed.text.toString())
      puts.push({ key: docText(this.slug, sealed.revision), value })
      textRevision = sealed.revision
      rowBytes = 0
    }
    for (const [revision, value] of pending.texts) {
      puts.push({ key: docText(this.slug, revision), value })
    }
    const { authors = { revision: 1, rowBytes: 0 } } = this.#head
    const grown = authors.rowBytes + allRowBytes - (this.#head.rowBytes ?? 0)
    if (pending.authors !== undefined) {
      const { revision, value } = pending.authors
      puts.push({ key: docRecord(this.slug, 'authors', [revision]), value })
    }
    const { facts, view } = pending
    const { linkAccess, readOnly, commentsDisabled, life } = this.#head
    // Field by field: spread, it took V8 many times as long, with every key.
    return {
      format: 1,
      revision: moment.revision,
      seq,
      chain,
      snapshotSeq,
      snapshotHash,
      textRevision,
      rowBytes,
      authors: pending.authors
        ? { revision: pending.authors.revision, rowBytes: 0 }
        : { revision: authors.revision, rowBytes: grown },
      tally: this.#tally.current(),
      createdAt: this.#head.createdAt,
      changedAt,
      linkAccess: facts.linkAccess ?? linkAccess,
      readOnly: facts.readOnly ?? readOnly,
      commentsDisabled: facts.commentsDisabled ?? commentsDisabled,
      life: facts.life ?? life,
      title: said.title,
      changedBy: said.changedBy ?? this.#head.changedBy,
      chars: moment.text.length,
      weight: Math.round(moment.weight),
      view: view && this.#addView(view, { puts, deletes }),
    }
  }

  #addView({ format, view, far }: ViewRecords, { puts, deletes }: DocumentBatch): StoredViewName {
    puts.push({ key: docView(this.slug), value: view })
    if (far === undefined) deletes.push(docFarThreads(this.slug))
    else puts.push({ key: docFarThreads(this.slug), value: far })
    return { hash: chainHash(view), bytes: view.length, format }
  }

  /** What lists tell of the document, from its newest revision in this commit. */
  #said({ rows }: PendingCommit, { text }: JournalMoment): Pick<Head, 'title' | 'changedBy'> {
    const isWritten = ({ event, splices }: HistoryRow) => event === 'create' || splices.length > 0
    const written = [...rows.values()].findLast(isWritten)
    const changedBy = written?.actors.at(-1)
    return { title: titleOf(text, listedTitleBlocksMax), changedBy }
  }

  /** A snapshot costs what the document weighs; replaying the log, what was written since. */
  #compactionIsDue(): boolean {
    const bytes = Math.max(compactMinBytes, this.#snapshotBytes / 4)
    const records = Math.max(compactAfterRecords, this.#snapshotBytes / compactBytesPerRecord)
    return this.#logRecords >= records || this.#logBytes > bytes
  }
}

/**
 * Whether the text, or its authors, are to be stored whole again, so that those of any revision are
 * found by reading a bounded number of rows, of no more bytes together than the text has.
 */
const isDue = (
  since: { readonly revisions: number; readonly rowBytes: number },
  { length }: DocumentText,
): boolean =>
  since.revisions >= historyFullTextEvery ||
  since.rowBytes >= Math.max(historyRowsBytes, 2 * length)
