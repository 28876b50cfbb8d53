/** Extensions §1 and §2: the public pages, the doors of the operator, and routes that are none. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  asList,
  asText,
  type Fields,
  parsed,
  pick,
  refused,
  Service,
  succeeded,
  within,
} from '../../client.ts'

const service = new Service()
let api: Fields
test.before(async () => {
  await service.start()
  api = succeeded(await service.get('/openapi.json'))
})
test.after(() => service.remove())

const routes: readonly (readonly [string, string])[] = [
  ['/docs', 'post'],
  ['/docs/{slug}', 'get'],
  ['/docs/{slug}', 'patch'],
  ['/docs/{slug}/changes/connect', 'get'],
  ['/docs/{slug}/live', 'get'],
  ['/agents/identify', 'post'],
  ['/agents/register', 'post'],
  ['/openapi.json', 'get'],
  ['/reference', 'get'],
  ['/llms.txt', 'get'],
  ['/healthz', 'get'],
  ['/readyz', 'get'],
  ['/metrics', 'get'],
]

const operations = () =>
  Object.entries(api['paths'] as Record<string, Record<string, Fields>>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => /^(get|put|post|patch|delete|head|options|trace)$/.test(method))
      .map(([method, operation]) => ({ path, method, operation })),
  )

test('extensions §1: openapi.json is 3.1 with info, servers and paths', () => {
  assert.match(asText(api['openapi']), /^3\.1\.\d+$/)
  assert.type(pick(api, 'info', 'title'), 'string')
  assert.type(pick(api, 'info', 'version'), 'string')
  assert.match(asText(pick(api, 'servers', 0, 'url')), /^https?:/)
})

for (const [path, method] of routes) {
  test(`extensions §1: openapi.json lists ${method.toUpperCase()} ${path}`, () => {
    assert.ok(pick(api, 'paths', path, method))
  })
}

test('extensions §1: each operation has a unique id, its path parameters and responses', () => {
  const ids = operations().map(({ operation }) => asText(operation['operationId']))
  assert.is(new Set(ids).size, ids.length)
  for (const { path, method, operation } of operations()) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    const parameters = 'parameters' in operation ? asList(operation['parameters']) : []
    const inPath = parameters.filter((one) => one['in'] === 'path')
    assert.equal(inPath.map((one) => one['name']).sort(), named.sort(), `${method} ${path}`)
    for (const one of inPath) assert.is(one['required'], true)
    for (const one of parameters) {
      assert.match(asText(one['in']), /^(path|query|header|cookie)$/)
      assert.ok('schema' in one || 'content' in one, `${method} ${path} ${one['name']}`)
    }
    const responses = operation['responses'] as Record<string, Fields>
    assert.ok(Object.keys(responses).length > 0, `${method} ${path}`)
    for (const [status, response] of Object.entries(responses)) {
      assert.match(status, /^([1-5]\d\d|default)$/)
      if (!('$ref' in response)) assert.type(response['description'], 'string')
    }
  }
})

test('extensions §1: every $ref and security scheme of openapi.json exists', () => {
  const walk = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return []
    const own = pick(value, '$ref')
    const inner = Object.values(value).flatMap(walk)
    return typeof own === 'string' ? [own, ...inner] : inner
  }
  for (const ref of walk(api)) {
    assert.match(ref, /^#\//)
    const keys = ref.slice(2).split('/')
    assert.ok(pick(api, ...keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))), ref)
  }
  const schemes = Object.keys((pick(api, 'components', 'securitySchemes') ?? {}) as Fields)
  for (const { operation } of operations()) {
    const used = 'security' in operation ? asList(operation['security']) : []
    for (const name of used.flatMap((one) => Object.keys(one))) assert.ok(schemes.includes(name))
  }
})

test('extensions §1: openapi.json declares the refusals of a PATCH', () => {
  const responses = (pick(api, 'paths', '/docs/{slug}', 'patch', 'responses') ?? {}) as Fields
  for (const status of ['200', '400', '401', '403', '404', '409', '412', '413', '422']) {
    assert.ok(status in responses || 'default' in responses, status)
  }
})

test('interface §4.4: openapi.json declares the 304 of conditional reads', () => {
  for (const path of ['/docs/{slug}', '/', '/d/{slug}']) {
    const response = pick(api, 'paths', path, 'get', 'responses', '304') as Fields | undefined
    assert.type(response?.['description'], 'string', path)
    assert.is(response?.['content'], undefined, path)
  }
})

test('extensions §1: openapi.json declares the media types that are answered', () => {
  const types = (path: string) =>
    Object.keys(pick(api, 'paths', path, 'get', 'responses', '200', 'content') as Fields)
  assert.equal(types('/docs/{slug}').sort(), ['application/json', 'text/markdown'])
  // A file of the page may be of any type.
  assert.equal(types('/assets/{file}'), ['*/*'])
})

test('extensions §1: /reference is a page for people that names every route', async () => {
  const answer = await service.get('/reference')
  assert.is(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  for (const [path] of routes) {
    const shown = path.replace(/\{(\w+)\}/g, ':$1')
    assert.ok(answer.text.includes(shown) || answer.text.includes(path), path)
  }
})

test('extensions §1: the reference marks what extends the interface as an extension', async () => {
  assert.match((await service.get('/reference')).text, /extension/i)
})

test('extensions §1: /llms.txt is text that names the routes', async () => {
  const answer = await service.get('/llms.txt')
  assert.is(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/(plain|markdown)/)
  assert.match(answer.text, /^# /)
  assert.match(answer.text, /X-Service-Share-Ingress: 1/)
})

test('extensions §1: /healthz and /readyz answer 200 {ok:true}', async () => {
  assert.equal(succeeded(await service.get('/healthz')), { ok: true })
  assert.equal(succeeded(await service.get('/readyz')), { ok: true })
})

test('extensions §1: /metrics is Prometheus text on loopback', async () => {
  const answer = await service.get('/metrics')
  assert.is(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
  for (const line of answer.text.split('\n')) {
    assert.match(line, /^(#.*|[a-zA-Z_:][\w:]*(\{.*\})? [-+.\dNaInf]+(e[+-]?\d+)?|)$/)
  }
})

test('extensions §1: /metrics through a proxy is not for everybody', async () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    const value = name === 'forwarded' ? 'for=203.0.113.9' : '203.0.113.9'
    const answer = await service.get('/metrics', undefined, { [name]: value })
    assert.ok([401, 403, 404].includes(answer.status), `${name}: ${answer.status}`)
  }
})

test('extensions §2: every answer carries X-Request-Id', async () => {
  for (const path of ['/healthz', '/openapi.json', '/docs/none', '/none', '/metrics']) {
    assert.ok((await service.get(path)).headers.get('x-request-id'), path)
  }
  const [one, two] = [await service.get('/healthz'), await service.get('/healthz')]
  assert.is.not(one.headers.get('x-request-id'), two.headers.get('x-request-id'))
})

test('extensions §2: no such route is 404 NOT_FOUND in JSON, for any method', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    refused(await service.ask(method, '/nowhere'), 404, 'NOT_FOUND')
  }
  refused(await service.get('/docs/a/b/c/d'), 404, 'NOT_FOUND')
})

for (const [method, path, allowed] of [
  ['GET', '/docs', 'POST'],
  ['PUT', '/docs/x', 'PATCH'],
  ['GET', '/agents/identify', 'POST'],
  ['DELETE', '/healthz', 'GET'],
] as const) {
  test(`extensions §2: ${method} ${path} is 405 with Allow`, async () => {
    const answer = await service.ask(method, path, { token: 'dtk_unknown' })
    refused(answer, 405, 'METHOD_NOT_ALLOWED')
    assert.match(answer.headers.get('allow') ?? '', new RegExp(`\\b${allowed}\\b`))
  })
}

test('extensions §2: a slug that does not decode is a 4xx in JSON', async () => {
  for (const path of ['/docs/%', '/docs/%ff%fe', '/docs/%E0%A4%A']) {
    const answer = await service.get(path)
    assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status}`)
    assert.type(answer.body['code'], 'string')
    assert.type(answer.body['request_id'], 'string')
  }
})

/** What the service answers to bytes that no client library would send. */
function rawly(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.base)
  const heard = new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    socket.on('data', (data) => (text += data))
    socket.on('close', () => resolve(text))
    socket.on('error', () => resolve(text))
  })
  return within(8000, heard)
}

test('extensions §2: bytes that are no HTTP get a 400 and no crash', async () => {
  assert.match(await rawly('NONSENSE\r\n\r\n'), /^HTTP\/1\.1 400/)
  succeeded(await service.get('/healthz'))
})

for (const [what, bytes] of Object.entries({
  'bytes that are no HTTP': 'NONSENSE\r\n\r\n',
  'a method that nobody knows': 'BREW /docs HTTP/1.1\r\nHost: x\r\n\r\n',
  'a length that is no number': 'POST /docs HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n',
  'a request without a host': 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
  'headers beyond all measure': `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
})) {
  test(`extensions §2: ${what} get a refusal like every other`, async () => {
    const [head = '', text = ''] = (await rawly(bytes)).split('\r\n\r\n')
    const lines = head.split('\r\n').slice(1)
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon), line.slice(colon + 1).trim()]
      }),
    )
    const answer = { status: Number(head.split(' ')[1]), headers, text, body: parsed(text) }
    refused(answer, 400, 'INVALID_REQUEST')
    assert.is(asList(answer.body['issues']).length, 1)
  })
}

test('extensions §2: what was asked before bytes that are no HTTP is answered first', async () => {
  const text = await rawly('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nNONSENSE\r\n\r\n')
  assert.equal(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400'])
})

test('extensions §2: an expectation that nobody knows is answered as if it were not there', async () => {
  const head = 'GET /docs/none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'
  assert.match(await rawly(`${head}Expect: wonders\r\n\r\n`), /DOC_NOT_FOUND/)
})

test('extensions §2: a body that is broken off by nonsense is refused', async () => {
  const head = 'POST /docs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const text = await rawly(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"mar\r\nnonsense\r\n`)
  assert.equal(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 400'])
  assert.match(text, /INVALID_REQUEST/)
})

test('extensions §2: headers beyond all measure get a 431 or 400', async () => {
  const head = `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`
  assert.match(await rawly(head), /^(HTTP\/1\.1 4(31|00)|$)/)
  succeeded(await service.get('/healthz'))
})

test('interface §4.4: a GET with a body is answered in order', async () => {
  const made = await service.document('a\n')
  const { hostname, port } = new URL(service.base)
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { authorization: `Bearer ${made.token}`, 'content-type': 'application/json' }
    const sent = request({ hostname, port, path: made.path, method: 'GET', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.on('error', reject)
    sent.end('{"x":1}')
  })
  assert.ok(status === 200 || status === 400, String(status))
})

test('interface §9: no answer names a deprecation where nothing is deprecated', async () => {
  const made = await service.document('a\n')
  assert.is((await made.read()).headers.get('deprecation'), null)
  assert.is((await made.swap('a', 'b')).headers.get('deprecation'), null)
})

test.run()
