/**
 * Decides which node answers a request: requests for a document go to the node that holds its
 * lease, all others are answered here. A request whose document is being handed over, or whose node
 * has just died, waits up to `nodeHoldMaxMs`. Before a document leaves this node, its running
 * requests finish.
 */
import { hash } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Leases, preferredNode } from '../../core/nodes/leases.ts'
import type { Membership, Node } from '../../core/nodes/membership.ts'
import { isStoreOutage } from '../../core/records/outage.ts'
import { documentLease } from '../../persistence/keys.ts'
import type { ArrivedRequest } from '../../rest/addresses/caller-address.ts'
import { Refusal } from '../../schema/errors.ts'
import { isSlug, type Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type Forwarded, type Forwarder, movedHeader, nodesPath, wholeBody } from './forwarder.ts'
import { type Hop, type NodeCredentials, nodeHeader } from './node-credentials.ts'

const lookAgainEveryMs = 50

export interface RequestRouterParts {
  readonly runtime: Runtime
  readonly membership: Pick<Membership, 'id' | 'isServing' | 'isDraining' | 'others'>
  readonly leases: Leases
  readonly credentials: NodeCredentials
  readonly forwarder: Forwarder
  readonly refuse: RequestListener
  /** Handles a message of another node; resolves with the answer. */
  readonly onPost: (url: string, body: Uint8Array) => Promise<Uint8Array>
}

/** Where a request is to be answered. */
type Destination = 'here' | Node

/** A request and the ways to answer it. */
interface Routed {
  readonly request: IncomingMessage
  answerHere(): void
  forward(to: { readonly node: Node; readonly hop: Hop }): Promise<Forwarded>
  /** Tells the forwarding node that the document is not here. */
  moved(): void
  refuse(): void
  /** Answers a message of another node. */
  posted(hop: Hop): Promise<void> | undefined
  /** Calls back when the answer is sent or the caller has left. */
  onOver(over: () => void): void
}

export class RequestRouter {
  readonly #parts: RequestRouterParts
  /** Requests that are being answered here, by document. */
  readonly #underWay = new Map<Slug, Set<object>>()
  /** Documents that are being handed over. */
  readonly #leaving = new Map<Slug, Promise<void>>()
  /** Called when the last request of a leaving document is over. */
  readonly #onIdle = new Map<Slug, () => void>()

  constructor(parts: RequestRouterParts) {
    this.#parts = parts
  }

  /** The request handler, in front of `answer`. */
  handler(answer: RequestListener): RequestListener {
    return (request, response) => this.#handle(request, response, () => answer(request, response))
  }

  /** The handler of requests with `Expect: 100-continue`. */
  expectingHandler(answer: RequestListener): RequestListener {
    return (request, response) =>
      this.#handle(request, response, () => {
        response.writeContinue()
        answer(request, response)
      })
  }

  /** `answerHere` opens the socket, or refuses it. */
  upgrade(
    request: IncomingMessage,
    socket: Duplex,
    { head, answerHere, refuse }: { head: Buffer; answerHere(): void; refuse(): void },
  ): void {
    void this.#route({
      request,
      answerHere,
      refuse,
      forward: (to) => this.#parts.forwarder.upgrade(request, socket, { ...to, head }),
      moved: () =>
        socket.end(`HTTP/1.1 421 Moved\r\n${movedHeader}: 1\r\nConnection: close\r\n\r\n`),
      posted: () => void socket.destroy(),
      // Sockets are closed when the document leaves; they do not delay it.
      onOver: (over) => over(),
    })
  }

  /**
   * Holds new requests for the document, waits up to `within` milliseconds for those that are
   * running, then calls `leave`.
   */
  async leaving(slug: Slug, within: number, leave: () => Promise<void>): Promise<void> {
    const before = this.#leaving.get(slug)
    if (before !== undefined) return before
    const left = this.#idle(slug, within).then(leave)
    this.#leaving.set(slug, left)
    try {
      await left
    } finally {
      this.#leaving.delete(slug)
    }
  }

  #handle(request: IncomingMessage, response: ServerResponse, answerHere: () => void): void {
    const { forwarder, membership, refuse } = this.#parts
    // The proxy's next connection goes to another node.
    if (membership.isDraining) response.shouldKeepAlive = false
    void this.#route({
      request,
      answerHere,
      forward: (to) => forwarder.forward(request, response, to),
      moved: () => response.writeHead(421, { [movedHeader]: '1', connection: 'close' }).end(),
      refuse: () => refuse(request, response),
      posted: (hop) => this.#posted(hop, request, response),
      onOver: (over) => response.once('close', over),
    })
  }

  async #route(routed: Routed): Promise<void> {
    const { request } = routed
    const { credentials, membership } = this.#parts
    const hop = credentials.verify(request)
    // The sender belongs to another service, or does not know the store's new epoch yet.
    if (hop === undefined && nodeHeader in request.headers) return routed.refuse()
    if (hop !== undefined) (request as ArrivedRequest).arrivedFrom = hop.address
    if (hop !== undefined && request.url?.startsWith(nodesPath)) return routed.posted(hop)
    const slug = documentOf(request.url)
    if (slug === undefined) return routed.answerHere()
    if (!membership.isServing) return routed.refuse()
    try {
      await this.#toDocument(slug, hop, routed)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      routed.refuse()
    }
  }

  async #toDocument(slug: Slug, hop: Hop | undefined, routed: Routed): Promise<void> {
    const { runtime } = this.#parts
    const { request } = routed
    const until = runtime.elapsed() + limits.nodeHoldMaxMs
    for (;;) {
      await this.#leaving.get(slug)
      const place = await this.#placeOf(slug, hop !== undefined || isRead(request))
      if (this.#leaving.has(slug)) continue
      if (place === 'here') return this.#here(slug, routed)
      if (hop !== undefined) return routed.moved()
      const address = request.socket.remoteAddress ?? 'unknown'
      const to = { node: place, hop: { address } }
      const outcome = place.url === '' ? 'unsent' : await routed.forward(to)
      if (outcome === 'answered') return
      const isOver = runtime.elapsed() >= until
      if (isOver || (outcome === 'broken' && !isRead(request))) return routed.refuse()
      await new Promise<void>((resolve) => runtime.after(lookAgainEveryMs, resolve))
    }
  }

  #here(slug: Slug, routed: Routed): void {
    const all = this.#underWay.get(slug) ?? new Set()
    this.#underWay.set(slug, all.add(routed))
    routed.onOver(() => {
      all.delete(routed)
      if (all.size > 0 || this.#underWay.get(slug) !== all) return
      this.#underWay.delete(slug)
      this.#onIdle.get(slug)?.()
    })
    routed.answerHere()
  }

  /** `mayStay`: a document without a lease is answered here. */
  async #placeOf(slug: Slug, mayStay: boolean): Promise<Destination> {
    const { membership, leases } = this.#parts
    const key = documentLease(slug)
    const { others } = membership
    if (others.length === 0 || leases.has(key)) return 'here'
    const holder = await leases.holder(key)
    if (holder !== undefined) return holder.id === membership.id ? 'here' : holder
    const candidates = others.filter(({ isDraining, url }) => !isDraining && url !== '')
    if (mayStay && (!membership.isDraining || candidates.length === 0)) return 'here'
    const own = membership.isDraining ? [] : [{ id: membership.id }]
    const best = preferredNode(slug, [...candidates, ...own])
    return candidates.find(({ id }) => id === best) ?? 'here'
  }

  async #posted(hop: Hop, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await wholeBody(request).catch(() => undefined)
    // The sender has left, or the body is not the one it signed.
    if (body === undefined || hash('sha256', body) !== hop.address) return void response.destroy()
    if (!this.#parts.membership.isServing) return void response.writeHead(503).end()
    response.end(await this.#parts.onPost(request.url ?? '', body))
  }

  async #idle(slug: Slug, within: number): Promise<void> {
    if (!this.#underWay.has(slug)) return
    await new Promise<void>((resolve) => {
      const late = this.#parts.runtime.after(within, resolve)
      this.#onIdle.set(slug, () => {
        late.cancel()
        resolve()
      })
    })
    this.#onIdle.delete(slug)
  }
}

/** The store says so itself where it is a database that does not answer. */
const isUnavailable = (error: unknown): boolean =>
  isStoreOutage(error) || (error instanceof Refusal && error.code === 'UNAVAILABLE')

const isRead = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && headers.upgrade === undefined

/** The document in the path of a request. */
function documentOf(url = ''): Slug | undefined {
  const name = /^\/docs\/([0-9a-z]{20})(?:[/?]|$)/.exec(url)?.[1]
  return name !== undefined && isSlug(name) ? name : undefined
}
