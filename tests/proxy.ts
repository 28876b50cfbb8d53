/**
 * A reverse proxy as operators put it in front of the service: it may end TLS, strip a path, ask
 * people to sign in, and end connections on which nothing goes for a while. It passes websockets
 * on.
 */
import {
  request as ask,
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { selfSigned } from './certificate.ts'

export interface ProxySettings {
  /** Where the service is; asked for at each request, for it may be restarted. */
  readonly port: () => number
  readonly isSecure?: boolean
  /** Taken off each path; what does not begin with it is 404. */
  readonly prefix?: string
  /** A connection without a byte for so long is ended, as `proxy_read_timeout` of nginx does. */
  readonly idleMs?: number
  /** It says where a request came from, as `X-Forwarded-…`. */
  readonly isForwarding?: boolean
  /** It asks the service by its own name, not by the one that the browser used. */
  readonly losesHost?: boolean
  /** A request without an answer ends with its connection, instead of 502. */
  readonly breaksOff?: boolean
  /** Its port; a free one unless given. */
  readonly at?: number
}

export class ReverseProxy {
  readonly #settings: ProxySettings
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Connections that it ended because nothing went. */
  cut = 0
  /** What it does with websockets: it may refuse them, or never answer. */
  upgrades: 'pass' | 'refuse' | 'hang' = 'pass'
  /** Its own sign-in has ended: whatever is asked for, it answers the page to sign in. */
  isSignedOut = false

  private constructor(settings: ProxySettings) {
    this.#settings = settings
    const handler: RequestListener = (request, response) => {
      const path = this.#pathOf(request)
      if (this.isSignedOut || path === undefined) {
        const type = { 'Content-Type': 'text/html' }
        response.writeHead(this.isSignedOut ? 200 : 404, type)
        response.end('<title>Sign in</title>')
        return
      }
      const { method } = request
      const headers = this.#headersOf(request)
      const onward = ask({ host: '127.0.0.1', port: settings.port(), method, path, headers })
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => {
        if (settings.breaksOff) return void response.destroy()
        if (!response.headersSent) response.writeHead(502)
        response.end()
      })
      onward.setTimeout(settings.idleMs ?? 0, () => onward.destroy())
      request.pipe(onward)
    }
    this.#server = settings.isSecure
      ? createTlsServer(selfSigned(), handler)
      : createServer(handler)
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      socket.on('error', () => socket.destroy())
    })
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    )
  }

  static async open(settings: ProxySettings): Promise<ReverseProxy> {
    const proxy = new ReverseProxy(settings)
    await new Promise<void>((resolve) =>
      proxy.#server.listen(settings.at ?? 0, '127.0.0.1', () => resolve()),
    )
    return proxy
  }

  /** Where browsers find the service. */
  get base(): string {
    const { port } = this.#server.address() as AddressInfo
    const { isSecure, prefix = '' } = this.#settings
    return `${isSecure ? 'https' : 'http'}://localhost:${port}${prefix}`
  }

  /** Ends every connection, as a restart of it does. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.cutAll()
    await closed
  }

  #pathOf({ url = '/' }: IncomingMessage): string | undefined {
    const { prefix = '' } = this.#settings
    if (prefix === '') return url
    if (url === prefix) return '/'
    return url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : undefined
  }

  #headersOf({ headers, socket }: IncomingMessage): NodeJS.Dict<string | string[]> {
    const { isForwarding, isSecure, losesHost, port } = this.#settings
    return {
      ...headers,
      ...(losesHost && { host: `127.0.0.1:${port()}` }),
      ...(isForwarding && {
        'x-forwarded-for': socket.remoteAddress ?? '',
        'x-forwarded-proto': isSecure ? 'https' : 'http',
      }),
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = this.#pathOf(request)
    if (this.isSignedOut || path === undefined) return void socket.destroy()
    if (this.upgrades === 'hang') return
    if (this.upgrades === 'refuse') {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      return
    }
    const onward = connect(this.#settings.port(), '127.0.0.1')
    const lines = Object.entries(this.#headersOf(request)).map(
      ([name, value]) => `${name}: ${value}`,
    )
    onward.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    onward.write(head)
    onward.pipe(socket).pipe(onward)
    const end = () => {
      socket.destroy()
      onward.destroy()
    }
    for (const side of [socket, onward]) side.on('error', end).on('close', end)
    onward.setTimeout(this.#settings.idleMs ?? 0, () => {
      this.cut += 1
      end()
    })
  }
}
