/** Signing up, signing in, sessions and the end of an account (extensions §3, §9). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Browser } from '../browser.ts'
import { noRates, startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const password = 'correct horse'
const signUp = (browser: Browser, handle: string, name = 'Ada') =>
  browser.call('POST', '/auth/signup', { body: { handle, name, password } })
const signIn = (browser: Browser, handle: string, given = password) =>
  browser.call('POST', '/auth/login', { body: { handle, password: given } })
const me = async (browser: Browser) => (await browser.call('GET', '/auth/me')).json

test('§9 sign-up is 201, sign-in 200, both as GET /auth/me', async () => {
  const browser = new Browser(service)
  const made = await signUp(browser, 'ada')
  assert.is(made.status, 201)
  assert.equal(made.json, { actor_id: 'human:ada', handle: 'ada', name: 'Ada', guest: false })
  assert.equal(await me(browser), made.json)
  const other = new Browser(service)
  const entered = await signIn(other, 'ada')
  assert.is(entered.status, 200)
  assert.equal(entered.json, made.json)
  assert.equal(await me(other), made.json)
})

test('§9 who signed up is no guest, and is not renamed as one', async () => {
  const browser = new Browser(service)
  await signUp(browser, 'hedy', 'Hedy L')
  const { status, json } = await browser.guest('Calm Heron')
  assert.is(status, 200)
  assert.equal([json['handle'], json['name'], json['guest']], ['hedy', 'Hedy L', false])
  assert.is((await browser.call('GET', '/auth/me')).json['name'], 'Hedy L')
})

test('§2 one answer for an unknown handle and a wrong password', async () => {
  const wrong = await signIn(new Browser(service), 'ada', 'not the password')
  const unknown = await signIn(new Browser(service), 'nobody-here')
  for (const { status, json } of [wrong, unknown]) {
    assert.equal([status, json['code']], [401, 'LOGIN_FAILED'])
  }
  assert.is(wrong.json['error'], unknown.json['error'])
})

test('§9 people and agents share one namespace of handles', async () => {
  await service.call('POST', '/agents/register', { body: { name: 'R', handle: 'robo' } })
  assert.is((await signUp(new Browser(service), 'robo')).json['code'], 'HANDLE_TAKEN')
  assert.is((await signUp(new Browser(service), 'ada')).json['code'], 'HANDLE_TAKEN')
  const body = { name: 'R', handle: 'ada' }
  const agent = await service.call('POST', '/agents/register', { body })
  assert.is(agent.json['code'], 'HANDLE_TAKEN')
})

test('§9 passwords have 8 to 200 characters', async () => {
  for (const bad of ['1234567', 'x'.repeat(201)]) {
    const body = { handle: 'short', name: 'S', password: bad }
    const { json } = await service.call('POST', '/auth/signup', { body })
    assert.is(json['code'], 'INVALID_REQUEST')
  }
})

test('§9 a guest who signs up keeps account and actor id; its other sessions end', async () => {
  const browser = new Browser(service)
  const guest = (await browser.guest('Grace')).json
  const old = browser.cookies('/')
  const made = await signUp(browser, 'grace', 'Grace H')
  assert.is(made.json['actor_id'], guest['actor_id'])
  assert.equal([made.json['handle'], made.json['guest']], ['grace', false])
  const before = await service.call('GET', '/auth/me', { headers: { Cookie: old } })
  assert.is(before.status, 401)
  const taken = await signUp(new Browser(service), String(guest['handle']))
  assert.is(taken.json['code'], 'HANDLE_TAKEN')
})

test('§9 a guest’s documents join an account only when the person says so', async () => {
  for (const join of [true, false]) {
    const owner = join ? 'keeper' : 'decliner'
    await signUp(new Browser(service), owner)
    const browser = new Browser(service)
    const guest = (await browser.guest('Passing')).json['actor_id']
    const doc = await browser.call('POST', '/docs', { body: { markdown: 'mine' } })
    const slug = String(doc.json['id'])
    const entered = await signIn(browser, owner)
    const offered = entered.json['guest_documents'] as { actor_id: string }
    assert.equal(offered, { actor_id: guest, name: 'Passing', documents: 1 })
    const lock = () =>
      browser.call('PATCH', `/docs/${slug}/link-access`, { body: { mode: 'restricted' } })
    assert.is((await lock()).status, 403)
    const answer = await browser.call('POST', '/auth/guest-documents', { body: { join } })
    assert.equal(answer.json, { joined: join, documents: 1 })
    assert.is((await lock()).status, join ? 200 : 403)
    assert.is((await me(browser))['guest_documents'], undefined)
    if (!join) continue
    const history = await browser.call('GET', `/docs/${slug}/history`)
    const [{ event, actor_id }] = history.json['entries'] as [Record<string, unknown>]
    assert.equal([event, actor_id], ['access', `human:${owner}`])
  }
})

test('§9 each guest that one was waits for an answer of its own', async () => {
  const browser = new Browser(service)
  await signUp(browser, 'collector')
  const guests: string[] = []
  for (const name of ['First', 'Second']) {
    const other = new Browser(service)
    guests.push(String((await other.guest(name)).json['actor_id']))
    await other.call('POST', '/docs', { body: { markdown: name } })
    await signIn(other, 'collector')
  }
  const answer = (actor_id: string) =>
    browser.call('POST', '/auth/guest-documents', { body: { join: true, actor_id } })
  assert.is((await answer('human:somebody')).json['code'], 'NOT_FOUND')
  for (const guest of guests.toReversed()) assert.is((await answer(guest)).status, 200)
  assert.is((await me(browser))['guest_documents'], undefined)
  assert.is((await answer(guests[0] ?? '')).json['code'], 'NOT_FOUND')
})

test('§9 nobody is invited to whose account nobody gets in', async () => {
  const browser = new Browser(service)
  await signUp(browser, 'away')
  const host = new Browser(service)
  await signUp(host, 'host')
  const { id } = (await host.call('POST', '/docs', { body: { markdown: 'x' } })).json
  const invite = async () => {
    const body = { handle: 'away', role: 'viewer' }
    return (await host.call('POST', `/docs/${id}/access`, { body })).json['code']
  }
  await service.people.accounts.setDisabled('away', true)
  assert.is(await invite(), 'HANDLE_NOT_FOUND')
  await service.people.accounts.setDisabled('away', false)
  assert.is(await invite(), undefined)
  await signIn(browser, 'away')
  await browser.call('DELETE', '/auth/me', { body: { password } })
  assert.is(await invite(), 'HANDLE_NOT_FOUND')
  const grants = async () => (await host.call('GET', `/docs/${id}/access`)).json['grants']
  for (let tries = 0; ((await grants()) as unknown[]).length > 0; tries++) assert.ok(tries < 1_000)
})

test('§9 a new password needs the present one and ends all other sessions', async () => {
  const [here, there] = [new Browser(service), new Browser(service)]
  await signUp(here, 'linus')
  await signIn(there, 'linus')
  const change = (current_password: string) =>
    here.call('PATCH', '/auth/me', { body: { password: 'another one', current_password } })
  assert.is((await change('wrong')).json['code'], 'LOGIN_FAILED')
  assert.is((await change(password)).status, 200)
  assert.is((await here.call('GET', '/auth/me')).status, 200)
  assert.is((await there.call('GET', '/auth/me')).status, 401)
  assert.is((await signIn(there, 'linus')).status, 401)
  assert.is((await signIn(there, 'linus', 'another one')).status, 200)
})

test('§9 sessions are listed by public ids and ended one by one', async () => {
  const [here, there] = [new Browser(service), new Browser(service)]
  await signUp(here, 'mary')
  await signIn(there, 'mary')
  const { sessions } = (await here.call('GET', '/auth/sessions')).json as {
    sessions: { id: string; current: boolean }[]
  }
  assert.equal(sessions.map(({ current }) => current).sort(), [false, true])
  const other = sessions.find(({ current }) => !current)?.id
  const end = () => here.call('DELETE', `/auth/sessions/${other}`)
  assert.equal((await end()).json, { deleted: true, id: other })
  assert.is((await there.call('GET', '/auth/me')).status, 401)
  assert.is((await end()).json['code'], 'NOT_FOUND')
})

test('§9 a deleted account ends; its name stays, its handle is nobody’s again', async () => {
  const browser = new Browser(service)
  await signUp(browser, 'gone', 'Gone')
  assert.is((await browser.call('DELETE', '/auth/me')).json['code'], 'LOGIN_FAILED')
  const Cookie = browser.cookies('/')
  const ended = await browser.call('DELETE', '/auth/me', { body: { password } })
  assert.equal(ended.json, { deleted: true, actor_id: 'human:gone' })
  assert.is((await service.call('GET', '/auth/me', { headers: { Cookie } })).status, 401)
  assert.is((await signIn(browser, 'gone')).status, 401)
  assert.is((await signUp(browser, 'gone')).json['code'], 'HANDLE_TAKEN')
})

test('§9 the documents of a deleted account are archived, and its texts keep its name', async () => {
  const browser = new Browser(service)
  await signUp(browser, 'author', 'An Author')
  const make = async () =>
    (await browser.call('POST', '/docs', { body: { markdown: 'words' } })).json
  const ids = [await make(), await make()].map(({ id }) => String(id))
  const friend = new Browser(service)
  await signUp(friend, 'friend')
  for (const id of ids) {
    const body = { handle: 'friend', role: 'editor' }
    assert.is((await browser.call('POST', `/docs/${id}/access`, { body })).status, 201)
  }
  await browser.call('DELETE', '/auth/me', { body: { password } })
  for (const id of ids) {
    for (let tries = 0; ; tries++) {
      const { status } = await friend.call('GET', `/docs/${id}`)
      if (status === 423) break
      assert.ok(status === 200 && tries < 1_000, `${status}`)
    }
    const archive = (await friend.call('GET', `/docs/${id}/archive`)).json
    assert.equal([archive['archived'], archive['archived_by']], [true, 'human:author'])
    assert.is((await friend.call('POST', `/docs/${id}/restore`)).status, 200)
    const { actors } = (await friend.call('GET', `/docs/${id}?include=authorship`)).json
    const { 'human:author': author } = actors as Record<string, { name: string }>
    assert.is(author?.name, 'An Author')
  }
})

test('§9 a disabled account cannot be entered; a reset is good once', async () => {
  const browser = new Browser(service)
  await signUp(browser, 'paused')
  await service.people.accounts.setDisabled('paused', true)
  assert.is((await browser.call('GET', '/auth/me')).status, 401)
  assert.is((await signIn(browser, 'paused')).json['code'], 'LOGIN_FAILED')
  await service.people.accounts.setDisabled('paused', false)
  const secret = await service.people.accounts.offerReset('paused')
  const reset = () =>
    browser.call('POST', '/auth/reset', { body: { secret, password: 'anew anew' } })
  assert.is((await reset()).status, 200)
  assert.is((await reset()).json['code'], 'LOGIN_FAILED')
  assert.is((await signIn(browser, 'paused', 'anew anew')).status, 200)
  const late = await service.people.accounts.offerReset('paused')
  const body = { password, current_password: 'anew anew' }
  assert.is((await browser.call('PATCH', '/auth/me', { body })).status, 200)
  const given = { secret: late, password: 'anew anew' }
  const spent = await browser.call('POST', '/auth/reset', { body: given })
  assert.is(spent.json['code'], 'LOGIN_FAILED')
})

test('§1 RATE_LOGIN also holds for each handle; RATE_GUESS leaves good secrets alone', async () => {
  const rates = { ...noRates, login: 2, guess: 2 }
  const other = await startService({ config: { rates, trustProxy: 1, signup: 'closed' } })
  const login = (address: string) =>
    other.call('POST', '/auth/login', {
      body: { handle: 'ada', password },
      headers: { 'X-Forwarded-For': address },
    })
  assert.is((await login('10.0.0.1')).status, 401)
  assert.is((await login('10.0.0.2')).status, 401)
  const third = await login('10.0.0.3')
  assert.is(third.json['code'], 'RATE_LIMITED')
  assert.is(third.headers['retry-after'], third.headers['ratelimit-reset'])
  const agent = await other.call('POST', '/agents/register', { body: { name: 'R' } })
  const ask = async (token: string) => (await other.call('GET', '/auth/me', { token })).json['code']
  const wrong = `as_${'a'.repeat(43)}`
  assert.equal(
    [await ask(wrong), await ask(wrong), await ask(wrong)],
    ['AUTH_REQUIRED', 'AUTH_REQUIRED', 'RATE_LIMITED'],
  )
  assert.is(await ask(String(agent.json['agent_secret'])), 'FORBIDDEN')
  const closed = { handle: 'late', name: 'L', password }
  const up = await other.call('POST', '/auth/signup', { body: closed })
  assert.is(up.json['code'], 'FORBIDDEN')
  await other.close()
})

test.run()
