/**
 * Reads the live document over HTTP, again and again, where no websocket opens. What comes is
 * merged into the copy as a socket's messages are; nothing is sent. After `stop` it waits for the
 * next `read`.
 */
import * as Y from 'yjs'
import { schemaVersion } from '../../schema/document-schema.ts'
import { ApiError } from '../api/http.ts'
import type { EventSocketParts } from './event-socket.ts'
import { readLiveState } from './live-state.ts'

export interface PollingParts extends Pick<EventSocketParts, 'onHello' | 'onEvent'> {
  readonly slug: string
  readonly ydoc: Y.Doc
  /** The origin of what is merged. */
  readonly origin: object
  /** Which life of the service's data the copy is of; `undefined`: not known. */
  epoch(): string | undefined
  have(): Uint8Array
  /** As a socket that was closed with this code. */
  onRefused(code: number, reason: string): void
  /** The copy is as new as the service's. */
  onRead(): void
  /** The service refused to be read, or did not answer. */
  onFailed(isRefused: boolean): void
}

const pollEveryMs = 4_000
const refusals = [401, 403, 404, 423]

export class Polling {
  readonly #parts: PollingParts
  #tag = ''
  #hasRead = false
  #isReading = false
  #isClosed = false
  /** What is under way when it is stopped counts no more. */
  #round = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: PollingParts) {
    this.#parts = parts
  }

  /** The last answer was one, since it was stopped. */
  get hasRead(): boolean {
    return this.#hasRead
  }

  /** At once, and from then on every few seconds. */
  async read(): Promise<void> {
    if (this.#isReading || this.#isClosed) return
    clearTimeout(this.#timer)
    const round = this.#round
    this.#isReading = true
    try {
      await this.#readOnce(() => round === this.#round)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (round !== this.#round) return
      this.#hasRead = false
      this.#parts.onFailed(refusals.includes(error.status))
    } finally {
      this.#isReading = false
    }
    if (round === this.#round) this.#timer = setTimeout(() => void this.read(), pollEveryMs)
  }

  stop(): void {
    this.#round++
    this.#hasRead = false
    this.#tag = ''
    clearTimeout(this.#timer)
  }

  close(): void {
    this.#isClosed = true
    this.stop()
  }

  async #readOnce(isCurrent: () => boolean): Promise<void> {
    const { slug, ydoc, origin, epoch, have, onHello, onEvent, onRefused, onRead } = this.#parts
    const state = await readLiveState(slug, { have: have(), tag: this.#tag })
    if (!isCurrent()) return
    if (state !== undefined) {
      const { hello, update, tag } = state
      if (hello.schema > schemaVersion) return onRefused(4426, 'the schema has changed')
      if (hello.epoch !== (epoch() ?? hello.epoch)) return onRefused(4409, 'another epoch')
      if (!onHello(hello) || !isCurrent()) return
      onEvent({ type: 'event', event: 'hello', data: hello })
      Y.applyUpdate(ydoc, update, origin)
      this.#tag = tag
    }
    this.#hasRead = true
    onRead()
  }
}
