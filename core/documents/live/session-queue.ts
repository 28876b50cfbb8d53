/**
 * The order of one session's update messages. One that cannot be taken yet stays first and is tried
 * again; what comes meanwhile waits behind, and the socket is read no further.
 * Invariant: what was received is taken also when its sender has left, unless it was refused.
 * Judges nothing itself.
 */
import { limits } from '../../../schema/limits.ts'

/** With more waiting the socket is read no further. */
const waitingMessagesPauseBytes = 64 * 1024

export interface Message {
  readonly update: Uint8Array
  /** It is the answer to the server's sync step 1. */
  readonly answersStep1: boolean
}

export interface SessionQueueHost {
  /** Undefined: the document is there. Else when this resolves; false: it will not be. */
  away(): Promise<boolean> | undefined
  /**
   * Undefined: it is done with. Else it is to be taken again when this resolves; false: nothing
   * more is to be taken at all.
   */
  take(message: Message): Promise<boolean> | undefined
  /** A message was taken, for the first time. */
  taken(message: Message): void
  /** Told of what is not done with at once. */
  finishing(work: Promise<void>): void
  /** Does this in the session's turn, perhaps at once. */
  inTurn(job: () => void): void
  /** Whether more may come: while false the socket is read no further. */
  reads(isReading: boolean): void
  /** Nothing more is taken. */
  failed(error: unknown): void
}

/** What a message that waits costs beside its own bytes. */
const waitingMessageBytes = 256

interface QueuedMessage {
  readonly message: Message
  /** It was put aside before, so that its taking was told of. */
  readonly isAgain: boolean
}

const costOf = ({ message }: QueuedMessage): number => message.update.length + waitingMessageBytes

export class SessionQueue {
  readonly #host: SessionQueueHost
  readonly #waiting: QueuedMessage[] = []
  #waitingBytes = 0
  /** The first is being taken, or waits for something. */
  #isBusy = false
  #isReading = true
  /** Told when nothing waits but for the document. */
  #finished: (() => void) | undefined

  constructor(host: SessionQueueHost) {
    this.#host = host
  }

  /** False when more waits than may. */
  receive(message: Message): boolean {
    this.#add({ message, isAgain: false })
    this.#next()
    if (this.#waitingBytes > waitingMessagesPauseBytes) this.#read(false)
    return this.#waitingBytes <= limits.waitingMessagesMaxBytes
  }

  /** Takes what was put aside, before everything that waits. */
  takeAgain(messages: readonly Message[]): void {
    for (const message of messages.toReversed()) this.#add({ message, isAgain: true }, 0)
    this.#next()
  }

  #add(waiting: QueuedMessage, at = this.#waiting.length): void {
    this.#waiting.splice(at, 0, waiting)
    this.#waitingBytes += costOf(waiting)
  }

  #next(): void {
    if (this.#isBusy) return
    if (this.#waiting.length === 0) {
      this.#read(true)
      this.#finish()
      return
    }
    this.#isBusy = true
    this.#host.inTurn(() => this.#takeFirst())
    if (this.#isBusy && this.#finished === undefined && this.#host.away() === undefined) {
      this.#host.finishing(
        new Promise((resolve) => {
          this.#finished = resolve
        }),
      )
    }
  }

  #takeFirst(): void {
    try {
      const away = this.#host.away()
      // A document that nobody holds may leave, so what waits for it here is not told of.
      if (away !== undefined) {
        this.#finish()
        this.#whenever(away)
        return
      }
      const [first] = this.#waiting
      if (first === undefined) throw new TypeError('nothing waits')
      const later = this.#host.take(first.message)
      if (later !== undefined) {
        this.#read(false)
        this.#whenever(later)
        return
      }
      this.#waiting.shift()
      this.#waitingBytes -= costOf(first)
      if (!first.isAgain) this.#host.taken(first.message)
      this.#isBusy = false
      this.#next()
    } catch (error) {
      this.#fail(error)
    }
  }

  #whenever(later: Promise<boolean>): void {
    later.then(
      (mayTake) => {
        if (!mayTake) {
          this.#finish()
          return
        }
        this.#isBusy = false
        this.#next()
      },
      (error: unknown) => this.#fail(error),
    )
  }

  #fail(error: unknown): void {
    this.#finish()
    this.#host.failed(error)
  }

  #finish(): void {
    this.#finished?.()
    this.#finished = undefined
  }

  #read(isReading: boolean): void {
    if (this.#isReading === isReading) return
    this.#isReading = isReading
    this.#host.reads(isReading)
  }
}
