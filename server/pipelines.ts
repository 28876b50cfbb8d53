/**
 * Requests that a client sends on one connection without waiting for answers. Few of a connection
 * are under way at once; those behind them wait unanswered, and the connection is read no further
 * until they have begun. A client that sends very many in one piece loses its connection.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../schema/limits.ts'

interface PendingExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Pipeline {
  underWay: number
  readonly held: PendingExchange[]
}

export class Pipelines {
  readonly #lines = new WeakMap<Socket, Pipeline>()
  /** Requests that wait, of all connections. */
  #held = 0

  /** The handler of requests, for those whose turn it is. */
  handler(handle: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request
      const line = this.#lineOf(socket)
      if (line.underWay < limits.requestsPerConnection) {
        this.#begin(line, { request, response }, handle)
        return
      }
      line.held.push({ request, response })
      this.#held += 1
      const isFull = line.held.length > limits.heldRequestsPerConnection
      if (isFull || this.#held > limits.heldRequestsMax) socket.destroy()
      else socket.pause()
    }
  }

  #lineOf(socket: Socket): Pipeline {
    const known = this.#lines.get(socket)
    if (known !== undefined) return known
    const line: Pipeline = { underWay: 0, held: [] }
    this.#lines.set(socket, line)
    socket.on('close', () => {
      this.#held -= line.held.length
      line.held.length = 0
    })
    return line
  }

  #begin(line: Pipeline, { request, response }: PendingExchange, handle: RequestListener): void {
    const { socket } = request
    line.underWay += 1
    response.on('close', () => {
      line.underWay -= 1
      if (socket.destroyed) return
      const next = line.held.shift()
      if (next !== undefined) {
        this.#held -= 1
        this.#begin(line, next, handle)
      }
      if (line.held.length === 0) socket.resume()
      // Node reads on by itself when what was written is sent.
      else socket.pause()
    })
    handle(request, response)
  }
}
