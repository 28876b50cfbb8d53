/**
 * The browser page (extensions §3): its files, its policy, the token in the address, and the cookie
 * that takes the token's place.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isOwnOrigin, originCookie } from '../../../../rest/admission/own-origin.ts'
import { navigating } from '../browser.ts'
import { type Answered, noRates, startService } from '../service.ts'

const directory = mkdtempSync(join(tmpdir(), 'page-'))
const index = '<!doctype html>\n<html lang="en"><head><title>Page</title></head></html>\n'
mkdirSync(join(directory, 'assets', 'folder.js'), { recursive: true })
writeFileSync(join(directory, 'index.html'), index)
writeFileSync(join(directory, 'secret.js'), 'outside')
writeFileSync(join(directory, 'worker.js'), 'worker')
writeFileSync(join(directory, 'assets/main-1a2b.js'), 'plain')
writeFileSync(join(directory, 'assets/main-1a2b.js.gz'), gzipSync('plain'))
writeFileSync(join(directory, 'assets/main-1a2b.js.br'), 'as if brotli')
writeFileSync(join(directory, 'assets/only-gz.css'), 'css')
writeFileSync(join(directory, 'assets/only-gz.css.gz'), gzipSync('css'))
writeFileSync(join(directory, 'assets/font.woff2'), Buffer.from([0, 255]))
writeFileSync(join(directory, 'assets/unknown.kind'), '?')
symlinkSync(directory, join(directory, 'assets/up'))

const service = await startService({ config: { webDirectory: directory } })
test.after(async () => {
  await service.close()
  rmSync(directory, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) =>
  service.call('GET', path, { headers })

const cookies = ({ headers }: Answered): string[] => headers['set-cookie'] ?? []

/** A browser that opened this address: the cookies it has afterwards, for this document. */
async function opened(path: string): Promise<string> {
  const answer = await get(path, navigating)
  return cookies(answer)
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

const markOf = (origin: string) => `mark-of-${origin.length}`

test('GET /worker.js may fetch from its own origin, nothing else', async () => {
  const { status, text, headers } = await get('/worker.js')
  assert.equal([status, text], [200, 'worker'])
  assert.is(headers['content-type'], 'text/javascript; charset=utf-8')
  assert.is(headers['cache-control'], 'no-cache')
  assert.is(
    headers['content-security-policy'],
    "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  )
})

const own = { Origin: 'https://docs.example' }
const patchBody = { edits: [{ old_string: 'one', new_string: 'two' }] }

test('GET / and GET /d/:slug are the built page, not to be used without asking', async () => {
  const { slug } = await service.create('one')
  for (const path of ['/', `/d/${slug}`, `/d/${slug}?focus=x`, '/d/nowhere']) {
    const { status, text, headers } = await get(path)
    assert.is(status, 200)
    assert.is(text, index)
    assert.is(headers['content-type'], 'text/html; charset=utf-8')
    assert.is(headers['cache-control'], 'no-cache')
    assert.is(headers['referrer-policy'], 'no-referrer')
    const again = await get(path, { 'If-None-Match': String(headers.etag) })
    assert.is(again.status, 304)
  }
})

test('the page may run scripts of its own origin alone, and be framed by nobody', async () => {
  const { headers } = await get('/', { Host: 'other.example:81' })
  const policy = String(headers['content-security-policy'])
  const directives = new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ')
      return [name, values.join(' ')]
    }),
  )
  assert.is(directives.get('default-src'), "'none'")
  assert.is(directives.get('script-src'), "'self'")
  assert.is(directives.get('frame-ancestors'), "'none'")
  assert.is(directives.get('base-uri'), "'none'")
  assert.match(String(directives.get('connect-src')), /'self' .*wss:\/\/docs\.example /)
  assert.match(String(directives.get('connect-src')), /ws:\/\/other\.example:81/)
})

test('the host goes into the policy only when it is one', async () => {
  const { headers } = await get('/', { Host: "a;script-src *'" })
  assert.not.match(String(headers['content-security-policy']), /\*/)
})

test('the cookie theme sets data-theme before the first paint, when it is a theme', async () => {
  const dark = await get('/', { Cookie: 'a=b; theme=dark' })
  assert.ok(dark.text.includes('<html data-theme="dark" lang="en">'))
  assert.is.not(dark.headers.etag, (await get('/')).headers.etag)
  assert.is((await get('/', { Cookie: 'theme="><script>' })).text, index)
})

test('without a build, 503 and a sentence that says what to run', async () => {
  const other = await startService()
  const { status, json } = await other.call('GET', '/')
  assert.is(status, 503)
  assert.match(String(json['error']), /npm run build/)
  await other.close()
})

test('/assets/:file are kept for ever and have their types', async () => {
  const types = [
    ['main-1a2b.js', 'text/javascript; charset=utf-8'],
    ['only-gz.css', 'text/css; charset=utf-8'],
    ['font.woff2', 'font/woff2'],
  ] as const
  for (const [name, type] of types) {
    const { status, headers } = await get(`/assets/${name}`)
    assert.is(status, 200)
    assert.is(headers['content-type'], type)
    assert.is(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.is(headers['content-encoding'], undefined)
  }
})

test('/assets/:file come compressed where the build left them so', async () => {
  const cases = [
    ['main-1a2b.js', 'gzip, br', 'br'],
    ['main-1a2b.js', 'gzip', 'gzip'],
    ['main-1a2b.js', 'br;q=0, gzip;q=0.5', 'gzip'],
    ['main-1a2b.js', 'identity', undefined],
    ['only-gz.css', 'br, gzip', 'gzip'],
    ['font.woff2', 'br, gzip', undefined],
  ] as const
  for (const [name, accepted, encoding] of cases) {
    const { headers } = await get(`/assets/${name}`, { 'Accept-Encoding': accepted })
    assert.is(headers['content-encoding'], encoding, `${name} ${accepted}`)
    assert.is(headers['vary'], 'Accept-Encoding')
  }
})

test('a name of any length below /assets is 404', async () => {
  for (const length of [190, 200, 201, 250, 256, 3_000, 15_000]) {
    for (const ending of ['.js', '.css', '']) {
      const name = 'a'.repeat(length) + ending
      assert.is(
        (await get(`/assets/${name}`, { 'Accept-Encoding': 'br' })).status,
        404,
        `${length}`,
      )
    }
  }
})

test('no address leads out of /assets', async () => {
  const paths = [
    '/assets/none.js',
    '/assets/folder.js',
    '/assets/..%2fsecret.js',
    '/assets/%2e%2e%2fsecret.js',
    '/assets/..%5csecret.js',
    '/assets/up%2fsecret.js',
    '/assets/unknown.kind',
    '/assets/main-1a2b.js%00',
    '/assets/.hidden.js',
    '/assets/',
  ]
  for (const path of paths) assert.is((await get(path)).status, 404, path)
})

test('§4.10 a good token goes into a cookie of that document and out of the address', async () => {
  const { slug, shareToken, token } = await service.create('one')
  for (const secret of [shareToken, token]) {
    const answer = await get(`/d/${slug}?token=${secret}&focus=comment-1`, navigating)
    assert.is(answer.status, 302)
    assert.is(answer.headers.location, `/d/${slug}?focus=comment-1`)
    assert.is(answer.headers['referrer-policy'], 'no-referrer')
    assert.is(answer.headers['cache-control'], 'no-store')
    const link = cookies(answer).find((cookie) => cookie.startsWith('link='))
    const attributes = String(link).split('; ').slice(1)
    assert.ok(attributes.includes(`Path=/docs/${slug}`))
    for (const each of ['HttpOnly', 'SameSite=Lax', 'Secure']) assert.ok(attributes.includes(each))
  }
  assert.not.ok(JSON.stringify(service.log).includes(shareToken))
})

test('cookies are Secure exactly when the base address is https', async () => {
  const other = await startService({ config: { baseUrl: 'http://docs.example' } })
  const { slug, shareToken } = await other.create('one')
  const answer = await other.call('GET', `/d/${slug}?token=${shareToken}`)
  assert.ok(cookies(answer).length > 0)
  for (const cookie of cookies(answer)) assert.not.match(cookie, /Secure/)
  await other.close()
})

test('a token that is not good sets nothing and says so in the address', async () => {
  const { slug } = await service.create('one')
  const other = await service.create('two')
  const agent = await service.call('POST', '/agents/register', { body: { name: 'Robo' } })
  const secret = String(agent.json['agent_secret'])
  for (const token of ['x', '', other.shareToken, secret]) {
    const answer = await get(`/d/${slug}?token=${token}&focus=a`, navigating)
    assert.is(answer.status, 302)
    assert.is(answer.headers.location, `/d/${slug}?focus=a&link=invalid`)
    assert.equal(cookies(answer), [])
  }
  const gone = await get(`/d/nowhere?token=${other.shareToken}`, navigating)
  assert.is(gone.headers.location, '/d/nowhere?link=invalid')
})

test('a guessed token counts as at every other door; one that is good is let in all the same', async () => {
  const rates = { ...noRates, guess: 2 }
  const other = await startService({ config: { webDirectory: directory, rates } })
  const { slug, shareToken } = await other.create('one')
  const { slug: apart } = await other.create('another')
  const opens = (token: string, at = slug) =>
    other.call('GET', `/d/${at}?token=${token}`, { headers: navigating })
  for (let tries = 0; tries < 3; tries++) {
    // Of another document, but a secret that there is.
    assert.is((await opens(shareToken, apart)).headers.location, `/d/${apart}?link=invalid`)
  }
  for (let tries = 0; tries < 2; tries++) {
    assert.is((await opens('shr_guessed')).headers.location, `/d/${slug}?link=invalid`)
  }
  const third = await opens('shr_guessed')
  assert.equal([third.status, third.json['code']], [429, 'RATE_LIMITED'])
  assert.is(third.headers['retry-after'], third.headers['ratelimit-reset'])
  assert.equal(cookies(third), [])
  const headers = { ...navigating, Accept: 'text/html,*/*' }
  const person = await other.call('GET', `/d/${slug}?token=shr_guessed`, { headers })
  assert.is(person.status, 429)
  assert.match(person.text, /<html data-link="RATE_LIMITED"/)
  assert.ok(Number(person.headers['retry-after']) > 0)
  const bearer = await other.call('GET', `/docs/${slug}`, { token: 'shr_guessed' })
  assert.is(bearer.json['code'], 'RATE_LIMITED', 'one count for all doors')
  assert.is((await opens(shareToken)).headers.location, `/d/${slug}`)
  await other.close()
})

test('§5 a browser without a session reads by its link, and is nobody', async () => {
  const { slug, shareToken } = await service.create('one')
  const cookie = await opened(`/d/${slug}?token=${shareToken}`)
  const { json } = await get(`/docs/${slug}?docs`, { Cookie: cookie })
  assert.is(json['your_role'], 'editor')
  assert.is(json['your_token'], undefined)
  assert.equal(json['actors'], {})
})

test('§5 a browser without a session cannot write, not even with an inline name', async () => {
  const { slug, shareToken } = await service.create('one')
  const Cookie = await opened(`/d/${slug}?token=${shareToken}`)
  for (const body of [patchBody, { ...patchBody, display_name: 'Ada' }]) {
    const refused = await service.call('PATCH', `/docs/${slug}`, {
      body,
      headers: { Cookie, ...own },
    })
    assert.is(refused.json['code'], 'IDENTIFY_REQUIRED')
  }
})

test('the cookie of one document is none of another’s', async () => {
  const [one, two] = [await service.create('one'), await service.create('two')]
  const Cookie = await opened(`/d/${one.slug}?token=${one.shareToken}`)
  assert.is((await get(`/docs/${two.slug}`, { Cookie })).json['your_role'], 'viewer')
})

test('extensions §3: what a cookie lets do must come from the own Origin', async () => {
  const { slug, shareToken } = await service.create('one')
  const Cookie = await opened(`/d/${slug}?token=${shareToken}`)
  const host = new URL(service.origin).host
  const cases = [
    [undefined, 'FORBIDDEN'],
    ['null', 'FORBIDDEN'],
    ['https://evil.example', 'FORBIDDEN'],
    ['https://docs.example.evil.example', 'FORBIDDEN'],
    ['http://docs.example', 'FORBIDDEN'],
    [`https://${host}`, 'IDENTIFY_REQUIRED'],
    ['https://docs.example', 'IDENTIFY_REQUIRED'],
    [`http://${host}`, 'IDENTIFY_REQUIRED'],
  ] as const
  for (const [Origin, code] of cases) {
    const headers = { Cookie, ...(Origin && { Origin }) }
    const { json } = await service.call('PATCH', `/docs/${slug}`, { body: patchBody, headers })
    assert.is(json['code'], code, Origin)
  }
})

test('extensions §3: the own host under another scheme is another origin', async () => {
  const own = (Origin: string, host: string, base: string) =>
    isOwnOrigin({ headers: { origin: Origin, host } }, { baseUrl: base, markOf })
  const [plain, secure] = ['http://docs.lan:4000', 'https://docs.example']
  assert.ok(own('http://docs.lan:4000', 'docs.lan:4000', plain))
  assert.not.ok(own('https://docs.lan:4000', 'docs.lan:4000', plain))
  assert.not.ok(own('https://other.lan', 'other.lan', plain))
  assert.not.ok(own('https://localhost:4000', 'localhost:4000', plain))
  assert.ok(own('https://other.example', 'other.example', secure))
  assert.not.ok(own('http://other.example', 'other.example', secure))
  assert.not.ok(own('http://docs.example', 'docs.example', secure))
  assert.ok(own('http://localhost:4000', 'localhost:4000', secure), 'a developer at the keyboard')
})

test('§13 under another scheme the browser has to say that the origin is the own', async () => {
  const judge = (headers: Record<string, string>, baseUrl: string) =>
    isOwnOrigin({ headers: { host: 'docs.example', ...headers } }, { baseUrl, markOf })
  const [plain, elsewhere] = ['http://docs.example', 'http://127.0.0.1:4000']
  const secure = { origin: 'https://docs.example' }
  const same = { 'sec-fetch-site': 'same-origin' }
  const marked = (origin: string) => ({ cookie: `${originCookie}=${markOf(origin)}` })
  assert.not.ok(judge(secure, plain))
  assert.ok(judge({ ...secure, ...same }, plain))
  assert.ok(judge({ ...secure, ...same }, elsewhere), 'by the request’s own host')
  assert.ok(judge({ ...secure, ...same, host: '10.0.0.1' }, plain), 'by the base address’s host')
  for (const site of ['same-site', 'cross-site', 'none']) {
    assert.not.ok(judge({ ...secure, 'sec-fetch-site': site, ...marked(secure.origin) }, plain))
  }
  assert.not.ok(judge({ origin: 'https://evil.example', ...same }, plain))
  assert.not.ok(judge({ origin: 'https://docs.example:8443', ...same }, plain))
  assert.ok(judge({ ...secure, ...marked(secure.origin) }, plain), 'a websocket')
  assert.not.ok(judge({ ...secure, ...marked('https://other.example') }, plain))
  assert.not.ok(judge({ ...secure, cookie: `${originCookie}=x` }, plain))
})

test('§13 the refusal names both origins and the setting, and the log once', async () => {
  const { slug, shareToken } = await service.create('one')
  const Cookie = await opened(`/d/${slug}?token=${shareToken}`)
  const Origin = 'https://somewhere.example'
  const send = () =>
    service.call('PATCH', `/docs/${slug}`, { body: patchBody, headers: { Cookie, Origin } })
  const [{ json }] = [await send(), await send()]
  const told = { origin: Origin, expected: 'https://docs.example', setting: 'BASE_URL' }
  assert.is(json['code'], 'FORBIDDEN')
  for (const [name, value] of Object.entries(told)) assert.is(json[name], value)
  for (const word of Object.values(told)) assert.match(String(json['error']), word)
  const lines = service.log.filter(({ fields }) => Reflect.get(fields, 'origin') === Origin)
  assert.equal(
    lines.map(({ fields }) => fields),
    [told],
  )
  const without = await service.call('PATCH', `/docs/${slug}`, {
    body: patchBody,
    headers: { Cookie },
  })
  assert.equal([without.json['origin'], without.json['setting']], [null, 'BASE_URL'])
})

test('§13 a page whose browser says that it is the own gets a cookie for its sockets', async () => {
  const Host = 'docs.lan'
  const ask = (headers: Record<string, string>) =>
    service.call('POST', '/auth/origin', { headers: { Host, ...headers } })
  const Origin = 'https://docs.lan'
  const own = await ask({ Origin, 'Sec-Fetch-Site': 'same-origin' })
  assert.is(own.status, 200)
  const [cookie = ''] = own.headers['set-cookie'] ?? []
  assert.match(cookie, /^__Host-origin=[\w-]{43}; /)
  for (const part of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']) {
    assert.ok(cookie.split('; ').includes(part), part)
  }
  const foreign = await ask({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' })
  assert.equal([foreign.status, foreign.json['setting']], [403, 'BASE_URL'])
  assert.is(foreign.headers['set-cookie'], undefined)
})

test('extensions §3: Bearer wins over cookies, and needs no Origin', async () => {
  const { slug, shareToken, token } = await service.create('one', 'Ada')
  const Cookie = await opened(`/d/${slug}?token=${shareToken}`)
  const headers = { Cookie, Origin: 'https://evil.example' }
  const written = await service.call('PATCH', `/docs/${slug}`, { body: patchBody, headers, token })
  assert.is(written.status, 200)
  const wrong = await service.call('GET', `/docs/${slug}`, { headers, token: 'dtk_x' })
  assert.is(wrong.json['code'], 'AUTH_REQUIRED')
})

test('extensions §3: the visitor cookie authenticates nobody and asks for no Origin', async () => {
  const Cookie = `visitor=${'a'.repeat(43)}; session=x; link=y`
  const { slug } = await service.create('one')
  assert.is((await get(`/docs/${slug}`, { Cookie })).json['your_role'], 'viewer')
  const headers = { Cookie, Origin: 'https://evil.example' }
  const made = await service.call('POST', '/docs', { body: { markdown: 'one' }, headers })
  assert.is(made.status, 201)
})

test.run()
