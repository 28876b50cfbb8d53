/** Guest accounts, sessions, and what a browser's account may do (extensions §3). */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sessionIdleMs } from '../../../../core/accounts/sessions.ts'
import { Browser } from '../browser.ts'
import { noRates, startService } from '../service.ts'

const directory = mkdtempSync(join(tmpdir(), 'page-'))
writeFileSync(join(directory, 'index.html'), '<!doctype html><html></html>')
const service = await startService({ config: { webDirectory: directory } })
test.after(async () => {
  await service.close()
  rmSync(directory, { recursive: true })
})

async function everythingStored(): Promise<string> {
  const parts: string[] = []
  for await (const { key, value } of service.store.scan({ gte: '' })) {
    parts.push(key, Buffer.from(value).toString())
  }
  return parts.join('\n')
}

/** A browser that opened the document's own share address. */
async function openedBy(created: { slug: string; shareToken: string }, name?: string) {
  const browser = new Browser(service)
  await browser.open(`/d/${created.slug}?token=${created.shareToken}`)
  if (name !== undefined) assert.is((await browser.guest(name)).status, 201)
  return browser
}

test('POST /auth/guest makes a person with a random handle and a session', async () => {
  const browser = new Browser(service)
  const answer = await browser.guest('  Ada Lovelace ')
  assert.is(answer.status, 201)
  const { actor_id: actor, handle, name, guest } = answer.json
  assert.is(actor, `human:${handle}`)
  assert.match(String(handle), /^guest-[0-9a-z]{12}$/)
  assert.equal([name, guest], ['Ada Lovelace', true])
  const [cookie = ''] = answer.headers['set-cookie'] ?? []
  assert.match(cookie, /^session=ses_[\w-]{43}; /)
  for (const each of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']) {
    assert.ok(cookie.split('; ').includes(each), each)
  }
  assert.equal((await browser.call('GET', '/auth/me')).json, answer.json)
})

test('a session is at least 192 random bits, of which the store has only the hash', async () => {
  const browser = new Browser(service)
  await browser.guest('Ada')
  const secret = browser.cookies('/').split('session=')[1] ?? ''
  assert.ok(Buffer.from(secret.slice(4), 'base64url').length >= 24)
  const stored = await everythingStored()
  assert.not.ok(stored.includes(secret.slice(4)))
  assert.not.ok(JSON.stringify(service.log).includes(secret.slice(4)))
})

test('extensions §2 GET /auth/me: 401 without a session, 403 for an agent that is none', async () => {
  const agent = await service.call('POST', '/agents/register', { body: { name: 'Robo' } })
  const token = String(agent.json['agent_secret'])
  assert.is((await service.call('GET', '/auth/me')).json['code'], 'AUTH_REQUIRED')
  const byAgent = await service.call('GET', '/auth/me', { token })
  assert.is(byAgent.status, 403)
  assert.is(byAgent.json['code'], 'FORBIDDEN')
  const headers = { Cookie: `session=ses_${'a'.repeat(43)}` }
  assert.is((await service.call('GET', '/auth/me', { headers })).json['code'], 'AUTH_REQUIRED')
})

test('a session is no Bearer', async () => {
  const browser = new Browser(service)
  await browser.guest('Ada')
  const token = browser.cookies('/').split('session=')[1] ?? ''
  assert.is((await service.call('GET', '/auth/me', { token })).json['code'], 'AUTH_REQUIRED')
})

test('a second call with a session renames the same account', async () => {
  const browser = new Browser(service)
  const first = await browser.guest('Ada')
  const second = await browser.guest('Grace')
  assert.is(second.status, 200)
  assert.equal(second.json, { ...first.json, name: 'Grace' })
  assert.equal((await browser.call('GET', '/auth/me')).json, second.json)
})

test('names are one line of at most 80 characters', async () => {
  for (const name of ['', ' ', 'a\nb', 'a'.repeat(81), 7]) {
    const { json } = await service.call('POST', '/auth/guest', { body: { name } })
    assert.is(json['code'], 'INVALID_REQUEST')
  }
})

test('POST /auth/logout ends the session in the store and clears the cookie', async () => {
  const browser = new Browser(service)
  await browser.guest('Ada')
  const Cookie = browser.cookies('/')
  assert.equal((await browser.call('POST', '/auth/logout')).json, { ok: true })
  assert.is(browser.cookies('/'), '')
  const again = await service.call('GET', '/auth/me', { headers: { Cookie } })
  assert.is(again.json['code'], 'AUTH_REQUIRED')
  assert.equal((await browser.call('POST', '/auth/logout')).json, { ok: true })
})

test('what a session lets do must come from the own Origin, logout and rename too', async () => {
  const browser = new Browser(service)
  await browser.guest('Ada')
  for (const origin of [undefined, 'https://evil.example']) {
    browser.origin = origin
    assert.is((await browser.call('POST', '/auth/logout')).json['code'], 'FORBIDDEN')
    assert.is((await browser.guest('Eve')).json['code'], 'FORBIDDEN')
    const made = await browser.call('POST', '/docs', { body: { markdown: 'one' } })
    assert.is(made.json['code'], 'FORBIDDEN')
  }
  assert.is((await browser.call('GET', '/auth/me')).json['name'], 'Ada')
})

test('a session ends when it is not used for a long time, and not before', async () => {
  const browser = new Browser(service)
  await browser.guest('Ada')
  const before = service.ahead
  for (let uses = 0; uses < 3; uses++) {
    service.ahead += sessionIdleMs - 1_000
    assert.is((await browser.call('GET', '/auth/me')).status, 200)
  }
  service.ahead += sessionIdleMs
  assert.is((await browser.call('GET', '/auth/me')).status, 401)
  service.ahead = before
})

test('POST /auth/guest counts against RATE_ACCOUNT', async () => {
  const rates = { ...noRates, account: 1 }
  const other = await startService({ config: { rates } })
  const call = () => other.call('POST', '/auth/guest', { body: { name: 'Ada' } })
  assert.is((await call()).status, 201)
  assert.is((await call()).json['code'], 'RATE_LIMITED')
  await other.close()
})

test('interface §2.2: what a session writes is the account’s', async () => {
  const made = await service.create('one')
  const browser = await openedBy(made, 'Ada')
  const me = (await browser.call('GET', '/auth/me')).json['actor_id']
  assert.is((await browser.edit(made.slug, 'one', 'one two')).status, 200)
  const { json } = await browser.read(made.slug, '?include=authorship')
  const runs = json['authorship'] as { author: string }[]
  assert.ok(runs.some(({ author }) => author === me))
  const actors = json['actors'] as Record<string, Record<string, unknown>>
  const actor = actors[String(me)]
  assert.equal(
    [actor?.['is_human'], actor?.['name'], actor?.['kind_label']],
    [true, 'Ada', 'Human'],
  )
  assert.is(json['display_name'], 'Ada')
})

test('§5 the role is the higher of the account’s grant and the cookie’s', async () => {
  const made = await service.create('one')
  const browser = await openedBy(made, 'Ada')
  assert.is((await browser.read(made.slug)).json['your_role'], 'editor')
  assert.is((await browser.call('POST', `/docs/${made.slug}/claim`)).status, 200)
  assert.is((await browser.read(made.slug)).json['your_role'], 'owner')
  browser.forget('link')
  assert.is((await browser.read(made.slug)).json['your_role'], 'owner')
  browser.forget('session')
  assert.is((await browser.read(made.slug)).json['your_role'], 'viewer')
})

test('extensions §3: the first write by a link records a grant; a read and a dry run do not', async () => {
  const made = await service.create('one')
  const browser = await openedBy(made, 'Ada')
  const link = browser.cookies(`/docs/${made.slug}`)
  await browser.read(made.slug)
  const body = { edits: [{ old_string: 'one', new_string: 'two' }] }
  await browser.call('PATCH', `/docs/${made.slug}?dryRun=true`, { body })
  browser.forget('link')
  assert.is((await browser.read(made.slug)).json['your_role'], 'viewer')
  const headers = { Cookie: link }
  const path = `/docs/${made.slug}`
  assert.is((await browser.call('PATCH', path, { body, headers })).status, 200)
  assert.is((await browser.read(made.slug)).json['your_role'], 'editor')
  assert.is((await browser.edit(made.slug, 'two', 'three')).status, 200)
})

test('POST /docs by a session: the account is credited and owns the document', async () => {
  const browser = new Browser(service)
  const me = (await browser.guest('Ada')).json['actor_id']
  const { json } = await browser.call('POST', '/docs', { body: { markdown: 'one' } })
  assert.is(json['access_token'], undefined)
  assert.equal([json['actor_id'], json['identify_required']], [me, false])
  const slug = String(json['id'])
  const read = (await browser.read(slug)).json
  assert.is(read['your_role'], 'owner')
  assert.equal(read['link_access'], { mode: 'anyone', role: 'editor' })
  const other = await openedBy(
    { slug, shareToken: String(json['share_url']).split('=')[1] ?? '' },
    'B',
  )
  assert.is((await other.call('POST', `/docs/${slug}/claim`)).json['code'], 'ALREADY_OWNED')
})

test('§4.2 idempotency: a session’s keys are its account’s', async () => {
  const [one, two] = [new Browser(service), new Browser(service)]
  await one.guest('Ada')
  await two.guest('Bob')
  const call = { body: { markdown: 'one' }, headers: { 'Idempotency-Key': 'k' } }
  const id = async (browser: Browser) => (await browser.call('POST', '/docs', call)).json['id']
  const first = await id(one)
  assert.is(await id(one), first)
  assert.is.not(await id(two), first)
})

test('§4.2 the first person to come by the share address may claim; later ones are late', async () => {
  const made = await service.create('one')
  const claim = `/docs/${made.slug}/claim`
  const [one, two] = [await openedBy(made, 'Ada'), await openedBy(made, 'Bob')]
  const claimed = await one.call('POST', claim)
  assert.equal(claimed.json, { id: made.slug, your_role: 'owner' })
  assert.is((await two.call('POST', claim)).json['code'], 'ALREADY_OWNED')
  assert.equal((await one.call('POST', claim)).json, claimed.json)
})

test('of many that claim at once, one wins', async () => {
  const made = await service.create('one')
  const names = ['A', 'B', 'C', 'D', 'E', 'F']
  const browsers = await Promise.all(names.map((name) => openedBy(made, name)))
  const answers = await Promise.all(
    browsers.map((browser) => browser.call('POST', `/docs/${made.slug}/claim`)),
  )
  assert.equal(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409])
})

test('a claim needs an account that came by that very address; agents never own', async () => {
  const made = await service.create('one', 'Ada')
  const claim = `/docs/${made.slug}/claim`
  const code = async (browser: Browser) => (await browser.call('POST', claim)).json['code']
  assert.is(await code(await openedBy(made)), 'AUTH_REQUIRED')
  const stranger = new Browser(service)
  await stranger.guest('Eve')
  assert.is(await code(stranger), 'FORBIDDEN')
  const byToken = new Browser(service)
  await byToken.open(`/d/${made.slug}?token=${made.token}`)
  await byToken.guest('Bob')
  assert.is(await code(byToken), 'FORBIDDEN')
  const agent = await service.call('POST', '/agents/register', { body: { name: 'Robo' } })
  for (const token of [made.token, made.shareToken, String(agent.json['agent_secret'])]) {
    assert.is((await service.call('POST', claim, { token })).json['code'], 'FORBIDDEN')
  }
  assert.is((await service.call('POST', claim)).json['code'], 'AUTH_REQUIRED')
})

test('opening the share address alone claims nothing', async () => {
  const made = await service.create('one')
  const first = await openedBy(made, 'Ada')
  await first.read(made.slug)
  const second = await openedBy(made, 'Bob')
  assert.is((await second.call('POST', `/docs/${made.slug}/claim`)).status, 200)
})

test('§4.7 a session is identified: identify and inline names change nothing', async () => {
  const made = await service.create('one')
  const browser = await openedBy(made, 'Ada')
  const me = (await browser.call('GET', '/auth/me')).json['actor_id']
  const body = { edits: [{ old_string: 'one', new_string: 'two' }], display_name: 'Eve' }
  assert.is((await browser.call('PATCH', `/docs/${made.slug}`, { body })).status, 200)
  const identify = { body: { slug: made.slug, display_name: 'Eve' } }
  const named = await browser.call('POST', '/agents/identify', identify)
  assert.equal(named.json, { actor_id: me, display_name: 'Ada' })
})

test.run()
