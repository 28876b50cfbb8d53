/** Interface §4.4 and §5, extensions §3: share addresses, your_token, and where credentials go. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asText, call, Made, refused, Service, succeeded } from '../../client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

const ingress = { 'x-service-share-ingress': '1' }
const edits = [{ old_string: 'one', new_string: '1' }]

async function enter(made: Made): Promise<string> {
  const answer = await service.get(`${made.path}?docs`, made.shareToken, ingress)
  return asText(succeeded(answer)['your_token'])
}

test('interface §4.4: a share token with the ingress header gets your_token', async () => {
  const made = await service.document('one\n')
  const answer = await service.get(`${made.path}?docs`, made.shareToken, ingress)
  const body = succeeded(answer)
  const token = asText(body['your_token'])
  assert.match(token, /^dtk_/)
  assert.is(body['your_role'], 'editor')
  assert.ok(body['quickstart'])
  assert.is(succeeded(await service.get(made.path, token))['your_role'], 'editor')
})

test('interface §5: a body that carries a secret is not stored by caches', async () => {
  const made = await service.document('one\n')
  const answer = await service.get(`${made.path}?docs`, made.shareToken, ingress)
  assert.match(answer.headers.get('cache-control') ?? '', /no-store/)
})

test('interface §4.4: each ingress mints a token and an identity of its own', async () => {
  const made = await service.document('one two\n')
  const [first, second] = [await enter(made), await enter(made)]
  assert.is.not(first, second)
  const name = async (token: string, display_name: string) => {
    const body = { display_name, slug: made.slug }
    return (await call(service, 'POST /agents/identify', [], { body, token })).actor_id
  }
  const [one, two] = [await name(first, 'One'), await name(second, 'Two')]
  assert.is.not(one, two)
  assert.match(one, /^ai:anon\.tkn\./)
})

test('interface §4.4: your_token asks for identification before its first write', async () => {
  const made = await service.document('one\n')
  const token = await enter(made)
  refused(await service.patch(made.path, { edits }, { token }), 412, 'IDENTIFY_REQUIRED')
  succeeded(await service.patch(made.path, { edits, display_name: 'New' }, { token }))
})

test('extensions §3: ?docs alone mints for a shared credential', async () => {
  const made = await service.document('one\n')
  const body = succeeded(await service.get(`${made.path}?docs`, made.shareToken))
  assert.type(body['your_token'], 'string')
})

test('extensions §3: the ingress header alone mints for a shared credential', async () => {
  const made = await service.document('one\n')
  const body = succeeded(await service.get(made.path, made.shareToken, ingress))
  assert.type(body['your_token'], 'string')
})

test('extensions §3: a plain read with a share token mints nothing', async () => {
  const made = await service.document('one\n')
  const body = succeeded(await service.get(made.path, made.shareToken))
  assert.is('your_token' in body, false)
})

test('extensions §3: nothing is minted for a personal credential, or for none', async () => {
  const made = await service.document('one\n')
  for (const token of [made.token, await enter(made), undefined]) {
    const body = succeeded(await service.get(`${made.path}?docs`, token, ingress))
    assert.is('your_token' in body, false)
  }
})

test('extensions §3: a GET without a credential reads as viewer where anyone may', async () => {
  const made = await service.document('one\n')
  const body = succeeded(await service.get(made.path))
  assert.is(body['your_role'], 'viewer')
  assert.equal(body['link_access'], { mode: 'anyone', role: 'editor' })
  assert.is('your_token' in body, false)
})

test('extensions §2: a credential that is unknown does not fall back to no credential', async () => {
  const made = await service.document('one\n')
  for (const token of ['dtk_unknown', 'shr_unknown', 'as_unknown', 'ark_x', 'x', '']) {
    refused(await service.get(made.path, token), 401, 'AUTH_REQUIRED')
  }
})

test('extensions §2: another scheme than Bearer is no credential: 401', async () => {
  const made = await service.document('one\n')
  const headers = { authorization: `Basic ${btoa(`x:${made.token}`)}` }
  refused(await service.get(made.path, undefined, headers), 401, 'AUTH_REQUIRED')
})

test('interface §5: the scheme `bearer` is matched in any case', async () => {
  const made = await service.document('one\n')
  const headers = { authorization: `bearer ${made.token}` }
  assert.is(succeeded(await service.get(made.path, undefined, headers))['your_role'], 'editor')
})

test('interface §5: ?token= on a read is AUTH_HEADER_REQUIRED, valid or not', async () => {
  const made = await service.document('one\n')
  for (const token of [made.token, made.shareToken, 'nonsense', '']) {
    const query = `?token=${token}`
    refused(await service.get(made.path + query), 401, 'AUTH_HEADER_REQUIRED')
    refused(await service.get(made.path + query, made.token), 401, 'AUTH_HEADER_REQUIRED')
  }
})

test('extensions §2: no such document is 404 before ?token= is judged', async () => {
  refused(await service.get('/docs/nowhere?token=x'), 404, 'DOC_NOT_FOUND')
  refused(await service.get('/docs/nowhere', 'dtk_unknown'), 404, 'DOC_NOT_FOUND')
})

test('interface §5: a per-document token gives its role on its document only', async () => {
  const [made, other] = [await service.document('one\n'), await service.document('one\n')]
  for (const token of [made.token, made.shareToken]) {
    refused(await service.patch(other.path, { edits }, { token }), 403, 'FORBIDDEN')
    refused(await service.get(other.path, token), 403, 'FORBIDDEN')
  }
})

test('interface §5: a document token lends its identity to no other document', async () => {
  const made = await service.document('one\n')
  const answer = await service.post('/docs', { markdown: 'x' }, { token: made.token })
  assert.is.not(succeeded(answer, 201)['actor_id'], made.actorId)
})

test('interface §5: a registered agent without a grant reads what anyone may read', async () => {
  const made = await service.document('one\n')
  const agent = await service.agent('Reader')
  const token = agent.agent_secret
  assert.is(succeeded(await service.get(made.path, token))['your_role'], 'viewer')
})

test('interface §5: a registered agent is already identified', async () => {
  const agent = await service.agent('Already')
  const token = agent.agent_secret
  const body = { markdown: 'one\n' }
  const { id: slug } = await call(service, 'POST /docs', [], { body, token })
  await call(service, 'PATCH /docs/:slug', [], { slug, body: { edits }, token })
  const asked = { slug, query: { include: 'authorship' }, token }
  const read = await call(service, 'GET /docs/:slug', ['display_name', 'actors'], asked)
  assert.is(read.display_name, 'Already')
  assert.is(read.actors[agent.actor_id]?.name, 'Already')
})

test('extensions §4: a document that an agent created is open to anyone as editor', async () => {
  const token = (await service.agent('Opener')).agent_secret
  const body = { markdown: 'one\n' }
  const { id: slug } = await call(service, 'POST /docs', [], { body, token })
  const read = await call(service, 'GET /docs/:slug', ['link_access'], { slug, token })
  assert.equal(read.link_access, { mode: 'anyone', role: 'editor' })
})

test('extensions §4: register answers its five fields; a used handle is HANDLE_TAKEN', async () => {
  const body = { name: 'Handled', handle: 'handled-one' }
  const agent = succeeded(await service.post('/agents/register', body), 201)
  assert.is(agent['handle'], 'handled-one')
  assert.is(agent['name'], 'Handled')
  assert.is(agent['actor_id'], 'ai:handled-one')
  refused(await service.post('/agents/register', body), 409, 'HANDLE_TAKEN')
  refused(await service.post('/agents/register', {}), 400, 'INVALID_REQUEST')
})

test('extensions §3: the store holds no token: none is found in DATA_DIR', async () => {
  const { readdirSync, readFileSync, statSync } = await import('node:fs')
  const { join } = await import('node:path')
  const made = await service.document('one\n')
  const yours = await enter(made)
  const secret = (await service.agent('Quiet')).agent_secret
  const root = service.environment.DATA_DIR
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((name) => statSync(name).isFile())
  for (const file of files) {
    const text = readFileSync(file, 'latin1')
    for (const token of [made.token, made.shareToken, yours, secret]) {
      assert.is(text.includes(token), false, `${file} holds ${token.slice(0, 6)}`)
    }
  }
  assert.ok(files.length > 0)
})

test('interface §5: bearer secrets are not logged', async () => {
  const made = await service.document('one\n')
  await service.get(`${made.path}?token=${made.token}`)
  await service.get(made.path, made.shareToken, ingress)
  for (const token of [made.token, made.shareToken]) {
    assert.is(service.output.includes(token), false)
  }
})

test('extensions §3: your_token and the share token survive kill -9 and restart', async () => {
  const made = await service.document('one\n')
  const token = await enter(made)
  await service.end('SIGKILL')
  await service.start()
  assert.is(succeeded(await service.get(made.path, token))['your_role'], 'editor')
  assert.is(succeeded(await service.get(made.path, made.shareToken))['your_role'], 'editor')
  succeeded(await service.patch(made.path, { edits, display_name: 'Back' }, { token }))
})

test('interface §5: the slug of another spelling is another document', async () => {
  const made = await service.document('one\n')
  for (const slug of [made.slug.toUpperCase(), `${made.slug}x`, `${made.slug}%00`, '..%2f..']) {
    const answer = await service.get(`/docs/${slug}`, made.token)
    assert.is(answer.status, 404, slug)
    assert.type(answer.body['code'], 'string')
  }
  assert.ok(made instanceof Made)
})

test.run()
