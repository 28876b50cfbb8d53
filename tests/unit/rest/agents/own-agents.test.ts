/**
 * What agents do with themselves, and accounts with theirs (interface §2.7, §4.12, §8; extensions
 * §4, §6, §9, §11).
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentsPerAccount } from '../../../../core/agents/registration.ts'
import type { ActorId } from '../../../../schema/ids.ts'
import { Browser } from '../browser.ts'
import { type Answered, startService } from '../service.ts'
import { hour, list, openScene, said } from '../sharing/sharing-scene.ts'

const scene = await openScene()
const { service } = scene
test.after(() => service.close())
test.before.each(() => {
  service.ahead = 0
})

const me = (token: string, method = 'GET', body?: unknown) =>
  service.call(method, '/agents/me', { token, body })
const rotate = (token: string) => service.call('POST', '/agents/me/rotate-key', { token })
const secretIn = ({ json }: Answered) => String(json['agent_secret'])

test('§4.12 the profile has every field of extensions §4', async () => {
  const { token, actor, handle } = await scene.agent('Robo')
  const { status, json } = await me(token)
  assert.is(status, 200)
  const { agent_id: id, created_at: at, ...rest } = json
  assert.match(String(id), /^ag_/)
  assert.ok(Date.parse(String(at)) > 0)
  assert.equal(rest, {
    actor_id: actor,
    handle,
    name: 'Robo',
    kind: 'registered',
    avatar_url: null,
    webhook_url: null,
    webhook_events: ['mention'],
    webhook_headers: {},
    webhook_status: {
      state: 'off',
      failing_since: null,
      last_success_at: null,
      last_error: null,
      waiting: 0,
    },
  })
})

test('§4.12 an agent’s secret alone: nobody is 401, another credential 403', async () => {
  const { token, slug } = await service.create('# T', 'Ada')
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    assert.is((await service.call(method, '/agents/me')).status, 401)
    assert.is((await me(token, method)).status, 403, slug)
  }
  assert.is((await service.call('POST', '/agents/me/rotate-key')).status, 401)
})

test('§4.12 PATCH sets what it names, and the name everywhere', async () => {
  const { token, actor } = await scene.agent('Robo')
  const made = await service.call('POST', '/docs', { token, body: { markdown: '# T' } })
  const changed = await me(token, 'PATCH', {
    name: ' Robo II ',
    avatar_url: 'https://x.example/a.png',
    webhook_events: ['comment.created', 'mention', 'mention'],
  })
  assert.is(changed.status, 200)
  assert.is(changed.json['name'], 'Robo II')
  assert.is(changed.json['avatar_url'], 'https://x.example/a.png')
  assert.equal(changed.json['webhook_events'], ['comment.created', 'mention'])
  assert.equal((await me(token)).json, changed.json)
  const read = await service.call('GET', `/docs/${made.json['id']}`, { token })
  assert.is(read.json['display_name'], 'Robo II')
  const actors = await service.people.access.actors([actor as ActorId])
  assert.is(actors[actor]?.name, 'Robo II')
  const none = await me(token, 'PATCH', { avatar_url: null })
  assert.is(none.json['avatar_url'], null)
  assert.is(none.json['name'], 'Robo II')
})

const refused: readonly (readonly [what: string, body: unknown, code?: string])[] = [
  ['an unknown field', { handle: 'x' }],
  ['a name of nothing', { name: ' ' }],
  ['an author', { by: 'x' }, 'UNEXPECTED_FIELD'],
  ['a picture that is no address', { avatar_url: 'javascript:alert(1)' }],
  ['an event that is none', { webhook_events: ['mention', 'doc.read'] }],
  ['an address that is none', { webhook_url: 'x' }],
  ['another protocol', { webhook_url: 'ftp://x.example/' }],
  ['a password in the address', { webhook_url: 'https://a:b@x.example/' }],
  ['this machine', { webhook_url: 'http://127.0.0.1:1/' }],
  ['this machine by name', { webhook_url: 'http://localhost/' }],
  ['a private network', { webhook_url: 'http://10.1.2.3/' }],
  ['a private network as one number', { webhook_url: 'http://167837955/' }],
  ['what clouds tell of themselves', { webhook_url: 'http://169.254.169.254/latest' }],
  ['a private network of IPv6', { webhook_url: 'http://[fd00::1]/' }],
  ['an older address in a newer one', { webhook_url: 'http://[::ffff:127.0.0.1]/' }],
  ['the header Host', { webhook_headers: { Host: 'x' } }],
  ['a header of the body', { webhook_headers: { 'content-type': 'x' } }],
  ['a header of the signature', { webhook_headers: { 'Webhook-Id': 'x' } }],
  ['a header of two lines', { webhook_headers: { 'X-A': 'a\r\nB: c' } }],
  ['a name of a header that is none', { webhook_headers: { 'a b': 'x' } }],
  ['a header twice', { webhook_headers: { 'X-A': 'x', 'x-a': 'y' } }],
  ['a mask where nothing was', { webhook_headers: { 'X-A': '********' } }],
  ['a header that is no text', { webhook_headers: { 'X-A': 1 } }],
  [
    'seventeen',
    { webhook_headers: Object.fromEntries([...Array(17)].map((_, i) => [`X-${i}`, 'x'])) },
  ],
]
for (const [what, body, code = 'INVALID_REQUEST'] of refused) {
  test(`extensions §6, §11: ${what} is ${code}`, async () => {
    const { token } = await scene.agent('Robo')
    const before = (await me(token)).json
    assert.is(said(await me(token, 'PATCH', body)), `400 ${code}`)
    assert.equal((await me(token)).json, before)
  })
}

test('extensions §11: `webhook_secret` comes once when the address is set, a new one each time', async () => {
  const { token } = await scene.agent('Robo')
  const set = async (webhook_url: string | null) => (await me(token, 'PATCH', { webhook_url })).json
  const first = await set('https://hooks.example/a')
  assert.match(String(first['webhook_secret']), /^whsec_[A-Za-z0-9+/]{43}=$/)
  const second = await set('https://hooks.example/a')
  assert.match(String(second['webhook_secret']), /^whsec_/)
  assert.is.not(first['webhook_secret'], second['webhook_secret'])
  assert.is((await me(token)).json['webhook_secret'], undefined)
  assert.is((await me(token, 'PATCH', { name: 'R' })).json['webhook_secret'], undefined)
  const { agent_id: id } = first
  const target = await service.people.agents.webhookTarget(String(id))
  assert.equal(target?.secrets, [second['webhook_secret'], first['webhook_secret']])
  const none = await set(null)
  assert.is(none['webhook_url'], null)
  assert.is(none['webhook_secret'], undefined)
  assert.is(await service.people.agents.webhookTarget(String(id)), undefined)
})

test('extensions §11: header values are masked, a mask sent back changes nothing, the store holds none', async () => {
  const { token } = await scene.agent('Robo')
  const secret = 'very-secret-value-of-a-header'
  const set = (webhook_headers: unknown) => me(token, 'PATCH', { webhook_headers })
  const url = { webhook_url: 'https://hooks.example/a' }
  const { json } = await me(token, 'PATCH', {
    ...url,
    webhook_headers: { 'X-Key': secret, By: 'b' },
  })
  const masked = { 'X-Key': '********', By: '********' }
  assert.equal(json['webhook_headers'], masked)
  assert.equal((await set({ ...masked, Other: 'o' })).json['webhook_headers'], {
    ...masked,
    Other: '********',
  })
  const target = await service.people.agents.webhookTarget(String(json['agent_id']))
  assert.equal(target?.headers, { 'X-Key': secret, By: 'b', Other: 'o' })
  for await (const { value } of service.store.scan({ gte: '' })) {
    assert.not.ok(Buffer.from(value).includes(secret))
  }
  assert.equal((await set({})).json['webhook_headers'], {})
})

test('extensions §1: an operator may allow private networks', async () => {
  const open = await startService({ webhooksAllowPrivate: true })
  const made = await open.call('POST', '/agents/register', { body: { name: 'Robo' } })
  const body = { webhook_url: 'http://127.0.0.1:9/hook' }
  const set = await open.call('PATCH', '/agents/me', { token: secretIn(made), body })
  assert.is(set.status, 200)
  await open.close()
})

test('§5.7 a rotated secret is good for 24 hours beside the new one', async () => {
  const { token } = await scene.agent('Robo')
  const { status, json } = await rotate(token)
  assert.is(status, 200)
  const next = String(json['agent_secret'])
  const until = Date.parse(String(json['previous_valid_until']))
  assert.ok(Math.abs(until - Date.now() - 24 * hour) < 60_000)
  assert.is((await me(token)).status, 200)
  assert.is((await me(next)).json['agent_id'], json['agent_id'])
  service.ahead = 24 * hour + 60_000
  assert.is(said(await me(token)), '401 AUTH_REQUIRED')
  assert.is((await me(next)).status, 200)
})

test('extensions §3: at most five old secrets; the oldest goes', async () => {
  const secrets = [(await scene.agent('Robo')).token]
  for (let turns = 0; turns < 6; turns++) secrets.push(secretIn(await rotate(secrets.at(-1) ?? '')))
  const answers = await Promise.all(secrets.map((secret) => me(secret)))
  assert.equal(
    answers.map(({ status }) => status),
    [401, 200, 200, 200, 200, 200, 200],
  )
})

test('extensions §3: an old secret that rotates again puts nobody’s end off', async () => {
  const { token } = await scene.agent('Robo')
  await rotate(token)
  service.ahead = 23 * hour
  const again = secretIn(await rotate(token))
  service.ahead = 24 * hour + 60_000
  assert.is((await me(token)).status, 401)
  assert.is((await me(again)).status, 200)
})

test('§4.12 a deleted agent is gone, its handle free, its last name kept', async () => {
  const { json: first } = await service.call('POST', '/agents/register', {
    body: { name: 'Quill', handle: 'quill' },
  })
  const token = String(first['agent_secret'])
  const { json: made } = await service.call('POST', '/docs', { token, body: { markdown: '# T' } })
  const share = String(made['share_url']).split('token=')[1]
  const rotated = secretIn(await rotate(token))
  assert.is((await me(token, 'PATCH', { name: 'Quill the last' })).status, 200)
  const gone = await me(rotated, 'DELETE')
  assert.equal([gone.status, gone.json], [200, { deleted: true, agent_id: first['agent_id'] }])
  assert.is((await me(token)).status, 401)
  assert.is((await me(rotated)).status, 401)
  const { json: second } = await service.call('POST', '/agents/register', {
    body: { name: 'Other', handle: 'quill' },
  })
  assert.is(second['actor_id'], 'ai:quill.2')
  assert.is(second['handle'], 'quill')
  const { json: read } = await service.call('GET', `/docs/${made['id']}?include=authorship`, {
    token: String(share),
  })
  const actors = read['actors'] as Record<string, { name: string; handle: string }>
  assert.is(actors['ai:quill']?.name, 'Quill the last')
  const asked = await service.call('GET', `/docs/${made['id']}`, {
    token: String(second['agent_secret']),
  })
  assert.is(asked.json['your_role'], 'viewer', 'nothing of the old one’s is inherited')
  await me(String(second['agent_secret']), 'DELETE')
  const third = await service.call('POST', '/agents/register', {
    body: { name: 'Third', handle: 'quill' },
  })
  assert.is(third.json['actor_id'], 'ai:quill.3')
  const names = await service.people.access.actors(['ai:quill.3' as ActorId])
  assert.is(names['ai:quill.3']?.handle, 'quill')
})

test('extensions §3: an agent registered with a session is that account’s', async () => {
  const ada = new Browser(service)
  await ada.guest('Ada')
  const names = ['One', 'Two', 'Three']
  const made: Answered[] = []
  for (const name of names) {
    service.ahead += 2_000
    made.push(await ada.call('POST', '/agents/register', { body: { name } }))
  }
  assert.is((await me(secretIn(made[1] as Answered))).status, 200)
  const first = await ada.call('GET', '/auth/agents?limit=2')
  assert.equal(
    list(first, 'agents').map(({ name, kind }) => [name, kind]),
    [
      ['Three', 'registered'],
      ['Two', 'registered'],
    ],
  )
  assert.ok(Date.parse(String(list(first, 'agents')[1]?.['last_used_at'])) > 0)
  assert.is(list(first, 'agents')[0]?.['last_used_at'], null)
  const rest = await ada.call('GET', `/auth/agents?cursor=${first.json['next_cursor']}`)
  assert.equal(
    list(rest, 'agents').map(({ name }) => name),
    ['One'],
  )
  assert.is(rest.json['next_cursor'], null)
  const bob = new Browser(service)
  await bob.guest('Bob')
  assert.equal((await bob.call('GET', '/auth/agents')).json['agents'], [])
  const path = `/auth/agents/${made[0]?.json['agent_id']}`
  assert.is(said(await bob.call('DELETE', path)), '404 NOT_FOUND')
  assert.is((await ada.call('DELETE', path)).status, 200)
  assert.is(said(await ada.call('DELETE', path)), '404 NOT_FOUND')
  assert.is((await me(secretIn(made[0] as Answered))).status, 401)
  assert.is(list(await ada.call('GET', '/auth/agents'), 'agents').length, 2)
})

test('an account has so many agents and no more', async () => {
  const ada = new Browser(service)
  await ada.guest('Ada')
  const max = agentsPerAccount
  const { ownerId } = await ownerOf(
    await ada.call('POST', '/agents/register', { body: { name: 'A' } }),
  )
  for (let count = 1; count < max; count++) {
    await service.people.agents.register({ name: 'A', ownerId })
  }
  const more = await ada.call('POST', '/agents/register', { body: { name: 'A' } })
  assert.is(said(more), '409 LIMIT_REACHED')
  assert.is(more.json['max'], max)
})

async function ownerOf({ json }: Answered) {
  const { agent } = await service.people.agents.profile(String(json['agent_id']))
  return { ownerId: agent.ownerId }
}

test('a session from another page registers nothing', async () => {
  const ada = new Browser(service)
  await ada.guest('Ada')
  ada.origin = 'https://evil.example'
  const made = await ada.call('POST', '/agents/register', { body: { name: 'X' } })
  assert.is(said(made), '403 FORBIDDEN')
})

test.run()
