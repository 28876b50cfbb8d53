/**
 * Somebody who types words with a stock y-websocket provider and knows which of them the service
 * has called saved: each update message carries at most one word, and `saved` counts messages.
 */
import { WebSocket } from 'ws'
import type { Service } from '../client.ts'
import { Live } from './acceptance/sockets.ts'

/** Sync messages that carry an update: the answer to step 1, and updates. */
const carriesUpdate = (data: unknown): boolean =>
  data instanceof Uint8Array && data[0] === 0 && (data[1] === 1 || data[1] === 2)

export class Typist {
  /** What each update message of the present socket brought. */
  #sent: (string | undefined)[] = []
  #savedHere = 0
  #typing: string | undefined
  readonly saved: string[] = []
  readonly closes: number[] = []
  readonly live: Live
  #isOver = false

  constructor(service: Service, slug: string, token: string) {
    const noteOpened = () => {
      this.#sent = []
      this.#savedHere = 0
    }
    const noteSent = (data: unknown) => {
      if (carriesUpdate(data)) this.#sent.push(this.#typing)
    }
    const noteText = (text: string) => this.#hear(text)
    const noteClosed = (code: number) => void this.closes.push(code)
    class SpySocket extends WebSocket {
      constructor(address: string, protocols?: string | string[]) {
        super(address, protocols)
        noteOpened()
        this.on('close', noteClosed)
      }

      override send(data: Parameters<WebSocket['send']>[0]): void {
        noteSent(data)
        super.send(data)
      }

      /** A stock provider throws on text frames. */
      override emit(event: string | symbol, ...args: unknown[]): boolean {
        if (event !== 'message' || args[1] !== false) return super.emit(event, ...args)
        noteText(String(args[0]))
        return true
      }
    }
    const polyfill = SpySocket as unknown as typeof globalThis.WebSocket
    this.live = new Live(service, slug, { token, params: { events: 'json' }, polyfill })
  }

  /** Types words after `place`, one at a time, until it is stopped. */
  async type(place: string, words: () => string, everyMs = 4): Promise<void> {
    await this.live.synced()
    while (!this.#isOver) {
      const word = words()
      this.#typing = word
      this.live.type(place, ` ${word}`)
      this.#typing = undefined
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }

  /** Types no more; stays connected. */
  rest(): void {
    this.#isOver = true
  }

  stop(): void {
    this.#isOver = true
    this.live.stop()
  }

  #hear(text: string): void {
    const { event, data } = JSON.parse(text)
    if (event !== 'saved') return
    const settled = this.#sent.slice(0, data.updates)
    for (const word of settled.slice(this.#savedHere)) {
      if (word !== undefined) this.saved.push(word)
    }
    this.#savedHere = data.updates
  }
}
