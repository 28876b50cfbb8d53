/**
 * One HTTP request over a socket of its own that breaks at a chosen place: before all of the
 * request is out, before the answer comes, in the middle of the answer, or behind it. What came
 * of the answer is what a client would have seen.
 */
import { connect } from 'node:net'

export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly key: string
  readonly body: string
}

export type Cut =
  /** After this many bytes of the request, as a part of all of them. */
  | { readonly where: 'request'; readonly part: number }
  /** As soon as the request is out. */
  | { readonly where: 'before answer' }
  /** After at least this many bytes of the answer; it may be whole by then. */
  | { readonly where: 'in answer'; readonly bytes: number }

function bytesOf(host: string, { method, path, token, key, body }: WireRequest): Buffer {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    `Idempotency-Key: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** The part of the answer's body that had arrived when the line broke. */
export function sendAndCut(base: string, request: WireRequest, cut: Cut): Promise<string> {
  const { hostname, port, host } = new URL(base)
  const bytes = bytesOf(host, request)
  return new Promise((resolve) => {
    let heard = Buffer.alloc(0)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const text = heard.toString()
      const head = text.indexOf('\r\n\r\n')
      resolve(head < 0 ? '' : text.slice(head + 4))
    })
    socket.on('data', (data: Buffer) => {
      heard = Buffer.concat([heard, data])
      if (cut.where === 'in answer' && heard.length >= cut.bytes) socket.resetAndDestroy()
    })
    if (cut.where === 'request') {
      socket.write(bytes.subarray(0, Math.floor(bytes.length * cut.part)), () => socket.destroy())
    } else {
      socket.write(bytes, () => {
        if (cut.where === 'before answer') socket.destroy()
      })
    }
  })
}
