/**
 * The service's HTTP server: how long a request may take to come whole, how many connections may be
 * at it, and what is answered where no request came of it. Knows no routes.
 */
import { createServer, type RequestListener, type Server } from 'node:http'
import { limits } from '../schema/limits.ts'
import type { Runtime } from '../schema/runtime.ts'
import { UnfinishedConnections } from './unfinished-connections.ts'
import { refuseUnread } from './unread-requests.ts'

/** When a request that does not come whole is given up, and how many may be under way. */
export interface RequestTimes {
  readonly headersMs: number
  readonly wholeMs: number
  /** Both may last this much longer. */
  readonly checkedEveryMs: number
}

export const requestTimes: RequestTimes = {
  headersMs: limits.requestHeadersTimeoutMs,
  wholeMs: limits.requestTimeoutMs,
  checkedEveryMs: limits.requestTimesCheckedEveryMs,
}

export interface HttpServerParts {
  readonly runtime: Runtime
  readonly answer: RequestListener
  /** Connections are a proxy's, whose address says nothing of who is behind it. */
  readonly isBehindProxy: boolean
  readonly times?: RequestTimes | undefined
}

export function createHttpServer(parts: HttpServerParts): Server {
  const { runtime, answer, isBehindProxy, times = requestTimes } = parts
  const server = createServer({
    headersTimeout: times.headersMs,
    requestTimeout: times.wholeMs,
    connectionsCheckingInterval: times.checkedEveryMs,
    // Node's own refusals have no body.
    requireHostHeader: false,
  })
  const connections = new UnfinishedConnections({
    runtime,
    max: limits.unfinishedConnectionsMax,
    maxOfAddress: isBehindProxy ? Number.POSITIVE_INFINITY : limits.unfinishedConnectionsPerAddress,
  })
  connections.watch(server, answer)
  refuseUnread(server, runtime)
  return server
}
