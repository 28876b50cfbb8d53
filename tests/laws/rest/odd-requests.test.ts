/**
 * Paths, headers, queries and cookies of odd length and bytes on every route: none is answered with
 * 500, and none costs the service more than a few milliseconds of its processor. Each value is
 * tried on some of the routes; LONG=1: on many more.
 */
import { request as httpRequest } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../../rest/all-routes.ts'
import { pace } from '../../pace.ts'
import { Tally } from '../../tally.ts'
import { navigating } from '../../unit/rest/browser.ts'
import { startService } from '../../unit/rest/service.ts'

const service = await startService({ config: { trustProxy: 1 } })
test.after(() => service.close())
const made = await service.create('# One\n\ntwo three\n', 'Ada')
const { json: link } = await service.call('POST', `/docs/${made.slug}/share-link`, {
  token: made.token,
})

const long = (unit: string, length = 12_000) => unit.repeat(Math.ceil(length / unit.length))
/** As they stand in an address: encoded or raw, whole or broken off. */
const oddParts: readonly string[] = [
  ...['', '.', '..', '...', '%', '%%', '%2', '%zz', '%00', '%0a', '%0d%0a', '%7f', '%80', '%ff%fe'],
  ...['%e2%80%ae', '%ed%a0%80', '%f4%90%80%80', '%2e%2e', '%2f', '%5c', '%2F..%2F', '\\', '|', '"'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'NaN',
    '-1',
    '1e9',
    '0x10',
    'null',
    '[object%20Object]',
  ],
  ...[
    '*',
    '(',
    '(a+)+$',
    ':slug',
    '{}',
    '[]',
    '[',
    '<script>',
    "'",
    ';',
    ',',
    '~',
    '@',
    '+',
    '=',
    '&',
  ],
  ...[
    long('a', 255),
    long('a', 256),
    long('a', 3_000),
    long('a'),
    long('%61'),
    long('%2f'),
    long('/'),
  ],
  ...[long('.'), long('%'), long('%00'), long('%f0%9f%98%80'), long('-'), long('a-'), long('../')],
  ...[long('1'), `${long('1')}.json`, long('.json'), long('a.js'), long('%e2%80%ae'), long(';a=')],
]

const oddValues: readonly string[] = [
  ...['', ' ', '\t', ',', ';', '=', '==', '"', '""', "'", '\\', '*', '*/*', '-', '0', '-1', 'NaN'],
  ...['\u0080', '\u00ff\u00fe', '\u00e2\u0080\u00ae', 'W/""', 'W/"', '"a', 'a"', 'W/*', '1e999'],
  ...[
    'Bearer',
    'Bearer ',
    'Bearer  x',
    'bearer\tx',
    'Basic eA==',
    'null',
    '__proto__',
    'undefined',
  ],
  ...[
    long('a'),
    long(','),
    long(';'),
    long('='),
    `${long(' ')}x`,
    `${long('\t')}x`,
    long('a,'),
    long('a;'),
  ],
  ...[
    long('"'),
    long('W/"a",'),
    long('a='),
    long('a=b; '),
    long('=;'),
    long('br;q=0,'),
    long('q=0.'),
  ],
  ...[
    long('0'),
    long('q=0.0'),
    long('br;q=0.00'),
    long('Bearer '),
    `Bearer ${long('a')}`,
    long('('),
  ],
  ...[long('1.'), long('::'), long('[::1]'), long('10.0.0.1,'), long('link='), long('session=a;')],
  ...[`Bearer ${long('a')} x`, `Bearer x${long(' ')}x`, long('/'), long('http://'), long('\u00ff')],
]
const headers = [
  ...['authorization', 'cookie', 'origin', 'host', 'accept', 'accept-encoding', 'accept-language'],
  ...['if-none-match', 'if-match', 'idempotency-key', 'user-agent', 'referer', 'x-forwarded-for'],
  ...['content-type', 'content-encoding', 'sec-fetch-dest', 'sec-fetch-mode', 'sec-purpose'],
  ...[
    'upgrade-insecure-requests',
    'x-service-share-ingress',
    'forwarded',
    'via',
    'range',
    'expect',
  ],
]

interface Odd {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The status; 0 when the connection ended without an answer. */
function statusOf({ method, path, headers: given = {}, body }: Odd): Promise<number> {
  const { port } = new URL(service.origin)
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', method, headers: given, path, agent: false }
    // What a client of Node's would not send may come from another one.
    const request = httpRequest({ ...options, insecureHTTPParser: true }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', () => resolve(0))
    request.end(body)
  })
}

const worst = { ms: 0, what: '' }
const tally = new Tally()

async function isAnswered(odd: Odd): Promise<void> {
  const what = `${odd.method} ${odd.path.slice(0, 80)} ${JSON.stringify(odd.headers ?? {}).slice(0, 120)}`
  let took = Number.POSITIVE_INFINITY
  for (let times = 0; times < 3 && took > 8; times++) {
    const before = process.cpuUsage()
    const status = await statusOf(odd)
    const { user, system } = process.cpuUsage(before)
    took = Math.min(took, (user + system) / 1000)
    assert.is.not(status, 500, what)
    tally.add(String(status))
    if (status === 503)
      assert.match(odd.path, /^\/(?:\?|d\/|account|reset|$)/, `${what}: only for want of a page`)
  }
  if (took > worst.ms) Object.assign(worst, { ms: took, what })
}

const declared = routes.map(({ declaration }) => declaration)
/** Each n-th, beginning elsewhere at each `turn`. */
const some = <Item>(items: readonly Item[], n: number, turn: number): readonly Item[] =>
  items.filter((_, at) => at % n === turn % n)
const sparse = process.env['LONG'] === undefined ? 8 : 1

const known: Readonly<Record<string, string>> = {
  slug: made.slug,
  code: String(link['code']),
  bid: 'bid_x',
  file: 'x.js',
  ticket: 'x',
}
const filled = (path: string, odd?: { readonly name: string; readonly value: string }) =>
  path.replace(/:(\w+)/g, (_, name: string) =>
    name === odd?.name ? odd.value : (known[name] ?? 'x'),
  )
const body = '{"slug":"x"}'
const json = { 'content-type': 'application/json' }

test('odd parts of every path', async () => {
  for (const [index, { method, path }] of declared.entries()) {
    for (const [, name = ''] of path.matchAll(/:(\w+)/g)) {
      for (const value of some(oddParts, sparse, index))
        await isAnswered({ method, path: filled(path, { name, value }) })
    }
  }
  for (const value of oddParts) {
    await isAnswered({ method: 'GET', path: `/${value}` })
    await isAnswered({ method: 'GET', path: `//${value}/${value}` })
  }
})

test('odd queries on every route', async () => {
  const names = ['token', 'include', 'focus', 'docs', 'format', 'since_revision', 'x']
  for (const [index, { method, path }] of declared.entries()) {
    for (const value of some(oddParts, 6 * sparse, index)) {
      await isAnswered({ method, path: `${filled(path)}?${value}` })
    }
  }
  for (const [index, name] of names.entries()) {
    for (const at of [`/docs/${made.slug}`, `/d/${made.slug}`, `/s/${link['code']}`]) {
      for (const value of some(oddParts, 3, index)) {
        await isAnswered({ method: 'GET', path: `${at}?${name}=${value}`, headers: navigating })
      }
    }
  }
})

test('odd headers on every route', async () => {
  for (const [index, { method, path }] of declared.entries()) {
    const takesBody = method !== 'GET'
    for (const [which, name] of headers.entries()) {
      for (const value of some(oddValues, 11 * sparse, index + which)) {
        const given = { ...(takesBody && json), [name]: value }
        await isAnswered({ method, path: filled(path), headers: given, ...(takesBody && { body }) })
      }
    }
  }
})

test('odd headers of a caller who may write, and odd cookies', async () => {
  const path = `/docs/${made.slug}?docs`
  const authorization = `Bearer ${made.token}`
  const others = headers.filter((one) => one !== 'authorization')
  for (const [index, value] of oddValues.entries()) {
    for (const name of some(others, 4, index)) {
      await isAnswered({ method: 'GET', path, headers: { authorization, [name]: value } })
    }
    for (const name of ['session', 'link', 'visitor', 'theme']) {
      const headers = { cookie: `${name}=${value.replace(/[\t ]/g, '')}` }
      for (const at of ['/auth/me', path]) await isAnswered({ method: 'GET', path: at, headers })
    }
  }
})

test('none of them took long', () => {
  const least = { 200: 100, 400: 100, 401: 100, 404: 100 }
  tally.tell(`none odd requests, the longest ${worst.ms} ms of ${worst.what}`, least)
  assert.ok(worst.ms < 25 * pace(), `${worst.ms} ms: ${worst.what}`)
})

test.run()
