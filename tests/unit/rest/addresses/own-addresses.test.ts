/**
 * Under which name the service tells of itself (extensions §3): by that of the request, unless it
 * was given one.
 */
import type { IncomingMessage } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addressesFor } from '../../../../rest/addresses/own-addresses.ts'
import { startService } from '../service.ts'

const settings = {
  baseUrl: 'http://localhost:4000',
  shortLinkBase: 'http://localhost:4000/s',
  followsHost: true,
  trustProxy: 0,
}
const asked = (headers: Record<string, string>, other: Partial<typeof settings> = {}) =>
  addressesFor({ headers } as unknown as IncomingMessage, { ...settings, ...other })

test('the name by which a request came', () => {
  for (const [host, origin] of [
    ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['Box.lan', 'http://box.lan'],
    ['box.lan:80', 'http://box.lan'],
    ['[::1]:4000', 'http://[::1]:4000'],
    ['my_host:1', 'http://my_host:1'],
  ] as const) {
    assert.equal(asked({ host }), { baseUrl: origin, shortLinkBase: `${origin}/s` })
  }
})

test('what is no name of a host is not repeated', () => {
  for (const host of [
    '',
    'a b',
    'evil/',
    'x@y',
    '"><script>',
    'a'.repeat(300),
    'h:99999',
    '[zz]',
  ]) {
    assert.is(asked({ host }).baseUrl, settings.baseUrl, host)
  }
  assert.is(asked({}).baseUrl, settings.baseUrl)
})

test('what was set stays, each by itself', () => {
  const host = 'box.lan'
  const set = { followsHost: false, baseUrl: 'https://docs.example' }
  assert.is(asked({ host }, set).baseUrl, 'https://docs.example')
  const short = asked({ host }, { shortLinkBase: 'https://s.example' })
  assert.equal(short, { baseUrl: 'http://box.lan', shortLinkBase: 'https://s.example' })
})

test('a proxy that is believed says whether the line to it is secure; nobody else does', () => {
  const headers = { host: 'box.lan', 'x-forwarded-proto': 'http, https' }
  assert.is(asked(headers).baseUrl, 'http://box.lan')
  assert.is(asked(headers, { trustProxy: 1 }).baseUrl, 'https://box.lan')
  assert.is(asked(headers, { trustProxy: 2 }).baseUrl, 'http://box.lan')
  assert.is(asked({ host: 'box.lan' }, { trustProxy: 1 }).baseUrl, 'http://box.lan')
})

const service = await startService({ config: { followsHost: true, trustProxy: 1 } })
test.after(() => service.close())

test('every address of an answer leads back by that name', async () => {
  const { slug, token } = await service.create('words\n', 'Ada')
  const at = (host: string, more: object = {}) => ({ token, headers: { Host: host, ...more } })
  for (const [host, origin] of [
    ['box.lan:4000', 'http://box.lan:4000'],
    ['10.0.0.7', 'http://10.0.0.7'],
  ] as const) {
    const read = await service.call('GET', `/docs/${slug}?docs`, at(host))
    assert.is(read.json['api_reference_url'], `${origin}/reference`)
    assert.match(JSON.stringify(read.json['quickstart']), `${origin}/docs/${slug}`)
    const shared = await service.call('POST', `/docs/${slug}/share-link`, at(host))
    assert.ok(String(shared.json['url']).startsWith(`${origin}/s/`))
    const code = String(shared.json['code'])
    const way = await service.call('GET', `/s/${code}`, { headers: { Host: host } })
    const confirmed = String(way.json['confirmation_url'])
    assert.ok(confirmed.startsWith(`${origin}/s/${code}/`))
    const path = new URL(confirmed).pathname
    const through = await service.call('GET', path, { headers: { Host: host } })
    assert.ok(through.headers.location?.startsWith(`${origin}/d/${slug}?token=`))
    const text = await service.call('GET', '/llms.txt', { headers: { Host: host } })
    assert.match(text.text, `${origin}/reference`)
  }
  for (const path of ['/llms.txt', '/openapi.json', '/reference']) {
    const { headers } = await service.call('GET', path, { headers: { Host: 'box.lan' } })
    assert.is(headers['cache-control'], 'no-cache', path)
    assert.is(headers.vary, 'Host, X-Forwarded-Proto', path)
  }
  const secure = { ...at('box.lan', { 'X-Forwarded-Proto': 'https' }), body: { name: 'Ada' } }
  const { headers } = await service.call('POST', '/auth/guest', { ...secure, token: undefined })
  assert.match(String(headers['set-cookie']), /Secure/)
})

test.run()
