/**
 * The WebSocket that the stock provider is given: JSON text frames are the page's, binary frames
 * stay the provider's. It sends nothing before the service's `hello`, counts the document updates
 * that leave on it as the service counts them (extensions §5), and keeps back what must wait.
 *
 * **Invariant:** the first update message that leaves is the answer to the service's first step,
 * which carries everything the service has not got. What was typed before it needs no message of
 * its own, and what is kept back now goes with the next socket's.
 */

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
  onUpdateSent(): void
}

const messageSync = 0
const syncStep1 = 0
const syncStep2 = 1

type Kind = 'answer' | 'update' | 'other'

function kindOf(data: unknown): Kind {
  if (!(data instanceof Uint8Array) || data[0] !== messageSync || data[1] === syncStep1) {
    return 'other'
  }
  return data[1] === syncStep2 ? 'answer' : 'update'
}

type Frame = Parameters<WebSocket['send']>[0]

class EventSocket extends WebSocket {
  readonly #parts: EventSocketParts
  /** What the provider sent before the service's `hello`; `undefined` from then on. */
  #early: Frame[] | undefined = []
  #isRefused = false
  #hasAnswered = false

  constructor(address: string | URL, parts: EventSocketParts) {
    super(address)
    this.#parts = parts
    super.addEventListener('open', () => parts.onOpen())
    super.addEventListener('message', (event) => this.#onMessage(event))
  }

  override send(data: Frame): void {
    if (this.#isRefused) return
    if (this.#early !== undefined) {
      this.#early.push(data)
      return
    }
    const kind = kindOf(data)
    if (kind === 'update' && !this.#hasAnswered) return
    if (kind !== 'other') {
      this.#hasAnswered = this.#parts.mayWrite()
      if (!this.#hasAnswered) return
      this.#parts.onUpdateSent()
    }
    super.send(data)
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
    const early = this.#early ?? []
    this.#isRefused = !this.#parts.onHello(hello)
    this.#early = undefined
    for (const frame of early) this.send(frame)
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
