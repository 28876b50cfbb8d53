/**
 * The revisions of an open document: their numbers, their rows in the history, and what the newest
 * of them changed. Live typing of the same people joins the one that is open; each other write is
 * one of its own. Knows nothing of what is stored.
 */
import type { ActorId } from '../../../schema/ids.ts'
import type { Limits } from '../../../schema/limits.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { HistoryRow } from '../../commit/history-row.ts'
import type { Writer } from '../../commit/permission.ts'
import { joinedRow, newRow } from '../../commit/revision-row.ts'
import type { TextChange } from '../../text/text-change.ts'
import type { StateChange } from '../state/document-state.ts'
import type { SealedText } from './author-keeping.ts'
import { RecentChanges } from './recent-changes.ts'
import { RevisionWindow } from './revision-window.ts'

/** A row that goes on, and the text before it. */
interface Typed {
  readonly row: HistoryRow
  readonly before: DocumentText
}

export interface RevisionsParts {
  readonly runtime: Runtime
  readonly limits: Limits
  readonly newest: number
  /** Of the last content change, milliseconds since the epoch. */
  readonly changedAt: number
  /** Live typing of these actors has become a revision that nothing joins any more. */
  readonly onSealed: (actors: readonly ActorId[]) => void
}

export class Revisions {
  readonly recent: RecentChanges
  readonly #runtime: Runtime
  readonly #window: RevisionWindow
  #newest: number
  #changedAt: number
  #openRow: HistoryRow | undefined
  /** Before what is open. */
  #textBefore: DocumentText | undefined

  constructor({ runtime, limits, newest, changedAt, onSealed }: RevisionsParts) {
    this.#runtime = runtime
    this.#newest = newest
    this.#changedAt = changedAt
    this.recent = new RecentChanges(newest, limits)
    this.#window = new RevisionWindow(runtime, () => {
      const actors = this.#openRow?.actors ?? []
      this.#openRow = undefined
      this.#textBefore = undefined
      onSealed(actors)
    })
  }

  /** Open typing included. */
  get newest(): number {
    return this.#newest
  }

  get changedAt(): number {
    return this.#changedAt
  }

  get isOpen(): boolean {
    return this.#window.isOpen
  }

  /** The newest revision that is closed; `now`: the text as it is. */
  sealed(now: DocumentText): SealedText {
    const before = this.#window.isOpen ? this.#textBefore : undefined
    return before === undefined
      ? { revision: this.#newest, text: now }
      : { revision: this.#newest - 1, text: before }
  }

  seal(): void {
    this.#window.seal()
  }

  /** To be called before these writers' live updates are applied. */
  sealFor(writers: readonly Writer[]): void {
    if (!this.#window.takes(actorsOf(writers))) this.#window.seal()
  }

  /** The row of a write of its own. */
  next(writers: readonly Writer[], splices: TextChange, event = 'edit'): HistoryRow {
    return newRow({ revision: ++this.#newest, at: this.#runtime.now(), event }, writers, splices)
  }

  /** The row that these writers' live updates belong to. */
  typed(writers: readonly Writer[], { before, splices }: StateChange): Typed {
    const { isOpen } = this.#window
    const row = isOpen ? joinedRow(this.#openRow, writers, splices) : this.next(writers, splices)
    this.#openRow = row
    if (!isOpen) this.#textBefore = before
    this.#window.touch(actorsOf(writers))
    return { row, before: this.#textBefore ?? before }
  }

  /** The content is as this row says. */
  changed({ revision, splices, at }: HistoryRow): void {
    this.recent.push(revision, splices)
    this.#changedAt = at
  }
}

const actorsOf = (writers: readonly Writer[]): readonly ActorId[] =>
  writers.map(({ actor }) => actor)
