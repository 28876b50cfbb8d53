/**
 * Requests to addresses that users name. A name is resolved once, every address of it is judged,
 * and the connection goes to one of the judged addresses, so a name that changes its answer leads
 * nowhere else. No redirect is followed, no proxy variable is read, targets share no connection,
 * and of an answer no more is read than `answerMaxBytes`.
 */
import { setMaxListeners } from 'node:events'
import {
  type Agent,
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { AddressPolicy } from '../../core/outbound/address-policy.ts'
import {
  notPublic,
  type Outbound,
  type OutboundOutcome,
  type OutboundRequest,
  urlProblem,
} from '../../core/outbound/outbound.ts'
import type { Runtime } from '../../schema/runtime.ts'
import type { LookUp } from './look-up.ts'

export interface OutboundParts {
  readonly runtime: Runtime
  readonly policy: AddressPolicy
  readonly lookUp: LookUp
}

/** Whoever sets an address waits so long for its name. */
const judgedWithinMs = 2_000
const answerMaxBytes = 4 * 1024
const answerHeadersMaxBytes = 16 * 1024

export function openOutbound(parts: OutboundParts): Outbound {
  let aborting = newAbort()
  const kept = new KeptConnections()
  return {
    problem: (url) => problemOf(url, parts),
    post: (request) => post(request, { ...parts, kept }, aborting.signal),
    abort() {
      aborting.abort()
      aborting = newAbort()
      kept.close()
    },
  }
}

function newAbort(): AbortController {
  const aborting = new AbortController()
  // Every request that is under way listens.
  setMaxListeners(0, aborting.signal)
  return aborting
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

async function problemOf(
  url: string,
  { runtime, policy, lookUp }: OutboundParts,
): Promise<string | undefined> {
  const problem = urlProblem(url)
  if (problem !== undefined) return problem
  const late = new Promise<[]>((resolve) => runtime.after(judgedWithinMs, () => resolve([])))
  const unresolved = (): readonly string[] => []
  const addresses = await Promise.race([lookUp(hostOf(url)).catch(unresolved), late])
  return addresses.every((address) => policy.allows(address)) ? undefined : notPublic
}

/** Resolves with whatever comes first: an answer, an error, the end of the time. */
function post(
  given: OutboundRequest,
  parts: OutboundParts & { readonly kept: KeptConnections },
  closing: AbortSignal,
): Promise<OutboundOutcome> {
  const { runtime } = parts
  const startedAt = runtime.elapsed()
  const took = () => Math.round(runtime.elapsed() - startedAt)
  return new Promise((resolve) => {
    let request: ClientRequest | undefined
    let isOver = false
    /** Of an answer that is being read. */
    let answered: OutboundOutcome | undefined
    const end = (outcome: OutboundOutcome) => {
      if (isOver) return
      isOver = true
      late.cancel()
      closing.removeEventListener('abort', abort)
      resolve(outcome)
      request?.destroy()
    }
    const abort = () => end({ kind: 'aborted', ms: took() })
    const fail = (error: string) => end(answered ?? { kind: 'failed', error, ms: took() })
    const late = runtime.after(given.timeoutMs, () => {
      fail(`no answer within ${given.timeoutMs} ms`)
    })
    closing.addEventListener('abort', abort)
    if (closing.aborted) return abort()
    const send = (addresses: readonly string[], agent: Agent | false) => {
      const one = sent(given, addresses, agent)
      request = one
      one.on('response', (answer: IncomingMessage) => {
        const retryAfter = answer.headers['retry-after']
        const status = answer.statusCode ?? 0
        answered = { kind: 'answered', status, retryAfter, ms: took() }
        hearOut(answer, () => end({ kind: 'answered', status, retryAfter, ms: took() }))
      })
      one.on('upgrade', (_answer, socket) => {
        socket.destroy()
        fail('the receiver tried to switch protocols')
      })
      one.on('error', (error) => {
        // The receiver may have closed the connection just before: a new one says more.
        const isRetried = one.reusedSocket && answered === undefined && !isOver
        if (isRetried) send(addresses, false)
        else fail(reasonOf(error))
      })
    }
    judged(given.url, parts).then(
      (addresses) => {
        const { target, url } = given
        if (isOver) return
        send(addresses, target !== undefined && parts.kept.agentFor(target, url, addresses))
      },
      (error: unknown) => fail(reasonOf(error)),
    )
  })
}

/** Reads the answer to its end, or as much of it as is read at most. */
function hearOut(answer: IncomingMessage, done: () => void): void {
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > answerMaxBytes) done()
  })
  answer.on('error', done)
  answer.on('close', done)
}

/** The addresses of a name, all of which may be sent to. */
async function judged(url: string, { policy, lookUp }: OutboundParts): Promise<readonly string[]> {
  const addresses = await lookUp(hostOf(url))
  if (addresses.length === 0) throw new Refused('the name does not resolve')
  if (!addresses.every((address) => policy.allows(address))) {
    throw new Refused(`the address ${notPublic}`)
  }
  return addresses
}

function sent(
  { url, headers, body }: OutboundRequest,
  addresses: readonly string[],
  agent: Agent | false,
): ClientRequest {
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'Content-Length': body.byteLength },
    agent,
    lookup: pinnedTo(addresses),
    maxHeaderSize: answerHeadersMaxBytes,
  }
  const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, options)
  request.end(body)
  return request
}

/** Nothing is resolved again for the connection. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    const wanted = all.filter(({ family }) => !options.family || options.family === family)
    const [first] = wanted.length > 0 ? wanted : all
    if (options.all === true) callback(null, wanted)
    else callback(null, first?.address ?? '', first?.family)
  }
}

class Refused extends Error {}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** For whoever chose the address: what went wrong, without the addresses that were tried. */
function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message
  const [inner] = error instanceof AggregateError ? error.errors : []
  const code = codeOf(error) || codeOf(inner)
  switch (code) {
    case 'ENOTFOUND':
    case 'ENODATA':
    case 'ESERVFAIL':
    case 'ETIMEOUT':
    case 'EREFUSED':
      return `the name does not resolve (${code})`
    case 'HPE_HEADER_OVERFLOW':
      return 'the headers of the answer are too large'
    case '':
      return 'the connection failed'
    default:
      return code.startsWith('HPE_')
        ? `the answer is not HTTP (${code})`
        : `the connection failed (${code})`
  }
}

const idleMax = 128
/** Shorter than the time for which servers keep theirs, which is 5 s and more. */
const idleMs = 4_000

/**
 * Connections that stay open between requests, for the next request to the same target. Targets
 * never share one, even where they name the same host. A connection is used again only while the
 * name leads to the same addresses, all of which were judged again. One idle connection of each of
 * a few targets is kept, for a short time.
 */
class KeptConnections {
  readonly #agents = new LRUCache<string, HttpAgent>({
    max: idleMax,
    dispose: closeIdle,
  })

  /** `addresses`: to which a new connection may go. */
  agentFor(target: string, url: string, addresses: readonly string[]): HttpAgent {
    const { protocol, host } = new URL(url)
    const key = JSON.stringify([target, protocol, host, addresses.toSorted()])
    const known = this.#agents.get(key)
    if (known !== undefined) return known
    const options = { keepAlive: true, maxFreeSockets: 1, timeout: idleMs }
    const agent = protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)
    this.#agents.set(key, agent)
    return agent
  }

  close(): void {
    this.#agents.clear()
  }
}

/** What is in use ends with its request, or is idle for a short time. */
function closeIdle({ freeSockets }: HttpAgent): void {
  for (const sockets of Object.values(freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy()
  }
}
