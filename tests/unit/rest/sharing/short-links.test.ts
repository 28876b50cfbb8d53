/** Short links and general access (interface §4.10, extensions §3, §4). */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { confirmationTtlMs } from '../../../../core/links/confirmations.ts'
import { isCrawler } from '../../../../rest/addresses/navigation.ts'
import { Browser, navigating } from '../browser.ts'
import { startService } from '../service.ts'

const directory = mkdtempSync(join(tmpdir(), 'page-'))
writeFileSync(join(directory, 'index.html'), '<!doctype html><html></html>')
const service = await startService({ config: { webDirectory: directory } })
test.after(async () => {
  await service.close()
  rmSync(directory, { recursive: true })
})

type Fields = Record<string, unknown>

/** A document that Ada owns in her browser, and its short link's code. */
async function owned(markdown = '# One\n\ntext\n') {
  const made = await service.create(markdown)
  const ada = new Browser(service)
  await ada.open(`/d/${made.slug}?token=${made.shareToken}`)
  await ada.guest('Ada')
  await ada.call('POST', `/docs/${made.slug}/claim`)
  const link = await ada.call('POST', `/docs/${made.slug}/share-link`)
  return { ...made, ada, code: String(link.json['code']) }
}

const get = (path: string, headers: Record<string, string> = {}) =>
  service.call('GET', path, { headers })

/** Follows the link as a program has to; the token at its end. */
async function tokenOf(code: string): Promise<string> {
  const first = await get(`/s/${code}`)
  const { pathname } = new URL(String(first.json['confirmation_url']))
  const { headers } = await get(pathname)
  return new URL(String(headers.location)).searchParams.get('token') ?? ''
}

const setAccess = (ada: Browser, slug: string, body: Fields) =>
  ada.call('PATCH', `/docs/${slug}/link-access`, { body })

test('POST /docs/:slug/share-link makes one clean link, then answers the same', async () => {
  const { slug, token } = await service.create('one', 'Maker')
  const made = await service.call('POST', `/docs/${slug}/share-link`, { token })
  assert.is(made.status, 201)
  const { url, code, role } = made.json
  assert.match(String(code), /^[0-9a-z]{20}$/)
  assert.equal([url, role], [`https://docs.example/s/${code}`, 'editor'])
  assert.not.match(made.text, /shr_|dtk_/)
  const again = await service.call('POST', `/docs/${slug}/share-link`, { token })
  assert.is(again.status, 200)
  assert.equal(again.json, made.json)
})

test('asked for at once, a document still has one link', async () => {
  const { slug, token } = await service.create('one', 'Maker')
  const ask = () => service.call('POST', `/docs/${slug}/share-link`, { token })
  const answers = await Promise.all(Array.from({ length: 8 }, ask))
  assert.is(new Set(answers.map(({ json }) => json['code'])).size, 1)
  assert.is(answers.filter(({ status }) => status === 201).length, 1)
})

test('only editors get the link; a viewer and a stranger do not', async () => {
  const { ada, slug, code } = await owned()
  await setAccess(ada, slug, { role: 'commenter' })
  const path = `/docs/${slug}/share-link`
  const token = await tokenOf(code)
  assert.is((await service.call('POST', path, { token })).json['code'], 'FORBIDDEN')
  assert.is((await service.call('POST', path)).json['code'], 'AUTH_REQUIRED')
})

test('neither the code nor its token is in the store', async () => {
  const { code } = await owned()
  const token = await tokenOf(code)
  const parts: string[] = []
  for await (const { key, value } of service.store.scan({ gte: '' })) {
    parts.push(key, Buffer.from(value).toString())
  }
  const stored = parts.join('\n')
  assert.not.ok(stored.includes(code))
  assert.not.ok(stored.includes(token))
})

test('a browser’s navigation goes straight to the document', async () => {
  const { code, slug } = await owned()
  const answer = await get(`/s/${code}`, { 'Sec-Fetch-Mode': 'navigate' })
  assert.is(answer.status, 302)
  assert.match(String(answer.headers.location), new RegExp(`^/d/${slug}\\?token=shr_[\\w-]{43}$`))
  assert.is(answer.headers['cache-control'], 'no-store')
  const reader = new Browser(service)
  await reader.open(String(answer.headers.location))
  assert.is((await reader.read(slug)).json['your_role'], 'editor')
})

test('where short links have a host of their own, the browser is sent to the page’s', async () => {
  const other = await startService({ config: { shortLinkBase: 'https://s.example' } })
  const { slug, token } = await other.create('one', 'Maker')
  const { json } = await other.call('POST', `/docs/${slug}/share-link`, { token })
  assert.is(json['url'], `https://s.example/${json['code']}`)
  const headers = { 'Sec-Fetch-Mode': 'navigate' }
  const answer = await other.call('GET', `/s/${json['code']}`, { headers })
  assert.match(String(answer.headers.location), /^https:\/\/docs\.example\/d\//)
  await other.close()
})

test('over plain HTTP, where browsers do not say how they fetch, a navigation is known too', async () => {
  const other = await startService({ config: { shortLinkBase: 'http://docs.lan/s' } })
  const { slug, token } = await other.create('one', 'Maker')
  const { json } = await other.call('POST', `/docs/${slug}/share-link`, { token })
  const status = async (headers: Record<string, string>) =>
    (await other.call('GET', `/s/${json['code']}`, { headers })).status
  const insecure = { 'Upgrade-Insecure-Requests': '1' }
  assert.is(await status(insecure), 302)
  assert.is(await status({ ...insecure, 'Sec-Fetch-Mode': 'cors' }), 200)
  assert.is(await status({}), 200)
  await other.close()
})

test('other clients get a signed address, good for five minutes', async () => {
  const { code, slug } = await owned()
  const { json, text } = await get(`/s/${code}`)
  assert.not.ok(text.includes(slug))
  assert.not.match(text, /shr_/)
  const left = Date.parse(String(json['expires_at'])) - Date.now()
  assert.ok(left > 290_000 && left <= 300_000, `${left}`)
  const answer = await get(new URL(String(json['confirmation_url'])).pathname)
  assert.is(answer.status, 302)
  const location = new URL(String(answer.headers.location))
  const reference = new URL(String(answer.json['api_reference_url']))
  assert.is(location.origin, reference.origin)
  assert.is(location.pathname, `/d/${answer.json['slug']}`)
  const token = location.searchParams.get('token') ?? ''
  const headers = { 'X-Service-Share-Ingress': '1' }
  const read = await service.call('GET', `/docs/${slug}?docs`, { token, headers })
  assert.is(read.json['your_role'], 'editor')
  assert.match(String(read.json['your_token']), /^dtk_/)
})

test('a confirmation works once, of many that follow it together too', async () => {
  const { code } = await owned()
  const { json } = await get(`/s/${code}`)
  const { pathname } = new URL(String(json['confirmation_url']))
  const answers = await Promise.all(Array.from({ length: 6 }, () => get(pathname)))
  assert.equal(answers.map(({ status }) => status).sort(), [302, 410, 410, 410, 410, 410])
  assert.is((await get(pathname)).json['code'], 'CONFIRMATION_SPENT')
})

test('a HEAD spends no confirmation, and learns nothing by it', async () => {
  const { code } = await owned()
  const { json } = await get(`/s/${code}`)
  const { pathname } = new URL(String(json['confirmation_url']))
  const asked = await service.call('HEAD', pathname)
  assert.equal([asked.status, asked.headers.allow], [405, 'GET, POST'])
  assert.is(asked.headers.location, undefined)
  assert.is((await get(pathname)).status, 302)
})

test('a confirmation ends after five minutes, and is of one link alone', async () => {
  const [one, two] = [await owned(), await owned()]
  const ticketFor = async (code: string) => {
    const { json } = await get(`/s/${code}`)
    return new URL(String(json['confirmation_url'])).pathname.split('/').at(-1) ?? ''
  }
  const ticket = await ticketFor(one.code)
  assert.is((await get(`/s/${two.code}/${ticket}`)).json['code'], 'NOT_FOUND')
  const [time = '', ...rest] = ticket.split('.')
  const later = [(Number.parseInt(time, 36) + 1).toString(36), ...rest].join('.')
  for (const forged of [later, `${ticket}x`, 'x', ticket.slice(0, -1)]) {
    assert.is((await get(`/s/${one.code}/${forged}`)).json['code'], 'NOT_FOUND')
  }
  service.ahead += confirmationTtlMs
  assert.is((await get(`/s/${one.code}/${ticket}`)).json['code'], 'CONFIRMATION_SPENT')
  service.ahead = 0
})

test('known crawlers get a page without any address, and spend nothing', async () => {
  const { code, slug } = await owned()
  const { json } = await get(`/s/${code}`)
  const confirmation = new URL(String(json['confirmation_url'])).pathname
  const agent =
    'Mozilla/5.0 (compatible; Slackbot-LinkExpanding 1.0; +https://api.slack.com/robots)'
  const headers = { 'User-Agent': agent, 'Sec-Fetch-Mode': 'navigate' }
  const paths = [`/s/${code}`, `/s/${code}.json`, `/s/${code}.md`, `/s/${code}.okf`, confirmation]
  for (const path of paths) {
    const answer = await get(path, headers)
    assert.is(answer.status, 200, path)
    assert.match(String(answer.headers['content-type']), /^text\/html/)
    assert.is(answer.headers.location, undefined)
    for (const part of [slug, code, 'shr_', 'http', 'One'])
      assert.not.ok(answer.text.includes(part))
  }
  assert.is((await get(confirmation)).status, 302)
})

test('browsers and agents are no crawlers', () => {
  const agents = [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari',
    'curl/8.5.0',
    'node',
    'python-requests/2.32',
    'Claude-User/1.0',
    'ChatGPT-User/1.0',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/131.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
  ]
  for (const agent of [...agents, undefined]) assert.not.ok(isCrawler(agent), agent)
  const crawlers = [
    'WhatsApp/2.23',
    'Discordbot/2.0',
    'facebookexternalhit/1.1',
    'Googlebot',
    'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    'Mozilla/5.0 (compatible; PerplexityBot/1.0)',
    'Synapse (bot; +https://github.com/matrix-org/synapse)',
    'Mozilla/5.0 (compatible; ZulipURLPreview/9.0)',
  ]
  for (const agent of crawlers) {
    assert.ok(isCrawler(agent), agent)
  }
})

test('.json is the document, .md and .okf its OKF; nothing is minted', async () => {
  const { code, slug } = await owned()
  const ingress = { 'X-Service-Share-Ingress': '1' }
  const { json } = await get(`/s/${code}.json`, ingress)
  assert.equal(
    [json['id'], json['markdown'], json['your_role']],
    [slug, '# One\n\ntext\n', 'editor'],
  )
  assert.is(json['your_token'], undefined)
  for (const suffix of ['md', 'okf']) {
    const { text, headers } = await get(`/s/${code}.${suffix}`)
    assert.match(String(headers['content-type']), /^text\/markdown/)
    assert.ok(text.startsWith('---\n') && text.includes('# One'))
    const etag = { 'If-None-Match': String(headers.etag) }
    assert.is((await get(`/s/${code}.${suffix}`, etag)).status, 304)
  }
})

test('a code that leads nowhere is 404', async () => {
  const cases = ['a'.repeat(20), 'x', `${'a'.repeat(20)}.json`, `${'a'.repeat(20)}.md`, 'A%2Fb']
  for (const code of cases) assert.is((await get(`/s/${code}`)).json['code'], 'NOT_FOUND', code)
  const { code } = await owned()
  assert.is((await get(`/s/${code}.exe`)).json['code'], 'NOT_FOUND')
})

test('§6.4 shortlink.resolved is logged with the link’s id, no code, no token', async () => {
  const { code, slug } = await owned()
  const before = service.log.length
  const { json } = await service.call('GET', `/s/${code}`)
  await get(`/s/${code}`, { 'Sec-Fetch-Mode': 'navigate' })
  await get(`/s/${code}.json`)
  await get(`/s/${code}`, { 'User-Agent': 'Twitterbot/1.0' })
  await get(new URL(String(json['confirmation_url'])).pathname)
  const lines = service.log.slice(before)
  const resolved = lines.filter(({ message }) => message === 'shortlink.resolved')
  const vias = resolved.map(({ fields }) => (fields as Fields)['via'])
  assert.equal(vias, ['program', 'browser', 'json', 'crawler'])
  assert.match(String((resolved[0]?.fields as Fields)['link_id']), /^lnk_/)
  const written = JSON.stringify(lines)
  for (const secret of [code, slug, 'shr_']) assert.not.ok(written.includes(secret))
})

test('extensions §3: the link’s token follows general access as it is now', async () => {
  const { ada, slug, code } = await owned()
  const token = await tokenOf(code)
  const minted = await service.call('GET', `/docs/${slug}?docs`, { token })
  const yours = String(minted.json['your_token'])
  const roles = async () => {
    const answers = [token, yours].map((one) =>
      service.call('GET', `/docs/${slug}`, { token: one }),
    )
    return (await Promise.all(answers)).map(({ json }) => json['your_role'] ?? json['code'])
  }
  assert.equal(await roles(), ['editor', 'editor'])
  for (const role of ['viewer', 'commenter', 'editor']) {
    assert.equal((await setAccess(ada, slug, { role })).json, { mode: 'anyone', role })
    assert.equal(await roles(), [role, role])
  }
  await setAccess(ada, slug, { mode: 'restricted' })
  assert.equal(await roles(), ['FORBIDDEN', 'FORBIDDEN'])
  assert.is((await get(`/s/${code}.json`)).json['code'], 'FORBIDDEN')
  assert.is((await get(`/s/${code}.md`)).json['code'], 'FORBIDDEN')
  const link = await ada.call('POST', `/docs/${slug}/share-link`)
  assert.equal([link.json['code'], link.json['role']], [code, null])
  const reader = new Browser(service)
  const navigated = await get(`/s/${code}`, { 'Sec-Fetch-Mode': 'navigate' })
  const address = String(navigated.headers.location)
  const landed = await reader.call('GET', address, { headers: navigating })
  assert.is(landed.headers.location, `/d/${slug}?link=invalid`)
  await setAccess(ada, slug, { mode: 'anyone' })
  assert.equal(await roles(), ['editor', 'editor'])
})

test('extensions §3: a grant by a link is worth what the link is, and ends with it', async () => {
  const { ada, slug, code } = await owned('one')
  const bob = new Browser(service)
  const { headers } = await get(`/s/${code}`, { 'Sec-Fetch-Mode': 'navigate' })
  await bob.open(String(headers.location))
  await bob.guest('Bob')
  assert.is((await bob.edit(slug, 'one', 'two')).status, 200)
  bob.forget('link')
  const role = async () => {
    const { json } = await bob.read(slug)
    return json['your_role'] ?? json['code']
  }
  assert.is(await role(), 'editor')
  await setAccess(ada, slug, { role: 'commenter' })
  assert.is(await role(), 'commenter')
  await setAccess(ada, slug, { mode: 'restricted' })
  assert.is(await role(), 'FORBIDDEN')
  await setAccess(ada, slug, { mode: 'anyone', role: 'editor' })
  assert.is(await role(), 'editor')
})

test('§4.10 general access: read by editors, set by the owner’s browser alone', async () => {
  const { ada, slug, token, shareToken } = await owned()
  const path = `/docs/${slug}/link-access`
  const read = await service.call('GET', path, { token })
  assert.equal(read.json, { mode: 'anyone', role: 'editor' })
  const body = { mode: 'restricted' }
  assert.is((await service.call('PATCH', path, { token, body })).json['code'], 'FORBIDDEN')
  const bob = new Browser(service)
  await bob.open(`/d/${slug}?token=${shareToken}`)
  await bob.guest('Bob')
  assert.is((await bob.call('PATCH', path, { body })).json['code'], 'FORBIDDEN')
  ada.origin = 'https://evil.example'
  assert.is((await setAccess(ada, slug, body)).json['code'], 'FORBIDDEN')
})

test('§4.10 the body of general access has only its two fields', async () => {
  const { ada, slug } = await owned()
  const wrong = [{}, { mode: 'open' }, { role: 'owner' }, { mode: 'anyone', more: 1 }]
  for (const body of wrong) {
    assert.is((await setAccess(ada, slug, body)).json['code'], 'INVALID_REQUEST')
  }
})

test('of two changes at once, each keeps what the other set', async () => {
  const { ada, slug } = await owned()
  for (let round = 0; round < 5; round++) {
    await setAccess(ada, slug, { mode: 'anyone', role: 'editor' })
    await Promise.all([
      setAccess(ada, slug, { mode: 'restricted' }),
      setAccess(ada, slug, { role: 'viewer' }),
    ])
    const { json } = await ada.call('GET', `/docs/${slug}/link-access`)
    assert.equal(json, { mode: 'restricted', role: 'viewer' })
  }
})

test('a change of general access is a revision; the same again is none', async () => {
  const { ada, slug, token } = await owned()
  const revision = async () =>
    (await service.call('GET', `/docs/${slug}`, { token })).json['revision']
  // Before it: made, claimed, its link made.
  await setAccess(ada, slug, { role: 'viewer' })
  assert.is(await revision(), 4)
  await setAccess(ada, slug, { role: 'viewer' })
  assert.is(await revision(), 4)
  assert.is(await service.documents.revisionText(slug as never, 4), '# One\n\ntext\n')
})

test.run()
