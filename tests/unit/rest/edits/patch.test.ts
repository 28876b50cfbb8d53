/** PATCH /docs/:slug (interface §4.5) as HTTP has it: shapes, order, identity, retries. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bound } from '../bound-documents.ts'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const patch = (slug: string, token: string | undefined, body: unknown, query = '', headers = {}) =>
  service.call('PATCH', `/docs/${slug}${query}`, { token, body, headers })

const replace = (from: string, to: string) => ({
  edits: [{ old_string: from, new_string: to }],
})

test('§4.5 single-edit success is 200 {markdown, revision}', async () => {
  const { slug, token } = await service.create('one two', 'Ada')
  const { status, json } = await patch(slug, token, replace('one', 'three'))
  assert.is(status, 200)
  assert.equal(json, { markdown: 'three two\n', revision: 2 })
})

test('§4.5 a batch answers edits and failed_edit_indexes', async () => {
  const { slug, token } = await service.create('one two', 'Ada')
  const edits = [...replace('one', '1').edits, ...replace('nowhere', 'x').edits]
  const { status, json } = await patch(slug, token, { edits })
  assert.is(status, 200)
  assert.is(json['markdown'], '1 two\n')
  assert.equal(json['failed_edit_indexes'], [1])
  const outcomes = json['edits'] as { ok: boolean; index: number }[]
  assert.equal(
    outcomes.map(({ ok, index }) => [ok, index]),
    [
      [true, 0],
      [false, 1],
    ],
  )
})

test('§4.5 what a PATCH answers is what a read answers', async () => {
  const { slug, token } = await service.create('# T\n\nbody', 'Ada')
  const { json } = await patch(slug, token, replace('body', 'more "quotes" \u2028 \u{1f600}'))
  const read = await service.call('GET', `/docs/${slug}`)
  assert.is(read.json['markdown'], json['markdown'])
  assert.is(read.json['revision'], json['revision'])
})

test('§4.5 dryRun=true returns the resulting markdown without committing', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  const { json } = await patch(slug, token, replace('one', 'two'), '?dryRun=true')
  assert.is(json['markdown'], 'two\n')
  const read = await service.call('GET', `/docs/${slug}`)
  assert.is(read.json['markdown'], 'one\n')
  assert.is(read.json['revision'], 1)
})

test('§4.5 a dry run ignores the idempotency key, and names nobody', async () => {
  const { slug, token } = await service.create('one')
  const key = { 'Idempotency-Key': 'dry' }
  const named = { ...replace('one', 'two'), display_name: 'Ada' }
  assert.is((await patch(slug, token, named, '?dryRun=true', key)).status, 200)
  assert.is((await patch(slug, token, replace('one', '2'))).json['code'], 'IDENTIFY_REQUIRED')
  assert.is((await patch(slug, token, { ...named, base_revision: 1 }, '', key)).status, 200)
})

test('§4.5 dryRun takes true or false', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  for (const query of ['?dryRun=1', '?dryRun=', '?dryrun=true']) {
    const { json } = await patch(slug, token, replace('one', 'two'), query)
    assert.is(json['code'], 'INVALID_REQUEST', query)
  }
})

test('§4.5 title or by in the body is UNEXPECTED_FIELD, also inside an edit', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  for (const field of ['title', 'by']) {
    const top = { ...replace('one', 'two'), [field]: 'x' }
    assert.is((await patch(slug, token, top)).json['code'], 'UNEXPECTED_FIELD')
    const inner = { edits: [{ old_string: 'one', new_string: 'two', [field]: 'x' }] }
    assert.is((await patch(slug, token, inner)).json['code'], 'UNEXPECTED_FIELD')
  }
})

test('a wrong type, a missing or an unknown field, over 100 edits: INVALID_REQUEST with issues', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  const bad: unknown[] = [
    {},
    { edits: [] },
    { edits: 'x' },
    { edits: [{}] },
    { edits: [{ old_string: 'one' }] },
    { edits: [{ old_string: '', new_string: 'x' }] },
    { edits: [{ old_string: 'one', new_string: 1 }] },
    { edits: [{ old_string: 'one', new_string: 'x', extra: 1 }] },
    { edits: [{ old_string: 'one', new_string: 'x', after: 'y' }], base_revision: 1 },
    { edits: [{ new_string: 'x' }] },
    { edits: [{ old_string: 'one', new_string: 'x', at: -1 }], base_revision: 1 },
    { edits: [{ delete_block: 'bid_x', new_string: '' }], base_revision: 1 },
    { edits: [{ move_block: 'bid_x' }], base_revision: 1 },
    {
      edits: [{ move_block: 'bid_x', after_block: null, before_block: null }],
      base_revision: 1,
    },
    { ...replace('one', 'two'), base_revision: '1' },
    { ...replace('one', 'two'), base_revision: 1.5 },
    { ...replace('one', 'two'), extra: 1 },
    { ...replace('one', 'two'), comment_outcomes: [{ id: 'x', action: 'shrug' }] },
    { edits: Array.from({ length: 101 }, () => replace('one', 'one').edits[0]) },
  ]
  for (const body of bad) {
    const { json } = await patch(slug, token, body)
    assert.is(json['code'], 'INVALID_REQUEST', JSON.stringify(body).slice(0, 200))
    assert.ok(Array.isArray(json['issues']) && json['issues'].length > 0)
  }
})

test('§8 100 edits are taken', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  const edits = Array.from({ length: 100 }, (_, i) => {
    return i % 2 === 0 ? replace('one', 'two').edits[0] : replace('two', 'one').edits[0]
  })
  assert.is((await patch(slug, token, { edits })).status, 200)
})

test('§4.5 edits with replace_document is REPLACE_DOCUMENT_WITH_EDITS', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  const body = { ...replace('one', 'two'), replace_document: 'x', base_revision: 1 }
  assert.is((await patch(slug, token, body)).json['code'], 'REPLACE_DOCUMENT_WITH_EDITS')
})

test('§4.5 base_revision is required for inserts, blocks, at, delete, move, replace_document', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  const bodies = [
    { edits: [{ new_string: 'x', after: null }] },
    { edits: [{ new_string: 'x', before: 'one' }] },
    { edits: [{ new_string: 'x', after_block: null }] },
    { edits: [{ old_string: 'one', new_string: 'x', at: 0 }] },
    { edits: [{ delete_block: 'bid_aaaaaaaaaaaaaaaa' }] },
    { edits: [{ move_block: 'bid_aaaaaaaaaaaaaaaa', after_block: null }] },
    { replace_document: 'x' },
  ]
  for (const body of bodies) {
    const { json } = await patch(slug, token, body)
    assert.is(json['code'], 'BASE_REVISION_REQUIRED', JSON.stringify(body))
  }
})

test('§7 conflicts carry request_id, markdown, revision and a feedback address', async () => {
  const { slug, token } = await service.create('one one', 'Ada')
  for (const [edit, code] of [
    [replace('none', 'x'), 'EDIT_NOT_FOUND'],
    [replace('one', 'x'), 'EDIT_AMBIGUOUS'],
    [{ ...replace('one one', 'x'), base_revision: 9 }, 'EDIT_STALE_FUTURE'],
  ] as const) {
    const { json } = await patch(slug, token, edit)
    assert.is(json['code'], code)
    assert.is(json['markdown'], 'one one\n')
    assert.is(json['revision'], 1)
    assert.is(json['feedback'], `/docs/${slug}/feedback?ref=${json['request_id']}`)
  }
})

test('§4.5 a retry with the key gets the first answer, also after later edits', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  const key = { 'Idempotency-Key': 'k1' }
  const first = await patch(slug, token, replace('one', 'two'), '', key)
  await patch(slug, token, replace('two', 'three'))
  const again = await patch(slug, token, replace('one', 'two'), '', key)
  assert.equal(again.json, first.json)
  assert.is((await service.call('GET', `/docs/${slug}`)).json['markdown'], 'three\n')
})

test('a key in quotes is the same key as without, of edits and of creates', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  const keyed = (key: string) => ({ 'Idempotency-Key': key })
  const first = await patch(slug, token, replace('one', 'two'), '', keyed('"k-quoted"'))
  const again = await patch(slug, token, replace('one', 'two'), '', keyed('k-quoted'))
  assert.equal(again.json, first.json)
  const create = (key: string) =>
    service.call('POST', '/docs', { token, body: { markdown: 'made' }, headers: keyed(key) })
  const made = await create('k-made')
  assert.is((await create('"k-made"')).json['id'], made.json['id'])
  const other = await create('"k-other"')
  assert.is.not(other.json['id'], made.json['id'])
})

test('§4.5 a changed request with the same key is 409', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  const key = { 'Idempotency-Key': 'k2' }
  assert.is((await patch(slug, token, replace('one', 'two'), '', key)).status, 200)
  const other = await patch(slug, token, replace('two', 'three'), '', key)
  assert.is(other.json['code'], 'IDEMPOTENCY_KEY_REUSED')
})

test('only 2xx outcomes are kept: a refused edit may be retried with its key', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  const key = { 'Idempotency-Key': 'k3' }
  assert.is((await patch(slug, token, replace('two', 'x'), '', key)).status, 409)
  await patch(slug, token, replace('one', 'two'))
  assert.is((await patch(slug, token, replace('two', 'x'), '', key)).status, 200)
})

test('§4.5 the same key of two tokens is two requests', async () => {
  const { slug, token, shareToken } = await service.create('one', 'Ada')
  const key = { 'Idempotency-Key': 'k4' }
  await patch(slug, token, replace('one', 'two'), '', key)
  const body = { ...replace('two', 'three'), display_name: 'Team' }
  assert.is((await patch(slug, shareToken, body, '', key)).status, 200)
})

test('§3 writes while unidentified are 412 IDENTIFY_REQUIRED', async () => {
  const { slug, token } = await service.create('one')
  const { json } = await patch(slug, token, replace('one', 'two'))
  assert.is(json['code'], 'IDENTIFY_REQUIRED')
  assert.is(json['next'], 'POST /agents/identify')
  assert.is(json['slug'], slug)
})

test('§4.7 inline display_name on the first write is equivalent to identify', async () => {
  const { slug, token, answer } = await service.create('one')
  const body = { ...replace('one', 'two'), display_name: 'Ada' }
  assert.is((await patch(slug, token, body)).status, 200)
  const { json } = await service.call('GET', `/docs/${slug}?include=authorship`)
  const actors = json['actors'] as Record<string, { name: string }>
  assert.is(actors[String(answer.json['actor_id'])]?.name, 'Ada')
  assert.is((await patch(slug, token, replace('two', 'three'))).status, 200)
})

test('§4.7 an identified personal token ignores inline names, a shared one rejects others', async () => {
  const { slug, token, shareToken } = await service.create('one', 'Ada')
  const as = (name: string) => ({ ...replace('one', 'one'), display_name: name })
  assert.is((await patch(slug, token, as('Grace'))).status, 200)
  const { json } = await service.call('GET', `/docs/${slug}`, { token })
  assert.is(json['display_name'], 'Ada')
  assert.is((await patch(slug, shareToken, as('Team'))).status, 200)
  assert.is((await patch(slug, shareToken, as('Team'))).status, 200)
  assert.is((await patch(slug, shareToken, as('Other'))).json['code'], 'IDENTITY_MISMATCH')
})

test('§5 rule 2: the token decides who is credited', async () => {
  const { slug, token, shareToken, answer } = await service.create('one', 'Ada')
  const invited = await service.call('GET', `/docs/${slug}?docs`, { token: shareToken })
  const yours = String(invited.json['your_token'])
  const body = { ...replace('one', 'one two'), display_name: 'Bea' }
  assert.is((await patch(slug, yours, body)).status, 200)
  const { json } = await service.call('GET', `/docs/${slug}?include=authorship`, { token })
  const authors = (json['authorship'] as { author: string }[]).map(({ author }) => author)
  assert.is(authors[0], answer.json['actor_id'])
  assert.is(new Set(authors).size, 2)
  const actors = json['actors'] as Record<string, { name: string }>
  assert.equal(
    Object.values(actors)
      .map(({ name }) => name)
      .sort(),
    ['Ada', 'Bea'],
  )
})

test('§4.5 a declared outcome of no comment is COMMENT_NOT_FOUND and commits nothing', async () => {
  const { slug, token } = await service.create('one', 'Ada')
  const outcomes = { comment_outcomes: [{ id: 'x', action: 'keep' }] }
  const { json } = await patch(slug, token, { ...replace('one', 'two'), ...outcomes })
  assert.is(json['code'], 'COMMENT_NOT_FOUND')
  assert.is(json['index'], 0)
  assert.is((await service.call('GET', `/docs/${slug}`)).json['revision'], 1)
})

test('§5 rule 4: on a read_only document others get DOC_READ_ONLY', async () => {
  const locked = await startService({
    wrapDocuments: (documents) => ({
      ...bound(documents),
      facts: async (slug) => ({ ...(await documents.facts(slug)), readOnly: true }),
    }),
  })
  const { slug, token } = await locked.create('one', 'Ada')
  const { json } = await locked.call('PATCH', `/docs/${slug}`, { token, body: replace('one', '2') })
  assert.is(json['code'], 'DOC_READ_ONLY')
  await locked.close()
})

test.run()
