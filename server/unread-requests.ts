/**
 * What no request could be read from: bytes that are no HTTP, headers beyond the bound, a request
 * that does not come whole in time. Node would answer with an empty body; here it is a refusal like
 * every other (extensions §2), and the connection ends, since nobody can tell where the next
 * request begins.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { refuseUpgrade } from '../rest/admission/upgrade.ts'
import { Refusal } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'
import type { Runtime } from '../schema/runtime.ts'

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'has headers that are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'did not come whole in time',
}

/**
 * Answers them on every connection of this server, behind what was asked there before. An `Expect`
 * that nobody knows is no reason to refuse.
 */
export function refuseUnread(server: Server, runtime: Runtime): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answers.set(request.socket, response)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What still comes behind the first error is more of the same.
    if (refused.has(socket)) return
    refused.add(socket)
    const refuse = () => refuseOn(socket, error, runtime)
    const answer = answers.get(socket)
    if (answer === undefined || answer.closed) refuse()
    else if (answer.req.complete) answer.once('close', refuse)
    else if (answer.headersSent) socket.destroy()
    else refuse()
  })
}

function refuseOn(socket: Duplex, { code = '' }: NodeJS.ErrnoException, runtime: Runtime): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const issues = [{ path: '', message: reasons[code] ?? 'is no HTTP request' }]
  refuseUpgrade(socket, new Refusal('INVALID_REQUEST', { issues }), runtime)
  const late = runtime.after(limits.socketCloseTimeoutMs, () => socket.destroy())
  socket.on('close', () => late.cancel())
}
