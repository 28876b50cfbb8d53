/**
 * Outgoing requests go to public addresses only (extensions §6): whatever an address is spelled
 * like, whatever its name resolves to, and whatever the receiver answers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { AddressPolicy, type AddressRules, isRange } from '../../../core/outbound/address-policy.ts'
import { notPublic } from '../../../core/outbound/outbound.ts'
import { hostsIn, type LookUp, systemLookUp } from '../../../server/outbound/look-up.ts'
import { openOutbound } from '../../../server/outbound/outbound.ts'
import { systemRuntime } from '../../../server/runtime.ts'

/** Names as a hostile DNS server answers them. */
const names: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'private.example': ['10.0.0.5'],
  'mixed.example': ['93.184.215.14', '127.0.0.1'],
  'mixed6.example': ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'fd00::1'],
  'mapped.example': ['::ffff:169.254.169.254'],
  'none.example': [],
  'odd.example': ['not an address'],
  'zone.example': ['fe80::1%eth0'],
}

const lookUp: LookUp = async (host) => {
  const name = host.replace(/\.$/, '')
  return names[name] ?? systemLookUp()(host)
}

const open = (rules: AddressRules = {}, by: LookUp = lookUp) =>
  openOutbound({ runtime: systemRuntime, policy: new AddressPolicy(rules), lookUp: by })

const outbound = open()
const post = (url: string, using = outbound) =>
  using.post({ url, headers: {}, body: Buffer.from('{}'), timeoutMs: 2_000 })

const refused: readonly (readonly [what: string, url: string])[] = [
  ['loopback', 'http://127.0.0.1/'],
  ['loopback beyond its first address', 'http://127.255.255.254/'],
  ['IPv4 as one decimal number', 'http://2130706433/'],
  ['IPv4 as one hexadecimal number', 'http://0x7f000001/'],
  ['IPv4 as one octal number', 'http://017700000001/'],
  ['IPv4 in octal parts', 'http://0177.0.0.1/'],
  ['IPv4 in hexadecimal parts', 'http://0x7f.0x0.0x0.0x1/'],
  ['IPv4 in mixed parts', 'http://0x7f.1/'],
  ['IPv4 in two parts', 'http://127.1/'],
  ['IPv4 in three parts', 'http://127.0.1/'],
  ['IPv4 in percent encoding', 'http://%31%32%37.0.0.1/'],
  ['IPv4 in full-width digits', 'http://１２７.０.０.１/'],
  ['IPv4 in enclosed digits', 'http://①②⑦.0.0.1/'],
  ['IPv4 with a trailing dot', 'http://127.0.0.1./'],
  ['IPv4 with a port', 'http://127.0.0.1:6379/'],
  ['this network', 'http://0.0.0.0/'],
  ['this network as a number', 'http://0/'],
  ['within this network', 'http://0.1.2.3/'],
  ['private use 10/8', 'http://10.1.2.3/'],
  ['private use 10/8 as a number', 'http://167837955/'],
  ['private use 172.16/12, first', 'http://172.16.0.1/'],
  ['private use 172.16/12, last', 'http://172.31.255.255/'],
  ['private use 192.168/16', 'http://192.168.0.1/'],
  ['shared address space', 'http://100.64.0.1/'],
  ['link local', 'http://169.254.1.1/'],
  ['the metadata service of clouds', 'http://169.254.169.254/latest/meta-data/'],
  ['the metadata service as a number', 'http://2852039166/'],
  ['the metadata service of ECS tasks', 'http://169.254.170.2/v2/credentials'],
  ['the metadata service of Alibaba', 'http://100.100.100.200/latest/meta-data/'],
  ['the metadata service of Oracle', 'http://192.0.0.192/opc/v2/'],
  ['IETF protocol assignments', 'http://192.0.0.8/'],
  ['documentation 192.0.2/24', 'http://192.0.2.1/'],
  ['documentation 198.51.100/24', 'http://198.51.100.1/'],
  ['documentation 203.0.113/24', 'http://203.0.113.1/'],
  ['6to4 relay anycast', 'http://192.88.99.1/'],
  ['benchmarking', 'http://198.18.0.1/'],
  ['multicast', 'http://224.0.0.1/'],
  ['multicast, last', 'http://239.255.255.250:1900/'],
  ['reserved', 'http://240.0.0.1/'],
  ['limited broadcast', 'http://255.255.255.255/'],
  ['IPv6 loopback', 'http://[::1]/'],
  ['IPv6 loopback written out', 'http://[0:0:0:0:0:0:0:1]/'],
  ['the unspecified address', 'http://[::]/'],
  ['IPv4-mapped loopback', 'http://[::ffff:127.0.0.1]/'],
  ['IPv4-mapped loopback in hexadecimal', 'http://[::ffff:7f00:1]/'],
  ['IPv4-mapped public address', 'http://[::ffff:93.184.215.14]/'],
  ['IPv4-compatible loopback', 'http://[::127.0.0.1]/'],
  ['IPv4-translated', 'http://[::ffff:0:127.0.0.1]/'],
  ['NAT64 of loopback', 'http://[64:ff9b::7f00:1]/'],
  ['NAT64 of the metadata service', 'http://[64:ff9b::a9fe:a9fe]/'],
  ['NAT64 of a local prefix', 'http://[64:ff9b:1::1]/'],
  ['discard only', 'http://[100::1]/'],
  ['6to4 of loopback', 'http://[2002:7f00:1::]/'],
  ['6to4 of a private network', 'http://[2002:a00:1::1]/'],
  ['Teredo', 'http://[2001::1]/'],
  ['Teredo with a server', 'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
  ['ORCHID', 'http://[2001:20::1]/'],
  ['IPv6 benchmarking', 'http://[2001:2::1]/'],
  ['IPv6 documentation', 'http://[2001:db8::1]/'],
  ['IPv6 documentation, newer', 'http://[3fff::1]/'],
  ['SRv6 segment identifiers', 'http://[5f00::1]/'],
  ['unique local', 'http://[fd00::1]/'],
  ['unique local, first half', 'http://[fc00::1]/'],
  ['the metadata service of AWS in IPv6', 'http://[fd00:ec2::254]/'],
  ['IPv6 link local', 'http://[fe80::1]/'],
  ['site local', 'http://[fec0::1]/'],
  ['IPv6 multicast', 'http://[ff02::1]/'],
  ['unassigned IPv6', 'http://[4000::1]/'],
  ['localhost', 'http://localhost/'],
  ['localhost with a trailing dot', 'http://localhost./'],
  ['localhost in capitals', 'http://LOCALHOST/'],
  ['a name below localhost', 'http://app.localhost/'],
  ['a name that leads into a private network', 'http://private.example/'],
  ['a name with a trailing dot', 'http://private.example./'],
  ['a name with several addresses of which one is private', 'http://mixed.example/'],
  ['a name whose IPv6 address is private', 'http://mixed6.example/'],
  ['a name whose address is mapped', 'http://mapped.example/'],
  ['a name whose address has a zone', 'http://zone.example/'],
  ['a name whose address is none', 'http://odd.example/'],
]

test('there are at least 70 named cases', () => {
  assert.ok(refused.length >= 70, String(refused.length))
  assert.is(new Set(refused.map(([what]) => what)).size, refused.length)
})

for (const [what, url] of refused) {
  test(`refused when it is set and when it is sent to: ${what}`, async () => {
    assert.is(await outbound.problem(url), notPublic)
    const sent = await post(url)
    assert.is(sent.kind, 'failed')
    assert.is(sent.kind === 'failed' && sent.error, `the address ${notPublic}`)
  })
}

const notAddresses: readonly (readonly [what: string, url: string])[] = [
  ['a zone id', 'http://[fe80::1%25eth0]/'],
  ['another scheme', 'ftp://public.example/'],
  ['a file', 'file:///etc/passwd'],
  ['gopher', 'gopher://127.0.0.1:6379/_SET'],
  ['data', 'data:text/plain,x'],
  ['a user', 'http://user@public.example/'],
  ['a password', 'http://user:secret@public.example/'],
  ['a user that looks like the host', 'http://public.example@127.0.0.1/'],
  ['no host', 'http:///'],
  ['an IPv4 part that is too large', 'http://256.256.256.256/'],
  ['a path alone', '/hook'],
  ['too many characters', `http://public.example/${'x'.repeat(2_048)}`],
]

for (const [what, url] of notAddresses) {
  test(`not an address to send to: ${what}`, async () => {
    const problem = await outbound.problem(url)
    assert.ok(problem !== undefined && problem !== notPublic, problem)
  })
}

test('public addresses are not refused, nor is a name that does not resolve', async () => {
  const policy = new AddressPolicy()
  for (const address of ['93.184.215.14', '1.1.1.1', '223.255.255.255', '2606:4700::1111']) {
    assert.ok(policy.allows(address), address)
  }
  assert.is(await outbound.problem('http://public.example/hook'), undefined)
  assert.is(await outbound.problem('http://none.example/'), undefined)
  const failing: LookUp = async () => {
    throw Object.assign(new Error(), { code: 'ENOTFOUND' })
  }
  assert.is(await open({}, failing).problem('http://nowhere.example/'), undefined)
  const sent = await post('http://nowhere.example/', open({}, failing))
  assert.is(sent.kind === 'failed' && sent.error, 'the name does not resolve (ENOTFOUND)')
})

test('a name that is not answered in time is accepted when it is set', async () => {
  const silent: LookUp = () => new Promise(() => {})
  const quick = {
    ...systemRuntime,
    after: (_ms: number, then: () => void) => systemRuntime.after(1, then),
  }
  const waiting = openOutbound({ runtime: quick, policy: new AddressPolicy(), lookUp: silent })
  assert.is(await waiting.problem('http://silent.example/'), undefined)
  const sent = await post('http://silent.example/', waiting)
  assert.is(sent.kind === 'failed' && sent.error, 'no answer within 2000 ms')
})

test('OUTBOUND_ALLOW adds ranges, WEBHOOK_ALLOW_PRIVATE every address', () => {
  const some = new AddressPolicy({ allow: ['10.1.0.0/16', 'fd00::/8', '127.0.0.1/32'] })
  for (const address of ['10.1.255.1', 'fd12::1', '127.0.0.1']) assert.ok(some.allows(address))
  for (const address of ['10.2.0.1', 'fc00::1', '127.0.0.2', 'fe80::1']) {
    assert.not(some.allows(address), address)
  }
  const all = new AddressPolicy({ allowPrivate: true })
  for (const address of ['10.2.0.1', '::1', '0.0.0.0']) assert.ok(all.allows(address))
  for (const text of [
    '',
    'x',
    '10.1.0.0',
    '10.1.0.0/33',
    'fd00::/129',
    '10.1.0.0/-1',
    '::1%lo/8',
  ]) {
    assert.not(isRange(text), text)
    assert.throws(() => new AddressPolicy({ allow: [text] }), TypeError)
  }
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function served(answer: Answer): Promise<{ port: number; close(): void }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
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
    /switches protocols/,
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

test('a connection is used once', async () => {
  const ports = new Set<number>()
  const server = await served((request, response) => {
    ports.add(request.socket.remotePort ?? 0)
    response.writeHead(200, { Connection: 'keep-alive' }).end()
  })
  const using = open({ allowPrivate: true })
  for (let n = 0; n < 3; n++) await post(`http://127.0.0.1:${server.port}/`, using)
  assert.is(ports.size, 3)
  server.close()
})

test('closing aborts what is under way, and what comes later', async () => {
  const using = open({ allowPrivate: true })
  const server = await served(() => using.close())
  const url = `http://127.0.0.1:${server.port}/`
  assert.is((await post(url, using)).kind, 'aborted')
  assert.is((await post(url, using)).kind, 'aborted')
  server.close()
})

test('names of the hosts file are answered from it, in any case', () => {
  const hosts = hostsIn(
    '127.0.0.1 localhost # me\n10.0.0.7\tdb DB.internal\n::1 db\n# x\nbad line\n',
  )
  assert.equal(
    [...hosts],
    [
      ['localhost', ['127.0.0.1']],
      ['db', ['10.0.0.7', '::1']],
      ['db.internal', ['10.0.0.7']],
    ],
  )
})

test.run()
