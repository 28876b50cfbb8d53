/**
 * The order of one session's update messages. A large one is taken in parts, each in a turn of the
 * event loop and when the part before is applied; one that cannot be taken yet stays first and is
 * tried again; what comes meanwhile waits behind, and the socket is read no further.
 * Invariant: what was received is taken also when its sender has left, unless it was refused.
 * Judges nothing itself.
 */
import { limits } from '../../../schema/limits.ts'
import type { SavedCount } from '../../commit/live-update.ts'

export interface Message {
  readonly update: Uint8Array
  /** It is the answer to the server's sync step 1. */
  readonly answersStep1: boolean
}

/** An update to be judged, whole or a part of one. */
export interface Arrival {
  readonly update: Uint8Array
  readonly isPart: boolean
  /** It is judged in a turn of the event loop of its own. */
  readonly isLarge: boolean
  readonly count: SavedCount
}

/** Why an arrival is not done with: it is to be taken again when that resolves. */
export interface Taken {
  readonly wait: Promise<boolean> | undefined
}

export interface InboxHost {
  /** Undefined: the document is there. Else when this resolves; false: it will not be. */
  away(): Promise<boolean> | undefined
  /** Undefined: it may be read. Else it may when this resolves; false: nothing more is taken. */
  mayRead(update: Uint8Array): Promise<boolean> | undefined
  /** Whether it takes more than a turn. */
  isLarge(update: Uint8Array): boolean
  /** A large update in parts, or itself alone, in several turns. */
  partsOf(update: Uint8Array): Promise<readonly Uint8Array[]>
  /**
   * Undefined: it is done with. Else it is to be taken again when this resolves; false: nothing
   * more is to be taken at all.
   */
  take(arrival: Arrival): Promise<boolean> | undefined
  /** The same of a large one, in several turns; `wait` is what `take` answers. */
  takeLarge(arrival: Arrival): Promise<Taken>
  /** All of a message was taken. */
  taken(message: Message): void
  /** In a later turn, when all that was admitted is applied; false: nothing more is to be taken. */
  applied(): Promise<boolean>
  /** Told of what is not done with at once. */
  finishing(work: Promise<void>): void
  /** Calls it until it answers false, in turns with all that others' inboxes have to take. */
  inTurns(step: () => boolean): void
  /** Whether more may come: while false the socket is read no further. */
  reads(isReading: boolean): void
  /** Nothing more is taken. */
  failed(error: unknown): void
  readonly count: SavedCount
}

/** What a message that waits costs beside its own bytes. */
const waitingMessageBytes = 256

interface Work {
  readonly arrivals: readonly Arrival[]
  /** Undefined: of a message that was told of before. */
  readonly message: Message | undefined
}

/** Read only when its turn comes: those before it may change where it is cut. */
interface Waiting {
  readonly bytes: number
  begin(): void
}

export class Inbox {
  readonly #host: InboxHost
  readonly #waiting: Waiting[] = []
  #waitingBytes = 0
  #isBusy = false
  /** What waits is being taken, a message at a time. */
  #isCatchingUp = false
  #isReading = true

  constructor(host: InboxHost) {
    this.#host = host
  }

  /** False when more waits than may. */
  receive(message: Message): boolean {
    if (!this.#isBusy && this.#waiting.length === 0) {
      this.#open(message)
      return true
    }
    const bytes = message.update.length + waitingMessageBytes
    this.#waiting.push({ bytes, begin: () => this.#open(message) })
    this.#waitingBytes += bytes
    if (this.#waitingBytes > limits.waitingMessagesPauseBytes) this.#read(false)
    return this.#waitingBytes <= limits.waitingMessagesMaxBytes
  }

  /** Takes what was put aside, before everything that waits. */
  takeAgain(arrivals: readonly Arrival[]): void {
    if (arrivals.length === 0) return
    const begin = () => this.#whenThere(() => this.#begin({ arrivals, message: undefined }))
    if (this.#isBusy) this.#waiting.unshift({ bytes: 0, begin })
    else begin()
  }

  #open(message: Message): void {
    this.#whenThere(() => {
      const later = this.#host.mayRead(message.update)
      if (later === undefined) this.#begin(this.#workOf(message, [message.update]))
      else this.#later(this.#openLater(message, later))
    })
  }

  /** A document that nobody holds may leave, so what waits for it here is not told of. */
  #whenThere(begin: () => void): void {
    const away = this.#host.away()
    if (away === undefined) {
      begin()
      return
    }
    this.#isBusy = true
    void away.then((isBack) => {
      if (!isBack) return
      this.#isBusy = false
      this.#whenThere(begin)
      this.#next()
    })
  }

  async #openLater(message: Message, later: Promise<boolean>): Promise<void> {
    this.#read(false)
    if (!((await later) && (await this.#isThere()))) return
    const parts = await this.#host.partsOf(message.update)
    if (!(await this.#isThere())) return
    this.#isBusy = false
    this.#begin(this.#workOf(message, parts))
    this.#next()
  }

  /** When the document is there; false: it will not be. */
  async #isThere(): Promise<boolean> {
    for (let away = this.#host.away(); away !== undefined; away = this.#host.away()) {
      if (!(await away)) return false
    }
    return true
  }

  #workOf(message: Message, parts: readonly Uint8Array[]): Work {
    const isPart = parts.length > 1
    const count = isPart ? new PartCount(parts.length, this.#host.count) : this.#host.count
    const arrivals = parts.map((update) => {
      return { update, isPart, isLarge: isPart || this.#host.isLarge(update), count }
    })
    return { arrivals, message }
  }

  /** Does what can be done at once, and the rest in later turns. */
  #begin({ arrivals, message }: Work): void {
    for (const [index, arrival] of arrivals.entries()) {
      const later = arrival.isLarge ? this.#host.applied() : this.#host.take(arrival)
      if (later === undefined) continue
      this.#later(this.#goOn({ arrivals: arrivals.slice(index), message }, later))
      return
    }
    if (message !== undefined) this.#host.taken(message)
  }

  #later(work: Promise<void>): void {
    this.#isBusy = true
    this.#host.finishing(work.catch((error: unknown) => this.#host.failed(error)))
  }

  async #goOn({ arrivals, message }: Work, later: Promise<boolean>): Promise<void> {
    let mayTake = await later
    for (const arrival of arrivals) {
      for (;;) {
        if (!mayTake) return
        const away = this.#host.away()
        if (away !== undefined) {
          mayTake = await away
          continue
        }
        const { wait } = arrival.isLarge
          ? await this.#host.takeLarge(arrival)
          : { wait: this.#host.take(arrival) }
        if (wait === undefined) break
        this.#read(false)
        mayTake = await wait
      }
      if (arrival.isPart) mayTake = await this.#host.applied()
    }
    if (!mayTake) return
    if (message !== undefined) this.#host.taken(message)
    this.#isBusy = false
    this.#next()
  }

  /** Of many who waited for the same each has much to say: nobody says all of it in one turn. */
  #next(): void {
    if (this.#isBusy || this.#isCatchingUp) return
    if (this.#waiting.length === 0) {
      this.#read(true)
      return
    }
    this.#isCatchingUp = true
    const caughtUp = new Promise<void>((resolve) => {
      this.#host.inTurns(() => {
        this.#isCatchingUp = this.#takesMore()
        if (!this.#isCatchingUp) resolve()
        return this.#isCatchingUp
      })
    })
    this.#host.finishing(caughtUp)
  }

  /** Takes a message that waits; whether the next one may be taken. */
  #takesMore(): boolean {
    if (this.#isBusy) return false
    const next = this.#waiting.shift()
    this.#waitingBytes -= next?.bytes ?? 0
    try {
      next?.begin()
    } catch (error) {
      this.#host.failed(error)
      return false
    }
    if (this.#isBusy) return false
    if (this.#waiting.length === 0) this.#read(true)
    return this.#waiting.length > 0
  }

  #read(isReading: boolean): void {
    if (this.#isReading === isReading) return
    this.#isReading = isReading
    this.#host.reads(isReading)
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
