/**
 * The service's HTTP server: how long a request may take to come whole, how many connections may be
 * at it, and what is answered where no request came of it. Knows no routes.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { limits } from '../schema/limits.ts'
import type { Runtime } from '../schema/runtime.ts'
import { Pipelines } from './pipelines.ts'
import { RequestTimes } from './request-times.ts'
import { UnfinishedConnections } from './unfinished-connections.ts'
import { refuseUnread } from './unread-requests.ts'

/** When a request that does not come whole is given up, and how many may be under way. */
export interface RequestBounds {
  readonly headersMs: number
  readonly wholeMs: number
  /** Both may last this much longer. */
  readonly checkedEveryMs: number
}

export const requestTimes: RequestBounds = {
  headersMs: limits.requestHeadersTimeoutMs,
  wholeMs: limits.requestTimeoutMs,
  checkedEveryMs: limits.requestTimesCheckedEveryMs,
}

export interface HttpServerParts {
  readonly runtime: Runtime
  readonly answer: RequestListener
  /** Connections are a proxy's, whose address says nothing of who is behind it. */
  readonly isBehindProxy: boolean
  readonly times?: RequestBounds | undefined
}

export interface HttpServer {
  readonly server: Server
  /** This request may take so long to come whole, from now on. */
  allowTime(request: IncomingMessage, ms: number): void
}

export function createHttpServer(parts: HttpServerParts): HttpServer {
  const { runtime, answer, isBehindProxy, times = requestTimes } = parts
  const server = createServer({
    headersTimeout: times.headersMs,
    // Node knows one time for all requests; ours is the shorter one but for uploads.
    requestTimeout: times.headersMs + times.wholeMs + limits.uploadTimeoutMs,
    connectionsCheckingInterval: times.checkedEveryMs,
    // Node's own refusals have no body.
    requireHostHeader: false,
  })
  const connections = new UnfinishedConnections({
    runtime,
    max: limits.unfinishedConnectionsMax,
    maxOfAddress: isBehindProxy ? Number.POSITIVE_INFINITY : limits.unfinishedConnectionsPerAddress,
  })
  const whole = new RequestTimes(runtime, times.wholeMs)
  whole.watch(server)
  connections.watch(server, new Pipelines().handler(answer))
  refuseUnread(server, runtime)
  return { server, allowTime: (request, ms) => whole.allow(request, ms) }
}
