/**
 * What the bodies of requests may take of the memory at once (extensions §2, §8): bounded over all
 * and for one address, and who is over its share is told so, never somebody else.
 */
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { FairWork } from '../../../../core/documents/live/fair-work.ts'
import { readJsonBody } from '../../../../rest/bodies/json-body.ts'
import { createByteShares } from '../../../../rest/quotas/byte-shares.ts'
import { Refusal } from '../../../../schema/errors.ts'
import { limits } from '../../../../schema/limits.ts'
import { pace, spentOn } from '../../../pace.ts'
import { SimulatedRuntime, settled } from '../../../simulated-runtime.ts'
import { startService } from '../service.ts'

const service = await startService({ config: { trustProxy: 1 } })
const sockets = new Set<Socket>()
test.after.each(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})
test.after(() => service.close())

const bounds = { allBytes: 100, callerBytes: 40 }
const codeOf = (attempt: () => void): string => {
  try {
    attempt()
    return 'taken'
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error)
  }
}

test('extensions §8: an address over its share is BUSY, and nobody else is', () => {
  const shares = createByteShares(bounds)
  const [one, two, other] = [
    shares.open('10.0.0.1'),
    shares.open('10.0.0.1'),
    shares.open('10.0.0.2'),
  ]
  one.take(30)
  assert.is(
    codeOf(() => two.take(11)),
    'BUSY',
  )
  assert.is(
    codeOf(() => two.take(10)),
    'taken',
  )
  assert.is(
    codeOf(() => other.take(40)),
    'taken',
  )
  one.release()
  assert.is(shares.held, 50)
  assert.is(
    codeOf(() => two.take(30)),
    'taken',
  )
  for (const share of [one, two, two, other]) share.release()
  assert.is(shares.held, 0)
})

test('extensions §8: an IPv6 network is one address', () => {
  const shares = createByteShares(bounds)
  shares.open('2001:db8::1').take(40)
  assert.is(
    codeOf(() => shares.open('2001:db8::ffff:2').take(1)),
    'BUSY',
  )
  assert.is(
    codeOf(() => shares.open('2001:db8:0:1::1').take(40)),
    'taken',
  )
})

test('extensions §8: when all is taken, who has much gives way, then who began first', () => {
  const shares = createByteShares(bounds)
  const evicted: string[] = []
  const reading = (name: string, address: string, bytes: number) => {
    const share = shares.open(address)
    share.begin((refusal) => void evicted.push(`${name} ${refusal.code}`))
    share.take(bytes)
    return share
  }
  reading('slow and small', '10.0.0.1', 10)
  reading('greedy', '10.0.0.2', 20)
  reading('greedy too', '10.0.0.2', 20)
  reading('b', '10.0.0.3', 20)
  reading('c', '10.0.0.4', 20)
  assert.equal(evicted, [])
  reading('new', '10.0.0.5', 20)
  assert.equal(evicted, ['greedy BUSY'])
  reading('newer', '10.0.0.6', 20)
  assert.equal(evicted, ['greedy BUSY', 'slow and small BUSY'])
  assert.ok(shares.held <= bounds.allBytes)
})

test('what has come whole is not taken back: then who comes waits', () => {
  const shares = createByteShares(bounds)
  for (let at = 0; at < 5; at++) {
    const share = shares.open(`10.0.0.${at}`)
    share.begin(() => assert.unreachable())
    share.take(20)
    share.whole()
  }
  assert.is(
    codeOf(() => shares.open('10.0.0.9').take(1)),
    'BUSY',
  )
})

interface Sender {
  readonly socket: Socket
  /** All that was answered, once the connection has ended or `until` is in it. */
  answer(until?: RegExp): Promise<string>
}

/** A create whose body comes in whatever way `write` is used. */
function sending(address: string, length: number | 'chunked'): Sender {
  const { port } = new URL(service.origin)
  const socket = connect(Number(port), '127.0.0.1')
  sockets.add(socket)
  let text = ''
  const heard = new Set<() => void>()
  const tell = () => {
    for (const listener of heard) listener()
  }
  socket.on('data', (data) => {
    text += String(data)
    tell()
  })
  let isOver = false
  socket.on('close', () => {
    isOver = true
    tell()
  })
  socket.on('error', () => {})
  const size = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  const headers = `Content-Type: application/json\r\nX-Forwarded-For: ${address}\r\n${size}`
  socket.write(`POST /docs HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`)
  return {
    socket,
    answer: (until) =>
      new Promise((resolve) => {
        const look = () => {
          if (isOver || until?.test(text) === true) resolve(text)
        }
        heard.add(look)
        look()
      }),
  }
}

const written = (socket: Socket, data: string | Uint8Array) =>
  new Promise<void>((resolve) => void socket.write(data, () => resolve()))

test('extensions §8: many slow bodies of one address are bounded, others are heard', async () => {
  const size = limits.bodyMaxBytes.text
  const many = Math.floor((2 * limits.bodiesMaxBytesPerAddress) / size)
  const part = Buffer.alloc(size - 1, 'x')
  const slow = Array.from({ length: many }, () => sending('10.1.0.1', size))
  await Promise.all(slow.map(({ socket }) => written(socket, part)))
  const refused = await Promise.race(slow.map(({ answer }) => answer(/request_id/)))
  assert.match(refused, /^HTTP\/1\.1 429 .*\r\n/)
  assert.match(refused, /^retry-after: 1\r$/im)
  assert.match(refused, /"code":"BUSY"/)
  assert.not.match(refused, /^ratelimit/im)
  const body = { markdown: 'word '.repeat(20_000) }
  const from = (address: string) =>
    service.call('POST', '/docs', { body, headers: { 'X-Forwarded-For': address } })
  assert.is((await from('10.1.0.2')).status, 201)
  for (const { socket } of slow) socket.destroy()
  let status = 0
  while (status !== 201) ({ status } = await from('10.1.0.1'))
})

test('a body in thousands of small pieces is taken, one in more is refused cheaply', async () => {
  const json = JSON.stringify({ markdown: 'x'.repeat(limits.bodyPiecesMax - 100) })
  const pieces = (text: string) => [...text].map((letter) => `1\r\n${letter}\r\n`).join('')
  const taken = sending('10.1.0.3', 'chunked')
  await written(taken.socket, `${pieces(json)}0\r\n\r\n`)
  assert.match(await taken.answer(/"actor_id"/), /^HTTP\/1\.1 201 /)

  const flood = sending('10.1.0.4', 'chunked')
  flood.socket.write(pieces('x'.repeat(4 * limits.bodyPiecesMax)))
  const refused = await flood.answer()
  assert.match(refused, /^HTTP\/1\.1 400 /)
  assert.match(refused, /in more than \d+ pieces/)
})

test('to take a share costs next to nothing, however many hold one', () => {
  const shares = createByteShares({ allBytes: 5_000, callerBytes: 10 })
  for (let at = 0; at < 5_000; at++) shares.open(`10.0.${at >> 8}.${at & 255}`).take(1)
  const took = spentOn(() => {
    for (let at = 0; at < 100; at++) codeOf(() => shares.open(`10.9.0.${at}`).take(1))
  })
  assert.ok(took < 400 * pace(), `${took} ms for a hundred`)
})

test('an answer given before the body was whole is read, and the connection goes on', async () => {
  const { port } = new URL(service.origin)
  const socket = connect(Number(port), '127.0.0.1')
  sockets.add(socket)
  let text = ''
  const both = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      text += String(data)
      if (/200 OK[\s\S]*"ok":true/.test(text)) resolve()
    })
  })
  const size = limits.bodyMaxBytes.text + 1
  socket.write(
    `POST /docs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`,
  )
  socket.write(Buffer.alloc(size, 'x'))
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await both
  assert.match(text, /^HTTP\/1\.1 413 /)
})

test('a body that nobody reads, of a GET too, is heard out only so far', async () => {
  const { port } = new URL(service.origin)
  for (const method of ['GET /healthz', 'POST /nowhere']) {
    const socket = connect(Number(port), '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => {})
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.resume()
    socket.write(`${method} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`)
    socket.write('1\r\nx\r\n'.repeat(3 * limits.bodyPiecesMax))
    await ended
  }
})

/** Each look at the clock takes a millisecond. */
class BusyRuntime extends SimulatedRuntime {
  override elapsed(): number {
    this.work(1)
    return super.elapsed()
  }
}

test('of many bodies that are there at once few are parsed in one turn of the event loop', async () => {
  const fair = new FairWork(new BusyRuntime())
  const share = createByteShares({ allBytes: 1_000, callerBytes: 1_000 }).open('10.0.0.1')
  const inTurn = <T>(parse: () => T) => fair.run({ address: '10.0.0.1' }, parse)
  let done = 0
  const bodies = Array.from({ length: 20 }, async () => {
    const request = Readable.from([Buffer.from('{"a":1}')], { objectMode: false })
    const headers = { 'content-type': 'application/json' }
    const asked = Object.assign(request, { headers }) as unknown as IncomingMessage
    const { value } = await readJsonBody(asked, share, { maxBytes: 100, inTurn })
    assert.equal(value, { a: 1 })
    done++
  })
  let most = 0
  while (done < bodies.length) {
    const before = done
    await settled(1)
    most = Math.max(most, done - before)
  }
  await Promise.all(bodies)
  assert.ok(most <= 5, `${most} in one turn`)
})

test.run()
