/** Interface §4.5 and extensions §2: bodies of a PATCH that are refused, and in which order. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Made, refused, Service } from '../../client.ts'

const service = new Service()
let made: Made
test.before(async () => {
  await service.start()
  made = await service.document('one two\n')
})
test.after(() => service.remove())

const good = { old_string: 'one', new_string: 'uno' }

for (const field of ['title', 'by']) {
  test(`interface §4.5: ${field} in the body is UNEXPECTED_FIELD`, async () => {
    const answer = await made.patch({ edits: [good], [field]: 'x' })
    refused(answer, 400, 'UNEXPECTED_FIELD')
  })

  test(`extensions §2: ${field} inside an edit is UNEXPECTED_FIELD too`, async () => {
    const answer = await made.patch({ edits: [{ ...good, [field]: 'x' }] })
    refused(answer, 400, 'UNEXPECTED_FIELD')
  })
}

const shapes: Readonly<Record<string, unknown>> = {
  'no edits at all': {},
  'an empty list of edits': { edits: [] },
  'edits that are no list': { edits: good },
  'edits that are null': { edits: null },
  'an edit that is no object': { edits: ['x'] },
  'an edit that is null': { edits: [null] },
  'an edit without new_string': { edits: [{ old_string: 'one' }] },
  'an edit without a target': { edits: [{ new_string: 'x' }] },
  'an old_string that is no string': { edits: [{ old_string: 1, new_string: 'x' }] },
  'a new_string that is null': { edits: [{ old_string: 'one', new_string: null }] },
  'an empty old_string': { edits: [{ old_string: '', new_string: 'x' }] },
  'an unknown field': { edits: [good], wish: 1 },
  'an unknown field in an edit': { edits: [{ ...good, wish: 1 }] },
  'a base_revision that is a string': { edits: [good], base_revision: '1' },
  'a base_revision that is no integer': { edits: [good], base_revision: 1.5 },
  'a negative base_revision': { edits: [good], base_revision: -1 },
  'a base_revision that is null': { edits: [good], base_revision: null },
  'a display_name that is no string': { edits: [good], display_name: 1 },
}
for (const [name, body] of Object.entries(shapes)) {
  test(`extensions §2: ${name} is INVALID_REQUEST with issues`, async () => {
    const answer = await made.patch(body)
    refused(answer, 400, 'INVALID_REQUEST')
    const issues = answer.body['issues']
    assert.ok(Array.isArray(issues) && issues.length > 0, answer.text)
    assert.is(await made.revision(), 1)
  })
}

test('interface §4.5: an anchor must not be combined with old_string (400)', async () => {
  const answer = await made.patch({ base_revision: 1, edits: [{ ...good, after: 'two' }] })
  assert.is(answer.status, 400, answer.text)
})

test('interface §4.5: replace_document with edits is REPLACE_DOCUMENT_WITH_EDITS', async () => {
  const body = { edits: [good], replace_document: 'x', base_revision: 1 }
  refused(await made.patch(body), 400, 'REPLACE_DOCUMENT_WITH_EDITS')
  refused(await made.patch({ ...body, edits: [] }), 400, 'REPLACE_DOCUMENT_WITH_EDITS')
})

test('interface §7: replace_document without base_revision is BASE_REVISION_REQUIRED', async () => {
  refused(await made.patch({ replace_document: 'x' }), 400, 'BASE_REVISION_REQUIRED')
})

test('extensions §2: a body that does not parse is INVALID_JSON', async () => {
  for (const raw of ['{"edits":[', 'edits', '\u0000']) {
    const answer = await service.ask('PATCH', made.path, { token: made.token, raw })
    refused(answer, 400, 'INVALID_JSON')
  }
})

test('extensions §2: invalid UTF-8 never reaches the document', async () => {
  const raw = Buffer.from('{"edits":[{"old_string":"one","new_string":"\u00e9"}]}', 'latin1')
  const answer = await service.ask('PATCH', made.path, { token: made.token, raw })
  refused(answer, 400, 'INVALID_JSON')
  assert.is(await made.revision(), 1)
})

test('extensions §2: a wrong content type is UNSUPPORTED_MEDIA_TYPE', async () => {
  const headers = { 'content-type': 'text/plain' }
  const raw = JSON.stringify({ edits: [good] })
  const answer = await service.ask('PATCH', made.path, { token: made.token, raw, headers })
  refused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
})

test('extensions §2: a compressed body is UNSUPPORTED_MEDIA_TYPE', async () => {
  const headers = { 'content-encoding': 'gzip' }
  const raw = JSON.stringify({ edits: [good] })
  const answer = await service.ask('PATCH', made.path, { token: made.token, raw, headers })
  refused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
})

test('extensions §2: `__proto__` in a body is an unknown field', async () => {
  const raw = '{"edits":[{"old_string":"one","new_string":"x"}],"__proto__":{"by":1}}'
  const answer = await service.ask('PATCH', made.path, { token: made.token, raw })
  refused(answer, 400, 'INVALID_REQUEST')
  const inner = '{"edits":[{"old_string":"one","new_string":"x","__proto__":{}}]}'
  const second = await service.ask('PATCH', made.path, { token: made.token, raw: inner })
  refused(second, 400, 'INVALID_REQUEST')
})

test('extensions §2: a query parameter that does not exist is INVALID_REQUEST', async () => {
  const answer = await made.patch({ edits: [good] }, { query: '?dryrun=true' })
  refused(answer, 400, 'INVALID_REQUEST')
})

test('extensions §2: 404 of the document comes before 401 and before the body', async () => {
  const ask = { token: 'nonsense', raw: '{' }
  refused(await service.ask('PATCH', '/docs/nowhere', ask), 404, 'DOC_NOT_FOUND')
})

test('extensions §2: 401 comes before the body', async () => {
  refused(await service.ask('PATCH', made.path, { raw: '{' }), 401, 'AUTH_REQUIRED')
  const bad = await service.ask('PATCH', made.path, { raw: '{', token: 'dtk_nobody' })
  refused(bad, 401, 'AUTH_REQUIRED')
})

test('extensions §3: knowing a slug never lets anyone write', async () => {
  refused(await service.patch(made.path, { edits: [good] }), 401, 'AUTH_REQUIRED')
})

test('extensions §2: no grant is 403 before the body', async () => {
  const other = await service.document('other\n')
  const bad = await service.ask('PATCH', other.path, { token: made.token, raw: '{' })
  refused(bad, 403, 'FORBIDDEN')
})

test('extensions §2: an agent without a grant may not write', async () => {
  const token = (await service.agent('Stranger')).agent_secret
  refused(await service.patch(made.path, { edits: [good] }, { token }), 403, 'FORBIDDEN')
})

test('extensions §2: a bad body comes before IDENTIFY_REQUIRED', async () => {
  const created = await service.nameless('x')
  refused(await created.patch({ edits: [] }), 400, 'INVALID_REQUEST')
  refused(await created.patch({ edits: [good], by: 'x' }), 400, 'UNEXPECTED_FIELD')
})

test('extensions §2: IDENTIFY_REQUIRED comes before 409 and 422', async () => {
  const created = await service.nameless('x')
  for (const edit of [
    { old_string: 'absent', new_string: 'y' },
    { old_string: 'x', new_string: '<b>' },
  ]) {
    const answer = await created.patch({ edits: [edit] })
    refused(answer, 412, 'IDENTIFY_REQUIRED')
    assert.is(answer.body['next'], 'POST /agents/identify')
    assert.is(answer.body['slug'], created.slug)
  }
})

test('interface §5: ?token= on a PATCH is AUTH_HEADER_REQUIRED, with or without a header', async () => {
  const query = `?token=${made.token}`
  const bare = await service.patch(made.path + query, { edits: [good] })
  refused(bare, 401, 'AUTH_HEADER_REQUIRED')
  refused(await made.patch({ edits: [good] }, { query }), 401, 'AUTH_HEADER_REQUIRED')
})

test.run()
