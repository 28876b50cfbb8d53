/** The route list, the error catalogue, OpenAPI and the pages made of them say the same. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../../../rest/all-routes.ts'
import { errorsOf } from '../../../../rest/route.ts'
import { openApi } from '../../../../rest/service/openapi.ts'
import { referencePage } from '../../../../rest/service/reference-page.ts'
import { type ErrorCode, errorCatalogue } from '../../../../schema/errors.ts'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const declarations = routes.map(({ declaration }) => declaration)

/** Codes that no route answers with: they belong to addresses that match none. */
const outsideRoutes: readonly ErrorCode[] = ['METHOD_NOT_ALLOWED']

test('every code of the catalogue is declared by a route, and none twice', () => {
  const declared = new Set(declarations.flatMap((declaration) => errorsOf(declaration)))
  const missing = (Object.keys(errorCatalogue) as ErrorCode[]).filter(
    (code) => !declared.has(code) && !outsideRoutes.includes(code),
  )
  assert.equal(missing, [])
  for (const declaration of declarations) {
    const codes = errorsOf(declaration)
    assert.is(new Set(codes).size, codes.length)
    assert.is(new Set(declaration.errors).size, declaration.errors.length, declaration.path)
  }
})

test('a route takes a body of fields or text where it declares one, and no other', () => {
  for (const { method, path, body, bodyLimit } of declarations) {
    assert.is(bodyLimit === 'none', body === undefined, `${method} ${path}`)
  }
})

test('a paged route says where its next page begins', () => {
  const paged = declarations.filter(({ answer }) => answer === 'paged')
  assert.ok(paged.length > 10)
  for (const { method, path, query } of paged) {
    const fields = Object.keys(query['properties'] ?? {})
    assert.ok(
      ['cursor', 'after', 'before'].some((name) => fields.includes(name)),
      `${method} ${path} ${fields}`,
    )
  }
})

test('the page for people shows the fields of objects within', () => {
  const page = referencePage(routes, 'http://localhost:4000')
  const [, making = ''] = page.split('<h2 id="post-docs-slug-comments">')
  const [section = ''] = making.split('<h2 ')
  assert.match(section, '<code>suggestion.new_string</code>')
  assert.match(page, '<code>threads[].comments[].suggestion.old_string</code>')
})

test('every code has an error status and one sentence', () => {
  for (const [code, { status, message }] of Object.entries(errorCatalogue)) {
    assert.ok(status >= 400 && status < 600, code)
    assert.match(message, /^[A-Za-z].*\.$/, code)
  }
})

test('method and path occur once', () => {
  const keys = declarations.map(({ method, path }) => `${method} ${path}`)
  assert.is(new Set(keys).size, keys.length)
})

test('GET /openapi.json is OpenAPI 3.1 with every route, status and error', async () => {
  const { json } = await service.call('GET', '/openapi.json')
  assert.is(json['openapi'], '3.1.0')
  const paths = json['paths'] as Record<string, Record<string, { responses: object }>>
  for (const declaration of declarations) {
    const path = declaration.path.replace(/:(\w+)/g, '{$1}')
    const operation = paths[path]?.[declaration.method.toLowerCase()]
    assert.ok(operation, `${declaration.method} ${path}`)
    const statuses = errorsOf(declaration).map((code) => errorCatalogue[code].status)
    const { status, otherStatuses = [] } = declaration.success
    const expected = new Set([status, ...otherStatuses, ...statuses].map(String))
    assert.equal(new Set(Object.keys(operation?.responses ?? {})), expected, path)
  }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  assert.is(operations.length, declarations.length)
})

test('operation ids are unique names', () => {
  const { paths } = openApi(routes, 'https://docs.example')
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map((operation) => String(operation['operationId'])),
  )
  assert.is(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[a-z][A-Za-z]+$/)
})

test('path parameters are declared', () => {
  const { paths } = openApi(routes, 'https://docs.example')
  for (const [path, operations] of Object.entries(paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    for (const operation of Object.values(operations)) {
      const parameters = operation['parameters'] as { name: string; in: string }[]
      const declared = parameters.filter(({ in: place }) => place === 'path')
      assert.equal(
        declared.map(({ name }) => name),
        names,
      )
    }
  }
})

test('GET /reference is a page with every route and code, without scripts', async () => {
  const { text, headers } = await service.call('GET', '/reference')
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.match(String(headers['content-security-policy']), /default-src 'none'; style-src 'sha256-/)
  assert.not.match(text, /<script|javascript:| on\w+=/i)
  for (const declaration of declarations) {
    assert.ok(text.includes(`${declaration.method} ${declaration.path}`), declaration.path)
    for (const code of errorsOf(declaration)) assert.ok(text.includes(code), code)
  }
})

test('what comes from outside is escaped on the page', () => {
  const page = referencePage(routes, 'https://docs.example/"><script>')
  assert.not.ok(page.includes('"><script>'))
})

test('with a BASE_URL the pages about the routes are kept for an hour', async () => {
  for (const path of ['/llms.txt', '/openapi.json', '/reference']) {
    const { headers } = await service.call('GET', path)
    assert.is(headers['cache-control'], 'public, max-age=3600', path)
    assert.is(headers.vary, undefined, path)
  }
})

test('GET /llms.txt names every route that agents call', async () => {
  const { text, headers } = await service.call('GET', '/llms.txt')
  assert.match(String(headers['content-type']), /^text\/plain/)
  for (const { access, method, path } of declarations) {
    if (access !== 'none') assert.ok(text.includes(`${method} ${path}`), path)
  }
})

test('GET /healthz and /readyz answer {ok: true}', async () => {
  for (const path of ['/healthz', '/readyz']) {
    assert.equal((await service.call('GET', path)).json, { ok: true })
  }
})

test('a service that is not ready says so on /readyz only', async () => {
  const other = await startService({ ready: async () => false })
  const { json, headers } = await other.call('GET', '/readyz')
  assert.is(json['code'], 'UNAVAILABLE')
  assert.ok(headers['retry-after'])
  assert.is((await other.call('GET', '/healthz')).status, 200)
  await other.close()
})

test('GET /metrics is what the process gives, and 404 for whom it gives nothing', async () => {
  const other = await startService({
    metrics: async ({ authorization }) => (authorization === 'Bearer m' ? 'up 1\n' : undefined),
  })
  const { text, headers } = await other.call('GET', '/metrics', { token: 'm' })
  assert.is(text, 'up 1\n')
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
  assert.is((await other.call('GET', '/metrics')).json['code'], 'NOT_FOUND')
  await other.close()
})

test('the reference says which bytes an upload takes', async () => {
  const service = await startService()
  const { json } = await service.call('GET', '/openapi.json')
  const paths = json['paths'] as Record<string, Record<string, Record<string, unknown>>>
  const body = paths['/docs/{slug}/images']?.['post']?.['requestBody']
  const schema = { type: 'string', format: 'binary' }
  const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
  assert.equal(body, {
    required: true,
    description: 'Raw bytes, at most 5000000.',
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  })
  const page = await service.call('GET', '/reference')
  assert.match(page.text, /Body: text\/html, at most 524288 bytes/)
  await service.close()
})

test.run()
