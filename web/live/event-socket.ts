/**
 * The WebSocket that the stock provider is given: JSON text frames are the page's and go to
 * `onEvent`, binary frames stay the provider's. It counts the document updates that leave on it, as
 * the service counts them in its `saved` events (extensions §5).
 */

/** What the service tells a socket that asked for events. */
export type LiveEvent =
  | { readonly type: 'doc_changed'; readonly revision: number; readonly event: string }
  | { readonly type: 'event'; readonly event: string; readonly data: unknown }

export interface EventSocketParts {
  onOpen(socket: EventSocket): void
  onEvent(event: LiveEvent): void
  onUpdateSent(socket: EventSocket): void
  onClosed(code: number, reason: string): void
}

const messageSync = 0
const syncStep1 = 0

/** An update or the answer to the service's first step: what a `saved` event counts. */
function carriesUpdate(data: unknown): boolean {
  if (!(data instanceof Uint8Array)) return false
  return data[0] === messageSync && data[1] !== syncStep1
}

export class EventSocket extends WebSocket {
  updatesSent = 0
  readonly #parts: EventSocketParts

  constructor(address: string | URL, parts: EventSocketParts) {
    super(address)
    this.#parts = parts
    super.addEventListener('message', (event) => this.#onMessage(event))
    super.addEventListener('open', () => parts.onOpen(this))
    super.addEventListener('close', ({ code, reason }) => parts.onClosed(code, reason))
  }

  override send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
    if (carriesUpdate(data)) {
      this.updatesSent += 1
      this.#parts.onUpdateSent(this)
    }
    super.send(data as Uint8Array<ArrayBuffer>)
  }

  #onMessage(event: MessageEvent): void {
    if (typeof event.data !== 'string') return
    event.stopImmediatePropagation()
    this.#parts.onEvent(JSON.parse(event.data) as LiveEvent)
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
