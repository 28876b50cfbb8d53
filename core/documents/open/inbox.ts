/**
 * The order of one session's update messages: a large one is taken in parts, each in a turn of the
 * event loop and when the part before is applied, and what comes meanwhile waits behind it.
 * Invariant: what was received is taken also when its sender has left, unless it was refused.
 * Judges nothing itself.
 */
import { limits } from '../../../schema/limits.ts'
import type { SavedCount } from './pending-commit.ts'

export interface Message {
  readonly update: Uint8Array
  /** It is the answer to the server's sync step 1. */
  readonly answersStep1: boolean
}

/** An update to be judged, whole or a part of one. */
export interface Arrival {
  readonly update: Uint8Array
  readonly isPart: boolean
  readonly count: SavedCount
}

export interface InboxHost {
  /** The update in parts, or itself alone. */
  partsOf(update: Uint8Array): readonly Uint8Array[]
  take(arrival: Arrival): void
  /** All of a message was taken. */
  taken(message: Message): void
  /** In a later turn, when all that was admitted is applied; false: nothing more is to be taken. */
  applied(): Promise<boolean>
  /** Told of a message in parts. */
  finishing(work: Promise<void>): void
  /** Nothing more is taken. */
  failed(error: unknown): void
  readonly count: SavedCount
}

/** What a message that waits costs beside its own bytes. */
const waitingMessageBytes = 256

export class Inbox {
  readonly #host: InboxHost
  #waiting: Message[] = []
  #waitingBytes = 0
  #isParting = false

  constructor(host: InboxHost) {
    this.#host = host
  }

  /** False when more waits than may. */
  receive(message: Message): boolean {
    if (!this.#isParting) {
      this.#take(message)
      return true
    }
    this.#waiting.push(message)
    this.#waitingBytes += message.update.length + waitingMessageBytes
    return this.#waitingBytes <= limits.waitingMessagesMaxBytes
  }

  #take(message: Message): void {
    const { update } = message
    const parts = this.#host.partsOf(update)
    if (parts.length > 1) {
      this.#isParting = true
      const work = this.#takeParts(message, parts)
      this.#host.finishing(work.catch((error: unknown) => this.#host.failed(error)))
      return
    }
    this.#host.take({ update, isPart: false, count: this.#host.count })
    this.#host.taken(message)
  }

  async #takeParts(message: Message, parts: readonly Uint8Array[]): Promise<void> {
    const count = new PartCount(parts.length, this.#host.count)
    for (const update of parts) {
      if (!(await this.#host.applied())) return
      this.#host.take({ update, isPart: true, count })
    }
    if (!(await this.#host.applied())) return
    this.#isParting = false
    this.#host.taken(message)
    while (!this.#isParting) {
      const next = this.#waiting.shift()
      if (next === undefined) break
      this.#take(next)
    }
    if (!this.#isParting) this.#waitingBytes = 0
  }
}

/** Counts a message as saved when its last part is. */
class PartCount implements SavedCount {
  #left: number
  readonly #message: SavedCount

  constructor(parts: number, message: SavedCount) {
    this.#left = parts
    this.#message = message
  }

  saved(count: number): void {
    this.#left -= count
    if (this.#left === 0) this.#message.saved(1)
  }
}
