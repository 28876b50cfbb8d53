/** Refusals in general (interface §7): body, headers, order, what a body may be made of. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../../../rest/all-routes.ts'
import { Refusal } from '../../../../schema/errors.ts'
import { limits } from '../../../../schema/limits.ts'
import { bound } from '../bound-documents.ts'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const made = await service.create('one', 'Ada')
const path = `/docs/${made.slug}`
const json = { 'Content-Type': 'application/json' }
const edit = { edits: [{ old_string: 'one', new_string: 'one' }] }

async function codeOf(method: string, where: string, call: object = {}) {
  return (await service.call(method, where, call)).json['code']
}

test('§7 error bodies have error, code and request_id, the id also in X-Request-Id', async () => {
  const { json: body, headers } = await service.call('GET', '/docs/nowhere')
  assert.type(body['error'], 'string')
  assert.is(body['code'], 'DOC_NOT_FOUND')
  assert.is(body['request_id'], headers['x-request-id'])
})

test('no such route is 404 NOT_FOUND', async () => {
  for (const where of ['/nowhere', `${path}/nowhere`, '/agents', '/docs/a/b/c/d', '//docs']) {
    assert.is(await codeOf('GET', where), 'NOT_FOUND', where)
  }
})

test('another method is 405 METHOD_NOT_ALLOWED with Allow', async () => {
  const answer = await service.call('PUT', path)
  assert.is(answer.json['code'], 'METHOD_NOT_ALLOWED')
  assert.is(answer.headers.allow, 'DELETE, GET, HEAD, PATCH')
  assert.is((await service.call('GET', '/docs')).headers.allow, 'POST')
})

test('there is no CORS: OPTIONS is a method like any other', async () => {
  const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PATCH' }
  const answer = await service.call('OPTIONS', path, { headers })
  assert.is(answer.status, 405)
  assert.not.ok(Object.keys(answer.headers).some((name) => name.startsWith('access-control')))
})

test('§5 rule 1: a credential in ?token= is AUTH_HEADER_REQUIRED on every agent route', async () => {
  const query = `?token=${made.token}`
  assert.is(await codeOf('GET', `${path}${query}`), 'AUTH_HEADER_REQUIRED')
  assert.is(await codeOf('PATCH', `${path}${query}`, { body: edit }), 'AUTH_HEADER_REQUIRED')
  assert.is(await codeOf('POST', `/docs${query}`, { body: {} }), 'AUTH_HEADER_REQUIRED')
  const both = { token: made.token }
  assert.is(await codeOf('GET', `${path}${query}`, both), 'AUTH_HEADER_REQUIRED')
  assert.is(await codeOf('GET', `${path}/live${query}`, both), 'AUTH_HEADER_REQUIRED')
})

test('an unknown or malformed credential is AUTH_REQUIRED, also where anyone reads', async () => {
  const unknown = `dtk_${'a'.repeat(43)}`
  for (const header of [`Bearer ${unknown}`, 'Bearer', 'Basic YTpi', 'x', `bearer ${unknown}`]) {
    const answer = await service.call('GET', path, { headers: { Authorization: header } })
    assert.is(answer.json['code'], 'AUTH_REQUIRED', header)
    assert.is(answer.headers['www-authenticate'], 'Bearer')
  }
})

test('the scheme of the header may be written in any case', async () => {
  const headers = { Authorization: `bEaReR ${made.token}` }
  assert.is((await service.call('GET', path, { headers })).status, 200)
})

test('order: 404 route, 404 document, 401, 403, 400, 412, 409', async () => {
  const nameless = await service.create('one')
  const other = await service.create('two', 'Bea')
  const bad = { raw: '{', headers: json }
  const gone = `/docs/${'a'.repeat(20)}`
  assert.is(await codeOf('PATCH', `${gone}/nowhere?token=x`, bad), 'NOT_FOUND')
  assert.is(await codeOf('PATCH', `${gone}?token=x`, bad), 'DOC_NOT_FOUND')
  assert.is(await codeOf('PATCH', gone, { ...bad, token: 'x' }), 'DOC_NOT_FOUND')
  assert.is(await codeOf('PATCH', path, { ...bad, token: 'x' }), 'AUTH_REQUIRED')
  assert.is(await codeOf('PATCH', path, bad), 'AUTH_REQUIRED')
  assert.is(await codeOf('PATCH', path, { ...bad, token: other.token }), 'FORBIDDEN')
  const mine = { token: nameless.token }
  const where = `/docs/${nameless.slug}`
  assert.is(await codeOf('PATCH', where, { ...mine, ...bad }), 'INVALID_JSON')
  assert.is(await codeOf('PATCH', where, { ...mine, body: {} }), 'INVALID_REQUEST')
  const missing = { edits: [{ old_string: 'gone', new_string: '' }] }
  assert.is(await codeOf('PATCH', where, { ...mine, body: missing }), 'IDENTIFY_REQUIRED')
  const named = { ...missing, display_name: 'Ada' }
  assert.is(await codeOf('PATCH', where, { ...mine, body: named }), 'EDIT_NOT_FOUND')
})

test('order: archived 423 comes before the body', async () => {
  const refused = new Refusal('DOC_ARCHIVED')
  const other = await startService({
    wrapDocuments: (documents) => ({ ...bound(documents), facts: () => Promise.reject(refused) }),
  })
  const { slug, token } = await other.create('x')
  const answer = await other.call('PATCH', `/docs/${slug}`, { token, raw: '{', headers: json })
  assert.is(answer.json['code'], 'DOC_ARCHIVED')
  await other.close()
})

test('a registered agent without a grant may not write: FORBIDDEN', async () => {
  const agent = await service.call('POST', '/agents/register', { body: { name: 'Robo' } })
  const token = String(agent.json['agent_secret'])
  const answer = await service.call('PATCH', path, { token, body: edit })
  assert.is(answer.json['code'], 'FORBIDDEN')
  assert.is(answer.json['required_role'], 'editor')
})

test('a body that does not parse is INVALID_JSON', async () => {
  for (const raw of ['', '{', 'null x', "{'a':1}", '{"a":1,}', Buffer.from([0x22, 0xff, 0x22])]) {
    assert.is(await codeOf('POST', '/docs', { raw, headers: json }), 'INVALID_JSON', String(raw))
  }
})

test('another content type is UNSUPPORTED_MEDIA_TYPE', async () => {
  const raw = '{"markdown":"x"}'
  const types = ['text/plain', 'application/jsonx', 'application/json; charset=utf-16', '']
  for (const type of types) {
    const headers = type === '' ? {} : { 'Content-Type': type }
    assert.is(await codeOf('POST', '/docs', { raw, headers }), 'UNSUPPORTED_MEDIA_TYPE', type)
  }
  const gzip = { ...json, 'Content-Encoding': 'gzip' }
  assert.is(await codeOf('POST', '/docs', { raw, headers: gzip }), 'UNSUPPORTED_MEDIA_TYPE')
  const fine = { 'Content-Type': 'Application/JSON; Charset="UTF-8"' }
  assert.is((await service.call('POST', '/docs', { raw, headers: fine })).status, 201)
})

test('§8 a body over 6 MiB is PAYLOAD_TOO_LARGE with limit and size', async () => {
  const size = limits.bodyMaxBytes.text + 1
  const raw = Buffer.alloc(size, 0x20)
  const declared = await service.call('POST', '/docs', { raw, headers: json })
  assert.is(declared.json['code'], 'PAYLOAD_TOO_LARGE')
  assert.is(declared.json['limit'], limits.bodyMaxBytes.text)
  assert.is(declared.json['size'], size)
})

test('§8 markdown over 4 MiB is PAYLOAD_TOO_LARGE with limit and size, in bytes', async () => {
  const markdown = 'é'.repeat(limits.markdownMaxBytes / 2 + 1)
  const { json: body } = await service.call('POST', '/docs', { body: { markdown } })
  assert.is(body['code'], 'PAYLOAD_TOO_LARGE')
  assert.is(body['limit'], limits.markdownMaxBytes)
  assert.is(body['size'], limits.markdownMaxBytes + 2)
  const whole = { replace_document: markdown, base_revision: 1 }
  const call = { token: made.token, body: whole }
  assert.is(await codeOf('PATCH', path, call), 'PAYLOAD_TOO_LARGE')
})

test('a smaller limit can be set', async () => {
  const small = await startService({ config: { maxMarkdownBytes: 10 } })
  const markdown = 'a'.repeat(11)
  const { json: body } = await small.call('POST', '/docs', { body: { markdown } })
  assert.is(body['code'], 'PAYLOAD_TOO_LARGE')
  await small.close()
})

test('extensions §4: markdown is measured as sent and as canonical', async () => {
  const small = await startService({ config: { maxMarkdownBytes: 20 } })
  const create = (markdown: string) => small.call('POST', '/docs', { body: { markdown } })
  const refused = (await create('é<bc><de><fg>x')).json
  assert.is(refused['code'], 'PAYLOAD_TOO_LARGE')
  assert.equal([refused['limit'], refused['size']], [20, 22])
  assert.is((await create('é'.repeat(9))).status, 201)
  await small.close()
})

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

test('extensions §8: a body more than 32 deep is INVALID_JSON', async () => {
  const deep = (depth: number) =>
    `{"markdown":"x","library_target":{"kind":"default","deep":${nested(depth)}}}`
  for (const depth of [31, 1_000_000]) {
    assert.is(await codeOf('POST', '/docs', { raw: deep(depth), headers: json }), 'INVALID_JSON')
  }
  const fine = { raw: deep(30), headers: json }
  assert.is(await codeOf('POST', '/docs', fine), 'UNEXPECTED_FIELD')
})

test('extensions §8: a body of more than 200,000 values is INVALID_JSON', async () => {
  const holding = (empty: string, values: number) =>
    `{"markdown":"x","edits":[${Array.from({ length: values }, () => empty).join()}]}`
  for (const empty of ['[]', '{}', '0', '""']) {
    const many = { raw: holding(empty, limits.jsonMaxValues), headers: json }
    assert.is(await codeOf('POST', '/docs', many), 'INVALID_JSON', empty)
    const fine = { raw: holding(empty, limits.jsonMaxValues - 3), headers: json }
    assert.is(await codeOf('POST', '/docs', fine), 'UNEXPECTED_FIELD', empty)
  }
})

test('an object of more fields than any route knows is INVALID_REQUEST', async () => {
  const fields = Array.from({ length: limits.jsonMaxFields + 1 }, (_, at) => `"k${at}":0`)
  const raw = `{"markdown":"x","library_target":{${fields.join()}}}`
  assert.is(await codeOf('POST', '/docs', { raw, headers: json }), 'INVALID_REQUEST')
})

test('extensions §8: each route takes as large a body as what it carries needs', async () => {
  const of = (bytes: number) => ({
    token: made.token,
    raw: `${' '.repeat(bytes - 2)}{}`,
    headers: json,
  })
  for (const { declaration } of routes) {
    if (declaration.method === 'GET' || declaration.upload !== undefined) continue
    const most = limits.bodyMaxBytes[declaration.bodyLimit]
    const path = declaration.path.replace(':slug', made.slug)
    const { method, ownerKeys } = declaration
    const over = await service.call(method, path, of(most + 1))
    const isBeforeBody = [401, 403, 404].includes(over.status)
    if (!isBeforeBody) assert.is(over.status, 413, `${method} ${path} ${String(ownerKeys)}`)
  }
  const limit = async (method: string, path: string) =>
    (await service.call(method, path, of(7 * 1024 * 1024))).json['limit']
  assert.is(await limit('PATCH', path), 6 * 1024 * 1024)
  assert.is(await limit('POST', `${path}/comments`), 1024 * 1024)
  assert.is(await limit('POST', `${path}/feedback`), 1024 * 1024)
  assert.is(await limit('POST', '/agents/register'), 16 * 1024)
  assert.is(await limit('POST', '/auth/logout'), 1024)
  assert.is(await limit('POST', `${path}/share-link`), 1024)
})

test('names that reach a prototype are refused, on create as unexpected fields', async () => {
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    const raw = `{"markdown":"x","library_target":{"kind":"default","${name}":{"x":1}}}`
    assert.is(await codeOf('POST', '/docs', { raw, headers: json }), 'UNEXPECTED_FIELD', name)
    const named = `{"name":"x","${name}":{"x":1}}`
    const asked = { raw: named, headers: json }
    assert.is(await codeOf('POST', '/agents/register', asked), 'INVALID_REQUEST', name)
  }
})

test('half a surrogate pair is INVALID_REQUEST', async () => {
  for (const text of ['\\ud83d', '\\ude00', 'a\\ud83d\\ud83d']) {
    const raw = `{"markdown":"${text}"}`
    assert.is(await codeOf('POST', '/docs', { raw, headers: json }), 'INVALID_REQUEST', text)
  }
  const pair = '{"markdown":"\\ud83d\\ude00"}'
  assert.is((await service.call('POST', '/docs', { raw: pair, headers: json })).status, 201)
})

test('a bug is INTERNAL: logged with the request id, nothing leaks', async () => {
  const other = await startService({
    wrapDocuments: (documents) => ({
      ...bound(documents),
      read: () => Promise.reject(new TypeError('secret inner state')),
    }),
  })
  const { slug } = await other.create('x')
  const answer = await other.call('GET', `/docs/${slug}`)
  assert.is(answer.json['code'], 'INTERNAL')
  assert.not.ok(answer.text.includes('secret'))
  assert.match(String(answer.json['feedback']), new RegExp(`^/docs/${slug}/feedback\\?ref=req_`))
  const line = other.log.find(({ fields }) => 'err' in fields)
  assert.is(Object(line?.fields)['request_id'], answer.json['request_id'])
  await other.close()
})

test('a store that does not answer is UNAVAILABLE with Retry-After', async () => {
  const other = await startService()
  const { slug } = await other.create('x')
  await other.store.close()
  const answer = await other.call('GET', `/docs/${slug}`)
  assert.is(answer.json['code'], 'UNAVAILABLE')
  assert.ok(Number(answer.headers['retry-after']) > 0)
  await other.close().catch(() => undefined)
})

test('§5 rule 8: no log line holds a secret, an address or a query', async () => {
  await service.call('GET', `${path}?docs`, { token: made.shareToken })
  const logged = JSON.stringify(service.log)
  assert.ok(service.log.length > 20)
  for (const secret of [made.token, made.shareToken, made.slug, 'Bearer', '?docs']) {
    assert.not.ok(logged.includes(secret), secret)
  }
})

test('every response is logged once, with route, status and time', async () => {
  const before = service.log.length
  await service.call('GET', path)
  const [line, ...rest] = service.log.slice(before)
  assert.is(rest.length, 0)
  const { method, route, status, ms } = Object(line?.fields) as Record<string, unknown>
  assert.equal([method, route, status], ['GET', '/docs/:slug', 200])
  assert.type(ms, 'number')
})

test.run()
