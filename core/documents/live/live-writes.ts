/**
 * How admitted live updates come into an open document: all that waits together, as one write, when
 * no commit is being written. Judges nothing, stores nothing.
 */
import type { Flusher } from '../../commit/flusher.ts'
import type { Writer } from '../../commit/permission.ts'
import type { DocumentState, StateChange } from '../state/document-state.ts'
import type { QueuedUpdates, UpdateQueue } from './update-queue.ts'

export interface LiveWritesHost {
  readonly state: DocumentState
  readonly flusher: Flusher
  readonly waiting: UpdateQueue
  /** Nothing more is to be applied, for good or until it is stored why. */
  isClosed(): boolean
  /** The next write had better wait a little. */
  isPausing(): boolean
  /** Before these writers' updates are applied. */
  beginning(writers: readonly Writer[]): void
  /** When they are; undefined: they changed nothing. */
  applied(waiting: QueuedUpdates, change: StateChange | undefined): void
  onFailed(error: unknown): void
}

export class LiveWrites {
  readonly #host: LiveWritesHost

  constructor(host: LiveWritesHost) {
    this.#host = host
  }

  /**
   * Applies what waits, unless a commit or a crowd comes first; then it is called again. So much
   * that others have to wait behind it comes before either.
   */
  applyWhenFree(): void {
    const { flusher, waiting } = this.#host
    const isFree = !flusher.isFlushing && !this.#host.isPausing()
    if (isFree || waiting.isPressed) this.applyAll()
  }

  applyAll(): void {
    const { waiting } = this.#host
    if (this.#host.isClosed()) return
    if (waiting.length > 0) {
      try {
        this.#apply(waiting.takeAll())
      } catch (error) {
        this.#host.onFailed(error)
      }
    }
    waiting.applied()
  }

  #apply(waiting: QueuedUpdates): void {
    const { state, flusher } = this.#host
    this.#host.beginning(writersOf(waiting))
    this.#host.applied(waiting, state.applyUpdates(waiting.entries))
    flusher.changed()
  }
}

export const writersOf = ({ entries }: Pick<QueuedUpdates, 'entries'>): readonly Writer[] =>
  entries.map(({ writer }) => writer)
