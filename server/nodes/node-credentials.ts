/**
 * Authenticates requests between nodes with a MAC under the service's key. It covers the method and
 * path, the time, the store's epoch, and the caller's address (or the hash of a message's body). A
 * node of another service, or with another epoch, is refused.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SecretKey } from '../../core/records/secrets.ts'
import type { Runtime } from '../../schema/runtime.ts'

export const nodeHeader = 'scriptorium-node'

/** The largest age of a signature, including the difference of two clocks. */
const ageMaxMs = 120_000

/** What the forwarding node knows of the caller. */
export interface Hop {
  /** The address of the caller's connection; for messages between nodes the hash of the body. */
  readonly address: string
}

interface FirstLine {
  readonly method?: string | undefined
  readonly url?: string | undefined
}

export class NodeCredentials {
  readonly #key: Uint8Array
  readonly #runtime: Runtime
  readonly #epoch: () => string

  constructor(secretKey: SecretKey, runtime: Runtime, epoch: () => string) {
    this.#key = createHmac('sha256', secretKey).update('requests between nodes').digest()
    this.#runtime = runtime
    this.#epoch = epoch
  }

  /** The value of the header. */
  sign(request: FirstLine, { address }: Hop): string {
    const payload = [this.#runtime.now(), this.#epoch(), address].join(' ')
    return `${payload} ${this.#mac(request, payload)}`
  }

  /** Undefined: the request is not from a node of this service. */
  verify(request: IncomingMessage): Hop | undefined {
    const header = request.headers[nodeHeader]
    if (typeof header !== 'string') return undefined
    const [at = '', epoch = '', address = '', mac = ''] = header.split(' ')
    const expected = Buffer.from(this.#mac(request, [at, epoch, address].join(' ')))
    const given = Buffer.from(mac)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    if (Math.abs(this.#runtime.now() - Number(at)) > ageMaxMs) return undefined
    return epoch === this.#epoch() ? { address } : undefined
  }

  #mac({ method, url }: FirstLine, payload: string): string {
    const signed = [method, url, payload].join(' ')
    return createHmac('sha256', this.#key).update(signed).digest('base64url')
  }
}
