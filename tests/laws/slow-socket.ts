/**
 * A websocket for stock providers over a slow line: frames keep their order in each direction but
 * arrive late, and what is under way when the line breaks is lost.
 */
import { WebSocket } from 'ws'
import type { Chance } from '../chance.ts'
import { pause } from '../waiting.ts'

export interface Line {
  /** Makes the socket itself. */
  readonly socket: (url: string, protocols: readonly string[]) => WebSocket
  readonly chance: Chance
  readonly delayMaxMs: number
  /** Frames on their way. */
  underWay: number
  /** Those of them that go to the service. */
  leaving: number
  /** Sockets that are not quite closed. */
  open: number
}

/** The class that a provider makes its sockets of. */
export function socketsOver(line: Line): typeof globalThis.WebSocket {
  class SlowSocket {
    readonly OPEN = WebSocket.OPEN
    onmessage: ((event: { data: ArrayBuffer }) => void) | null = null
    onopen: (() => void) | null = null
    onclose: ((event: { code: number; reason: string }) => void) | null = null
    onerror: ((event: unknown) => void) | null = null
    readonly #socket: WebSocket
    #out = Promise.resolve()
    #in = Promise.resolve()

    constructor(url: string, protocols: string[]) {
      this.#socket = line.socket(url, protocols)
      this.#socket.binaryType = 'arraybuffer'
      this.#socket.on('open', () => this.onopen?.())
      this.#socket.on('error', (error) => this.onerror?.(error))
      line.open++
      this.#socket.on('close', (code, reason) => {
        line.open--
        this.onclose?.({ code, reason: reason.toString() })
      })
      this.#socket.on('message', (data) => {
        this.#in = late(this.#in, () => {
          const isOpen = this.#socket.readyState === WebSocket.OPEN
          if (isOpen) this.onmessage?.({ data: data as ArrayBuffer })
        })
      })
    }

    get readyState(): number {
      return this.#socket.readyState
    }

    send(data: Uint8Array): void {
      line.leaving++
      this.#out = late(this.#out, () => {
        line.leaving--
        if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data)
      })
    }

    close(): void {
      if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.terminate()
      else this.#socket.close()
    }
  }
  const late = async (before: Promise<void>, deliver: () => void): Promise<void> => {
    line.underWay++
    await before
    const wait = line.chance.below(line.delayMaxMs + 1)
    if (wait > 0) await pause(wait)
    line.underWay--
    deliver()
  }
  return SlowSocket as unknown as typeof globalThis.WebSocket
}
