/** Interface §4.5 and extensions §4: a PATCH with an Idempotency-Key. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asText, type Made, refused, Service, succeeded } from './client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

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
  const token = asText((await service.agent('Two documents'))['agent_secret'])
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
