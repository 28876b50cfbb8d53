/**
 * The service's HTTP server: how long a request may take to come whole, how many of a connection
 * are under way, and what is answered where no request came of it. Knows no routes.
 */
import { createServer, type RequestListener, type Server } from 'node:http'
import { limits } from '../schema/limits.ts'
import type { Runtime } from '../schema/runtime.ts'
import { Pipelines } from './pipelines.ts'
import { refuseUnread } from './unread-requests.ts'

/** When a request that does not come whole is given up; each may last `checkedEveryMs` longer. */
export interface RequestTimes {
  readonly headersMs: number
  readonly wholeMs: number
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
  /** Answers a request that waits for `100 Continue`; else Node continues every one. */
  readonly answerExpecting?: RequestListener | undefined
  readonly times?: RequestTimes | undefined
}

export function createHttpServer({
  runtime,
  answer,
  answerExpecting,
  times = requestTimes,
}: HttpServerParts): Server {
  const options = {
    headersTimeout: times.headersMs,
    requestTimeout: times.wholeMs,
    connectionsCheckingInterval: times.checkedEveryMs,
    // Node's own refusals have no body.
    requireHostHeader: false,
  }
  const pipelines = new Pipelines()
  const server = createServer(options, pipelines.handler(answer))
  if (answerExpecting !== undefined) server.on('checkContinue', pipelines.handler(answerExpecting))
  refuseUnread(server, runtime)
  return server
}
