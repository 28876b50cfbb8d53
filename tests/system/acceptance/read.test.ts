/** Interface §2.2, §2.6 and §4.4: what a read answers, and its query parameters. */
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asList, asText, pick, refused, Service, succeeded } from '../../client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

test('interface §2.2: a plain read answers every field of the document', async () => {
  const made = await service.document('# Plan\n\nText.\n')
  const body = succeeded(await made.read())
  assert.is(body['id'], made.slug)
  assert.is(body['title'], 'Plan')
  assert.is(body['revision'], 1)
  assert.is(body['your_role'], 'editor')
  assert.is(body['read_only'], false)
  assert.is(body['comments_disabled'], false)
  assert.is(body['markdown'], '# Plan\n\nText.\n')
  assert.is(asList(body['content_blocks']).length, 2)
  assert.equal(body['threads'], [])
  assert.equal(body['suggestions_info'], { pending: 0, stale: 0 })
  assert.type(body['actors'], 'object')
  assert.equal(body['link_access'], { mode: 'anyone', role: 'editor' })
  assert.is(body['display_name'], 'Maker')
  assert.type(body['api_reference_url'], 'string')
  assert.type(body['live_etag'], 'string')
})

test('interface §2.2: threads_info holds returned, total and next; no doc_total', async () => {
  const made = await service.document('a')
  const info = succeeded(await made.read())['threads_info']
  assert.equal(info, { returned: 0, total: 0, next: null })
})

test('interface §2.2: content_hash is the SHA-256 of the markdown', async () => {
  const made = await service.document('# \u00dcber \u{1F600}\n\nx\n')
  const body = succeeded(await made.read())
  const hash = createHash('sha256').update(asText(body['markdown']), 'utf8').digest('hex')
  assert.is(body['content_hash'], hash)
})

test('interface §2.2: of a large document, which is sent in parts, no byte is missing', async () => {
  const lines = Array.from(
    { length: 4_000 },
    (_, n) => `Line ${n} of "words" in \u00dcber \u{1F600}.`,
  )
  const made = await service.document(`${lines.join('\n\n')}\n`)
  const path = `/docs/${made.slug}`
  const read = await service.ask('GET', path, { token: made.token })
  const head = await service.ask('HEAD', path, { token: made.token })
  const body = succeeded(read)
  assert.is(body['markdown'], `${lines.join('\n\n')}\n`)
  assert.is(asList(body['content_blocks']).length, lines.length)
  const hash = createHash('sha256').update(asText(body['markdown']), 'utf8').digest('hex')
  assert.is(body['content_hash'], hash)
  const length = read.headers.get('content-length')
  assert.is(Number(length), Buffer.byteLength(read.text))
  assert.is(head.headers.get('content-length'), length)
})

test('interface §2.2: authorship, manifest, focused and quickstart are not in a plain read', async () => {
  const made = await service.document('a')
  const body = succeeded(await made.read())
  for (const field of ['authorship', 'manifest', 'focused', 'quickstart', 'your_token']) {
    assert.is(field in body, false, field)
  }
  for (const block of asList(body['content_blocks'])) assert.is('quote' in block, false)
})

test('interface §2.4: retired names are gone: blocks, api_docs, content_blocks[].block_id', async () => {
  const made = await service.document('a')
  const body = succeeded(await made.read())
  assert.is('blocks' in body, false)
  assert.is('api_docs' in body, false)
  assert.is('block_id' in (asList(body['content_blocks'])[0] ?? {}), false)
})

test('interface §2.2: api_reference_url leads to the reference', async () => {
  const made = await service.document('a')
  const address = new URL(asText(succeeded(await made.read())['api_reference_url']), service.base)
  const answer = await service.get(address.pathname)
  assert.is(answer.status, 200)
})

test('interface §4.4: ?docs adds the personalized quickstart', async () => {
  const made = await service.document('a')
  const body = succeeded(await made.read('?docs'))
  assert.ok(['string', 'object'].includes(typeof body['quickstart']))
  assert.ok(JSON.stringify(body['quickstart']).includes(made.slug))
})

test('interface §4.4: the quickstart of a reader without a token asks for none', async () => {
  const made = await service.document('# T\n')
  const quickstart = succeeded(await service.get(`${made.path}?docs`))['quickstart']
  const steps = asList(pick(quickstart, 'steps'))
  assert.ok(steps.length > 0)
  const requests = JSON.stringify(steps.map((step) => step['request']))
  assert.ok(requests.includes(made.slug))
  assert.not.match(requests, /auth|token|changes\/connect/i)
})

test('interface §4.4: include=block_quotes adds the slice of the markdown as quote', async () => {
  const made = await service.document('# A \u{1F600}\n\ntext\n\n- one\n- two\n')
  const body = succeeded(await made.read('?include=block_quotes'))
  const markdown = asText(body['markdown'])
  for (const block of asList(body['content_blocks'])) {
    const from = Number(pick(block, 'range', 'from'))
    const to = Number(pick(block, 'range', 'to'))
    assert.is(block['quote'], markdown.slice(from, to))
  }
})

test('interface §4.4: include=authorship adds runs that cover every character', async () => {
  const made = await service.document('# A\n\ntext\n')
  const body = succeeded(await made.read('?include=authorship'))
  const length = asText(body['markdown']).length
  assert.equal(body['authorship'], [{ from: 0, to: length, author: made.actorId }])
})

test('interface §4.4: include=manifest adds type, title, description and the rest', async () => {
  const front = '---\ntype: Note\ndescription: D\ntags: [a, b]\nresource: R\nodd: 1\n---\n\n# T\n'
  const made = await service.document(front)
  const manifest = succeeded(await made.read('?include=manifest'))['manifest']
  assert.is(pick(manifest, 'type'), 'Note')
  assert.is(pick(manifest, 'description'), 'D')
  assert.is(pick(manifest, 'resource'), 'R')
  assert.equal(pick(manifest, 'tags'), ['a', 'b'])
  assert.equal(pick(manifest, 'extensions'), { odd: 1 })
})

test('interface §4.4: include takes several names, by comma or repeated', async () => {
  const made = await service.document('a')
  const body = succeeded(await made.read('?include=authorship,block_quotes,manifest'))
  assert.ok('authorship' in body && 'manifest' in body)
  assert.type(asList(body['content_blocks'])[0]?.['quote'], 'string')
})

test('extensions §2: an include that does not exist is a 400', async () => {
  const made = await service.document('a')
  assert.is((await made.read('?include=everything')).status, 400)
  assert.is((await made.read('?include=authorship,nothing')).status, 400)
})

test('interface §2.4: the retired shape selector does no harm when it is omitted', async () => {
  const made = await service.document('a')
  succeeded(await made.read())
})

const malformed = [
  'resolved=maybe',
  'resolved=',
  'mentions=you',
  'since_revision=-1',
  'since_revision=1.5',
  'since_revision=abc',
  'since_revision=',
  'since_revision=1e3',
  'suggestions=all',
  'thread_id=nonsense',
  'thread_id=',
]
for (const query of malformed) {
  test(`interface §4.4: the malformed filter ${query} is INVALID_FILTER`, async () => {
    const made = await service.document('a')
    refused(await made.read(`?${query}`), 400, 'INVALID_FILTER')
  })
}

const wellFormed = [
  'resolved=true',
  'resolved=false',
  'resolved=all',
  'mentions=me',
  'since_revision=0',
  'since_revision=99',
  `since_revision=${Number.MAX_SAFE_INTEGER}`,
  'suggestions=pending',
  'suggestions=stale',
  'suggestions=open',
  'since_revision=0&resolved=false&suggestions=open&mentions=me',
]
test('interface §4.4: well-formed filters answer 200 with the filtered total', async () => {
  const made = await service.document('a')
  for (const query of wellFormed) {
    const body = succeeded(await made.read(`?${query}`))
    assert.is(pick(body, 'threads_info', 'total'), 0, query)
  }
})

test('interface §4.4: an unknown thread is a 404, an unknown focused comment is null', async () => {
  const made = await service.document('a')
  refused(await made.read('?thread_id=thr_0000000000000000'), 404, 'THREAD_NOT_FOUND')
  const focus = await made.read('?focus=comment-00000000-0000-4000-8000-000000000000')
  assert.is(succeeded(focus)['focused'], null)
})

test('interface §2.6: each actor of a read has exactly the documented fields', async () => {
  const made = await service.document('a')
  const actors = succeeded(await made.read('?include=authorship'))['actors']
  const actor = pick(actors, made.actorId)
  assert.is(pick(actor, 'actor_id'), made.actorId)
  assert.type(pick(actor, 'handle'), 'string')
  assert.is(pick(actor, 'name'), 'Maker')
  assert.is(pick(actor, 'is_human'), false)
  assert.type(pick(actor, 'kind_label'), 'string')
})

test('interface §2.2: every author of a read is in `actors`', async () => {
  const made = await service.document('one two')
  const agent = await service.agent('Second hand')
  const token = agent.agent_secret
  const share = { token: made.shareToken }
  const edits = [{ old_string: 'two', new_string: 'three' }]
  succeeded(await service.patch(made.path, { edits, display_name: 'Guest' }, share))
  const body = succeeded(await service.get(`${made.path}?include=authorship`, made.token))
  for (const run of asList(body['authorship'])) {
    assert.ok(pick(body['actors'], asText(run['author'])), asText(run['author']))
  }
  assert.type(token, 'string')
})

test('interface §4.4: a HEAD answers like the GET, without a body', async () => {
  const made = await service.document('a')
  const get = await made.read()
  const head = await service.ask('HEAD', made.path, { token: made.token })
  assert.is(head.status, 200)
  assert.is(head.text, '')
  for (const name of ['etag', 'content-type', 'content-length']) {
    assert.is(head.headers.get(name), get.headers.get(name), name)
  }
})

test('interface §4.4: a HEAD of no document is a 404 without a body', async () => {
  const head = await service.ask('HEAD', '/docs/none')
  assert.is(head.status, 404)
  assert.is(head.text, '')
})

test('extensions §4: blocks come in document order, a nested one after its holder', async () => {
  const markdown =
    '# A\n\n- one\n  - deep\n- two\n\n> quote\n>\n> more\n\n| a | b |\n| --- | --- |\n| c | d |\n'
  const made = await service.document(markdown)
  const body = succeeded(await made.read('?include=block_quotes'))
  const blocks = asList(body['content_blocks'])
  const ranges = blocks.map((block) => [
    Number(pick(block, 'range', 'from')),
    Number(pick(block, 'range', 'to')),
  ])
  for (const [index, range] of ranges.entries()) {
    const next = ranges[index + 1]
    if (next === undefined) break
    const [from = 0, to = 0] = range
    const [nextFrom = 0, nextTo = 0] = next
    const isNested = nextFrom >= from && nextTo <= to
    assert.ok(isNested || nextFrom >= to, JSON.stringify(blocks))
  }
  assert.ok(blocks.length > 8, JSON.stringify(blocks))
})

test('extensions §4: every top-level block is addressable, lists and quotes included', async () => {
  const made = await service.document('# A\n\n- one\n- two\n\n> q\n\n---\n\n```js\nx\n```\n')
  const blocks = asList(succeeded(await made.read('?include=block_quotes'))['content_blocks'])
  let end = 0
  const top = blocks.filter((block) => {
    const isTop = Number(pick(block, 'range', 'from')) >= end
    if (isTop) end = Number(pick(block, 'range', 'to'))
    return isTop
  })
  assert.is(top.length, 5, JSON.stringify(blocks))
  for (const block of top) assert.match(asText(block['id']), /^bid_./)
})

test('extensions §4: nested list and quote wrappers and header rows are not addressable', async () => {
  const made = await service.document('- one\n  - deep\n\n| a |\n| --- |\n| c |\n')
  const blocks = asList(succeeded(await made.read('?include=block_quotes'))['content_blocks'])
  const ids = blocks.map((block) => block['id']).filter((id) => id !== null)
  assert.is(new Set(ids).size, ids.length, 'ids are unique')
  for (const id of ids) assert.match(asText(id), /^bid_./)
})

test('interface §2.1: block ids last through an edit elsewhere', async () => {
  const made = await service.document('# A\n\none\n\ntwo\n')
  const idsOf = async () =>
    asList(succeeded(await made.read())['content_blocks']).map((block) => block['id'])
  const before = await idsOf()
  succeeded(await made.swap('one', 'changed'))
  assert.equal(await idsOf(), before)
})

test.run()
