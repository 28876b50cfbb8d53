/**
 * The least a websocket client has to do, on bytes: an upgrade, unmasked frames in, frames masked with
 * zeros out (so that the payload stays as it is), pongs. Hundreds of them cost the driver little, and
 * one that knows no protocol serves every server.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

const opcodes = { binary: 2, close: 8, ping: 9, pong: 10 } as const

export interface WireParts {
  readonly port: number
  readonly path: string
  readonly protocols?: readonly string[]
  /** Of the upgrade, beside what every upgrade says. */
  readonly headers?: Readonly<Record<string, string>>
  /** The loopback address it calls from. */
  readonly from?: string
  onMessage(payload: Buffer): void
  /** `why`: the code and reason the server gave. */
  onClose(why: string): void
}

export class Wire {
  readonly #socket: Socket
  readonly #parts: WireParts
  #rest: Buffer = Buffer.alloc(0)
  #isOpen = false
  #opened: () => void = () => {}
  #failed: (error: Error) => void = () => {}
  #fragments: Buffer[] = []
  #why = 'no close frame'

  constructor(parts: WireParts) {
    this.#parts = parts
    const { port, from } = parts
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      ...(from !== undefined && { localAddress: from }),
    })
    this.#socket.setNoDelay(true)
    this.#socket.on('data', (data) => this.#read(data))
    this.#socket.on('error', (error) => this.#failed(error))
    this.#socket.on('close', () => {
      this.#failed(new Error('closed'))
      parts.onClose(this.#why)
    })
  }

  open(): Promise<void> {
    const { path, protocols = [], headers = {} } = this.#parts
    const offered =
      protocols.length === 0 ? '' : `Sec-WebSocket-Protocol: ${protocols.join(', ')}\r\n`
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
        `${offered}${lines.join('')}\r\n`,
    )
    return new Promise((resolve, reject) => {
      this.#opened = resolve
      this.#failed = reject
    })
  }

  /** One binary message. */
  send(payload: Uint8Array): void {
    this.#socket.write(frame(opcodes.binary, payload))
  }

  /** Bytes that came in, of the upgrade too. */
  get bytesRead(): number {
    return this.#socket.bytesRead
  }

  /** Bytes that the other side has not taken yet. */
  get bytesWaiting(): number {
    return this.#socket.writableLength
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Says goodbye once all that was sent is written. */
  leave(): void {
    this.#socket.end(frame(opcodes.close, new Uint8Array()))
  }

  #read(data: Buffer): void {
    let bytes = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data])
    if (!this.#isOpen) {
      const end = bytes.indexOf('\r\n\r\n')
      if (end >= 0) {
        const status = bytes.toString('latin1', 9, 12)
        if (status !== '101')
          this.#failed(new Error(`upgrade: ${bytes.toString('latin1', 0, end)}`))
        this.#isOpen = true
        this.#opened()
        bytes = bytes.subarray(end + 4)
      }
    }
    if (this.#isOpen) bytes = this.#frames(bytes)
    this.#rest = bytes
  }

  /** Handles the whole frames; returns what is left. */
  #frames(bytes: Buffer): Buffer {
    let at = 0
    while (bytes.length - at >= 2) {
      const first = bytes[at] ?? 0
      const short = (bytes[at + 1] ?? 0) & 0x7f
      const header = short < 126 ? 2 : short === 126 ? 4 : 10
      if (bytes.length - at < header) break
      const length =
        short < 126
          ? short
          : short === 126
            ? bytes.readUInt16BE(at + 2)
            : Number(bytes.readBigUInt64BE(at + 2))
      if (bytes.length - at < header + length) break
      this.#frame(first, bytes.subarray(at + header, at + header + length))
      at += header + length
    }
    return at === 0 ? bytes : bytes.subarray(at)
  }

  #frame(first: number, payload: Buffer): void {
    const opcode = first & 0x0f
    if (opcode === opcodes.ping) this.#socket.write(frame(opcodes.pong, payload))
    else if (opcode === opcodes.close) this.#closed(payload)
    else if (opcode !== opcodes.pong) this.#message(payload, (first & 0x80) !== 0)
  }

  #closed(payload: Buffer): void {
    if (payload.length >= 2) this.#why = `${payload.readUInt16BE(0)} ${payload.toString('utf8', 2)}`
    this.#socket.end()
  }

  #message(payload: Buffer, isFinal: boolean): void {
    if (isFinal && this.#fragments.length === 0) {
      this.#parts.onMessage(payload)
      return
    }
    this.#fragments.push(payload)
    if (!isFinal) return
    this.#parts.onMessage(Buffer.concat(this.#fragments))
    this.#fragments = []
  }
}

function frame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const bytes = Buffer.alloc(header + 4 + length)
  bytes[0] = 0x80 | opcode
  if (header === 2) bytes[1] = 0x80 | length
  else if (header === 4) {
    bytes[1] = 0x80 | 126
    bytes.writeUInt16BE(length, 2)
  } else {
    bytes[1] = 0x80 | 127
    bytes.writeBigUInt64BE(BigInt(length), 2)
  }
  bytes.set(payload, header + 4)
  return bytes
}
