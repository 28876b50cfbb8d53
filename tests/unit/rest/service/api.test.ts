/** The declaration of the API (schema/wire/api.ts), and requests that are made by it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../../../rest/all-routes.ts'
import { type ApiRoute, api } from '../../../../schema/wire/api.ts'
import { requestOf } from '../../../../schema/wire/request.ts'

test('every route of the declaration is mounted once', () => {
  const mounted = routes.map(({ declaration: { method, path } }) => `${method} ${path}`)
  assert.equal(Object.keys(api).toSorted(), mounted.toSorted())
})

test('a request fills in the path, and leaves out of the query what is not given', () => {
  const asked = { slug: 'a', actor: 'human:b/c', cid: 'd' }
  const route = 'DELETE /docs/:slug/comments/:cid/plusones/:actor'
  assert.equal(requestOf(route, asked), {
    method: 'DELETE',
    path: '/docs/a/comments/d/plusones/human%3Ab%2Fc',
    headers: {},
    body: null,
  })
  const query = { limit: 5, cursor: undefined }
  assert.is(
    requestOf('GET /docs/:slug/history', { slug: 'a', query }).path,
    '/docs/a/history?limit=5',
  )
  const page = requestOf('GET /s/@:handle/:name.json', { handle: 'ada', name: 'plan' })
  assert.is(page.path, '/s/@ada/plan.json')
})

test('a request follows an address that an answer gave', () => {
  const address = '/docs/a/threads?cursor=c&resolved=all'
  assert.is(requestOf('GET /docs/:slug/threads', { address }).path, address)
})

test('a request carries its body as JSON, its key and its tag', () => {
  const body = { markdown: '# Plan' }
  const { headers, ...rest } = requestOf('POST /docs', { body, idempotencyKey: 'k' })
  assert.equal(rest, { method: 'POST', path: '/docs', body: JSON.stringify(body) })
  assert.equal(headers, { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' })
  const read = requestOf('GET /docs/:slug', { slug: 'a', tag: '"t"', isHead: true })
  assert.is(read.method, 'HEAD')
  assert.equal(read.headers, { 'If-None-Match': '"t"' })
})

test('every parameter of a path has a name that nothing else of a request has', () => {
  const taken = ['query', 'body', 'address', 'idempotencyKey', 'tag', 'isHead', 'signal']
  for (const route of Object.keys(api) as ApiRoute[]) {
    const names = [...route.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
    assert.equal(
      names.filter((name) => taken.includes(name)),
      [],
      route,
    )
  }
})

test.run()
