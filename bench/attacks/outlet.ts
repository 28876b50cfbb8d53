/**
 * All that an attacker sends goes through one outlet: so many bytes a second together, over whatever
 * sockets and requests, from one address. Knows no attack.
 */
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { Wire } from '../wire.ts'

const pieceBytes = 16 * 1024
/** Unsent bytes of one socket from which its sender waits. */
const waitingMaxBytes = 1024 * 1024
const answerTimeoutMs = 280_000

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

export interface OutletParts {
  readonly port: number
  readonly from: string
  readonly bytesPerSecond?: number
}

export interface UpgradeParts {
  readonly slug: string
  /** Empty: without any credential, with an `Origin` of the service's own. */
  readonly token: string
  /** May be called before `connect` resolves. */
  onMessage?(payload: Buffer, wire: Wire): void
  onClose?(why: string): void
}

export interface Post {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly body?: unknown
  readonly idempotencyKey?: string
}

export interface Answered {
  /** 0: no answer. */
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
  readonly ms: number
}

export class Outlet {
  readonly #parts: OutletParts
  readonly #wires = new Set<Wire>()
  readonly #requests = new Set<ClientRequest>()
  #sentBytes = 0
  #readBytes = 0
  /** When the next byte may leave. */
  #free = performance.now()

  constructor(parts: OutletParts) {
    this.#parts = parts
  }

  get port(): number {
    return this.#parts.port
  }

  get from(): string {
    return this.#parts.from
  }

  get sentBytes(): number {
    return this.#sentBytes
  }

  /** What sockets brought back. */
  get readBytes(): number {
    let open = 0
    for (const wire of this.#wires) open += wire.bytesRead
    return this.#readBytes + open
  }

  /** Resolves when so many bytes may be sent; counts them. */
  async take(bytes: number): Promise<void> {
    this.#sentBytes += bytes
    const { bytesPerSecond } = this.#parts
    if (bytesPerSecond === undefined) return
    const now = performance.now()
    const start = Math.max(now, this.#free)
    this.#free = start + (bytes / bytesPerSecond) * 1000
    if (start > now) await pause(start - now)
  }

  /** An open socket; undefined when the service does not let it in. */
  async connect({ slug, token, onMessage, onClose }: UpgradeParts): Promise<Wire | undefined> {
    await this.take(300)
    const { port, from } = this.#parts
    const wire = new Wire({
      port,
      from,
      path: `/docs/${slug}/live`,
      ...(token === ''
        ? { headers: { Origin: `http://localhost:${port}` } }
        : { protocols: ['yjs', `bearer.${token}`] }),
      onMessage: (payload) => onMessage?.(payload, wire),
      onClose: (why) => {
        this.#readBytes += this.#wires.delete(wire) ? wire.bytesRead : 0
        onClose?.(why)
      },
    })
    this.#wires.add(wire)
    const opened = await Promise.race([
      wire.open().then(
        () => true,
        () => false,
      ),
      pause(10_000).then(() => false),
    ])
    if (opened) return wire
    wire.close()
    return undefined
  }

  /** Sends one message once it may, and waits while the other side takes nothing. */
  async send(wire: Wire, payload: Uint8Array): Promise<void> {
    await this.take(payload.length + 8)
    for (let turn = 0; turn < 200 && wire.bytesWaiting > waitingMaxBytes; turn++) await pause(50)
    wire.send(payload)
  }

  async call(post: Post): Promise<Answered> {
    const { method, path, token, body, idempotencyKey } = post
    const payload = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    await this.take(400)
    const started = performance.now()
    return new Promise((resolve) => {
      const sent = request({
        port: this.#parts.port,
        host: '127.0.0.1',
        localAddress: this.#parts.from,
        agent: false,
        method,
        path,
        headers: {
          ...(payload.length > 0 && {
            'content-type': 'application/json',
            'content-length': payload.length,
          }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
      })
      const end = (status: number, bytes = '') => {
        this.#requests.delete(sent)
        resolve({ status, json: jsonOf(bytes), ms: performance.now() - started })
      }
      this.#requests.add(sent)
      sent.setTimeout(answerTimeoutMs, () => sent.destroy())
      sent.on('error', () => end(0))
      sent.on('response', (response) => readAnswer(response).then((text) => end(...text)))
      void this.#body(sent, payload)
    })
  }

  /** Ends whatever is open. */
  close(): void {
    for (const wire of this.#wires) wire.close()
    for (const sent of this.#requests) sent.destroy()
  }

  async #body(sent: ClientRequest, payload: Buffer): Promise<void> {
    for (let at = 0; at < payload.length; at += pieceBytes) {
      const piece = payload.subarray(at, at + pieceBytes)
      await this.take(piece.length)
      if (sent.destroyed) return
      sent.write(piece)
    }
    sent.end()
  }
}

function readAnswer(response: IncomingMessage): Promise<[number, string]> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', () => resolve([0, '']))
    response.on('end', () => {
      resolve([response.statusCode ?? 0, Buffer.concat(chunks).toString()])
    })
  })
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}
