/**
 * One accepted websocket with the bounds every socket has: a reader that lets more than 1 MiB pile
 * up is dropped, a peer that answers no ping is dropped. Knows no protocol above frames.
 */
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import type { Runtime } from '../../schema/runtime.ts'

const socketBufferedMaxBytes = 1024 * 1024

const finalBinary = 0x82

/** The bytes of a whole binary message, header included, as they go to every socket alike. */
export function wholeFrame(payload: Uint8Array): Uint8Array {
  const { length } = payload
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(header + length)
  frame[0] = finalBinary
  frame[1] = header === 2 ? length : header === 4 ? 126 : 127
  if (header === 4) frame.writeUInt16BE(length, 2)
  if (header === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.set(payload, header)
  return frame
}

export class Socket {
  readonly #ws: WebSocket
  /** Under the websocket: it never fragments or compresses, so whole frames may go between its. */
  readonly #wire: Duplex
  readonly #runtime: Runtime
  /** Bytes of large frames under way, which are not held against the reader. */
  #largeBytes = 0
  #lastSentAt: number
  #isAlive = true
  #isReading = true
  #isEnding = false
  #missedBeats = 0

  constructor(ws: WebSocket, wire: Duplex, runtime: Runtime) {
    this.#ws = ws
    this.#wire = wire
    this.#runtime = runtime
    this.#lastSentAt = runtime.elapsed()
    ws.on('pong', () => {
      this.#isAlive = true
    })
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN
  }

  /** The peer has not read all that was sent. */
  get hasBacklog(): boolean {
    return this.#wire.writableLength > 0
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

  /** Sends a message, or drops the peer that does not read. */
  send(data: Uint8Array | string): void {
    if (this.#mayWrite()) this.#ws.send(data)
  }

  /** The same with what `wholeFrame` made once for all who get it. */
  sendFrame(frame: Uint8Array): void {
    if (this.#mayWrite()) this.#wire.write(frame)
  }

  /**
   * Sends a frame whose size is no fault of the peer's; resolves a turn of the event loop after it
   * was written or given up.
   */
  sendLarge(data: Uint8Array | string): Promise<void> {
    if (!this.isOpen) return Promise.resolve()
    const bytes = Buffer.byteLength(data)
    this.#largeBytes += bytes
    this.#lastSentAt = this.#runtime.elapsed()
    return new Promise((resolve) => {
      this.#ws.send(data, () => {
        this.#largeBytes -= bytes
        this.#runtime.after(0, resolve)
      })
    })
  }

  /** While it is not read, the peer's messages stay on its side of the line. */
  read(isReading: boolean): void {
    if (this.#isEnding) return
    this.#isReading = isReading
    if (isReading) this.#ws.resume()
    else this.#ws.pause()
  }

  close(code: number, reason: string): void {
    // A socket that is not read would not hear the peer's answer.
    this.read(true)
    this.#isEnding = true
    if (this.isOpen) this.#ws.close(code, reason.slice(0, 100))
  }

  #mayWrite(): boolean {
    if (!this.isOpen) return false
    if (this.#wire.writableLength - this.#largeBytes > socketBufferedMaxBytes) {
      this.#ws.terminate()
      return false
    }
    this.#lastSentAt = this.#runtime.elapsed()
    return true
  }

  /** Called every ping interval: drops a peer that did not answer the last one. */
  beat(): void {
    this.#missedBeats = this.#isAlive || !this.#isReading ? 0 : this.#missedBeats + 1
    if (this.#missedBeats > (this.#largeBytes > 0 ? missesUnderLargeFrame : 0)) {
      this.#ws.terminate()
      return
    }
    this.#isAlive = false
    if (this.isOpen) this.#ws.ping()
  }
}

/** A ping waits behind the frame before it, which may take minutes over a slow line. */
const missesUnderLargeFrame = 10

/**
 * Large frames of one kind: while one is on its way to the peer only the newest of those that
 * follow is kept, so that a peer that does not read never holds more than two.
 */
export class LargeFrames {
  readonly #socket: Socket
  readonly #onError: (error: unknown) => void
  #next: (() => Promise<Uint8Array | string>) | undefined
  #isSending = false

  constructor(socket: Socket, onError: (error: unknown) => void) {
    this.#socket = socket
    this.#onError = onError
  }

  /** `make` is called when its turn comes, or never. */
  send(make: () => Promise<Uint8Array | string>): void {
    this.#next = make
    if (!this.#isSending) void this.#sendAll()
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    try {
      for (let make = this.#next; make !== undefined; make = this.#next) {
        this.#next = undefined
        await this.#socket.sendLarge(await make())
      }
    } catch (error) {
      this.#onError(error)
    }
    this.#isSending = false
  }
}

function asBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}
