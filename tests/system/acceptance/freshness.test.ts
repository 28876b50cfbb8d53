/** Interface §4.4 and extensions §4: the OKF form, entity tags and conditional reads. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { asText, type Fields, type Made, pick, refused, Service, succeeded } from '../../client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

function okf(made: Made, headers: Readonly<Record<string, string>> = {}) {
  return service.get(`${made.path}?format=okf`, made.token, headers)
}

function parts(text: string): { readonly front: Fields; readonly body: string } {
  const match = /^---\n([\s\S]*?)\n---\n\n?([\s\S]*)$/.exec(text)
  assert.ok(match, text)
  return { front: parse(match?.[1] ?? '') as Fields, body: match?.[2] ?? '' }
}

test('interface §4.4: format=okf is text/markdown with a synthesized type: Reference', async () => {
  const made = await service.document('# Plan\n\nText.\n')
  const answer = await okf(made)
  assert.is(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/markdown/)
  const { front, body } = parts(answer.text)
  assert.is(front['type'], 'Reference')
  assert.is(front['title'], 'Plan')
  assert.is(body.trim(), '# Plan\n\nText.')
})

test('interface §4.4: x-service holds slug, revision, content_hash, live_etag, live_url', async () => {
  const made = await service.document('# Plan\n')
  const read = succeeded(await made.read())
  const identity = pick(parts((await okf(made)).text).front, 'x-service')
  assert.is(pick(identity, 'slug'), made.slug)
  assert.is(pick(identity, 'revision'), 1)
  assert.is(pick(identity, 'content_hash'), read['content_hash'])
  assert.is(pick(identity, 'live_etag'), read['live_etag'])
  assert.match(asText(pick(identity, 'live_url')), new RegExp(`^https?://.*${made.slug}`))
})

test('interface §4.4: a type of the document wins, its front matter is canonical', async () => {
  const made = await service.document('---\ntype: Runbook\ntags: [a]\nodd: {x: 1}\n---\n\n# R\n')
  const { front, body } = parts((await okf(made)).text)
  assert.is(front['type'], 'Runbook')
  assert.equal(front['tags'], ['a'])
  assert.equal(front['odd'], { x: 1 })
  assert.is(body.trim(), '# R')
})

test('interface §4.4: the body keeps no second front matter', async () => {
  const made = await service.document('---\ntype: T\n---\n\n# R\n')
  const { body } = parts((await okf(made)).text)
  assert.not.match(body, /type: T/)
})

test('interface §4.4: authorship and block ids are not inlined in OKF', async () => {
  const made = await service.document('# Plan\n')
  const text = (await okf(made)).text
  assert.not.match(text, /bid_|ai:anon/)
})

test('interface §2.2: a manifest without a type has none, unlike OKF', async () => {
  const made = await service.document('# Plan\n')
  const manifest = succeeded(await made.read('?include=manifest'))['manifest']
  assert.is(pick(manifest, 'type') ?? undefined, undefined)
})

test('interface §4.4: OKF has a weak ETag; If-None-Match with it is 304 without a body', async () => {
  const made = await service.document('# Plan\n')
  const tag = asText((await okf(made)).headers.get('etag'))
  assert.match(tag, /^W\/"[^"]+"$/)
  const again = await okf(made, { 'if-none-match': tag })
  assert.is(again.status, 304)
  assert.is(again.text, '')
  assert.is(again.headers.get('etag'), tag)
})

test('interface §4.4: after an edit the OKF tag is another and the read is 200', async () => {
  const made = await service.document('# Plan\n')
  const tag = asText((await okf(made)).headers.get('etag'))
  succeeded(await made.swap('Plan', 'Plot'))
  const again = await okf(made, { 'if-none-match': tag })
  assert.is(again.status, 200)
  assert.is.not(again.headers.get('etag'), tag)
})

test('interface §4.4: format=okf needs the role of a read', async () => {
  const made = await service.document('# Plan\n')
  refused(await service.get(`${made.path}?format=okf`, 'dtk_x'), 401, 'AUTH_REQUIRED')
  refused(await service.get(`${made.path}?format=okf&token=x`), 401, 'AUTH_HEADER_REQUIRED')
  refused(await made.read('?format=html'), 400, 'INVALID_REQUEST')
})

async function tagOf(made: Made, query = '', token: string | undefined = made.token) {
  const answer = await service.get(made.path + query, token)
  return asText(answer.headers.get('etag'))
}

test('extensions §4: a JSON read has an ETag; If-None-Match is 304 without a body', async () => {
  const made = await service.document('# Plan\n')
  const tag = await tagOf(made)
  for (const value of [tag, `"x", ${tag}`, '*', tag.replace(/^(W\/)?/, 'W/')]) {
    const again = await service.get(made.path, made.token, { 'if-none-match': value })
    assert.is(again.status, 304, value)
    assert.is(again.text, '')
  }
  const other = await service.get(made.path, made.token, { 'if-none-match': '"other"' })
  assert.is(other.status, 200)
})

test('extensions §4: a HEAD with If-None-Match is 304 too', async () => {
  const made = await service.document('# Plan\n')
  const headers = { 'if-none-match': await tagOf(made) }
  assert.is((await service.ask('HEAD', made.path, { token: made.token, headers })).status, 304)
})

test('extensions §4: the ETag covers the revision, the caller, the role and the query', async () => {
  const made = await service.document('# Plan\n')
  const tags = [
    await tagOf(made),
    await tagOf(made, '?include=authorship'),
    await tagOf(made, '?docs'),
    await tagOf(made, '', made.shareToken),
    asText((await service.get(made.path)).headers.get('etag')),
  ]
  succeeded(await made.swap('Plan', 'Plot'))
  tags.push(await tagOf(made))
  assert.is(new Set(tags).size, tags.length, JSON.stringify(tags))
})

test('extensions §4: a rename bumps the ETag of those who see the name, no revision', async () => {
  const made = await service.document('# Plan\n')
  const before = { tag: await tagOf(made, '?include=authorship'), revision: await made.revision() }
  const other = await service.get(`${made.path}?include=authorship`, made.shareToken)
  const body = { display_name: 'Renamed', slug: made.slug }
  succeeded(await service.post('/agents/identify', body, { token: made.token }))
  assert.is.not(await tagOf(made, '?include=authorship'), before.tag)
  assert.is(await made.revision(), before.revision)
  const query = '?include=authorship'
  assert.is.not(await tagOf(made, query, made.shareToken), other.headers.get('etag'))
})

test('extensions §4: the tag stands still while nothing changes, also over a restart', async () => {
  const made = await service.document('# Plan\n')
  const [one, two] = [await tagOf(made), await tagOf(made)]
  assert.is(one, two)
  await service.end('SIGTERM')
  await service.start()
  const headers = { 'if-none-match': one }
  const again = await service.get(made.path, made.token, headers)
  assert.is(again.status, 304)
})

test('interface §2.2: live_etag and content_hash change with the content alone', async () => {
  const made = await service.document('# Plan\n')
  const before = succeeded(await made.read())
  const body = { display_name: 'Renamed', slug: made.slug }
  succeeded(await service.post('/agents/identify', body, { token: made.token }))
  const renamed = succeeded(await made.read())
  assert.equal(
    [renamed['live_etag'], renamed['content_hash']],
    [before['live_etag'], before['content_hash']],
  )
  succeeded(await made.swap('Plan', 'Plot'))
  const after = succeeded(await made.read())
  assert.is.not(after['live_etag'], before['live_etag'])
  assert.is.not(after['content_hash'], before['content_hash'])
})

test('interface §5: a read is private to its caller for every cache on the way', async () => {
  const made = await service.document('# Plan\n')
  const answer = await made.read()
  assert.match(answer.headers.get('cache-control') ?? '', /private|no-store/)
  assert.match(answer.headers.get('vary') ?? '', /Authorization/i)
})

test('interface §4.4: a read that mints a token is never 304', async () => {
  const made = await service.document('# Plan\n')
  const first = await service.get(`${made.path}?docs`, made.shareToken)
  const tag = first.headers.get('etag')
  const headers = { 'if-none-match': tag ?? '*' }
  const again = await service.get(`${made.path}?docs`, made.shareToken, headers)
  assert.is(again.status, 200)
  assert.type(again.body['your_token'], 'string')
})

test('interface §4.4: odd front matter never breaks OKF', async () => {
  const fronts = [
    'title: "a: b"\ntype: [x]',
    '- a list',
    'just text',
    '"unclosed',
    'a: &x [*x]',
    'type: null',
    'x-service: {slug: forged, revision: 99}',
    '__proto__: {a: 1}',
    'a: 1\na: 2',
    'when: 2020-01-01',
  ]
  for (const front of fronts) {
    const made = await service.document(`---\n${front}\n---\n\n# R\n`)
    const answer = await okf(made)
    assert.is(answer.status, 200, front)
    const read = parts(answer.text)
    assert.ok(read.front['type'], `${front} has no type: ${answer.text}`)
    assert.is(pick(read.front, 'x-service', 'slug'), made.slug, front)
    succeeded(await made.read('?include=manifest,authorship'))
  }
})

test.run()
