/**
 * Answers that nobody reads (extensions §8): their bytes are bounded by
 * address and over all, reserved before they are made, and a connection that takes nothing ends.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { partsOf, textOf } from '../../../../rest/answers/answer.ts'
import { send } from '../../../../rest/answers/sending.ts'
import { createByteShares } from '../../../../rest/quotas/byte-shares.ts'
import { Refusal } from '../../../../schema/errors.ts'
import { limits } from '../../../../schema/limits.ts'
import type { Runtime } from '../../../../schema/runtime.ts'
import { systemRuntime } from '../../../../server/runtime.ts'
import { startService } from '../service.ts'

const sockets = new Set<Socket>()
test.after.each(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})

function asking(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1')
  sockets.add(socket)
  socket.on('error', () => {})
  socket.write(text)
  return socket
}

/** Takes little more than the first line. */
const statusOf = async (socket: Socket): Promise<string> => {
  await once(socket, 'readable')
  return String(socket.read(12)).slice(9, 12)
}

test('extensions §8: unread answers of one address are bounded, others are answered', async () => {
  const service = await startService({ config: { trustProxy: 1 } })
  const line = 'A line of a long text that nobody reads.\n'
  const text = `\`\`\`\n${line.repeat(Math.floor(3_900_000 / line.length))}\`\`\`\n`
  const { slug, token } = await service.create(text, 'Quill')
  const port = Number(new URL(service.origin).port)
  const get = (address: string) =>
    `GET /docs/${slug} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const most = Math.floor(limits.answersMaxBytesPerAddress / 4_000_000)
  const unread = Array.from({ length: most + 10 }, () => asking(port, get('10.0.0.1')))
  const busy = await Promise.race(
    unread.map(async (socket) => {
      const status = await statusOf(socket)
      return status === '429' ? status : new Promise<never>(() => {})
    }),
  )
  assert.is(busy, '429')
  const headers = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
  const refused = await service.call('GET', `/docs/${slug}`, { token, ...headers('10.0.0.1') })
  assert.is(refused.status, 429)
  assert.is(refused.json['code'], 'BUSY')
  assert.ok(refused.headers['retry-after'])
  assert.is(
    (await service.call('GET', `/docs/${slug}`, { token, ...headers('10.0.0.2') })).status,
    200,
  )
  for (const socket of unread) socket.destroy()
  let status = 429
  while (status === 429) {
    ;({ status } = await service.call('GET', `/docs/${slug}`, { token, ...headers('10.0.0.1') }))
  }
  assert.is(status, 200)
  await service.close()
})

/** A server that sends one answer, and a client that has asked. */
async function served(
  answer: (response: ServerResponse) => Promise<void>,
): Promise<{ readonly socket: Socket; readonly sent: Promise<void>; close(): void }> {
  let settle: (sent: Promise<void>) => void = () => {}
  const sent = new Promise<void>((resolve, reject) => {
    settle = (promise) => void promise.then(resolve, reject)
  })
  const server = createServer((_, response) => settle(answer(response)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = asking(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  return { socket, sent, close: () => void server.close() }
}

const large = () => [Buffer.alloc(32 * 1024 * 1024, 'x')]

/** Timers that end when they are told to. */
function timers() {
  const waiting = new Set<() => void>()
  const runtime: Runtime = Object.assign(Object.create(systemRuntime) as Runtime, {
    after(ms: number, run: () => void) {
      assert.is(ms, limits.answerStalledMs)
      waiting.add(run)
      return { cancel: () => void waiting.delete(run) }
    },
  })
  return { runtime, waiting }
}

test('extensions §8: a connection that takes nothing for 30 s ends', async () => {
  const { runtime, waiting } = timers()
  const shares = createByteShares({ allBytes: 1e9, callerBytes: 1e9 })
  const room = shares.open('10.0.0.1')
  const { socket, sent, close } = await served((response) =>
    send(response, partsOf(large(), 'text/plain'), { runtime, status: 200, room }),
  )
  await once(socket, 'readable')
  assert.is(shares.held, large()[0]?.length)
  while (waiting.size === 0) await new Promise((resolve) => setImmediate(resolve))
  for (const run of waiting) run()
  await sent
  assert.is(waiting.size, 0)
  close()
})

test('a reader who takes bytes now and then gets all of them', async () => {
  const { runtime, waiting } = timers()
  const { socket, sent, close } = await served((response) =>
    send(response, partsOf(large(), 'text/plain'), { runtime, status: 200, room: undefined }),
  )
  const watched = new Set<() => void>()
  let bytes = 0
  socket.on('data', (piece) => {
    bytes += piece.length
    for (const run of waiting) watched.add(run)
  })
  await sent
  assert.ok(watched.size > 3, 'the time begins anew with what is taken')
  assert.is(waiting.size, 0)
  while (bytes < 32 * 1024 * 1024) await once(socket, 'data')
  close()
})

test('an answer that waits for its reader gives way to others, its connection ends', async () => {
  const shares = createByteShares({ allBytes: 40 * 1024 * 1024, callerBytes: 35 * 1024 * 1024 })
  const room = shares.open('10.0.0.1')
  const { socket, sent, close } = await served((response) =>
    send(response, partsOf(large(), 'text/plain'), { runtime: systemRuntime, status: 200, room }),
  )
  await once(socket, 'readable')
  const other = shares.open('10.0.0.2')
  other.take(20 * 1024 * 1024)
  await sent
  assert.is(shares.held, 20 * 1024 * 1024)
  close()
})

test('an answer that finds no room is refused before anything of it is sent', async () => {
  const least = limits.answerCountedFromBytes
  const shares = createByteShares({ allBytes: least, callerBytes: least })
  const room = shares.open('10.0.0.1')
  let thrown: unknown
  const { socket, sent, close } = await served(async (response) => {
    const sending = { runtime: systemRuntime, status: 200, room }
    await send(response, textOf('x'.repeat(least + 1), 'text/plain'), sending).catch((error) => {
      thrown = error
    })
    assert.not.ok(response.headersSent)
    await send(response, textOf('x'.repeat(least), 'text/plain'), sending)
  })
  socket.resume()
  await sent
  assert.ok(thrown instanceof Refusal && thrown.code === 'BUSY')
  close()
})

test('a small answer is sent whatever else waits', async () => {
  const shares = createByteShares({ allBytes: 1, callerBytes: 1 })
  const room = shares.open('10.0.0.1')
  const { socket, sent, close } = await served((response) =>
    send(response, textOf('ok', 'text/plain'), { runtime: systemRuntime, status: 200, room }),
  )
  socket.resume()
  await sent
  assert.is(shares.held, 0)
  close()
})

test.run()
