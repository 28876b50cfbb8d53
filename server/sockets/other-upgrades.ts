/**
 * Requests that offer to change to a protocol this service does not speak (`Upgrade: h2c`). HTTP
 * lets a server take no notice, but Node gives every such connection away for good; here it comes
 * back, with the request as it would have been without the offer.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export const offersWebsocket = ({ headers }: IncomingMessage): boolean =>
  (headers.upgrade ?? '').split(',').some((one) => one.trim().toLowerCase() === 'websocket')

const hopByHop: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])

/** Takes the upgrades of one server that are not for websockets. */
export class OtherUpgrades {
  readonly #server: Server
  /** A connection's newest answer, which may still be under way when the next request comes. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>()

  constructor(server: Server) {
    this.#server = server
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#answers.set(request.socket, response)
    })
  }

  /** `head` is what was read behind the request's headers. */
  serve(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const before = this.#answers.get(socket)
    const giveBack = () => {
      socket.unshift(Buffer.concat([withoutUpgrade(request), head]))
      this.#server.emit('connection', socket)
    }
    if (before === undefined || before.closed) giveBack()
    else before.once('close', giveBack)
  }
}

/** Its first line and headers, as they were but for the offer. */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const kept = name.toLowerCase() === 'connection' ? withoutOffer(value) : value
    if (!hopByHop.has(name.toLowerCase()) && kept !== '') lines.push(`${name}: ${kept}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

const withoutOffer = (connection: string): string =>
  connection
    .split(',')
    .filter((option) => !hopByHop.has(option.trim().toLowerCase()))
    .join(',')
    .trim()
