/**
 * How many connections there may be: fewer than the process may have files open, so that the store
 * can always open its own. Whoever comes when all are taken gets one more turn to be told so
 * (503 UNAVAILABLE with Retry-After, then the connection ends); beyond that few, connections are
 * dropped before anything is read. Knows nothing of what a connection is for.
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { failureAnswer } from '../rest/failure.ts'
import { setSecurityHeaders } from '../rest/headers.ts'
import { send } from '../rest/sending.ts'
import { Refusal } from '../schema/errors.ts'
import { randomName } from '../schema/ids.ts'
import { limits } from '../schema/limits.ts'
import type { Runtime } from '../schema/runtime.ts'

export interface ConnectionBound {
  /** Connections that are served. */
  readonly served: number
  /** Beyond those: told that there are too many. */
  readonly refused: number
}

/**
 * What remains of so many descriptors when the store has its part: LevelDB keeps up to a fifth of
 * them for its tables, and some are for its log, for reading and for backups.
 */
export function boundFor(descriptors: number): ConnectionBound {
  const all = Math.max(8, Math.floor(descriptors * 0.7) - limits.descriptorsReserved)
  const refused = Math.min(limits.refusedConnectionsMax, Math.ceil(all / 8))
  return { served: all - refused, refused }
}

const ownLimits = '/proc/self/limits'

/** How many files this process may have open; undefined where there is no bound. */
export function descriptorsOfProcess(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(ownLimits, 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    // No Linux: Node's own report knows, and takes its time.
    return reportedDescriptors()
  }
}

function reportedDescriptors(): number | undefined {
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } }
  }
  const soft = report.userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}

/** The connections of one server. */
export class Connections {
  readonly #bound: ConnectionBound
  readonly #runtime: Runtime
  readonly #served = new Set<Duplex>()
  readonly #refused = new WeakSet<Duplex>()

  constructor(bound: ConnectionBound, runtime: Runtime) {
    this.#bound = bound
    this.#runtime = runtime
  }

  attach(server: Server): void {
    server.maxConnections = this.#bound.served + this.#bound.refused
    server.on('connection', (socket) => this.#came(socket))
  }

  /** Refuses UNAVAILABLE what comes on a connection beyond those that are served. */
  assertServed({ socket }: IncomingMessage): void {
    if (this.#refused.has(socket)) throw new Refusal('UNAVAILABLE')
  }

  /** The handler of requests, for those that are served. */
  handler(handle: RequestListener): RequestListener {
    return (request, response) => {
      if (this.#refused.has(request.socket)) this.#refuse(response)
      else handle(request, response)
    }
  }

  /** A connection that was given back after an offer to upgrade comes again. */
  #came(socket: Socket): void {
    if (this.#served.has(socket) || this.#refused.has(socket)) return
    if (this.#served.size < this.#bound.served) {
      this.#served.add(socket)
      socket.on('close', () => void this.#served.delete(socket))
      return
    }
    this.#refused.add(socket)
    // One that says nothing keeps nobody from being told.
    const late = this.#runtime.after(limits.refusedConnectionMs, () => socket.destroy())
    socket.on('close', () => late.cancel())
  }

  #refuse(response: ServerResponse): void {
    const id = `req_${randomName(this.#runtime, 20)}`
    const { answer } = failureAnswer(new Refusal('UNAVAILABLE'), { id, slug: undefined })
    setSecurityHeaders(response, id)
    response.setHeader('Connection', 'close')
    void send(response, answer, { runtime: this.#runtime, status: 503, room: undefined })
  }
}
