/**
 * A pooler in transaction mode: each transaction of a client gets whichever connection to the
 * server was idle for longest, so that nothing that a session keeps is there the next time. It
 * speaks as much of the protocol as that takes: what begins a session, and where transactions end.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

const serversMax = 4

/** Splits a stream of messages `type, length, body`. */
class Messages {
  #rest: Buffer = Buffer.alloc(0)

  take(bytes: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const whole: Buffer[] = []
    while (this.#rest.length >= 5) {
      const length = 1 + this.#rest.readInt32BE(1)
      if (this.#rest.length < length) break
      whole.push(this.#rest.subarray(0, length))
      this.#rest = this.#rest.subarray(length)
    }
    return whole
  }
}

const typeOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0)

interface Backend {
  readonly socket: Socket
  client: Client | undefined
  /** Answers that have not come yet. */
  due: number
}

interface Client {
  readonly socket: Socket
  readonly messages: Buffer[]
  backend: Backend | undefined
}

export class TransactionPooler {
  readonly #port: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #idle: Backend[] = []
  readonly #waiting: Client[] = []
  #count = 0
  /** How often a client was given a connection. */
  transactions = 0

  private constructor(port: number) {
    this.#port = port
    this.#server = createServer((socket) => this.#accept(this.#kept(socket)))
  }

  /** `port`: where PostgreSQL is, which trusts everybody. */
  static async open(port: number): Promise<TransactionPooler> {
    const pooler = new TransactionPooler(port)
    await new Promise<void>((resolve) => pooler.#server.listen(0, '127.0.0.1', resolve))
    return pooler
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #kept(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
    return socket
  }

  #accept(socket: Socket): void {
    const client: Client = { socket, messages: [], backend: undefined }
    const messages = new Messages()
    let begin: Buffer | undefined = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      let rest = bytes
      if (begin !== undefined) {
        begin = Buffer.concat([begin, bytes])
        if (begin.length < 4 || begin.length < begin.readInt32BE(0)) return
        const startup = begin.subarray(0, begin.readInt32BE(0))
        rest = begin.subarray(startup.length)
        begin = undefined
        this.#greet(socket)
        while (this.#count < serversMax) this.#connect(startup)
      }
      for (const message of messages.take(rest)) {
        if (typeOf(message) === 'X') return void socket.end()
        client.messages.push(message)
      }
      this.#serve(client)
    })
    socket.on('close', () => {
      const at = this.#waiting.indexOf(client)
      if (at >= 0) this.#waiting.splice(at, 1)
      // Amid a transaction, which ends with its connection.
      client.backend?.socket.destroy()
    })
  }

  /** No password, a number for cancelling that is none, and ready. */
  #greet(socket: Socket): void {
    socket.write(Buffer.from('520000000800000000', 'hex'))
    socket.write(Buffer.from('4b0000000c0000000000000000', 'hex'))
    socket.write(Buffer.from('5a0000000549', 'hex'))
  }

  #connect(startup: Buffer): void {
    this.#count += 1
    const socket = this.#kept(connect(this.#port, '127.0.0.1'))
    const backend: Backend = { socket, client: undefined, due: 1 }
    const messages = new Messages()
    let isReady = false
    socket.write(startup)
    socket.on('data', (bytes) => {
      for (const message of messages.take(bytes)) {
        if (isReady) backend.client?.socket.write(message)
        if (typeOf(message) !== 'Z') continue
        isReady = true
        backend.due -= 1
        if (backend.due === 0 && message[5] === 'I'.charCodeAt(0)) this.#free(backend)
      }
    })
    socket.on('close', () => {
      this.#count -= 1
      const at = this.#idle.indexOf(backend)
      if (at >= 0) this.#idle.splice(at, 1)
      const { client } = backend
      if (client !== undefined) client.backend = undefined
      client?.socket.destroy()
    })
  }

  #free(backend: Backend): void {
    if (backend.client !== undefined) backend.client.backend = undefined
    backend.client = undefined
    this.#idle.push(backend)
    const next = this.#waiting.shift()
    if (next !== undefined) this.#serve(next)
  }

  #serve(client: Client): void {
    if (client.messages.length === 0) return
    if (client.backend === undefined) {
      const backend = this.#idle.shift()
      if (backend === undefined) {
        if (!this.#waiting.includes(client)) this.#waiting.push(client)
        return
      }
      this.transactions += 1
      backend.client = client
      client.backend = backend
    }
    const { backend } = client
    for (const message of client.messages.splice(0)) {
      if ('SQ'.includes(typeOf(message))) backend.due += 1
      backend.socket.write(message)
    }
  }
}
