/**
 * The WebSocket that the stock provider is given: JSON text frames are the page's, binary frames
 * stay the provider's. It sends nothing before the service's `hello`, counts the document updates
 * that leave on it as the service counts them (extensions §5), and keeps back what must wait.
 *
 * **Invariant:** the first that leaves of the document is the answer to the service's first step,
 * which carries everything the service has not got: one message, or several updates and the answer
 * behind them. What was typed before it needs no message of its own, and what is kept back now goes
 * with the next socket's.
 */

import { kindOf, syncMessage, updateIn, updateMaxBytes } from './sync-messages.ts'
import type { Slice } from './unacknowledged-updates.ts'

export type Role = 'owner' | 'editor' | 'commenter' | 'viewer'

/** What the service says first on a socket. */
export interface Hello {
  /** Names the present life of the service's data. */
  readonly epoch: string
  readonly revision: number
  readonly role: Role
  /** `null`: this browser has no account. */
  readonly actor_id: string | null
  readonly name: string | null
  /** The owner has locked the document. */
  readonly read_only: boolean
  /** The owner has turned comments off. */
  readonly comments_disabled: boolean
  readonly schema: number
  /** Nobody owns the document and this browser came by its creator's share address. */
  readonly claimable?: boolean
  /** This browser did not come by a link, or by none that is still good. */
  readonly linkless?: boolean
}

/** What the service tells a socket that asked for events. */
export type LiveEvent =
  | {
      readonly type: 'doc_changed'
      readonly revision: number
      readonly event: string
      /** Everyone who had a part in it. */
      readonly actors: readonly string[]
      /** The threads in which something was said. */
      readonly threads?: readonly string[]
      /** What became of the words of threads, by their ids. */
      readonly comments?: {
        readonly moved: readonly string[]
        readonly degraded: readonly string[]
        readonly orphaned: readonly string[]
      }
      /** Of more threads than are named. */
      readonly more_threads?: true
    }
  | { readonly type: 'event'; readonly event: string; readonly data: unknown }

export interface EventSocketParts {
  onOpen(): void
  /** Whether to go on; if not, nothing was and nothing will be sent. */
  onHello(hello: Hello): boolean
  onEvent(event: LiveEvent): void
  /** Asked for every update message. */
  mayWrite(): boolean
  /** How many changes were ever made here. */
  made(): number
  /** It carries so many of them. */
  onUpdateSent(made: number): void
  /** The updates that an answer leaves in, in this order. */
  piecesOf(answer: Uint8Array, slice?: Slice): readonly Uint8Array[]
  /** One that others follow. */
  onPieceSent(): void
}

type Frame = Parameters<WebSocket['send']>[0]

const isTooLong = (data: Frame): boolean =>
  data instanceof Uint8Array && data.length > updateMaxBytes

class EventSocket extends WebSocket {
  readonly #parts: EventSocketParts
  /** What the provider sent before the service's `hello`, or while something is waited for. */
  #early: (readonly [Frame, made: number])[] | undefined = []
  #slice: Slice | undefined
  #isRefused = false
  #hasAnswered = false

  constructor(address: string | URL, parts: EventSocketParts) {
    super(address)
    this.#parts = parts
    super.addEventListener('open', () => parts.onOpen())
    super.addEventListener('message', (event) => this.#onMessage(event))
  }

  override send(data: Frame, made = this.#parts.made()): void {
    if (this.#isRefused) return
    if (this.#early !== undefined) {
      this.#early.push([data, made])
      return
    }
    const kind = kindOf(data)
    if (kind === 'update' && !this.#hasAnswered) return
    if (kind === 'other') {
      super.send(data)
      return
    }
    if (this.#slice === undefined && isTooLong(data)) {
      void this.#learnToSlice(data, made)
      return
    }
    this.#hasAnswered = this.#parts.mayWrite()
    if (!this.#hasAnswered) return
    const last = this.#sendPieces(kind, data as Frame & Uint8Array)
    this.#parts.onUpdateSent(made)
    super.send(last)
  }

  /** Nothing overtakes this message. What cannot be loaded, or cut, is refused and kept aside. */
  async #learnToSlice(first: Frame, made: number): Promise<void> {
    this.#early = [[first, made]]
    this.#slice = await import('../internals/update-slices.ts').then(
      ({ slicesOf }) =>
        (update: Uint8Array) =>
          slicesOf(update, updateMaxBytes),
      () => (update: Uint8Array) => [update],
    )
    // Sent on one that was given up, it would count for the one that came after it.
    if (this.readyState === WebSocket.OPEN) this.#sendEarly()
  }

  #sendEarly(): void {
    const early = this.#early ?? []
    this.#early = undefined
    for (const [frame, made] of early) this.send(frame, made)
  }

  /** All but the last, which of an answer is the answer. */
  #sendPieces(kind: 'answer' | 'update', message: Frame & Uint8Array): Frame {
    const whole = updateIn(message)
    const pieces =
      kind === 'answer' ? this.#parts.piecesOf(whole, this.#slice) : this.#slice?.(whole)
    if (pieces === undefined || pieces.length < 2) return message
    for (const piece of pieces.slice(0, -1)) {
      this.#parts.onPieceSent()
      super.send(syncMessage('update', piece))
    }
    return syncMessage(kind, pieces.at(-1) ?? whole)
  }

  #onMessage(event: MessageEvent): void {
    if (typeof event.data !== 'string') return
    event.stopImmediatePropagation()
    // A late word of a socket that was given up would count for the one that came after it.
    if (this.readyState !== WebSocket.OPEN) return
    const said = JSON.parse(event.data) as LiveEvent
    if (said.type === 'event' && said.event === 'hello') this.#greet(said.data as Hello)
    this.#parts.onEvent(said)
  }

  #greet(hello: Hello): void {
    this.#isRefused = !this.#parts.onHello(hello)
    this.#sendEarly()
  }
}

/** The class to hand to a provider, bound to its listeners. */
export function eventSocketClass(parts: EventSocketParts): typeof WebSocket {
  return class extends EventSocket {
    constructor(address: string | URL) {
      super(address, parts)
    }
  } as unknown as typeof WebSocket
}
