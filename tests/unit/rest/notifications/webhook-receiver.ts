/** An HTTP server that is sent webhooks: it keeps each request and answers as it is told. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { becomes } from '../../../waiting.ts'

export interface Received {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: Data }
  readonly path: string
  readonly at: number
}

export type Data = Record<string, unknown>

export type Answering = (request: Received, response: ServerResponse) => void

export const answers =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (_request, response) =>
    void response.writeHead(status, headers).end()

export const neverAnswers: Answering = () => {}

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** How the next requests are answered. */
  answer: Answering
  /** The most requests that were under way together. */
  readonly most: number
  /** Resolves with all once there are so many. */
  has(count: number): Promise<readonly Received[]>
  types(): string[]
  close(): Promise<void>
}

/** Throws unless the request is signed by this secret. */
export function verified(secret: string, { text, headers }: Received): unknown {
  return new Webhook(secret).verify(text, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  })
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const under = { way: 0, most: 0 }
  const state: { answer: Answering } = { answer: answers(204) }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    under.way += 1
    under.most = Math.max(under.most, under.way)
    response.on('close', () => {
      under.way -= 1
    })
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { headers, url: path = '' } = request
      const id = String(headers['webhook-id'])
      const one = { id, headers, text, body: JSON.parse(text), path, at: Date.now() }
      received.push(one)
      state.answer(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    get answer() {
      return state.answer
    },
    set answer(answer) {
      state.answer = answer
    },
    get most() {
      return under.most
    },
    async has(count) {
      await becomes(async () => received.length >= count)
      return received
    },
    types: () => received.map(({ body }) => body.type),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
