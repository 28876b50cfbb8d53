/**
 * What live sessions ask of an open document on the way in: whether there is room, and a place
 * among those that wait to be applied. Applies nothing itself.
 */
import type { Limits } from '../../../schema/limits.ts'
import type { Flusher } from '../../commit/flusher.ts'
import type { QueuedUpdate, SavedCount } from '../../commit/live-update.ts'
import { bytesOver } from '../../text/text-size.ts'
import type { DocumentState } from '../state/document-state.ts'
import { UpdateQueue } from './update-queue.ts'

export interface IntakeParts {
  readonly state: DocumentState
  readonly flusher: Flusher
  readonly markdownMaxBytes: number
  readonly limits: Limits
  /** Has what waits applied soon. */
  applySoon(): void
}

export class LiveIntake {
  /** Live updates that are admitted and not applied yet. */
  readonly waiting: UpdateQueue
  readonly #parts: IntakeParts

  constructor(parts: IntakeParts) {
    this.#parts = parts
    this.waiting = new UpdateQueue({
      limits: parts.limits,
      unflushedBytes: () => parts.flusher.unflushedBytes,
      press: () => parts.applySoon(),
    })
  }

  /**
   * Whether the document stays within its bounds when this is added to what is there and what
   * waits; bytes of markdown, and nodes, at most.
   */
  hasRoomFor({ bytes, blocks }: { readonly bytes: number; readonly blocks: number }): boolean {
    const { state, markdownMaxBytes, limits } = this.#parts
    const { insertedBytes, blocks: waiting } = this.waiting
    if (blocks > 0 && state.blockCount + waiting + blocks > limits.blocksMax) return false
    return bytesOver(state.text, markdownMaxBytes - insertedBytes - bytes) === undefined
  }

  /** Whether an update that changes nothing where it points erases text that stands elsewhere. */
  erasesElsewhere(update: Uint8Array): boolean {
    return this.#parts.state.redirects.erases(update)
  }

  /** An admitted live update: applied soon, together with what comes meanwhile. */
  queue(update: QueuedUpdate): void {
    this.waiting.push(update)
    this.#parts.applySoon()
  }

  /** An update message that needs no storing of its own: settled when all before it are. */
  settleDropped(session: SavedCount): void {
    if (this.waiting.length > 0) this.waiting.drop(session)
    else this.#parts.flusher.settle(session)
  }
}
