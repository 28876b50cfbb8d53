/**
 * A socket that takes part in a room: the clientIDs that it speaks for, and its messages in their
 * order. A message may have to wait until the document has reserved clientIDs for it; those behind
 * it wait as well. It does not read the messages.
 */
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { Allowance } from './allowance.ts'
import { waitingMessageBytes } from './messages.ts'
import type { AwarenessMember } from './presence.ts'

export class Speaker {
  readonly member: AwarenessMember
  /** Those it speaks for, or did: reserved for its credential, and not taken by another socket. */
  readonly clients = new Set<number>()
  /** Limits the claims of clientIDs and the states that are looked at before they are told. */
  readonly tries: Allowance
  readonly #take: (update: Uint8Array) => Promise<void> | undefined
  #isWaiting = false
  readonly #queue: Uint8Array[] = []
  #queuedBytes = 0

  /** `take` takes a message: undefined if that is done, else when it is. */
  constructor(
    member: AwarenessMember,
    runtime: Runtime,
    take: (speaker: Speaker, update: Uint8Array) => Promise<void> | undefined,
  ) {
    const { awarenessTriesPerSecond: perSecond, awarenessTriesAtOnce: atOnce } = limits
    this.member = member
    this.tries = new Allowance({ runtime, perSecond, atOnce })
    this.#take = (update) => take(this, update)
  }

  /** Takes a message after those before it; false when more wait than may. */
  receive(update: Uint8Array): boolean {
    if (!this.#isWaiting) {
      const later = this.#take(update)
      if (later !== undefined) void this.#takeRest(later)
      return true
    }
    this.#queue.push(update)
    this.#queuedBytes += update.length + waitingMessageBytes
    return this.#queuedBytes <= limits.waitingMessagesMaxBytes
  }

  async #takeRest(first: Promise<void>): Promise<void> {
    this.#isWaiting = true
    try {
      await first
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        this.#queuedBytes -= next.length + waitingMessageBytes
        await this.#take(next)
      }
    } catch (error) {
      this.member.fail(error)
    }
    this.#isWaiting = false
  }
}
