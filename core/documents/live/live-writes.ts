/**
 * How admitted live updates come into an open document: all that waits together, as one write, when
 * no commit is being written; what takes long in later turns, in which nobody else reads or writes.
 * Judges nothing, stores nothing.
 */
import { finish, type Steps } from '../../../schema/steps.ts'
import type { Flusher } from '../../commit/flusher.ts'
import type { DocumentJournal } from '../../commit/journal.ts'
import type { Writer } from '../../commit/permission.ts'
import type { Exclusive } from '../../turns/exclusive.ts'
import type { DocumentState, StateChange } from '../state/document-state.ts'
import type { UpdateQueue, Waiting } from './update-queue.ts'

export interface LiveWritesHost {
  readonly state: DocumentState
  readonly journal: DocumentJournal
  readonly flusher: Flusher
  readonly exclusive: Exclusive
  readonly waiting: UpdateQueue
  /** Nothing more is to be applied, for good or until it is stored why. */
  isClosed(): boolean
  /** The next write had better wait a little. */
  isPausing(): boolean
  /** Before these writers' updates are applied. */
  beginning(writers: readonly Writer[]): void
  /** When they are; undefined: they changed nothing. */
  applied(waiting: Waiting, change: StateChange | undefined): Steps<void>
  onFailed(error: unknown): void
}

export class LiveWrites {
  readonly #host: LiveWritesHost
  #underWay: Waiting | undefined

  constructor(host: LiveWritesHost) {
    this.#host = host
  }

  /** What was taken to be applied in several turns, and is not part of any commit yet. */
  get underWay(): Waiting | undefined {
    return this.#underWay
  }

  /**
   * Applies what waits, unless a commit or a crowd comes first; then it is called again. So much
   * that others have to wait behind it comes before either.
   */
  applyWhenFree(): void {
    const { flusher, waiting } = this.#host
    const isFree = !flusher.isFlushing && !this.#host.isPausing()
    if (!isFree && !waiting.isPressed) return
    this.beginLong()
    this.applyAll()
  }

  applyAll(): void {
    const { exclusive, waiting } = this.#host
    if (this.#host.isClosed() || exclusive.isHeld) return
    if (waiting.length > 0) {
      try {
        this.#applyTogether(waiting.takeAll())
      } catch (error) {
        this.#host.onFailed(error)
      }
    }
    waiting.applied()
  }

  /** What waits and takes long goes on in later turns, in which nobody else reads or writes. */
  beginLong(): void {
    const { exclusive, flusher, journal, waiting } = this.#host
    if (this.#host.isClosed() || exclusive.isHeld || waiting.length === 0) return
    const bytes = flusher.unflushedBytes + waiting.bytes
    if (!waiting.isLong && !journal.takesLongFor(bytes)) return
    void exclusive.begin(this.#applyingLong(waiting.takeAll()))
  }

  /** Throws nothing: when it fails the document is dead before anybody else goes on. */
  *#applyingLong(waiting: Waiting): Steps<void> {
    const { state, journal, flusher } = this.#host
    this.#underWay = waiting
    try {
      this.#host.beginning(writersOf(waiting))
      const change = yield* state.applyingUpdates(waiting.entries)
      if (this.#host.isClosed()) return
      yield* this.#host.applied(waiting, change)
      this.#underWay = undefined
      yield* journal.preparing(flusher.pending, state.ydoc)
      flusher.changed()
    } catch (error) {
      this.#host.onFailed(error)
    }
    this.#host.waiting.applied()
  }

  #applyTogether(waiting: Waiting): void {
    const { state, flusher } = this.#host
    this.#host.beginning(writersOf(waiting))
    finish(this.#host.applied(waiting, state.applyUpdates(waiting.entries)))
    flusher.changed()
  }
}

export const writersOf = ({ entries }: Pick<Waiting, 'entries'>): readonly Writer[] =>
  entries.map(({ writer }) => writer)
