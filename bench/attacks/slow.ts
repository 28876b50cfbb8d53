/** Requests that never become whole: when does the service end each? */
import { connect } from 'node:net'
import type { Attack, Facts } from './order.ts'
import { type Outlet, pause } from './outlet.ts'

const everyMs = 500

interface SlowRequest {
  readonly name: string
  /** Sent at once. */
  readonly head: string
  /** Sent a character at a time, again and again. */
  readonly drip: string
}

const head = 'POST /docs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'

const slowRequests: readonly SlowRequest[] = [
  { name: 'no byte at all', head: '', drip: '' },
  { name: 'headers, a byte at a time', head, drip: 'X-Slow: 1\r\n' },
  { name: 'body, a byte at a time', head: `${head}Content-Length: 100000\r\n\r\n`, drip: ' ' },
  {
    name: 'body in chunks, a byte at a time',
    head: `${head}Transfer-Encoding: chunked\r\n\r\n`,
    drip: '1\r\n \r\n',
  },
]

/** Seconds until each was ended; `attack.seconds` where it was not. */
export async function sendSlowly(outlet: Outlet, attack: Attack): Promise<Facts> {
  const facts: Record<string, number> = {}
  await Promise.all(
    slowRequests.map(async (slow) => {
      const all = Array.from({ length: attack.many }, () => secondsUntilEnded(outlet, slow, attack))
      facts[slow.name] = Math.max(...(await Promise.all(all)))
    }),
  )
  return facts
}

async function secondsUntilEnded(
  outlet: Outlet,
  { head, drip }: SlowRequest,
  { seconds }: Attack,
): Promise<number> {
  const { port, from } = outlet
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1000
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  let ended: number | undefined
  const end = () => {
    ended ??= elapsed()
  }
  for (const event of ['end', 'close', 'error'] as const) socket.on(event, end)
  socket.resume()
  socket.write(head)
  for (let turn = 0; ended === undefined && elapsed() < seconds; turn++) {
    await pause(everyMs)
    const byte = drip[turn % Math.max(1, drip.length)]
    if (byte === undefined || ended !== undefined) continue
    await outlet.take(1)
    socket.write(byte)
  }
  socket.destroy()
  return ended ?? seconds
}
