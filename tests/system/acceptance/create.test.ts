/** Interface §2.1, §2.3 and §4.2: creating documents, anonymously and as an agent. */
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asText, call, refused, Service, succeeded } from '../../client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

test('interface §2.3: an anonymous create answers 201 with every documented field', async () => {
  const body = succeeded(await service.post('/docs', { markdown: '# Plan\n\nText.\n' }), 201)
  const slug = asText(body['id'])
  assert.is(body['title'], 'Plan')
  assert.is(body['markdown'], '# Plan\n\nText.\n')
  assert.is(body['revision'], 1)
  assert.type(body['access_token'], 'string')
  assert.is(body['access_token_role'], 'editor')
  assert.is(body['url'], `/docs/${slug}`)
  assert.is(body['api_url'], `/docs/${slug}`)
  assert.match(asText(body['actor_id']), /^ai:anon\.tkn\.[^.:]+$/)
  assert.is(body['identify_required'], true)
  assert.is(body['identify_url'], '/agents/identify')
  assert.is(body['docs_url'], `/docs/${slug}?docs`)
})

test('interface §2.3: share_url carries a handoff token distinct from access_token', async () => {
  const { created, slug, token, shareToken } = await service.nameless('x')
  assert.is(new URL(created.share_url, service.base).pathname, `/d/${slug}`)
  assert.ok(shareToken)
  assert.is.not(shareToken, token)
})

test('interface §2.3: library fields stay away from an unplaced document', async () => {
  const body = (await service.nameless('x')).created
  assert.is('library_target_resolution' in body, false)
  assert.is('library_repair' in body, false)
})

test('extensions §3: tokens are dtk_, shr_ and as_ with at least 192 bits', async () => {
  const { created } = await service.nameless('x')
  assert.match(created.access_token, /^dtk_[\w-]{32,}$/)
  assert.match(created.share_url, /token=shr_[\w-]{32,}$/)
  const agent = await service.agent('Shapes')
  assert.match(agent.agent_secret, /^as_[\w-]{32,}$/)
  assert.match(agent.agent_id, /^ag_/)
})

test('extensions §1: slugs carry at least 96 random bits', async () => {
  assert.match((await service.nameless('x')).slug, /^[0-9a-zA-Z_-]{16,}$/)
})

for (const field of ['title', 'body', 'content', 'text', 'by', 'shape', 'edits']) {
  test(`interface §2.3: a top-level ${field} is UNEXPECTED_FIELD and creates nothing`, async () => {
    const answer = await service.post('/docs', { markdown: '# A', [field]: 'x' })
    refused(answer, 400, 'UNEXPECTED_FIELD')
    assert.is('id' in answer.body, false)
  })
}

test('interface §2.3: an unexpected field wins although markdown is missing', async () => {
  refused(await service.post('/docs', { content: '# A' }), 400, 'UNEXPECTED_FIELD')
})

test('extensions §2: on create `constructor` is UNEXPECTED_FIELD like every field', async () => {
  const raw = '{"markdown":"a","constructor":1}'
  refused(await service.ask('POST', '/docs', { raw }), 400, 'UNEXPECTED_FIELD')
})

test('extensions §2: on create `__proto__` is UNEXPECTED_FIELD like every field', async () => {
  const raw = '{"markdown":"a","__proto__":{"by":"x"}}'
  refused(await service.ask('POST', '/docs', { raw }), 400, 'UNEXPECTED_FIELD')
})

test('extensions §2: markdown that is missing or no string is INVALID_REQUEST', async () => {
  for (const body of [{}, { markdown: null }, { markdown: 1 }, { markdown: ['a'] }]) {
    const answer = await service.post('/docs', body)
    refused(answer, 400, 'INVALID_REQUEST')
    const issues = answer.body['issues']
    assert.ok(Array.isArray(issues) && issues.length > 0, answer.text)
    for (const issue of issues as Record<string, unknown>[]) {
      assert.type(issue['path'], 'string')
      assert.type(issue['message'], 'string')
    }
  }
})

test('extensions §2: a body that is JSON but no object is INVALID_REQUEST', async () => {
  for (const raw of ['[]', '"a"', '1', 'null', 'true', '[{"markdown":"a"}]']) {
    refused(await service.ask('POST', '/docs', { raw }), 400, 'INVALID_REQUEST')
  }
})

test('extensions §2: a body that does not parse is INVALID_JSON', async () => {
  for (const raw of ['{"markdown":', '{markdown:"a"}', '{"markdown":"a"}x', "{'a':1}"]) {
    refused(await service.ask('POST', '/docs', { raw }), 400, 'INVALID_JSON')
  }
})

test('extensions §2: an empty body does not parse: INVALID_JSON', async () => {
  refused(await service.ask('POST', '/docs', { raw: '' }), 400, 'INVALID_JSON')
})

test('extensions §2: invalid UTF-8 in the body is INVALID_JSON', async () => {
  const raw = Buffer.concat([
    Buffer.from('{"markdown":"'),
    Buffer.from([0xc3, 0x28, 0xff]),
    Buffer.from('"}'),
  ])
  refused(await service.ask('POST', '/docs', { raw }), 400, 'INVALID_JSON')
})

test('extensions §2: a wrong content type is UNSUPPORTED_MEDIA_TYPE', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/html']) {
    const headers = { 'content-type': type }
    const answer = await service.ask('POST', '/docs', { raw: '{"markdown":"a"}', headers })
    refused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
})

test('interface §4.2: application/json may name its charset', async () => {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  succeeded(await service.ask('POST', '/docs', { raw: '{"markdown":"a"}', headers }), 201)
})

test('extensions §2: JSON a hundred thousand levels deep is refused, not a crash', async () => {
  const deep = `{"markdown":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const answer = await service.ask('POST', '/docs', { raw: deep })
  assert.is(answer.status, 400, answer.text.slice(0, 200))
  const tail = `{"markdown":"a","x":${'{"x":'.repeat(50_000)}1${'}'.repeat(50_000)}}`
  assert.is((await service.ask('POST', '/docs', { raw: tail })).status, 400)
})

test('extensions §8: markdown over 4 MiB is PAYLOAD_TOO_LARGE with limit and size', async () => {
  const markdown = 'a'.repeat(4 * 1024 * 1024 + 1)
  const answer = await service.post('/docs', { markdown })
  refused(answer, 413, 'PAYLOAD_TOO_LARGE')
  assert.is(answer.body['limit'], 4 * 1024 * 1024)
  assert.ok(Number(answer.body['size']) > 4 * 1024 * 1024)
})

test('extensions §8: markdown of exactly 4 MiB and a body of exactly 6 MiB are taken', async () => {
  const markdown = `${'a'.repeat(4 * 1024 * 1024 - 1)}\n`
  const body = succeeded(await service.post('/docs', { markdown }), 201)
  assert.is(body['markdown'], markdown)
  const small = '{"markdown":"a"}'
  succeeded(await service.ask('POST', '/docs', { raw: small.padEnd(6 * 1024 * 1024) }), 201)
})

test('extensions §8: markdown is measured in bytes, not characters', async () => {
  const markdown = '\u20ac'.repeat(1_500_000)
  refused(await service.post('/docs', { markdown }), 413, 'PAYLOAD_TOO_LARGE')
})

test('extensions §8: a JSON body over 6 MiB is PAYLOAD_TOO_LARGE', async () => {
  const raw = '{"markdown":"a"}'.padEnd(6 * 1024 * 1024 + 1)
  const answer = await service.ask('POST', '/docs', { raw })
  refused(answer, 413, 'PAYLOAD_TOO_LARGE')
  assert.is(answer.body['limit'], 6 * 1024 * 1024)
})

test('interface §2.3: an empty document is a document with the title ""', async () => {
  const { created } = await service.nameless('')
  assert.is(created.title, '')
  assert.is(created.markdown.trim(), '')
})

test('interface §4.2: a registered agent creates under its handle', async () => {
  const agent = await service.agent('Writer')
  const token = agent.agent_secret
  const created = await call(service, 'POST /docs', [], { body: { markdown: '# A' }, token })
  assert.is(created.actor_id, agent.actor_id)
  assert.is(created.identify_required, false)
  const asked = { slug: created.id, query: { include: 'authorship' }, token }
  const read = await call(service, 'GET /docs/:slug', ['authorship', 'your_role'], asked)
  assert.is(read.your_role, 'editor', 'agents are never owners')
  assert.equal(
    read.authorship.map(({ author }) => author),
    [agent.actor_id],
  )
})

test('interface §4.2: a registered agent edits what it created without identifying', async () => {
  const token = (await service.agent('Writer two')).agent_secret
  const { id } = await call(service, 'POST /docs', [], { body: { markdown: '# A' }, token })
  const edits = [{ old_string: 'A', new_string: 'B' }]
  await call(service, 'PATCH /docs/:slug', [], { slug: id, body: { edits }, token })
})

test('extensions §2: an unknown credential on create is AUTH_REQUIRED, not anonymous', async () => {
  for (const token of ['as_unknown', 'nonsense', 'dtk_x', 'ark_none']) {
    refused(await service.post('/docs', { markdown: 'a' }, { token }), 401, 'AUTH_REQUIRED')
  }
  const headers = { authorization: 'Basic dXNlcjpwYXNz' }
  refused(await service.post('/docs', { markdown: 'a' }, { headers }), 401, 'AUTH_REQUIRED')
})

test('extensions §2: 401 comes before a bad body', async () => {
  const answer = await service.ask('POST', '/docs', { token: 'as_unknown', raw: '{' })
  refused(answer, 401, 'AUTH_REQUIRED')
})

test('interface §2.8: library kinds are checked: INVALID_KIND 422', async () => {
  const answer = await service.post('/docs', { markdown: 'a', library_target: { kind: 'moon' } })
  refused(answer, 422, 'INVALID_KIND')
})

test('interface §2.8: kind `default` is as good as no library target', async () => {
  const body = { markdown: 'a', library_target: { kind: 'default' } }
  succeeded(await service.post('/docs', body), 201)
})

test('extensions §2: every unknown field of a create is UNEXPECTED_FIELD, inside too', async () => {
  const body = { markdown: 'a', library_target: { kind: 'default', wish: 1 } }
  const answer = await service.post('/docs', body)
  refused(answer, 400, 'UNEXPECTED_FIELD')
  assert.is(answer.body['path'], '/library_target/wish')
})

test('interface §2.8: the fields of a library target have their types', async () => {
  for (const field of ['parentFolderId', 'botId', 'botSlug']) {
    const target = { kind: 'bot', [field]: 1 }
    const answer = await service.post('/docs', { markdown: 'a', library_target: target })
    refused(answer, 400, 'INVALID_REQUEST')
  }
})

test('interface §2.3: the markdown of the create is the markdown of the read', async () => {
  const markdown = '* a\n* b\r\n\r\nx\\\ny __b__ `c`\n\n\n\n1) one\n'
  const made = await service.document(markdown)
  const read = succeeded(await made.read())
  assert.is(read['markdown'], made.created.markdown)
  const hash = createHash('sha256').update(asText(read['markdown']), 'utf8').digest('hex')
  assert.is(read['content_hash'], hash)
  assert.not.match(asText(read['markdown']), /\r/)
})

test('extensions §1: create counts down its minute quota in the RateLimit headers', async () => {
  const narrow = new Service({ RATE_CREATE: '2' })
  await narrow.start()
  try {
    const first = await narrow.post('/docs', { markdown: 'a' })
    assert.is(first.headers.get('ratelimit-limit'), '2')
    assert.is(first.headers.get('ratelimit-remaining'), '1')
    await narrow.post('/docs', { markdown: 'a' })
    const third = await narrow.post('/docs', { markdown: 'a' })
    refused(third, 429, 'RATE_LIMITED')
    assert.is(third.headers.get('ratelimit-remaining'), '0')
    assert.ok(Number(third.headers.get('retry-after')) > 0)
    assert.ok(Number(third.headers.get('ratelimit-reset')) > 0)
  } finally {
    await narrow.remove()
  }
})

test.run()
