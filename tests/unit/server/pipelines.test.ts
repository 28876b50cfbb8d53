/** Requests in a row on one connection (extensions §8). */
import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../schema/limits.ts'
import { createHttpServer } from '../../../server/http-server.ts'
import { systemRuntime } from '../../../server/runtime.ts'

const { requestsPerConnection: most } = limits
const closers: (() => void)[] = []
test.after.each(() => {
  for (const close of closers.splice(0)) close()
})

async function connectedTo(answer: RequestListener): Promise<Socket> {
  const server = createHttpServer({ runtime: systemRuntime, answer })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  closers.push(() => {
    socket.destroy()
    server.close()
    server.closeAllConnections()
  })
  await once(socket, 'connect')
  return socket
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

async function heard(socket: Socket, until: RegExp): Promise<string> {
  let text = ''
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    text += String(piece)
    if (until.test(text)) break
  }
  return text
}

test('four requests of a connection are under way, the fifth begins when one is answered', async () => {
  const begun: string[] = []
  const responses: ServerResponse[] = []
  let heardOf = () => {}
  const told = () => new Promise<void>((resolve) => (heardOf = resolve))
  const socket = await connectedTo(({ url = '' }, response) => {
    begun.push(url)
    responses.push(response)
    heardOf()
  })
  const paths = Array.from({ length: 20 }, (_, at) => `/${at}`)
  const first = told()
  socket.write(paths.map(get).join(''))
  await first
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(begun, paths.slice(0, most))
  for (let at = 0; at < paths.length; at++) {
    const next = told()
    responses[at]?.end(`answer ${at};`)
    if (at + most < paths.length) await next
  }
  assert.match(await heard(socket, /answer 19;/), /answer 0;[\s\S]*answer 18;/)
  assert.equal(begun, paths)
})

test('a thousand requests in a row are answered in their order', async () => {
  const socket = await connectedTo(({ url }, response) => void response.end(`answer ${url};`))
  const paths = Array.from({ length: 1_000 }, (_, at) => `/${at}`)
  const text = heard(socket, /answer \/999;/)
  for (let at = 0; at < paths.length; at += 100) {
    socket.write(
      paths
        .slice(at, at + 100)
        .map(get)
        .join(''),
    )
  }
  const answers = [...(await text).matchAll(/answer (\/\d+);/g)].map(([, path]) => path)
  assert.equal(answers, paths)
})

test('a body behind waiting requests comes whole', async () => {
  const bodies: string[] = []
  const waiting: ServerResponse[] = []
  const socket = await connectedTo((request, response) => {
    if (request.method === 'GET') {
      waiting.push(response)
      if (waiting.length === most) for (const one of waiting) one.end('got;')
      return
    }
    let body = ''
    request.on('data', (piece) => {
      body += String(piece)
    })
    request.on('end', () => {
      bodies.push(body)
      response.end('put;')
    })
  })
  const body = 'x'.repeat(300_000)
  const text = heard(socket, /put;/)
  socket.write(Array.from({ length: most }, () => get('/')).join(''))
  socket.write(`PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await text
  assert.equal(bodies, [body])
})

test('who sends very many in a row and waits for none loses the connection', async () => {
  const socket = await connectedTo(() => {})
  const closed = once(socket, 'close')
  const request = 'GET / HTTP/1.1\r\nHost:x\r\n\r\n'
  socket.write(request.repeat(limits.heldRequestsPerConnection + 2 * most))
  await closed
})

test.run()
