/**
 * The REST layer as one HTTP request handler, made by the composition. Mounts the route list on a
 * router, in front of it the headers, request ids, error bodies and the log line of every response.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import { FairWork } from '../core/documents/live/fair-work.ts'
import { Refusal } from '../schema/errors.ts'
import { randomName } from '../schema/ids.ts'
import { limits } from '../schema/limits.ts'
import { callerAddress } from './addresses/caller-address.ts'
import { addressesFor } from './addresses/own-addresses.ts'
import { Hints } from './addresses/setting-hints.ts'
import { admit } from './admission/admission.ts'
import { type Admission, admitUpgrade } from './admission/upgrade.ts'
import { routes } from './all-routes.ts'
import type { Answer } from './answers/answer.ts'
import { failureAnswer } from './answers/failure.ts'
import { setSecurityHeaders } from './answers/headers.ts'
import { type Sending, send } from './answers/sending.ts'
import { hearOut } from './bodies/request-body.ts'
import { missingPage } from './pages/page.ts'
import { type ByteShare, createByteShares } from './quotas/byte-shares.ts'
import { createProcessorTime } from './quotas/processor-time.ts'
import { createQuotas, type QuotaState, type Quotas } from './quotas/quotas.ts'
import { createWorkQueue } from './quotas/work-queue.ts'
import type { FullDeclaration, Route } from './route.ts'
import type { RestOptions, Services } from './services.ts'

export type { Admission } from './admission/upgrade.ts'

export interface Rest {
  /** The handler for `http.createServer`. */
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  /** What is counted of callers, for other nodes and from them. */
  readonly quotas: Pick<Quotas, 'used' | 'setElsewhere'>
  /** Answers a request with UNAVAILABLE, whatever it asks for. */
  refuse(request: IncomingMessage, response: ServerResponse): void
  /**
   * Decides on a websocket upgrade before any socket opens, in the order of every other refusal.
   * Throws Refusal; `refuseUpgrade` writes it to the wire.
   */
  authenticateUpgrade(request: IncomingMessage): Promise<Admission>
}

export function createRest(options: RestOptions): Rest {
  const quotas = createQuotas(options.runtime, options.config.rates)
  const services: Services = {
    ...options,
    workQueue: createWorkQueue(options.runtime),
    fair: new FairWork(options.runtime),
    quotas,
    processorTime: createProcessorTime(quotas),
    hints: new Hints(options.logger),
    writtenOnce: new Map(),
    bodies: createByteShares({
      allBytes: limits.bodiesMaxBytes,
      callerBytes: limits.bodiesMaxBytesPerAddress,
    }),
    answers: createByteShares({
      allBytes: limits.answersMaxBytes,
      callerBytes: limits.answersMaxBytesPerAddress,
    }),
  }
  const app = application(services)
  const handle = app.callback()
  const refuse = refusing(services).callback()
  return {
    callback: () => (request, response) => {
      hintAtProxy(request, services)
      void handle(request, response)
    },
    quotas,
    refuse: (request, response) => void refuse(request, response),
    authenticateUpgrade: (request) => admitUpgrade(request, services),
  }
}

/** Behind a proxy that is not configured all callers count as one address. */
function hintAtProxy(
  { headers }: IncomingMessage,
  { config, hints }: Pick<Services, 'config' | 'hints'>,
): void {
  if (config.trustProxy > 0 || headers['x-forwarded-for'] === undefined) return
  const message =
    'X-Forwarded-For comes, but TRUST_PROXY is 0: all callers behind the proxy count as one'
  hints.once('TRUST_PROXY', { setting: 'TRUST_PROXY' }, message)
}

interface State {
  requestId: string
  route: string
  /** What the answer may hold of the memory. */
  room: ByteShare
}

function application(services: Services): Koa<State> {
  const app = new Koa<State>()
  // All that a request can fail with is answered and logged below; this is its connection.
  app.on('error', (err: unknown) => services.logger.info({ err }, 'a connection broke'))
  const router = new Router<State>()
  for (const route of routes) mount(router, route, services)
  app.use((ctx, next) => answered(ctx, next, services))
  app.use((ctx, next) => {
    requireHost(ctx.req)
    return next()
  })
  app.use(router.routes())
  app.use((ctx) => {
    const methods = new Set(router.match(ctx.path, '').path.flatMap((layer) => layer.methods))
    if (methods.size === 0) throw new Refusal('NOT_FOUND')
    throw new Refusal('METHOD_NOT_ALLOWED', { allow: [...methods].sort() })
  })
  return app
}

function refusing(services: Services): Koa<State> {
  const app = new Koa<State>()
  app.use((ctx, next) => answered(ctx, next, services))
  app.use(() => {
    throw new Refusal('UNAVAILABLE')
  })
  return app
}

/** Without one a request of HTTP/1.1 is none. Refuses INVALID_REQUEST. */
function requireHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host !== undefined || httpVersion === '1.0') return
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'Host', message: 'is missing' }] })
}

/** For the log: the caller left before its request was whole. */
const goneAway = 499

/** Everything below answers through the raw response, so that large bodies are sent as they are. */
async function answered(
  ctx: Koa.ParameterizedContext<State>,
  next: () => Promise<unknown>,
  services: Services,
): Promise<void> {
  const { runtime, logger, observe } = services
  const startedAt = runtime.elapsed()
  const requestId = `req_${randomName(runtime, 20)}`
  ctx.respond = false
  ctx.state.requestId = requestId
  ctx.state.route = 'none'
  const room = roomOf(ctx.req, services)
  ctx.state.room = room
  setSecurityHeaders(ctx.res, requestId)
  try {
    await next()
  } catch (thrown) {
    // Its body may have come whole and not been read yet.
    if (ctx.req.destroyed && !ctx.req.readableEnded) {
      ctx.res.statusCode = goneAway
      return void ctx.res.destroy()
    }
    const slug = /^\/docs\/([0-9a-z]{20})(?:\/|$)/.exec(ctx.path)?.[1]
    const { answer, unexpected } = failureAnswer(thrown, { id: requestId, slug })
    if (unexpected !== undefined) {
      logger.error({ err: unexpected, request_id: requestId }, 'a request failed')
    }
    if (ctx.res.headersSent) return void ctx.res.destroy()
    // What has no quota's end to wait for says nothing of quotas (interface §8).
    if (thrown instanceof Refusal && thrown.code === 'BUSY') removeQuotaHeaders(ctx.res)
    hearOut(ctx.req)
    const shown = await missingPage(ctx.req, thrown, services)
    await sendFailure(ctx.res, shown ?? answer, { runtime, status: 500, room, requestId })
  } finally {
    room.release()
    const ms = Math.round((runtime.elapsed() - startedAt) * 10) / 10
    const { method, state, res } = ctx
    const seen = { method, route: state.route, status: res.statusCode, ms, request_id: requestId }
    logger.info(seen, 'request')
    observe?.(seen)
  }
}

/** Room for the answer; it is given back when the answer is sent, or nobody waits for it. */
function roomOf(request: IncomingMessage, { answers, config }: Services): ByteShare {
  return answers.open(callerAddress(request, config.trustProxy))
}

/** A refusal may hold a document's text; where there is no room for it, BUSY is all that is said. */
async function sendFailure(
  response: ServerResponse,
  answer: Answer,
  sending: Sending & { readonly requestId: string },
): Promise<void> {
  try {
    await send(response, answer, sending)
  } catch (error) {
    if (!(error instanceof Refusal) || response.headersSent) throw error
    const { answer: busy } = failureAnswer(error, { id: sending.requestId, slug: undefined })
    removeQuotaHeaders(response)
    await send(response, busy, { ...sending, room: undefined })
  }
}

function mount(router: Router<State>, route: Route, services: Services): void {
  const { declaration } = route
  const { method, path, success } = declaration
  router.register(path, [method], async (ctx) => {
    ctx.state.route = path
    if (declaration.deprecated !== undefined) {
      setDeprecation(ctx.res, declaration.deprecated, {
        params: ctx.params,
        baseUrl: addressesFor(ctx.req, services.config).baseUrl,
      })
    }
    const arrival = {
      request: ctx.req,
      requestId: ctx.state.requestId,
      path: ctx.path,
      params: ctx.params,
      search: new URLSearchParams(ctx.querystring),
      room: ctx.state.room,
      onQuota: (state: QuotaState) => setQuotaHeaders(ctx.res, state),
      onDeprecated: (field: string) => void ctx.res.setHeader('Deprecation', field),
    }
    const answer = await admit(route, arrival, services)
    const { runtime } = services
    hearOut(ctx.req)
    await send(ctx.res, answer, { runtime, status: success.status, room: ctx.state.room })
  })
}

const quotaHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** RFC 9745: since when, and what to use instead. */
function setDeprecation(
  response: ServerResponse,
  { since, successor }: NonNullable<FullDeclaration['deprecated']>,
  { params, baseUrl }: { params: Readonly<Record<string, string>>; baseUrl: string },
): void {
  const path = successor.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  response.setHeader('Deprecation', `@${Date.parse(since) / 1000}`)
  response.setHeader('Link', `<${baseUrl}${path}>; rel="successor-version"`)
}

function setQuotaHeaders(response: ServerResponse, state: QuotaState): void {
  const values = [state.limit, state.remaining, state.resetSeconds]
  for (const [index, name] of quotaHeaders.entries()) response.setHeader(name, values[index] ?? 0)
}

function removeQuotaHeaders(response: ServerResponse): void {
  for (const name of quotaHeaders) response.removeHeader(name)
}
