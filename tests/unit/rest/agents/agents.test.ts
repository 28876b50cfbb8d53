/** POST /agents/identify (interface §4.7) and POST /agents/register (§4.12). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const identify = (token: string | undefined, body: unknown) =>
  service.call('POST', '/agents/identify', { token, body })
const register = (body: unknown) => service.call('POST', '/agents/register', { body })

test('§4.7 identify answers actor_id and display_name', async () => {
  const { slug, token, answer } = await service.create('# T')
  const { status, json } = await identify(token, { display_name: ' Ada ', slug })
  assert.is(status, 200)
  assert.equal(json, { actor_id: answer.json['actor_id'], display_name: 'Ada' })
})

test('§4.7 idempotent; calling again renames', async () => {
  const { slug, token } = await service.create('# T')
  for (const name of ['Ada', 'Ada', 'Grace']) {
    assert.is((await identify(token, { display_name: name, slug })).json['display_name'], name)
  }
  const { json } = await service.call('GET', `/docs/${slug}`, { token })
  assert.is(json['display_name'], 'Grace')
})

test('§4.7 a registered agent is already identified: its own name comes back', async () => {
  const agent = (await register({ name: 'Robo' })).json
  const { slug } = await service.create('# T')
  const { json } = await identify(String(agent['agent_secret']), { display_name: 'X', slug })
  assert.equal(json, { actor_id: agent['actor_id'], display_name: 'Robo' })
})

test('§7 the document comes first, then the credential, then its document, then the body', async () => {
  const { slug, token } = await service.create('# T')
  const other = await service.create('# Other')
  const nowhere = 'a'.repeat(20)
  const name = { display_name: 'Ada' }
  assert.is((await identify(undefined, { ...name, slug: nowhere })).json['code'], 'DOC_NOT_FOUND')
  assert.is((await identify(token, { slug: 'x', display_name: 1 })).json['code'], 'DOC_NOT_FOUND')
  assert.is((await identify(undefined, { ...name, slug })).json['code'], 'AUTH_REQUIRED')
  assert.is((await identify(undefined, { slug })).json['code'], 'AUTH_REQUIRED')
  assert.is((await identify(undefined, {})).json['code'], 'AUTH_REQUIRED')
  assert.is((await identify(other.token, { slug })).json['code'], 'FORBIDDEN')
  assert.is((await identify(token, { slug })).json['code'], 'INVALID_REQUEST')
  assert.is((await identify(token, name)).json['code'], 'INVALID_REQUEST')
  assert.is((await identify(token, { ...name, slug, x: 1 })).json['code'], 'INVALID_REQUEST')
  assert.is((await identify(token, { ...name, slug, by: 1 })).json['code'], 'UNEXPECTED_FIELD')
})

test('a name that is empty, too long or not one line is INVALID_REQUEST', async () => {
  const { slug, token } = await service.create('# T')
  for (const name of ['', ' ', 'a'.repeat(81), 'a\nb']) {
    const { json } = await identify(token, { display_name: name, slug })
    assert.is(json['code'], 'INVALID_REQUEST', JSON.stringify(name))
  }
})

test('§4.12 register answers 201 with agent_id and agent_secret', async () => {
  const { status, json } = await register({ name: 'Robo', handle: 'robo-1' })
  assert.is(status, 201)
  assert.match(String(json['agent_id']), /^ag_/)
  assert.match(String(json['agent_secret']), /^as_/)
  assert.is(json['actor_id'], 'ai:robo-1')
  assert.is(json['handle'], 'robo-1')
  assert.is(json['name'], 'Robo')
})

test('a used handle is HANDLE_TAKEN', async () => {
  assert.is((await register({ name: 'A', handle: 'taken' })).status, 201)
  assert.is((await register({ name: 'B', handle: 'taken' })).json['code'], 'HANDLE_TAKEN')
})

test('a handle that is none is INVALID_REQUEST', async () => {
  for (const handle of ['A', 'a', 'a b', 'anon.tkn.x', '-a', 'a'.repeat(40), '']) {
    assert.is((await register({ name: 'A', handle })).json['code'], 'INVALID_REQUEST', handle)
  }
})

test('registration can be closed', async () => {
  const closed = await startService({ config: { registrationOpen: false } })
  const { json } = await closed.call('POST', '/agents/register', { body: { name: 'A' } })
  assert.is(json['code'], 'FORBIDDEN')
  await closed.close()
})

test('interface §4.7: no way of taking a name takes one that cannot be seen or hides something', async () => {
  const { slug, token } = await service.create('one')
  const bad = [
    '\u200b\u2060',
    '\u3164',
    '\u2800',
    `Z${'\u0315'.repeat(5)}`,
    'Ada\u202enosrev',
    'A\u{e0041}',
  ]
  for (const name of bad) {
    const edits = [{ old_string: 'one', new_string: 'two' }]
    const answers = [
      await service.call('POST', '/agents/identify', { token, body: { slug, display_name: name } }),
      await service.call('PATCH', `/docs/${slug}`, { token, body: { edits, display_name: name } }),
      await service.call('POST', '/agents/register', { body: { name } }),
      await service.call('POST', '/auth/guest', { body: { name } }),
      await service.call('POST', '/docs', { body: { markdown: 'x', display_name: name } }),
    ]
    const codes = answers.map(({ json }) => json['code'])
    assert.equal(codes, Array(4).fill('INVALID_REQUEST').concat(codes[4]), JSON.stringify(name))
    assert.ok(['INVALID_REQUEST', 'UNEXPECTED_FIELD'].includes(String(codes[4])))
  }
})

test.run()
