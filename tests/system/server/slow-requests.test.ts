/**
 * Requests that do not come whole (extensions §2, §8), over real sockets: they end in time, and the
 * connections that one address may have at it are bounded, so that nobody is kept out by them.
 */
import { createServer, request as httpRequest, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../schema/limits.ts'
import { startService } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { createHttpServer, requestTimes } from '../../../server/http-server.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { UnfinishedConnections } from '../../../server/unfinished-connections.ts'
import { SimulatedRuntime, settled } from '../../simulated-runtime.ts'
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
  heard(pattern: RegExp): Promise<void>
}

function line(port: number): Line {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false })
  sockets.add(socket)
  const began = performance.now()
  let text = ''
  const waiting: (() => void)[] = []
  socket.on('data', (data) => {
    text += String(data)
    for (const look of waiting) look()
  })
  socket.on('error', () => {})
  const ended = new Promise<{ text: string; afterMs: number }>((resolve) =>
    socket.on('close', () => resolve({ text, afterMs: performance.now() - began })),
  )
  const heard = (pattern: RegExp) =>
    within(
      new Promise<void>((resolve) => {
        const look = () => pattern.test(text) && resolve()
        waiting.push(look)
        look()
      }),
      `an answer like ${pattern}`,
    )
  return { socket, ended, heard }
}

const begun = 'POST /docs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

test('extensions §2: the promised times hold to within two seconds', () => {
  assert.equal(requestTimes, { headersMs: 10_000, wholeMs: 30_000, checkedEveryMs: 1_000 })
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

test('extensions §11: an upload that was let in has five minutes, and no more', async () => {
  const runtime = new SimulatedRuntime()
  const answered: string[] = []
  const http = createHttpServer({
    runtime,
    answer: (request) => {
      answered.push(String(request.url))
      if (request.url === '/upload') http.allowTime(request, limits.uploadTimeoutMs)
    },
    isBehindProxy: false,
  })
  await new Promise<void>((resolve) => http.server.listen(0, '127.0.0.1', resolve))
  const { port } = http.server.address() as AddressInfo
  const ends: string[] = []
  for (const path of ['/upload', '/other']) {
    const one = line(port)
    one.socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{`)
    void one.ended.then(({ text }) => ends.push(`${path} ${text.slice(9, 12)}`))
  }
  await until(() => answered.length === 2, 'two requests')
  await runtime.pass(limits.requestTimeoutMs + 1)
  await until(() => ends.length === 1, 'the end of one')
  await runtime.pass(limits.uploadTimeoutMs - limits.requestTimeoutMs - 1_000)
  assert.equal(ends, ['/other 400'])
  await runtime.pass(1_000)
  await until(() => ends.length === 2, 'the end of both')
  assert.equal(ends, ['/other 400', '/upload 400'])
  http.server.close()
})

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 8_000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`it never came to ${what}`)
    await settled()
  }
}

/** A server of its own, whose requests for /wait are answered when told. */
async function bounded(max: number, maxOfAddress: number) {
  const server: Server = createServer()
  const connections = new UnfinishedConnections({ runtime: systemRuntime, max, maxOfAddress })
  const held: (() => void)[] = []
  connections.watch(server, (request, response) => {
    request.resume()
    if (request.url === '/wait') held.push(() => response.end('done'))
    else request.on('end', () => response.end('ok'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const counted = (count: number) =>
    until(() => connections.count === count, `${count} unfinished connections`)
  return {
    port,
    connections,
    held,
    counted,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await counted(0)
    },
  }
}

const asks = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

test('extensions §8: an address at its bound gets no further connection: 429 BUSY', async () => {
  const server = await bounded(100, 3)
  const [one, ...others] = [line(server.port), line(server.port), line(server.port)]
  await server.counted(3)
  const refused = await within(line(server.port).ended, 'a refusal')
  assert.match(refused.text, /^HTTP\/1\.1 429 /)
  assert.match(refused.text, /^Retry-After: 1\r$/m)
  assert.match(refused.text, /"code":"BUSY"/)
  for (const other of others) other.socket.write('GET /x HTTP/1.1\r\n')
  one?.socket.destroy()
  await server.counted(2)
  const next = line(server.port)
  next.socket.write(asks('/'))
  await next.heard(/200 OK/)
  await server.close()
})

test('a connection whose whole request is being answered does not count', async () => {
  const server = await bounded(100, 2)
  const lines: Line[] = []
  for (let at = 1; at <= 6; at++) {
    const one = line(server.port)
    lines.push(one)
    one.socket.write(asks('/wait'))
    await until(() => server.held.length === at, 'the request')
    await server.counted(0)
  }
  for (const answer of server.held) answer()
  for (const { heard } of lines) await heard(/done/)
  await server.close()
})

test('an address at its bound loses a connection that only waits before it is refused', async () => {
  const server = await bounded(100, 2)
  const rests = line(server.port)
  rests.socket.write(asks('/'))
  await rests.heard(/200 OK/)
  const begins = line(server.port)
  begins.socket.write('GET /')
  await server.counted(2)
  const next = line(server.port)
  next.socket.write(asks('/'))
  await next.heard(/200 OK/)
  assert.is((await within(rests.ended, 'the end of what rests')).text.includes('429'), false)
  begins.socket.write(` HTTP/1.1\r\nHost: x\r\n\r\n`)
  await begins.heard(/200 OK/)
  await server.close()
})

test('a request whose body is under way counts until it is whole', async () => {
  const server = await bounded(100, 2)
  const one = line(server.port)
  one.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na')
  const two = line(server.port)
  two.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na')
  await server.counted(2)
  await settled(20)
  assert.match((await within(line(server.port).ended, 'a refusal')).text, /429/)
  one.socket.write('b')
  await one.heard(/200 OK/)
  await server.close()
})

test('extensions §8: over all, what has lasted longest gives way to who comes', async () => {
  const server = await bounded(3, Number.POSITIVE_INFINITY)
  const lines: Line[] = []
  for (const count of [1, 2, 3]) {
    lines.push(line(server.port))
    await server.counted(count)
  }
  const next = line(server.port)
  next.socket.write(asks('/'))
  await next.heard(/200 OK/)
  await within(lines[0]?.ended ?? Promise.reject(new Error('no line')), 'the end of the oldest')
  lines[2]?.socket.write(asks('/'))
  await lines[2]?.heard(/200 OK/)
  await server.close()
})

test('the service itself has a bound for an address, and answers once there is room', async () => {
  const many = Array.from({ length: limits.unfinishedConnectionsPerAddress + 20 }, () =>
    line(service.port),
  )
  const first = await within(Promise.race(many.map(({ ended }) => ended)), 'a refusal')
  assert.match(first.text, /"code":"BUSY"/)
  for (const { socket } of many) socket.destroy()
  const status = () =>
    new Promise<number>((resolve) => {
      const options = { port: service.port, host: '127.0.0.1', path: '/healthz', agent: false }
      const request = httpRequest(options, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.on('error', () => resolve(0))
      request.end()
    })
  await until(async () => (await status()) === 200, 'an answer')
})

test.run()
