/**
 * A copy's way to the service: the stock provider, which comes back by itself, and what the page
 * wants to know of it. A socket that is silent after it was asked something is given up; what the
 * browser believes about its network is only a reason to ask.
 */
import { WebsocketProvider } from 'y-websocket'
import type * as Y from 'yjs'
import { schemaVersion } from '../../schema/document-schema.ts'
import { absolute } from '../api/base.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { type EventSocketParts, eventSocketClass } from './event-socket.ts'
import type { Link } from './save-state.ts'

export interface ConnectionParts extends EventSocketParts {
  readonly slug: string
  readonly ydoc: Y.Doc
  onSynced(): void
  /** The service closed the socket on purpose, and the provider will not come back by itself. */
  onRefused(code: number, reason: string): void
  /** A socket that never opened: the way there is broken, or the service refused it. */
  onNotOpened(): void
}

const queryAwareness = new Uint8Array([3])
const answerWithinMs = 5_000
const comesBackWithinMs = 4_000

export class Connection {
  readonly provider: WebsocketProvider
  readonly #parts: ConnectionParts
  readonly #link = createStore<Link>('connecting')
  readonly #stops: (() => void)[] = []
  #patience: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    const { slug, ydoc } = parts
    const server = absolute(`/docs/${slug}`).replace(/^http/, 'ws')
    this.provider = new WebsocketProvider(server, 'live', ydoc, {
      connect: false,
      disableBc: true,
      params: { events: 'json', schema: String(schemaVersion) },
      WebSocketPolyfill: eventSocketClass(parts),
    })
    this.provider.on('sync', (isSynced) => this.#onSync(isSynced))
    this.provider.on('status', ({ status }) => {
      if (status === 'disconnected') this.#forgetClocks()
    })
    this.provider.on('connection-close', (event) => this.#onClose(event))
    this.#listen(window, 'online', () => this.#hurry())
    this.#listen(window, 'offline', () => this.probe())
    this.#listen(document, 'visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#hurry()
    })
  }

  get link(): Readable<Link> {
    return this.#link
  }

  /** From the next socket on the service is told of which life of its data this copy is. */
  set epoch(epoch: string) {
    this.provider.params = { ...this.provider.params, epoch }
  }

  /** Does nothing once it is closed: who wanted to come back later may be late. */
  connect(): void {
    if (this.#isClosed) return
    this.#waitPatiently()
    this.provider.connect()
  }

  /** Comes back on a new socket, as whoever the browser is by now. */
  reconnect(): void {
    this.provider.disconnect()
    this.connect()
  }

  /** Asks for a sign of life; without one the socket is given up, as its provider would later. */
  probe(): void {
    const { ws } = this.provider
    if (ws === null || ws.readyState !== WebSocket.OPEN) return
    const asked = this.provider.wsLastMessageReceived
    ws.send(queryAwareness)
    setTimeout(() => {
      // The question may still stand behind what is on its way over a slow line.
      const isSilent = this.provider.wsLastMessageReceived === asked && ws.bufferedAmount === 0
      if (!this.#isClosed && this.provider.ws === ws && isSilent) this.reconnect()
    }, answerWithinMs)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#patience)
    for (const stop of this.#stops) stop()
    this.provider.destroy()
  }

  #onSync(isSynced: boolean): void {
    if (!isSynced || this.#isClosed) return
    clearTimeout(this.#patience)
    this.#link.set('synced')
    this.#parts.onSynced()
  }

  #onClose(event: CloseEvent | null): void {
    if (this.#isClosed) return
    const { wsconnected } = this.provider
    if (this.#link.get() === 'synced') {
      this.#link.set('lost')
      this.#waitPatiently()
    } else if (event !== null && !wsconnected) this.#link.set('away')
    if (event === null) return
    if (event.code >= 4400 && event.code < 4500) {
      // After the provider has put its socket away.
      queueMicrotask(() => this.#parts.onRefused(event.code, event.reason))
    } else if (!wsconnected) this.#parts.onNotOpened()
  }

  /** Who is here is told anew by the next socket, at clocks that were heard before. */
  #forgetClocks(): void {
    const { awareness } = this.provider
    for (const client of awareness.meta.keys()) {
      if (client !== awareness.clientID) awareness.meta.delete(client)
    }
  }

  /** A connection attempt can hang for minutes. */
  #waitPatiently(): void {
    clearTimeout(this.#patience)
    this.#patience = setTimeout(() => this.#link.set('away'), comesBackWithinMs)
  }

  #hurry(): void {
    if (this.#isClosed) return
    this.probe()
    if (this.provider.shouldConnect) this.provider.connect()
  }

  #listen(target: EventTarget, type: string, listener: () => void): void {
    target.addEventListener(type, listener)
    this.#stops.push(() => target.removeEventListener(type, listener))
  }
}
