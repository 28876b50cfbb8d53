/**
 * A request that passed every general refusal, as its handler sees it. What few handlers ask for is
 * made when it is asked for: a copy by spreading has none of that, and is no `Admitted`.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Credential } from '../../core/access/credentials.ts'
import type { Permission, Sources } from '../../core/documents/contract.ts'
import { type Addresses, addressesFor } from '../addresses/own-addresses.ts'
import type { JsonBody } from '../bodies/json-body.ts'
import type { Upload } from '../bodies/upload.ts'
import type { ByteShare } from '../quotas/byte-shares.ts'
import type { QuotaState } from '../quotas/quotas.ts'
import type { MetricsCaller, Services } from '../services.ts'
import { cookieOf, ownOrigin } from './credentials.ts'
import type { DocumentContext } from './document-access.ts'
import { requireOwnOrigin } from './own-origin.ts'

/** One of these says that the socket's address is a proxy's. */
const proxyHeaders = [
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
  ...['x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip', 'x-envoy-external-address'],
]

/** What admission found out. */
interface RequestFacts {
  readonly requestId: string
  /** The parts of the address that the route's path names with `:`. */
  readonly params: Readonly<Record<string, string>>
  /** What the caller counts as; never stored. */
  readonly address: string
  readonly sources: Sources
  readonly credential: Credential | undefined
  readonly document: DocumentContext | undefined
  /** What the body's `display_name` asks for, when it has one and the route takes one. */
  readonly displayName: string | undefined
  readonly idempotencyKey: string | undefined
  /** The body of a route that takes an upload. */
  readonly upload: Upload | undefined
  /** What the caller may do here, as of now; `undefined`: nobody was asked. */
  readonly permission: Permission | undefined
  /** What the answer may hold of the memory; given back when it is sent. */
  readonly room: ByteShare
  /** Checked, like the body. */
  readonly query: unknown
  readonly body: unknown
  /** Told of a quota that the handler itself counts in; every answer carries its headers. */
  readonly onQuota: (state: QuotaState) => void
  /** To be asked where time has passed: refuses what the caller may not do any more. */
  readonly stillPermitted: () => Promise<Permission | undefined>
}

/** What the rest is made of, when it is asked for. */
interface RequestParts {
  readonly request: IncomingMessage
  readonly path: string
  readonly body: JsonBody | undefined
  readonly address: string
}

export type Admitted = RequestFacts & OnRequest

export const admitted = (found: RequestFacts, asked: RequestParts, services: Services): Admitted =>
  Object.assign(new OnRequest(asked, services), found)

class OnRequest {
  readonly #asked: RequestParts
  readonly #services: Services

  constructor(asked: RequestParts, services: Services) {
    this.#asked = asked
    this.#services = services
  }

  get method(): string {
    return this.#asked.request.method ?? 'GET'
  }

  /** By which name of the service it came. */
  get addresses(): Addresses {
    return addressesFor(this.#asked.request, this.#services.config)
  }

  /** The caller's address under the service's key, hex. */
  get addressHash(): string {
    return this.#services.people.access.addressMark(this.#asked.address)
  }

  /** SHA-256 of method, path and body. */
  get fingerprint(): string {
    const { path, body } = this.#asked
    const hash = createHash('sha256').update(`${this.method} ${path}\n`)
    if (body !== undefined) hash.update(body.bytes)
    return hash.digest('hex')
  }

  get metricsCaller(): MetricsCaller {
    const { headers, httpVersion, socket } = this.#asked.request
    return {
      socketAddress: socket.remoteAddress ?? '',
      host: headers.host,
      // The oldest HTTP is what proxies speak that were told nothing.
      proxied: httpVersion === '1.0' || proxyHeaders.some((name) => headers[name] !== undefined),
      authorization: headers.authorization,
    }
  }

  // Bound, for handlers take them out of their input.

  /** Whether nobody waits for the answer any more. */
  readonly isGone = (): boolean => this.#asked.request.socket.destroyed

  readonly header = (name: string): string | undefined => {
    const value = this.#asked.request.headers[name]
    return typeof value === 'object' ? value[0] : value
  }

  /** Refuses FORBIDDEN where the request was not made by the service's own page. */
  readonly requireOwnOrigin = (): void => {
    const { request } = this.#asked
    requireOwnOrigin(request, ownOrigin(request, this.#services), this.#services.hints)
  }

  readonly cookie = (name: string): string | undefined => cookieOf(this.#asked.request, name)
}
