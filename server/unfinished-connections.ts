/**
 * Connections on which no whole request is being answered: they have sent nothing yet, or a part of
 * a request, or wait for the next one. Bounded for one address and over all. An address at its
 * bound loses a connection that only waits, else gets no further one; over all, who has most gives
 * up what has lasted longest. So nobody uses up the connections of others by being slow.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../rest/network.ts'
import { refuseUpgrade } from '../rest/upgrade.ts'
import { Refusal } from '../schema/errors.ts'
import type { Runtime } from '../schema/runtime.ts'

export interface UnfinishedBounds {
  readonly runtime: Runtime
  readonly max: number
  readonly maxOfAddress: number
}

interface Connection {
  readonly socket: Socket
  readonly address: string
  /** Requests that came whole and are not answered. */
  asked: number
  /** What had been heard when the last answer was given; `undefined`: none was. */
  heardAtRest: number | undefined
}

export class UnfinishedConnections {
  readonly #bounds: UnfinishedBounds
  readonly #known = new WeakMap<Socket, Connection>()
  /** A connection can come a second time: from an upgrade that was none. */
  readonly #seen = new WeakSet<Socket>()
  readonly #refused = new WeakSet<Socket>()
  /** The unfinished ones by address, in the order in which they became so. */
  readonly #byAddress = new Map<string, Set<Connection>>()
  #count = 0

  constructor(bounds: UnfinishedBounds) {
    this.#bounds = bounds
  }

  get count(): number {
    return this.#count
  }

  /** Before the server has heard of any connection. */
  watch(server: Server, answer: RequestListener): void {
    server.on('connection', (socket: Socket) => this.#opened(socket))
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (this.#refused.has(request.socket)) return
      this.#asks(request, response)
      answer(request, response)
    })
    server.on('upgrade', (_, socket) => this.#left(socket as Socket))
  }

  #opened(socket: Socket): void {
    const address = networkOf(socket.remoteAddress ?? '')
    if (!this.#hasRoom(address)) {
      this.#refuse(socket)
      return
    }
    const connection = { socket, address, asked: 0, heardAtRest: undefined }
    const isNew = !this.#seen.has(socket)
    this.#seen.add(socket)
    this.#known.set(socket, connection)
    this.#add(connection)
    if (isNew) socket.on('close', () => this.#left(socket))
  }

  /** Its body may still be on its way: until it is whole nothing has changed. */
  #asks(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#known.get(request.socket)
    if (connection === undefined) return
    let isOver = false
    let isAsked = false
    const whole = () => {
      if (isAsked || isOver) return
      isAsked = true
      connection.asked += 1
      this.#remove(connection)
    }
    request.on('end', whole)
    // Nobody reads a body that is none; what came with the headers is parsed by then.
    queueMicrotask(() => {
      if (request.complete) whole()
    })
    response.on('close', () => {
      isOver = true
      if (isAsked) connection.asked -= 1
      if (connection.asked > 0 || !this.#known.has(connection.socket)) return
      this.#remove(connection)
      connection.heardAtRest = connection.socket.bytesRead
      this.#add(connection)
    })
  }

  #left(socket: Socket): void {
    const connection = this.#known.get(socket)
    if (connection === undefined) return
    this.#known.delete(socket)
    this.#remove(connection)
  }

  #hasRoom(address: string): boolean {
    const { max, maxOfAddress } = this.#bounds
    const own = this.#byAddress.get(address) ?? new Set()
    if (own.size >= maxOfAddress && !this.#dropped([...own].find(isResting))) return false
    if (this.#count < max) return true
    let most = own
    for (const others of this.#byAddress.values()) if (others.size > most.size) most = others
    return this.#dropped([...most].find(isResting) ?? [...most][0])
  }

  #dropped(connection: Connection | undefined): boolean {
    if (connection === undefined) return false
    this.#left(connection.socket)
    connection.socket.destroy()
    return true
  }

  #refuse(socket: Socket): void {
    this.#refused.add(socket)
    socket.on('error', () => {})
    refuseUpgrade(socket, new Refusal('BUSY', { retry_after: 1 }), this.#bounds.runtime)
    socket.destroySoon()
  }

  #add(connection: Connection): void {
    const { address } = connection
    const own = this.#byAddress.get(address) ?? new Set()
    this.#byAddress.set(address, own)
    own.add(connection)
    this.#count += 1
  }

  #remove(connection: Connection): void {
    const { address } = connection
    const own = this.#byAddress.get(address)
    if (own?.delete(connection) !== true) return
    this.#count -= 1
    if (own.size === 0) this.#byAddress.delete(address)
  }
}

/** Between two requests: a client knows that such a connection may end. */
const isResting = ({ socket, heardAtRest }: Connection): boolean =>
  heardAtRest !== undefined && heardAtRest === socket.bytesRead
