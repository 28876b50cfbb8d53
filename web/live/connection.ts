/**
 * A copy's way to the service: the stock provider, which comes back by itself, and what the page
 * wants to know of it. A socket that is silent after it was asked something is given up; what the
 * browser believes about its network is only a reason to ask. Where no socket opens although the
 * service answers over HTTP, the copy is kept up to date by polling.
 */
import { WebsocketProvider } from 'y-websocket'
import type * as Y from 'yjs'
import { schemaVersion } from '../../schema/document-schema.ts'
import { absolute } from '../api/base.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { type EventSocketParts, eventSocketClass, type Hello } from './event-socket.ts'
import { Polling } from './polling.ts'
import type { Link } from './save-state.ts'

export interface ConnectionParts extends EventSocketParts {
  readonly slug: string
  readonly ydoc: Y.Doc
  /** The state vector of what the service has. */
  have(): Uint8Array
  onSynced(): void
  /** The service closed the socket on purpose, and the provider will not come back by itself. */
  onRefused(code: number, reason: string): void
  /**
   * A socket did not open: the way there is broken, or the service refused it. Whether it is worth
   * reading over HTTP instead.
   */
  onNotOpened(): Promise<boolean>
}

const queryAwareness = new Uint8Array([3])
const answerWithinMs = 5_000
/** A socket that opens takes less, on nearly every network. */
const opensWithinMs = 2_000
const comesBackWithinMs = 4_000
/** A socket that takes longer while HTTP answers is held up on purpose. */
const attemptMaxMs = 8_000
const triesEveryMs = { usual: 2_500, blocked: 30_000 } as const

export class Connection {
  readonly provider: WebsocketProvider
  readonly #parts: ConnectionParts
  readonly #polling: Polling
  readonly #link = createStore<Link>('connecting')
  readonly #stops: (() => void)[] = []
  #patience: ReturnType<typeof setTimeout>[] = []
  #attempt: ReturnType<typeof setTimeout> | undefined
  /** The socket that `#attempt` ends. */
  #watched: WebSocket | undefined
  /** The present socket is known to reach the service. */
  #isGreeted = false
  #isFallingBack = false
  /** HTTP answered, and after that a socket did not open. */
  #isBlocked = false
  #isClosed = false

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    const { slug, ydoc } = parts
    const server = absolute(`/docs/${slug}`).replace(/^http/, 'ws')
    this.provider = new WebsocketProvider(server, 'live', ydoc, {
      connect: false,
      disableBc: true,
      params: { events: 'json', schema: String(schemaVersion) },
      WebSocketPolyfill: eventSocketClass({ ...parts, onHello: (hello) => this.#greet(hello) }),
    })
    this.#polling = new Polling({
      ...parts,
      origin: this.provider,
      epoch: () => this.provider.params['epoch'],
      onRead: () => this.#onRead(),
      onFailed: (isRefused) => this.#onReadFailed(isRefused),
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
    if (this.#isBlocked) void this.#polling.read()
  }

  /** There is nothing to connect to. */
  stayAway(): void {
    this.#link.set('away')
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
    this.#beInNoHurry()
    clearTimeout(this.#attempt)
    this.#polling.close()
    for (const stop of this.#stops) stop()
    this.provider.destroy()
  }

  #greet(hello: Hello): boolean {
    this.#isGreeted = true
    clearTimeout(this.#attempt)
    this.#polling.stop()
    this.#mindBlocked(false)
    return this.#parts.onHello(hello)
  }

  #onSync(isSynced: boolean): void {
    if (!isSynced || this.#isClosed) return
    this.#beInNoHurry()
    this.#link.set('synced')
    this.#parts.onSynced()
  }

  /**
   * All clients of a node that ends lose their sockets at once. Each comes again after 0.2 to 0.8 s
   * first: the provider waits for 0.1 s times two to the power of its count of closed sockets.
   */
  #spreadRetry(): void {
    const closed = Math.floor(this.provider.wsUnsuccessfulReconnects)
    this.provider.wsUnsuccessfulReconnects = closed + 2 * Math.random()
  }

  #onClose(event: CloseEvent | null): void {
    if (this.#isClosed) return
    const wasGreeted = this.#isGreeted
    this.#isGreeted = false
    clearTimeout(this.#attempt)
    if (this.#link.get() === 'synced') {
      this.#link.set('lost')
      this.#waitPatiently()
    }
    if (event === null) return
    this.#spreadRetry()
    if (event.code >= 4400 && event.code < 4500) {
      // After the provider has put its socket away.
      queueMicrotask(() => this.#parts.onRefused(event.code, event.reason))
      return
    }
    if (wasGreeted) return
    if (this.#polling.hasRead) this.#mindBlocked(true)
    void this.#fallBack()
  }

  /** Over HTTP, for as long as no socket opens. */
  async #fallBack(): Promise<void> {
    if (this.#isFallingBack || this.#isClosed) return
    this.#isFallingBack = true
    const isWorthIt = await this.#parts.onNotOpened()
    this.#isFallingBack = false
    if (this.#isGreeted || this.#isClosed) return
    if (isWorthIt) await this.#polling.read()
    else this.#link.set('away')
  }

  #onRead(): void {
    if (this.#isGreeted || this.#isClosed) return
    this.#beInNoHurry()
    if (this.#isBlocked) this.#link.set('polled')
    else if (this.#link.get() === 'away') this.#link.set('lost')
    this.#endHangingAttempt()
    this.#parts.onSynced()
  }

  #onReadFailed(isRefused: boolean): void {
    this.#mindBlocked(false)
    if (isRefused) void this.#parts.onNotOpened()
    else this.#link.set('away')
  }

  #mindBlocked(isBlocked: boolean): void {
    this.#isBlocked = isBlocked
    this.provider.maxBackoffTime = isBlocked ? triesEveryMs.blocked : triesEveryMs.usual
  }

  /** A browser would wait for minutes. */
  #endHangingAttempt(): void {
    const { ws } = this.provider
    if (ws === null || ws === this.#watched) return
    this.#watched = ws
    clearTimeout(this.#attempt)
    this.#attempt = setTimeout(() => {
      if (this.provider.ws === ws && !this.#isGreeted) ws.close()
    }, attemptMaxMs)
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
    this.#beInNoHurry()
    this.#patience = [
      // A large document takes its time once the socket is open.
      setTimeout(() => this.provider.wsconnected || void this.#fallBack(), opensWithinMs),
      setTimeout(() => this.#isGreeted || void this.#fallBack(), attemptMaxMs),
      setTimeout(() => this.#link.set('away'), comesBackWithinMs),
    ]
  }

  #beInNoHurry(): void {
    for (const timer of this.#patience) clearTimeout(timer)
  }

  #hurry(): void {
    if (this.#isClosed) return
    this.probe()
    if (this.provider.shouldConnect) this.provider.connect()
    if (this.#isBlocked) void this.#polling.read()
  }

  #listen(target: EventTarget, type: string, listener: () => void): void {
    target.addEventListener(type, listener)
    this.#stops.push(() => target.removeEventListener(type, listener))
  }
}
