/**
 * Owner keys and ephemeral agents (interface §4.12, §5, §8; extensions §3, §4, §9): what a key is
 * good for and what not, and how long an agent lives that nobody uses.
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ownerKeysPerAccount } from '../../../../core/accounts/owner-keys.ts'
import { Browser } from '../browser.ts'
import { hour, list, openScene, said } from '../sharing/sharing-scene.ts'

const scene = await openScene()
const { service } = scene
test.after(() => service.close())
test.before.each(() => {
  service.ahead = 0
})

const day = 24 * hour
const path = '/auth/owner-keys'

async function withKey(name?: string) {
  const ada = await scene.person('Ada')
  const made = await ada.browser.call('POST', path, name === undefined ? {} : { body: { name } })
  assert.is(made.status, 201, made.text)
  return { ...ada, key: String(made.json['key']), keyId: String(made.json['key_id']) }
}

const ephemeral = (token: string, body?: unknown) =>
  service.call('POST', '/agents/ephemeral', { token, body })
const me = (token: unknown) => service.call('GET', '/agents/me', { token: String(token) })

test('extensions §3: a key is made, listed without the key, its last use shown, and revoked', async () => {
  const { browser, key, keyId } = await withKey('CI')
  assert.match(key, /^ark_[A-Za-z0-9_-]{43}$/)
  const listed = await browser.call('GET', path)
  assert.not.ok(listed.text.includes(key))
  const [one] = list(listed, 'keys')
  assert.equal(Object.keys(one ?? {}).sort(), ['created_at', 'key_id', 'last_used_at', 'name'])
  assert.equal([one?.['key_id'], one?.['name'], one?.['last_used_at']], [keyId, 'CI', null])
  assert.is((await ephemeral(key)).status, 201)
  const [used] = list(await browser.call('GET', path), 'keys')
  assert.ok(Date.parse(String(used?.['last_used_at'])) > 0)
  const gone = await browser.call('DELETE', `${path}/${keyId}`)
  assert.equal([gone.status, gone.json], [200, { deleted: true, key_id: keyId }])
  assert.is(said(await ephemeral(key)), '401 AUTH_REQUIRED')
  assert.equal((await browser.call('GET', path)).json['keys'], [])
  assert.is(said(await browser.call('DELETE', `${path}/${keyId}`)), '404 NOT_FOUND')
})

test('extensions §3: guests have none, nobody sees another’s', async () => {
  const guest = new Browser(service)
  await guest.guest('Guest')
  assert.is(said(await guest.call('POST', path)), '403 FORBIDDEN')
  assert.is(said(await guest.call('GET', path)), '403 FORBIDDEN')
  assert.is(said(await service.call('GET', path)), '401 AUTH_REQUIRED')
  const { keyId, key } = await withKey()
  const bob = await scene.person('Bob')
  assert.is(said(await bob.browser.call('DELETE', `${path}/${keyId}`)), '404 NOT_FOUND')
  assert.is((await ephemeral(key)).status, 201)
  const { token } = await scene.agent('Robo')
  assert.is(said(await service.call('POST', path, { token })), '403 FORBIDDEN')
  assert.is(said(await service.call('GET', path, { token: key })), '403 FORBIDDEN')
})

test('extensions §3: the store holds no key', async () => {
  const { key } = await withKey()
  for await (const { key: stored, value } of service.store.scan({ gte: '' })) {
    assert.not.ok(stored.includes(key) || Buffer.from(value).includes(key))
  }
})

test('§5 a key is not for reading or editing, nor for anything else', async () => {
  const { browser, key } = await withKey()
  const { json } = await browser.call('POST', '/docs', { body: { markdown: '# T' } })
  const at = `/docs/${json['id']}`
  const edit = { edits: [{ old_string: 'T', new_string: 'U' }] }
  const calls: readonly [string, string, unknown?][] = [
    ['GET', at],
    ['PATCH', at, edit],
    ['GET', `${at}/history`],
    ['GET', `${at}/access`],
    ['POST', `${at}/share-link`],
    ['POST', '/agents/identify', { slug: json['id'], display_name: 'X' }],
    ['POST', '/agents/register', { name: 'X' }],
    ['GET', '/agents/me'],
    ['GET', '/auth/me'],
  ]
  for (const [method, to, body] of calls) {
    const { status } = await service.call(method, to, { token: key, body })
    assert.is(status, 403, `${method} ${to}`)
  }
  const open = await service.create('# Open to all')
  const read = await service.call('GET', `/docs/${open.slug}`, { token: key })
  assert.is(read.status, 403, 'general access counts for nobody who comes with a key')
})

test('extensions §3: an account has so many keys', async () => {
  const { browser } = await withKey()
  for (let count = 1; count < ownerKeysPerAccount; count++) {
    assert.is((await browser.call('POST', path)).status, 201)
  }
  const more = await browser.call('POST', path)
  assert.is(said(more), '409 LIMIT_REACHED')
  assert.is(list(await browser.call('GET', path), 'keys').length, ownerKeysPerAccount)
})

test('§4.12 an ephemeral agent needs an owner key', async () => {
  assert.is(said(await service.call('POST', '/agents/ephemeral')), '401 AUTH_REQUIRED')
  const { token } = await scene.agent('Robo')
  assert.is(said(await ephemeral(token)), '403 FORBIDDEN')
  const { browser } = await withKey()
  assert.is(said(await browser.call('POST', '/agents/ephemeral')), '403 FORBIDDEN')
})

test('extensions §4: it has a random handle, a secret, an end, and is its owner’s', async () => {
  const { key, browser } = await withKey()
  const { status, json } = await ephemeral(key, { name: 'Night shift' })
  assert.is(status, 201)
  assert.equal(Object.keys(json).sort(), [
    ...['actor_id', 'agent_id', 'agent_secret', 'expires_at', 'handle', 'name'],
  ])
  assert.match(String(json['handle']), /^night-shift-[0-9a-z]{6}$/)
  assert.is(json['actor_id'], `ai:${json['handle']}`)
  const end = Date.parse(String(json['expires_at']))
  assert.ok(Math.abs(end - Date.now() - 30 * day) < 60_000)
  const profile = await me(json['agent_secret'])
  assert.is(profile.json['kind'], 'ephemeral')
  assert.ok(Date.parse(String(profile.json['expires_at'])) >= end)
  const agents = list(await browser.call('GET', '/auth/agents'), 'agents')
  assert.equal(
    agents.map(({ agent_id: id, kind }) => [id, kind]),
    [[json['agent_id'], 'ephemeral']],
  )
})

test('§8 each use moves its end on; idle for 30 days it is gone', async () => {
  const { key, browser } = await withKey()
  const { json } = await ephemeral(key)
  const used = await ephemeral(key)
  service.ahead = 29 * day
  assert.is((await me(used.json['agent_secret'])).status, 200)
  service.ahead = 30 * day + hour
  assert.is(said(await me(json['agent_secret'])), '401 AUTH_REQUIRED')
  await service.people.agents.sweep()
  const names = async () =>
    list(await browser.call('GET', '/auth/agents'), 'agents').map(({ agent_id: id }) => id)
  service.ahead = 58 * day
  assert.is((await me(used.json['agent_secret'])).status, 200)
  service.ahead = 87 * day
  await service.people.agents.sweep()
  assert.is((await me(used.json['agent_secret'])).status, 200)
  service.ahead = 118 * day
  await service.people.agents.sweep()
  assert.is(said(await me(used.json['agent_secret'])), '401 AUTH_REQUIRED')
  service.ahead = 0
  assert.equal(await names(), [], 'what was swept is gone for good')
  const handle = String(json['handle'])
  const again = await service.call('POST', '/agents/register', { body: { name: 'X', handle } })
  assert.is(again.json['actor_id'], `ai:${handle}.2`)
  for await (const { key: left } of service.store.scan({
    gte: 'index/ephemeral-end/',
    lt: 'index/ephemeral-end0',
  })) {
    assert.not.ok(left.includes(String(json['agent_id'])), left)
    assert.not.ok(left.includes(String(used.json['agent_id'])), left)
  }
})

test('what it wrote keeps its name when it is gone', async () => {
  const { key } = await withKey()
  const { json } = await ephemeral(key, { name: 'Night shift' })
  const made = await service.create('# T')
  const secret = String(json['agent_secret'])
  const body = { handle: json['handle'], role: 'editor' }
  assert.is(
    (await service.call('POST', `/docs/${made.slug}/access`, { token: made.token, body })).status,
    412,
  )
  service.ahead = 31 * day
  await service.people.agents.sweep()
  const actors = await service.people.access.actors([json['actor_id'] as never])
  assert.is(actors[String(json['actor_id'])]?.name, 'Night shift')
  assert.is((await me(secret)).status, 401)
})

test('extensions §3: keys and agents end with their account, and rest while it is disabled', async () => {
  const ada = new Browser(service)
  const body = { handle: 'ada-of-keys', name: 'Ada', password: 'long enough' }
  assert.is((await ada.call('POST', '/auth/signup', { body })).status, 201)
  const key = String((await ada.call('POST', path)).json['key'])
  const agent = (await ada.call('POST', '/agents/register', { body: { name: 'Robo' } })).json
  const both = async () => [(await ephemeral(key)).status, (await me(agent['agent_secret'])).status]
  assert.equal(await both(), [201, 200])
  await service.people.accounts.setDisabled('ada-of-keys', true)
  assert.equal(await both(), [401, 401])
  await service.people.accounts.setDisabled('ada-of-keys', false)
  assert.equal(await both(), [201, 200])
  const { handle, password } = body
  await ada.call('POST', '/auth/login', { body: { handle, password } })
  const ended = await ada.call('DELETE', '/auth/me', { body: { password } })
  assert.is(ended.status, 200, ended.text)
  assert.equal(await both(), [401, 401])
})

test.run()
