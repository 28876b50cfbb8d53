/**
 * Forwards requests and websockets to another node, streaming both ways. A body is sent only after
 * the other node has accepted the request with `100 Continue`. So a request that reached the wrong
 * node, or a dead one, can still be sent to another.
 */
import { hash } from 'node:crypto'
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import type { Node } from '../../core/nodes/membership.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type Hop, type NodeCredentials, nodeHeader } from './node-credentials.ts'

/** Header of the answer of a node that does not hold the document. */
export const movedHeader = 'scriptorium-moved'

/** Timeout for connecting to another node. */
const connectWithinMs = 1_000
/** How often a node that something waits for is asked whether it is there. */
const askEveryMs = 1_000

const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'expect',
  'upgrade',
  nodeHeader,
])

const expecting = { expect: '100-continue' }

const lengthOf = ({ headers }: IncomingMessage): Record<string, string> => {
  if ('transfer-encoding' in headers) return { 'transfer-encoding': 'chunked' }
  return 'content-length' in headers ? {} : { 'content-length': '0' }
}

/**
 * `answered`: the caller has its answer, or has left. `unsent`: the other node does not hold the
 * document or could not be reached; nothing was done. `broken`: the connection broke after the
 * request was sent; the outcome is unknown.
 */
export type Forwarded = 'answered' | 'unsent' | 'broken'

export interface ForwarderParts {
  /** The node refused the connection. */
  readonly onRefused: (nodeId: string) => void
  readonly runtime: Runtime
  readonly credentials: NodeCredentials
}

export class Forwarder {
  readonly #parts: ForwarderParts
  readonly #agent = new Agent({ keepAlive: true })
  #forwarded = 0
  /** Requests and sockets by the node that they are forwarded to. */
  readonly #underWay = new Map<string, Set<Duplex | ClientRequest>>()
  readonly #watched = new Set<string>()

  constructor(parts: ForwarderParts) {
    this.#parts = parts
  }

  /** How many requests and sockets were forwarded. */
  get count(): number {
    return this.#forwarded
  }

  /** Ends everything that waits for a node that is dead or not reached. */
  nodeDead(nodeId: string): void {
    for (const one of this.#underWay.get(nodeId) ?? []) one.destroy(new Error('the node is dead'))
  }

  /** A network that drops packets ends no connection: what waits for the node is ended here. */
  async #watch(node: Node): Promise<void> {
    if (this.#watched.has(node.id)) return
    this.#watched.add(node.id)
    for (;;) {
      await new Promise<void>((resolve) => this.#parts.runtime.after(askEveryMs, resolve))
      if (!this.#underWay.has(node.id)) break
      if (!(await this.#answers(node))) this.nodeDead(node.id)
    }
    this.#watched.delete(node.id)
  }

  /** Whether the node answers within the time after which a silent node is declared dead. */
  #answers(node: Node): Promise<boolean> {
    return new Promise((resolve) => {
      const late = this.#parts.runtime.after(limits.nodeLeaseMs, () => resolve(false))
      void this.post(node, `${nodesPath}ping`, new Uint8Array()).then((answer) => {
        late.cancel()
        resolve(answer !== 'broken')
      })
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  forward(
    from: IncomingMessage,
    response: ServerResponse,
    to: { readonly node: Node; readonly hop: Hop },
  ): Promise<Forwarded> {
    return new Promise((resolve) => {
      const isRead = from.method === 'GET' || from.method === 'HEAD'
      let isSent = false
      const outgoing = this.#send(from, to, isRead ? {} : { ...lengthOf(from), ...expecting })
      const onGone = () => outgoing.destroy()
      response.once('close', onGone)
      const done = (outcome: Forwarded) => {
        response.off('close', onGone)
        resolve(response.destroyed ? 'answered' : outcome)
      }
      outgoing.on('error', () => done(isSent ? 'broken' : 'unsent'))
      outgoing.on('continue', () => {
        isSent = true
        from.pipe(outgoing)
      })
      outgoing.on('response', (incoming) => {
        if (movedHeader in incoming.headers) {
          incoming.resume()
          done('unsent')
          return
        }
        // The request was refused without its body.
        if (!isRead && !isSent) from.resume()
        response.off('close', onGone)
        response.sendDate = false
        response.writeHead(incoming.statusCode ?? 502, passedOn(incoming.rawHeaders))
        pipeline(incoming, response, () => resolve('answered'))
      })
      if (isRead) outgoing.end()
      else outgoing.flushHeaders()
    })
  }

  upgrade(
    from: IncomingMessage,
    socket: Duplex,
    { head, ...to }: { readonly node: Node; readonly hop: Hop; readonly head: Buffer },
  ): Promise<Forwarded> {
    return new Promise((resolve) => {
      const outgoing = this.#send(from, to, { connection: 'Upgrade', upgrade: 'websocket' })
      const onGone = () => outgoing.destroy()
      socket.once('close', onGone)
      const done = (outcome: Forwarded) => {
        socket.off('close', onGone)
        resolve(socket.destroyed ? 'answered' : outcome)
      }
      outgoing.on('error', () => done('unsent'))
      outgoing.on('response', (incoming) => {
        if (movedHeader in incoming.headers) {
          incoming.resume()
          done('unsent')
          return
        }
        socket.write(firstLines(incoming, ['Connection: close']))
        pipeline(incoming, socket, () => done('answered'))
      })
      outgoing.on('upgrade', (incoming, other, otherHead) => {
        const { node } = to
        this.#count(node, other)
        socket.write(firstLines(incoming, ['Connection: Upgrade', 'Upgrade: websocket']))
        socket.write(otherHead)
        other.write(head)
        // After a normal end the other direction may still have bytes to deliver.
        const end = (error: unknown) => {
          if (!error) return
          socket.destroy()
          other.destroy()
        }
        pipeline(socket, other, end)
        pipeline(other, socket, end)
        done('answered')
      })
      outgoing.end()
    })
  }

  /** Sends a message of this node's own to another; resolves with the answer. */
  post(node: Node, path: string, body: Uint8Array): Promise<Uint8Array | 'unsent' | 'broken'> {
    // The node does not listen yet.
    if (node.url === '') return Promise.resolve('unsent')
    return new Promise((resolve) => {
      const first = { method: 'POST', url: path }
      const address = hash('sha256', body)
      const outgoing = request(`${node.url}${path}`, {
        method: 'POST',
        agent: this.#agent,
        headers: { [nodeHeader]: this.#parts.credentials.sign(first, { address }) },
      })
      let isSent = false
      outgoing.on('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => (isSent = true))
        else isSent = true
      })
      this.#guard(outgoing, node)
      outgoing.on('error', () => resolve(isSent ? 'broken' : 'unsent'))
      outgoing.on('response', (incoming) => {
        const answer = incoming.statusCode === 200 ? wholeBody(incoming) : undefined
        answer?.then(resolve, () => resolve('broken'))
        if (answer !== undefined) return
        // The node has another epoch or is not serving; nothing was done.
        incoming.resume()
        resolve('unsent')
      })
      outgoing.end(body)
    })
  }

  #send(
    from: IncomingMessage,
    { node, hop }: { readonly node: Node; readonly hop: Hop },
    more: Readonly<Record<string, string>>,
  ): ClientRequest {
    this.#forwarded += 1
    const { hostname, port } = new URL(node.url)
    const headers: Record<string, string | string[]> = { ...more }
    for (const [name, values = []] of Object.entries(from.headersDistinct)) {
      if (!hopByHop.has(name)) headers[name] = values.length === 1 ? String(values[0]) : values
    }
    headers[nodeHeader] = this.#parts.credentials.sign({ method: from.method, url: from.url }, hop)
    const outgoing = request({
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      path: from.url,
      method: from.method,
      headers,
      agent: 'upgrade' in more ? false : this.#agent,
    })
    this.#guard(outgoing, node)
    return outgoing
  }

  /** Limits how long connecting may take. */
  #guard(outgoing: ClientRequest, node: Node): void {
    this.#count(node, outgoing)
    outgoing.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') this.#parts.onRefused(node.id)
    })
    outgoing.on('socket', (socket) => {
      socket.setNoDelay(true)
      if (!socket.connecting) return
      const late = this.#parts.runtime.after(connectWithinMs, () =>
        outgoing.destroy(new Error('the node does not answer')),
      )
      const connected = () => late.cancel()
      socket.once('connect', connected)
      socket.once('close', connected)
    })
  }

  #count(node: Node, one: Duplex | ClientRequest): void {
    const all = this.#underWay.get(node.id) ?? new Set()
    this.#underWay.set(node.id, all.add(one))
    void this.#watch(node)
    one.once('close', () => {
      all.delete(one)
      if (all.size === 0 && this.#underWay.get(node.id) === all) this.#underWay.delete(node.id)
    })
  }
}

/** Paths that only nodes use. */
export const nodesPath = '/nodes/'

export async function wholeBody(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The headers without hop-by-hop headers. */
function passedOn(rawHeaders: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!hopByHop.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}

function firstLines(
  { statusCode, statusMessage, rawHeaders }: IncomingMessage,
  more: readonly string[],
): string {
  const kept = passedOn(rawHeaders)
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...more]
  for (let at = 0; at < kept.length; at += 2) lines.push(`${kept[at]}: ${kept[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
