/**
 * One accepted websocket with the bounds every socket has: a reader that lets more than 1 MiB pile
 * up is dropped, a peer that answers no ping is dropped. Knows no protocol above frames.
 */
import type { RawData, WebSocket } from 'ws'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'

export class Socket {
  readonly #ws: WebSocket
  readonly #runtime: Runtime
  /** A large first answer may pile up for once. */
  #allowance = 0
  #lastSentAt: number
  #isAlive = true

  constructor(ws: WebSocket, runtime: Runtime) {
    this.#ws = ws
    this.#runtime = runtime
    this.#lastSentAt = runtime.elapsed()
    ws.on('pong', () => {
      this.#isAlive = true
    })
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN
  }

  get idleMs(): number {
    return this.#runtime.elapsed() - this.#lastSentAt
  }

  onMessage(listener: (data: Buffer, isBinary: boolean) => void): void {
    this.#ws.on('message', (data: RawData, isBinary: boolean) => {
      listener(asBuffer(data), isBinary)
    })
  }

  onClose(listener: () => void): void {
    this.#ws.on('close', listener)
  }

  /**
   * Sends a frame, or drops the peer that does not read. `isState`: its size is not held against
   * it.
   */
  send(data: Uint8Array | string, isState = false): void {
    if (!this.isOpen) return
    if (isState) this.#allowance += data.length
    const buffered = this.#ws.bufferedAmount
    if (buffered === 0 && !isState) this.#allowance = 0
    if (buffered > limits.socketBufferedMaxBytes + this.#allowance) {
      this.#ws.terminate()
      return
    }
    this.#lastSentAt = this.#runtime.elapsed()
    this.#ws.send(data)
  }

  close(code: number, reason: string): void {
    if (this.isOpen) this.#ws.close(code, reason.slice(0, 100))
  }

  /** Called every ping interval: drops a peer that did not answer the last one. */
  beat(): void {
    if (!this.#isAlive) {
      this.#ws.terminate()
      return
    }
    this.#isAlive = false
    if (this.isOpen) this.#ws.ping()
  }
}

function asBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}
