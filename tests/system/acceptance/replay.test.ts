/** Interface §4.2, §4.5 and extensions §4: an Idempotency-Key replayed, misused and raced. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, asText, type Made, refused, Service, succeeded } from '../../client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

function visitorOf(answer: Answer): string {
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('visitor='))
  assert.ok(cookie, 'no visitor cookie')
  return String(cookie).split(';')[0] ?? ''
}

async function visitor(): Promise<string> {
  return visitorOf(await service.post('/docs', { markdown: 'first visit' }))
}

function create(key: string, cookie: string | undefined, markdown: string) {
  const headers = { 'idempotency-key': key, ...(cookie === undefined ? {} : { cookie }) }
  return service.post('/docs', { markdown }, { headers })
}

test('extensions §3: an anonymous create sets the cookie `visitor`, HttpOnly and Lax', async () => {
  const answer = await service.post('/docs', { markdown: 'a' })
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('visitor=')) ?? ''
  assert.match(cookie, /HttpOnly/i)
  assert.match(cookie, /SameSite=Lax/i)
  assert.not.match(cookie, /Secure/i)
})

test('extensions §3: the visitor cookie asks for no Origin, a foreign one does no harm', async () => {
  const cookie = await visitor()
  const headers = { cookie, origin: 'https://elsewhere.test' }
  succeeded(await service.post('/docs', { markdown: 'a' }, { headers }), 201)
})

test('interface §4.2: same key, same cookie, same request replays the response', async () => {
  const cookie = await visitor()
  const first = await create('k1', cookie, '# One')
  const second = await create('k1', cookie, '# One')
  succeeded(first, 201)
  assert.equal(second.body, first.body)
  assert.is(second.status, 201)
  succeeded(await service.get(`/docs/${second.body['id']}`, asText(second.body['access_token'])))
})

test('interface §4.2: without the cookie the same key creates a duplicate', async () => {
  const first = await create('k2', undefined, '# One')
  const second = await create('k2', undefined, '# One')
  assert.is.not(succeeded(second, 201)['id'], succeeded(first, 201)['id'])
})

test('interface §4.2: the cookie of another visitor replays nothing', async () => {
  const first = await create('k3', await visitor(), '# One')
  const second = await create('k3', await visitor(), '# One')
  assert.is.not(succeeded(second, 201)['id'], succeeded(first, 201)['id'])
})

test('interface §4.2: same key, other body is DOC_SLUG_CONFLICT_UNVERIFIED', async () => {
  const cookie = await visitor()
  succeeded(await create('k4', cookie, '# One'), 201)
  refused(await create('k4', cookie, '# Two'), 409, 'DOC_SLUG_CONFLICT_UNVERIFIED')
})

test('extensions §4: only 2xx outcomes are kept: a refused create frees its key', async () => {
  const cookie = await visitor()
  const headers = { cookie, 'idempotency-key': 'k5' }
  const bad = await service.post('/docs', { markdown: 'a', title: 'x' }, { headers })
  refused(bad, 400, 'UNEXPECTED_FIELD')
  succeeded(await create('k5', cookie, 'a'), 201)
})

test('extensions §4: a second create with the key of a running one waits for it', async () => {
  const cookie = await visitor()
  const markdown = `# Big\n\n${'word '.repeat(60_000)}`
  const answers = await Promise.all([1, 2, 3, 4].map(() => create('k6', cookie, markdown)))
  for (const answer of answers) assert.is(answer.status, 201, answer.text.slice(0, 200))
  assert.is(new Set(answers.map((answer) => answer.body['id'])).size, 1)
  assert.is(new Set(answers.map((answer) => answer.text)).size, 1)
})

test('extensions §4: of two concurrent bodies under one key one creates, one is 409', async () => {
  const cookie = await visitor()
  const answers = await Promise.all([create('k7', cookie, '# A'), create('k7', cookie, '# B')])
  assert.equal(answers.map((answer) => answer.status).sort(), [201, 409])
})

test('interface §4.2: Bearer auth is a namespace: two agents may use one key', async () => {
  const [one, two] = await Promise.all([service.agent('Key one'), service.agent('Key two')])
  const headers = { 'idempotency-key': 'shared-key' }
  const ask = ({ agent_secret: token }: { readonly agent_secret: string }, markdown: string) =>
    service.post('/docs', { markdown }, { headers, token })
  const first = succeeded(await ask(one, '# One'), 201)
  const other = succeeded(await ask(two, '# Two'), 201)
  assert.is.not(first['id'], other['id'])
  assert.equal(succeeded(await ask(one, '# One'), 201), first)
  refused(await ask(one, '# Two'), 409, 'DOC_SLUG_CONFLICT_UNVERIFIED')
})

test('interface §4.2: a replay answers as at first after the document was edited', async () => {
  const cookie = await visitor()
  const first = succeeded(await create('k8', cookie, '# Before'), 201)
  const token = asText(first['access_token'])
  const edits = [{ old_string: 'Before', new_string: 'After' }]
  const path = `/docs/${first['id']}`
  succeeded(await service.patch(path, { edits, display_name: 'Ed' }, { token }))
  assert.equal(succeeded(await create('k8', cookie, '# Before'), 201), first)
})

test('extensions §4: a replay answers as at first after kill -9 and restart', async () => {
  const cookie = await visitor()
  const first = succeeded(await create('k9', cookie, '# Kept'), 201)
  await service.end('SIGKILL')
  await service.start()
  const again = succeeded(await create('k9', cookie, '# Kept'), 201)
  assert.equal(again, first)
  const token = asText(again['access_token'])
  assert.is(succeeded(await service.get(`/docs/${first['id']}`, token))['title'], 'Kept')
  refused(await create('k9', cookie, '# Other'), 409, 'DOC_SLUG_CONFLICT_UNVERIFIED')
})

test('extensions §2: a replay comes after authentication: a bad credential is 401', async () => {
  const headers = { 'idempotency-key': 'k10' }
  const ask = { headers, token: 'as_unknown' }
  refused(await service.post('/docs', { markdown: 'a' }, ask), 401, 'AUTH_REQUIRED')
})

test('interface §4.2: an Idempotency-Key that is absurdly long is INVALID_REQUEST', async () => {
  refused(await create('k'.repeat(5000), await visitor(), 'a'), 400, 'INVALID_REQUEST')
})

function keyed(made: Made, key: string, from: string, to: string, query = '') {
  const edits = [{ old_string: from, new_string: to }]
  return made.patch({ edits }, { query, headers: { 'idempotency-key': key } })
}

test('interface §4.5: the same request with the same key is applied once', async () => {
  const made = await service.document('a\n')
  const first = succeeded(await keyed(made, 'k', 'a', 'aa'))
  const second = succeeded(await keyed(made, 'k', 'a', 'aa'))
  assert.equal(second, first)
  assert.equal([await made.markdown(), await made.revision()], ['aa\n', 2])
})

test('extensions §4: a replay answers its own revision and markdown after later edits', async () => {
  const made = await service.document('one\n')
  const first = succeeded(await keyed(made, 'k', 'one', 'two'))
  succeeded(await made.swap('two', 'three'))
  succeeded(await made.swap('three', 'four'))
  assert.equal(succeeded(await keyed(made, 'k', 'one', 'two')), first)
  assert.is(await made.markdown(), 'four\n')
})

test('extensions §4: a replay answers as the first time after kill -9 and restart', async () => {
  const made = await service.document('one\n')
  const first = succeeded(await keyed(made, 'k', 'one', 'two'))
  succeeded(await made.swap('two', 'three'))
  await service.end('SIGKILL')
  await service.start()
  assert.equal(succeeded(await keyed(made, 'k', 'one', 'two')), first)
  assert.equal([await made.markdown(), await made.revision()], ['three\n', 3])
})

test('extensions §2: the same key with another body is IDEMPOTENCY_KEY_REUSED', async () => {
  const made = await service.document('one\n')
  succeeded(await keyed(made, 'k', 'one', 'two'))
  refused(await keyed(made, 'k', 'two', 'three'), 409, 'IDEMPOTENCY_KEY_REUSED')
  assert.is(await made.revision(), 2)
})

test('extensions §2: the same key on another path is IDEMPOTENCY_KEY_REUSED', async () => {
  const token = (await service.agent('Two documents')).agent_secret
  const create = (markdown: string) => service.post('/docs', { markdown }, { token })
  const one = succeeded(await create('one\n'), 201)
  const two = succeeded(await create('one\n'), 201)
  const edits = [{ old_string: 'one', new_string: 'two' }]
  const ask = { token, headers: { 'idempotency-key': 'shared' } }
  succeeded(await service.patch(`/docs/${one['id']}`, { edits }, ask))
  const again = await service.patch(`/docs/${two['id']}`, { edits }, ask)
  refused(again, 409, 'IDEMPOTENCY_KEY_REUSED')
})

test('interface §4.5: two callers may use the same key on one document', async () => {
  const made = await service.document('one two\n')
  succeeded(await keyed(made, 'k', 'one', '1'))
  const edits = [{ old_string: 'two', new_string: '2' }]
  const ask = { token: made.shareToken, headers: { 'idempotency-key': 'k' } }
  succeeded(await service.patch(made.path, { edits, display_name: 'Guest' }, ask))
  assert.is(await made.markdown(), '1 2\n')
})

test('extensions §4: only 2xx outcomes are kept: a refused key may be used again', async () => {
  const made = await service.document('one\n')
  refused(await keyed(made, 'k', 'absent', 'x'), 409, 'EDIT_NOT_FOUND')
  succeeded(await made.swap('one', 'absent'))
  assert.is(succeeded(await keyed(made, 'k', 'absent', 'x'))['markdown'], 'x\n')
})

test('extensions §4: a second request with the key of a running one waits for it', async () => {
  const made = await service.document('a\n')
  const answers = await Promise.all([1, 2, 3, 4].map(() => keyed(made, 'k', 'a', 'aa')))
  for (const answer of answers) {
    assert.is(answer.status, 200, answer.text)
    assert.equal(answer.body, answers[0]?.body)
  }
  assert.is(await made.markdown(), 'aa\n')
})

test('extensions §2: of two concurrent bodies under one key one is applied, one is 409', async () => {
  const made = await service.document('a b\n')
  const answers = await Promise.all([keyed(made, 'k', 'a', '1'), keyed(made, 'k', 'b', '2')])
  const [won, lost] = answers.sort((x, y) => x.status - y.status)
  assert.is(won?.status, 200)
  if (lost !== undefined) refused(lost, 409, 'IDEMPOTENCY_KEY_REUSED')
  assert.is(await made.revision(), 2)
})

test('extensions §4: a dry run ignores the key', async () => {
  const made = await service.document('one\n')
  succeeded(await keyed(made, 'k', 'one', 'two', '?dryRun=true'))
  assert.is(await made.revision(), 1)
  succeeded(await keyed(made, 'k', 'one', 'three'))
  const dry = succeeded(await keyed(made, 'k', 'three', 'four', '?dryRun=true'))
  assert.is(dry['markdown'], 'four\n')
})

test('extensions §4: a dry run ignores a key that would be refused', async () => {
  const made = await service.document('one\n')
  const edits = [{ old_string: 'one', new_string: 'two' }]
  const ask = { headers: { 'idempotency-key': 'k'.repeat(1_000) } }
  succeeded(await made.patch({ edits }, { ...ask, query: '?dryRun=true' }))
  refused(await made.patch({ edits }, ask), 400, 'INVALID_REQUEST')
})

test('interface §4.5: a key means nothing where no answer is replayed', async () => {
  const made = await service.document('one\n')
  const key = { 'idempotency-key': 'two words' }
  succeeded(await service.get(made.path, made.token, key))
  const named = { slug: made.slug, display_name: 'Ann' }
  succeeded(await service.post('/agents/identify', named, { token: made.token, headers: key }))
})

test('extensions §4: a replay comes after authentication', async () => {
  const made = await service.document('one\n')
  succeeded(await keyed(made, 'k', 'one', 'two'))
  const edits = [{ old_string: 'one', new_string: 'two' }]
  const ask = { headers: { 'idempotency-key': 'k' } }
  refused(await service.patch(made.path, { edits }, ask), 401, 'AUTH_REQUIRED')
})

test('extensions §4: the JSON may be spaced otherwise only if the body is the same', async () => {
  const made = await service.document('one\n')
  succeeded(await keyed(made, 'k', 'one', 'two'))
  const raw = '{ "edits": [ { "old_string": "one", "new_string": "two" } ] }'
  const headers = { 'idempotency-key': 'k' }
  const answer = await service.ask('PATCH', made.path, { token: made.token, raw, headers })
  assert.ok([200, 409].includes(answer.status), answer.text)
  assert.is(await made.revision(), 2)
})

test.run()
