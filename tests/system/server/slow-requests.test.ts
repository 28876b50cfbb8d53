/** Requests that do not come whole (extensions §2), over real sockets: they end in time. */
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { requestTimes } from '../../../server/http-server.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { within } from '../../unit/server/wire.ts'

const times = { headersMs: 300, wholeMs: 900, checkedEveryMs: 50 }
const service = await startService({
  config: readConfig({ PORT: '0', STORE_URL: 'memory:', DATA_DIR: '/nonexistent' }),
  runtime: systemRuntime,
  logger: pino({ level: 'silent' }),
  requestTimes: times,
})
const sockets = new Set<Socket>()
test.after.each(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})
test.after(() => service.stop())

interface Line {
  readonly socket: Socket
  /** All that came, once the other side has ended. */
  readonly ended: Promise<{ text: string; afterMs: number }>
}

function line(port: number): Line {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false })
  sockets.add(socket)
  const began = performance.now()
  let text = ''
  socket.on('data', (data) => {
    text += String(data)
  })
  socket.on('error', () => {})
  const ended = new Promise<{ text: string; afterMs: number }>((resolve) =>
    socket.on('close', () => resolve({ text, afterMs: performance.now() - began })),
  )
  return { socket, ended }
}

const begun = 'POST /docs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

test('extensions §2: the promised times hold to within two seconds', () => {
  assert.equal(requestTimes, { headersMs: 10_000, wholeMs: 300_000, checkedEveryMs: 1_000 })
})

const slow: readonly (readonly [what: string, sent: string, inMs: number])[] = [
  ['nothing', '', times.headersMs],
  ['half a line', 'GET /heal', times.headersMs],
  ['headers without an end', begun, times.headersMs],
  ['a body without an end', `${begun}Content-Length: 9\r\n\r\n{`, times.wholeMs],
  ['pieces without an end', `${begun}Transfer-Encoding: chunked\r\n\r\n1\r\n{`, times.wholeMs],
  ['a second request’s half', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /h', times.headersMs],
]
for (const [what, sent, inMs] of slow) {
  test(`extensions §2: ${what} ends when it was promised, with INVALID_REQUEST`, async () => {
    const one = line(service.port)
    one.socket.write(sent)
    const { text, afterMs } = await within(one.ended, 'the end')
    assert.match(text, /HTTP\/1\.1 400 .*\r\n[\s\S]*"did not come whole in time"/)
    assert.ok(afterMs >= inMs - 20, `${afterMs} ms`)
    assert.ok(afterMs < inMs + 2_000, `${afterMs} ms`)
  })
}

test('what comes byte by byte ends in the same time', async () => {
  const one = line(service.port)
  one.socket.write(begun)
  const drip = setInterval(() => one.socket.write('x'), 20)
  const { afterMs } = await within(one.ended, 'the end')
  clearInterval(drip)
  assert.ok(afterMs < times.headersMs + 2_000, `${afterMs} ms`)
})

test.run()
