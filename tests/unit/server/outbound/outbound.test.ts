/**
 * What outgoing requests do (extensions §6): a connection to the address that was judged, no
 * redirect, no proxy, and an end in time whatever the receiver answers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { notPublic, type Outbound } from '../../../../core/outbound/outbound.ts'
import type { LookUp } from '../../../../server/outbound/look-up.ts'
import { open, post } from './outbound-desk.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function served(
  answer: Answer,
  host = '127.0.0.1',
): Promise<{ port: number; close(): void }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port, close }
}

async function servedRaw(
  onSocket: (socket: Socket) => void,
): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const server = createTcp((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port, close }
}

test('a name that changes its answer between look-ups leads nowhere else', async () => {
  let asked = 0
  const rebinding: LookUp = async () => {
    asked += 1
    return asked === 1 ? ['93.184.215.14'] : ['127.0.0.1']
  }
  const server = await served((_request, response) => response.end())
  const using = open({}, rebinding)
  const url = `http://rebind.example:${server.port}/`
  assert.is(await using.problem(url), undefined)
  const sent = await post(url, using)
  assert.is(sent.kind === 'failed' && sent.error, `the address ${notPublic}`)
  assert.is(asked, 2, 'once when it is set, once for the attempt')
  server.close()
})

test('the connection goes to the address that was judged; Host is the name', async () => {
  let host: string | undefined
  let asked = 0
  const server = await served((request, response) => {
    host = request.headers.host
    response.end()
  })
  const once: LookUp = async () => {
    asked += 1
    return ['127.0.0.1']
  }
  const url = `http://pinned.example:${server.port}/`
  const sent = await post(url, open({ allowPrivate: true }, once))
  assert.equal([sent.kind, host, asked], ['answered', `pinned.example:${server.port}`, 1])
  server.close()
})

test('over TLS the server name is the name, not the address', async () => {
  let hello = Buffer.alloc(0)
  const server = await servedRaw((socket) =>
    socket.on('data', (chunk) => {
      hello = Buffer.concat([hello, chunk as Buffer])
      socket.destroy()
    }),
  )
  const url = `https://pinned.example:${server.port}/`
  const sent = await post(
    url,
    open({ allowPrivate: true }, async () => ['127.0.0.1']),
  )
  assert.is(sent.kind, 'failed')
  assert.ok(hello.includes('pinned.example'))
  server.close()
})

test('an address that was allowed when it was set and is private now is refused', async () => {
  const records = { now: ['93.184.215.14'] }
  const using = open({}, async () => records.now)
  assert.is(await using.problem('http://moving.example/'), undefined)
  records.now = ['192.168.1.1']
  const sent = await post('http://moving.example/', using)
  assert.is(sent.kind, 'failed')
})

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect ${status} to a private address is not followed`, async () => {
    let asked = 0
    const server = await served((_request, response) => {
      asked += 1
      response.writeHead(status, { Location: `http://127.0.0.1:${server.port}/inner` }).end()
    })
    const sent = await post(`http://127.0.0.1:${server.port}/`, open({ allowPrivate: true }))
    assert.equal([sent.kind === 'answered' && sent.status, asked], [status, 1])
    server.close()
  })
}

test('no proxy variable is read', async () => {
  const before = { ...process.env }
  let asked = 0
  const proxy = await served((_request, response) => {
    asked += 1
    response.end()
  })
  const server = await served((_request, response) => response.writeHead(204).end())
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'ALL_PROXY']) {
    process.env[name] = `http://127.0.0.1:${proxy.port}`
  }
  process.env['NODE_USE_ENV_PROXY'] = '1'
  const sent = await post(`http://127.0.0.1:${server.port}/`, open({ allowPrivate: true }))
  for (const name of Object.keys(process.env)) {
    if (before[name] === undefined) delete process.env[name]
  }
  assert.equal([sent.kind === 'answered' && sent.status, asked], [204, 0])
  proxy.close()
  server.close()
})

const hostile: readonly (readonly [string, (socket: Socket) => void, RegExp])[] = [
  [
    'headers without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const more = () => !socket.destroyed && socket.write(`X-A: ${'a'.repeat(4_096)}\r\n`, more)
      more()
    },
    /headers of the answer are too large/,
  ],
  ['what is not HTTP', (socket) => void socket.write('SSH-2.0-x\r\n'), /is not HTTP/],
  ['nothing, and hangs up', (socket) => void socket.destroy(), /connection failed/],
  ['one byte and then silence', (socket) => void socket.write('H'), /no answer within/],
  [
    'provisional answers without end',
    (socket) => {
      const more = () => !socket.destroyed && socket.write('HTTP/1.1 103 Early\r\n\r\n', more)
      more()
    },
    /no answer within|connection failed|too large/,
  ],
  [
    'another protocol',
    (socket) =>
      void socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    /tried to switch protocols/,
  ],
]

for (const [what, answer, error] of hostile) {
  test(`a receiver that answers ${what} has failed, in time`, async () => {
    const server = await servedRaw(answer)
    const sent = await open({ allowPrivate: true }).post({
      url: `http://127.0.0.1:${server.port}/`,
      headers: {},
      body: Buffer.from('{}'),
      timeoutMs: 300,
    })
    assert.match(sent.kind === 'failed' ? sent.error : sent.kind, error)
    assert.ok(sent.ms < 5_000)
    server.close()
  })
}

test('an answer whose body never ends, or is compressed, counts by its status', async () => {
  const server = await servedRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100000\r\n\r\nx')
  })
  const sent = await open({ allowPrivate: true }).post({
    url: `http://127.0.0.1:${server.port}/`,
    headers: {},
    body: Buffer.from('{}'),
    timeoutMs: 300,
  })
  assert.is(sent.kind === 'answered' && sent.status, 200)
  server.close()
})

const postFor = (target: string, url: string, using: Outbound) =>
  using.post({ url, target, headers: {}, body: Buffer.from('{}'), timeoutMs: 2_000 })

/** Answers every request, and notes the two ends of each connection that is used. */
async function listening(host = '127.0.0.1') {
  const used: string[] = []
  const server = await served((request, response) => {
    const { remotePort, localAddress } = request.socket
    used.push(`${remotePort} to ${localAddress}`)
    request.resume().on('end', () => response.end())
  }, host)
  return { ...server, used, connections: () => new Set(used).size }
}

test('a connection is used again for the same target, and for no other', async () => {
  const server = await listening()
  const using = open({ allowPrivate: true })
  const url = `http://127.0.0.1:${server.port}/`
  for (let n = 0; n < 3; n++) await postFor('agent-1', url, using)
  assert.is(server.connections(), 1)
  for (let n = 0; n < 3; n++) await postFor('agent-2', url, using)
  assert.is(server.connections(), 2)
  for (let n = 0; n < 3; n++) await post(url, using)
  assert.is(server.connections(), 5, 'without a target each has its own')
  using.abort()
  server.close()
})

test('a connection is not used again where the name leads elsewhere', async () => {
  const addresses = ['127.0.0.1', '127.0.0.1', '127.0.0.2', '10.0.0.5']
  const turning: LookUp = async () => [addresses.shift() ?? '']
  const server = await listening('0.0.0.0')
  const using = open({ allow: ['127.0.0.0/8'] }, turning)
  const url = `http://turning.example:${server.port}/`
  for (let n = 0; n < 3; n++) await postFor('agent-1', url, using)
  const last = await postFor('agent-1', url, using)
  assert.is(last.kind === 'failed' && last.error, `the address ${notPublic}`)
  assert.equal(
    server.used.map((one) => one.split(' to ')[1]),
    ['127.0.0.1', '127.0.0.1', '127.0.0.2'],
  )
  assert.is(server.connections(), 2)
  using.abort()
  server.close()
})

test('a connection that the receiver has closed is no failure: a new one is made', async () => {
  let requests = 0
  const server = await servedRaw((socket) => {
    let isUsed = false
    socket.on('data', () => {
      requests += 1
      if (isUsed) socket.destroy()
      else socket.write('HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n')
      isUsed = true
    })
  })
  const using = open({ allowPrivate: true })
  const url = `http://127.0.0.1:${server.port}/`
  for (let n = 0; n < 2; n++) {
    const sent = await postFor('agent-1', url, using)
    assert.is(sent.kind === 'answered' && sent.status, 204)
  }
  assert.is(requests, 3)
  using.abort()
  server.close()
})

test('many requests at once warn of nothing', async () => {
  const warnings: string[] = []
  const note = ({ message }: Error) => void warnings.push(message)
  process.on('warning', note)
  const server = await listening()
  const using = open({ allowPrivate: true })
  const url = `http://127.0.0.1:${server.port}/`
  await Promise.all(Array.from({ length: 64 }, () => post(url, using)))
  process.off('warning', note)
  assert.equal(warnings, [])
  assert.is(server.used.length, 64)
  using.abort()
  server.close()
})

test('aborting ends what is under way, each time', async () => {
  const using = open({ allowPrivate: true })
  const server = await served(() => using.abort())
  const url = `http://127.0.0.1:${server.port}/`
  assert.is((await post(url, using)).kind, 'aborted')
  assert.is((await post(url, using)).kind, 'aborted')
  server.close()
})

test.run()
