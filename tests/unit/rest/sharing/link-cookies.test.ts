/**
 * Who may change by which link a browser is in a document (extensions §3): a person who goes there,
 * never what a page loads, and never to less than the browser had.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Browser, navigating } from '../browser.ts'
import { startService, type TestService } from '../service.ts'

const directory = mkdtempSync(join(tmpdir(), 'page-'))
writeFileSync(join(directory, 'index.html'), '<!doctype html><html></html>')
const secure = await startService({ config: { webDirectory: directory } })
const plain = await startService({
  config: {
    webDirectory: directory,
    baseUrl: 'http://docs.lan',
    shortLinkBase: 'http://docs.lan/s',
  },
})
test.after(async () => {
  await secure.close()
  await plain.close()
  rmSync(directory, { recursive: true })
})

/** A document that is its owner's, who makes everybody with its short link this. */
async function shared(role: string, service: TestService = secure) {
  const made = await service.create('one', 'Maker')
  const owner = new Browser(service)
  if (service === plain) owner.origin = 'http://docs.lan'
  await owner.open(`/d/${made.slug}?token=${made.shareToken}`)
  await owner.guest('Owner')
  assert.is((await owner.call('POST', `/docs/${made.slug}/claim`)).status, 200)
  const setRole = (body: object) => owner.call('PATCH', `/docs/${made.slug}/link-access`, { body })
  assert.is((await setRole({ role })).status, 200)
  const link = await owner.call('POST', `/docs/${made.slug}/share-link`)
  const headers = { 'Sec-Fetch-Mode': 'navigate' }
  const answer = await service.call('GET', `/s/${link.json['code']}`, { headers })
  const weak = String(answer.headers.location)
  return { ...made, owner, setRole, weak, strong: `/d/${made.slug}?token=${made.shareToken}` }
}

const roleOf = async (browser: Browser, slug: string) =>
  (await browser.read(slug)).json['your_role']

const loads: readonly (readonly [what: string, headers: Record<string, string>])[] = [
  ['an image', { 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Mode': 'no-cors' }],
  ['a frame', { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Mode': 'navigate' }],
  ['an object', { 'Sec-Fetch-Dest': 'object', 'Sec-Fetch-Mode': 'navigate' }],
  ['a script', { 'Sec-Fetch-Dest': 'script', 'Sec-Fetch-Mode': 'no-cors' }],
  ['a style', { 'Sec-Fetch-Dest': 'style', 'Sec-Fetch-Mode': 'no-cors' }],
  ['a fetch', { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'cors' }],
  ['whoever says nothing over https', {}],
  ['whoever only says how, over https', { 'Sec-Fetch-Mode': 'navigate' }],
]

for (const [what, headers] of loads) {
  test(`extensions §3: ${what} exchanges no token for a cookie`, async () => {
    const { slug, weak, strong } = await shared('viewer')
    for (const address of [weak, strong, `/d/${slug}?token=x`]) {
      const answer = await secure.call('GET', `${address}&focus=a`, { headers })
      assert.equal([answer.status, answer.headers.location], [302, `/d/${slug}?focus=a`])
      assert.is(answer.headers['set-cookie'], undefined)
    }
  })
}

test('extensions §3: a HEAD exchanges nothing', async () => {
  const { slug, strong } = await shared('viewer')
  const answer = await secure.call('HEAD', strong, { headers: navigating })
  assert.equal([answer.status, answer.headers.location], [302, `/d/${slug}`])
  assert.is(answer.headers['set-cookie'], undefined)
})

test('what is no navigation does not use a token up: it is not looked at', async () => {
  const { slug, shareToken } = await secure.create('one')
  const read = await secure.call('GET', `/docs/${slug}?docs`, { token: shareToken })
  const address = `/d/${slug}?token=${read.json['your_token']}`
  const before = await stored(secure)
  await secure.call('GET', address, { headers: { 'Sec-Fetch-Dest': 'image' } })
  assert.equal(await stored(secure), before)
  await secure.call('GET', address, { headers: navigating })
  assert.not.equal(await stored(secure), before, 'its first use is noted')
})

async function stored(service: TestService): Promise<string[]> {
  const all: string[] = []
  for await (const { key, value } of service.store.scan({ gte: '' })) all.push(`${key} ${value}`)
  return all
}

test('extensions §3: over plain HTTP, where nobody says it, a navigation still counts', async () => {
  const { strong } = await shared('viewer', plain)
  const image = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0'
  const cases: readonly (readonly [Record<string, string>, boolean])[] = [
    [{}, true],
    [{ 'User-Agent': 'curl/8.5.0', Accept: '*/*' }, true],
    [{ 'User-Agent': image, 'Upgrade-Insecure-Requests': '1' }, true],
    [{ 'User-Agent': image, Accept: 'image/avif,image/*;q=0.8,*/*;q=0.5' }, false],
    [{ 'User-Agent': image, Accept: '*/*' }, false],
    [{ 'Sec-Fetch-Dest': 'image' }, false],
    [{ 'Sec-Fetch-Dest': 'document' }, true],
  ]
  for (const [headers, counts] of cases) {
    const answer = await plain.call('GET', strong, { headers })
    const isSet = answer.headers['set-cookie']?.some((one) => one.startsWith('link=')) === true
    assert.is(isSet, counts, JSON.stringify(headers))
  }
})

for (const purpose of ['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip']) {
  test(`a browser that fetches ahead (${purpose}) is told to come with its person`, async () => {
    const { owner, slug, weak, strong } = await shared('viewer')
    const { json } = await owner.call('POST', `/docs/${slug}/share-link`)
    const headers = { ...navigating, 'Sec-Purpose': purpose }
    for (const address of [weak, strong, `/s/${json['code']}`]) {
      const answer = await secure.call('GET', address, { headers })
      assert.is(answer.json['code'], 'UNAVAILABLE', address)
      assert.is(answer.headers.location, undefined)
      assert.is(answer.headers['set-cookie'], undefined)
    }
    assert.is((await secure.call('GET', `/d/${slug}`, { headers })).status, 200)
  })
}

test('extensions §3: a weaker link takes nothing away, a stronger one counts', async () => {
  const { slug, weak, strong } = await shared('viewer')
  const reader = new Browser(secure)
  await reader.open(weak)
  assert.is(await roleOf(reader, slug), 'viewer')
  await reader.open(strong)
  assert.is(await roleOf(reader, slug), 'editor')
  await reader.open(weak)
  assert.is(await roleOf(reader, slug), 'editor')
})

test('extensions §3: what the two are worth now counts, not what they were', async () => {
  const { slug, weak, setRole, token } = await shared('editor')
  const personal = `/d/${slug}?token=${token}`
  const reader = new Browser(secure)
  await reader.open(weak)
  assert.is(await roleOf(reader, slug), 'editor')
  await setRole({ role: 'viewer' })
  await reader.open(personal)
  assert.is(await roleOf(reader, slug), 'editor')
  await setRole({ mode: 'restricted' })
  const landed = await reader.call('GET', weak, { headers: navigating })
  assert.is(landed.headers.location, `/d/${slug}?link=invalid`)
  assert.is(await roleOf(reader, slug), 'editor')
})

test('extensions §3: at the same role the creator’s own address counts, by which one claims', async () => {
  const made = await secure.create('one', 'Maker')
  const { json } = await secure.call('POST', `/docs/${made.slug}/share-link`, { token: made.token })
  const headers = { 'Sec-Fetch-Mode': 'navigate' }
  const link = await secure.call('GET', `/s/${json['code']}`, { headers })
  const addresses = [String(link.headers.location), `/d/${made.slug}?token=${made.token}`]
  const reader = new Browser(secure)
  for (const address of addresses) await reader.open(address)
  await reader.open(`/d/${made.slug}?token=${made.shareToken}`)
  for (const address of addresses) await reader.open(address)
  await reader.guest('Ada')
  assert.is((await reader.call('POST', `/docs/${made.slug}/claim`)).status, 200)
})

test('a cookie that is no good gives way', async () => {
  const [one, two] = [await shared('viewer'), await shared('viewer')]
  for (const bad of ['x', two.shareToken, `shr_${'a'.repeat(43)}`, '']) {
    const headers = { ...navigating, Cookie: `link=${bad}` }
    const answer = await secure.call('GET', one.weak, { headers })
    const paths = (answer.headers['set-cookie'] ?? [])
      .filter((cookie) => cookie.startsWith('link=shr_'))
      .map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1])
    assert.equal(paths, [`/docs/${one.slug}`, `/d/${one.slug}`])
  }
})

test('a short link in a frame or an image is not followed', async () => {
  const { owner, slug } = await shared('viewer')
  const { json } = await owner.call('POST', `/docs/${slug}/share-link`)
  for (const target of ['iframe', 'image', 'embed', 'empty']) {
    const headers = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': target }
    const answer = await secure.call('GET', `/s/${json['code']}`, { headers })
    assert.is(answer.status, 200, target)
    assert.is(answer.headers.location, undefined)
  }
})

test.run()
