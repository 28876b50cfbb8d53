/** POST /docs (interface §2.3, §4.2) over real sockets. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const create = (body: unknown, call: object = {}) =>
  service.call('POST', '/docs', { body, ...call })

/** The pair that sends a cookie back. */
const cookieOf = (answer: { headers: { 'set-cookie'?: string[] | undefined } }) =>
  answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''

const register = async (name = 'Robo') => {
  const answer = await service.call('POST', '/agents/register', { body: { name } })
  return answer.json as { agent_secret: string; actor_id: string }
}

test('§2.3 an anonymous create answers every field', async () => {
  const { status, json } = await create({ markdown: '# Title\n\nText.' })
  assert.is(status, 201)
  const { id } = json
  assert.is(json['title'], 'Title')
  assert.is(json['markdown'], '# Title\n\nText.\n')
  assert.is(json['revision'], 1)
  assert.match(String(json['access_token']), /^dtk_/)
  assert.is(json['access_token_role'], 'editor')
  assert.is(json['url'], `/docs/${id}`)
  assert.is(json['api_url'], `/docs/${id}`)
  assert.match(String(json['share_url']), new RegExp(`^/d/${id}\\?token=shr_`))
  assert.match(String(json['actor_id']), /^ai:anon\.tkn\./)
  assert.is(json['identify_required'], true)
  assert.is(json['identify_url'], '/agents/identify')
  assert.is(json['docs_url'], `/docs/${id}?docs`)
})

test('§2.3 any other top-level field is UNEXPECTED_FIELD', async () => {
  for (const field of ['title', 'body', 'content', 'text', 'by', 'slug', 'x']) {
    const { json } = await create({ markdown: '# T', [field]: 'v' })
    assert.is(json['code'], 'UNEXPECTED_FIELD', field)
    assert.is(json['field'], field)
  }
})

test('§2.3 by and title are UNEXPECTED_FIELD at any depth', async () => {
  for (const field of ['title', 'by']) {
    const target = { kind: 'default', deep: [{ [field]: 1 }] }
    const { json } = await create({ markdown: '# T', library_target: target })
    assert.is(json['code'], 'UNEXPECTED_FIELD')
  }
})

test('§2.3 display_name on the create names its token', async () => {
  const { json } = await create({ markdown: '# T', display_name: ' Ada ' })
  assert.is(json['identify_required'], false)
  const read = await service.call('GET', `/docs/${json['id']}`, {
    token: String(json['access_token']),
  })
  assert.is(read.json['display_name'], 'Ada')
})

test('§2.3 markdown is required and text', async () => {
  for (const body of [{}, { markdown: 1 }, { markdown: null }, [], 'x', null, 1]) {
    const { json } = await create(body)
    assert.is(json['code'], 'INVALID_REQUEST', JSON.stringify(body))
  }
})

test('§4.2 with no Authorization the anonymous fallback applies and its token edits', async () => {
  const { json } = await create({ markdown: 'one' })
  const patch = { edits: [{ old_string: 'one', new_string: 'two' }], display_name: 'Ada' }
  const token = String(json['access_token'])
  const edited = await service.call('PATCH', `/docs/${json['id']}`, { token, body: patch })
  assert.is(edited.json['markdown'], 'two\n')
})

test('§4.2 a registered agent creates under its handle', async () => {
  const agent = await register()
  const { json } = await create({ markdown: '# T' }, { token: agent.agent_secret })
  assert.is(json['actor_id'], agent.actor_id)
  assert.is(json['access_token'], undefined)
  assert.is(json['access_token_role'], undefined)
  assert.is(json['identify_required'], false)
  const read = await service.call('GET', `/docs/${json['id']}?include=authorship`, {
    token: agent.agent_secret,
  })
  assert.is(read.json['your_role'], 'editor')
  assert.equal(read.json['authorship'], [{ from: 0, to: 4, author: agent.actor_id }])
})

test('§4.2 a document token on a create is an identity for keys; the create is anonymous', async () => {
  const first = await service.create('# First', 'Ada')
  const { json } = await create({ markdown: '# Second' }, { token: first.token })
  assert.is.not(json['actor_id'], first.answer.json['actor_id'])
  assert.match(String(json['access_token']), /^dtk_/)
  assert.is(json['identify_required'], true)
})

test('§4.2 an unknown Bearer is AUTH_REQUIRED and creates nothing', async () => {
  for (const token of ['nope', `dtk_${'a'.repeat(43)}`]) {
    const { json, headers } = await create({ markdown: '# T' }, { token })
    assert.is(json['code'], 'AUTH_REQUIRED')
    assert.is(headers['www-authenticate'], 'Bearer')
  }
})

test('§4.2 a retry with the same key, request and visitor cookie replays the create', async () => {
  const headers = { 'Idempotency-Key': 'k1' }
  const first = await create({ markdown: '# T' }, { headers })
  const cookie = cookieOf(first)
  const again = await create({ markdown: '# T' }, { headers: { ...headers, Cookie: cookie } })
  assert.is(again.status, 201)
  assert.equal(again.json, first.json)
  assert.is(again.headers['set-cookie'], undefined)
})

test('§4.2 a replay answers the first text, also after later edits', async () => {
  const headers = { 'Idempotency-Key': 'k2' }
  const first = await create({ markdown: 'one' }, { headers })
  const cookie = cookieOf(first)
  await service.call('PATCH', `/docs/${first.json['id']}`, {
    token: String(first.json['access_token']),
    body: { edits: [{ old_string: 'one', new_string: 'two' }], display_name: 'Ada' },
  })
  const again = await create({ markdown: 'one' }, { headers: { ...headers, Cookie: cookie } })
  assert.equal(again.json, first.json)
})

test('§4.2 the same key with another body is DOC_SLUG_CONFLICT_UNVERIFIED', async () => {
  const agent = await register()
  const call = { token: agent.agent_secret, headers: { 'Idempotency-Key': 'k3' } }
  assert.is((await create({ markdown: '# One' }, call)).status, 201)
  const { json } = await create({ markdown: '# Two' }, call)
  assert.is(json['code'], 'DOC_SLUG_CONFLICT_UNVERIFIED')
})

test('§4.2 replay holds under a Bearer: an agent, and a document token', async () => {
  const agent = await register()
  const { token } = await service.create('# Key owner')
  for (const secret of [agent.agent_secret, token]) {
    const call = { token: secret, headers: { 'Idempotency-Key': 'k4' } }
    const [first, again] = [
      await create({ markdown: '# T' }, call),
      await create({ markdown: '# T' }, call),
    ]
    assert.equal(again.json, first.json)
    assert.is(first.headers['set-cookie'], undefined)
  }
})

test('§4.2 the same key of other identities makes other documents', async () => {
  const headers = { 'Idempotency-Key': 'k5' }
  const slugs = new Set<unknown>()
  for (const token of [(await register()).agent_secret, (await register()).agent_secret]) {
    slugs.add((await create({ markdown: '# T' }, { token, headers })).json['id'])
  }
  slugs.add((await create({ markdown: '# T' }, { headers })).json['id'])
  slugs.add((await create({ markdown: '# T' }, { headers })).json['id'])
  assert.is(slugs.size, 4)
})

test('§4.2 two at once with one key make one document', async () => {
  const { agent_secret: token } = await register()
  const call = { token, headers: { 'Idempotency-Key': 'k6' } }
  const answers = await Promise.all([1, 2, 3].map(() => create({ markdown: '# T' }, call)))
  assert.is(new Set(answers.map(({ json }) => json['id'])).size, 1)
})

test('§5 the visitor cookie is HttpOnly and SameSite=Lax, and authenticates nobody', async () => {
  const answer = await create({ markdown: '# T' })
  const set = answer.headers['set-cookie']?.[0] ?? ''
  assert.match(set, /^visitor=[A-Za-z0-9_-]{43}; /)
  for (const each of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']) {
    assert.ok(set.split('; ').includes(each), each)
  }
  const patched = await service.call('PATCH', `/docs/${answer.json['id']}`, {
    headers: { Cookie: cookieOf(answer) },
    body: { edits: [{ old_string: 'T', new_string: 'U' }], display_name: 'Ada' },
  })
  assert.is(patched.json['code'], 'AUTH_REQUIRED')
})

test('§2.8 the default target is as good as none', async () => {
  const { status } = await create({ markdown: '# T', library_target: { kind: 'default' } })
  assert.is(status, 201)
})

test("§4.2 somebody else's target is NOT_AUTHORIZED, an unknown kind INVALID_KIND", async () => {
  for (const kind of ['personal', 'team', 'bot']) {
    const { json } = await create({ markdown: '# T', library_target: { kind } })
    assert.is(json['code'], 'NOT_AUTHORIZED', kind)
  }
  const { json } = await create({ markdown: '# T', library_target: { kind: 'shelf' } })
  assert.is(json['code'], 'INVALID_KIND')
})

test('new documents are anyone/editor when an agent or nobody created them', async () => {
  const { agent_secret: token } = await register()
  for (const call of [{}, { token }]) {
    const { json } = await create({ markdown: '# T' }, call)
    const read = await service.call('GET', `/docs/${json['id']}`)
    assert.equal(read.json['link_access'], { mode: 'anyone', role: 'editor' })
  }
})

test('an Idempotency-Key that is too long is INVALID_REQUEST', async () => {
  const headers = { 'Idempotency-Key': 'k'.repeat(201) }
  const { json } = await create({ markdown: '# T' }, { headers })
  assert.is(json['code'], 'INVALID_REQUEST')
})

test('an empty document is a document', async () => {
  const { json } = await create({ markdown: '' })
  assert.is(json['title'], '')
})

test.run()
