/**
 * How long each request may take to come whole, from its headers on: as long as all, unless a route
 * gave it more. One that does not is ended as an unreadable one is. Knows no routes.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Runtime, Timer } from '../schema/runtime.ts'

export class RequestTimes {
  readonly #runtime: Runtime
  readonly #wholeMs: number
  readonly #ends = new WeakMap<IncomingMessage, () => void>()
  readonly #timers = new WeakMap<IncomingMessage, Timer>()

  constructor(runtime: Runtime, wholeMs: number) {
    this.#runtime = runtime
    this.#wholeMs = wholeMs
  }

  /** Before whoever answers, so that it can be given more at once. */
  watch(server: Server): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#begin(server, request, response)
    })
  }

  /** From now on so long; of a request that is whole already nothing. */
  allow(request: IncomingMessage, ms: number): void {
    const end = this.#ends.get(request)
    if (end === undefined) return
    this.#timers.get(request)?.cancel()
    this.#timers.set(request, this.#runtime.after(ms, end))
  }

  #begin(server: Server, request: IncomingMessage, response: ServerResponse): void {
    const end = () => {
      if (request.complete || request.destroyed) return
      const error = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      server.emit('clientError', error, request.socket)
    }
    this.#ends.set(request, end)
    const over = () => {
      this.#timers.get(request)?.cancel()
      this.#ends.delete(request)
    }
    // What has no body is whole by then; of one that came along Node says so a little later.
    queueMicrotask(() => {
      if (request.complete) return over()
      request.on('end', over)
      response.on('close', over)
      if (!this.#timers.has(request)) this.allow(request, this.#wholeMs)
    })
  }
}
