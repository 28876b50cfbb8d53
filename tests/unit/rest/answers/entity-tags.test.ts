/** ETags and 304 (interface §4.4): they cover everything the caller sees, on both formats. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

async function tagOf(path: string, token?: string) {
  const { headers } = await service.call('GET', path, { token })
  return String(headers.etag)
}

async function statusWith(path: string, tag: string, token?: string) {
  const headers = { 'If-None-Match': tag }
  return (await service.call('GET', path, { token, headers })).status
}

for (const [format, strength] of [
  ['', /^"/],
  ['?format=okf', /^W\/"/],
] as const) {
  const name = format === '' ? 'JSON' : 'OKF'

  test(`§4.4 ${name}: If-None-Match with the tag yields 304 when unchanged`, async () => {
    const { slug, token } = await service.create('# T', 'Ada')
    const path = `/docs/${slug}${format}`
    const tag = await tagOf(path, token)
    assert.match(tag, strength)
    assert.is(await statusWith(path, tag, token), 304)
    assert.is(await statusWith(path, `"other", ${tag}`, token), 304)
    assert.is(await statusWith(path, tag.replace('W/', ''), token), 304)
    assert.is(await statusWith(path, '"other"', token), 200)
  })

  test(`${name}: a new revision has another tag`, async () => {
    const { slug, token } = await service.create('one', 'Ada')
    const path = `/docs/${slug}${format}`
    const tag = await tagOf(path, token)
    const body = { edits: [{ old_string: 'one', new_string: 'two' }] }
    await service.call('PATCH', `/docs/${slug}`, { token, body })
    assert.is(await statusWith(path, tag, token), 200)
  })

  test(`${name}: caller and role are part of the tag`, async () => {
    const { slug, token, shareToken } = await service.create('# T', 'Ada')
    const path = `/docs/${slug}${format}`
    const tags = [await tagOf(path, token), await tagOf(path, shareToken), await tagOf(path)]
    assert.is(new Set(tags).size, 3)
  })
}

test('the query is part of the tag', async () => {
  const { slug, token } = await service.create('# T', 'Ada')
  const queries = ['', '?include=authorship', '?include=manifest', '?docs', '?resolved=all']
  const tags = await Promise.all(queries.map((query) => tagOf(`/docs/${slug}${query}`, token)))
  assert.is(new Set(tags).size, queries.length)
})

test('names of actors are part of the tag: a rename bumps no revision', async () => {
  const { slug, token } = await service.create('# T', 'Ada')
  const path = `/docs/${slug}?include=authorship`
  const [own, other] = [await tagOf(path, token), await tagOf(path)]
  const body = { display_name: 'Grace', slug }
  await service.call('POST', '/agents/identify', { token, body })
  assert.is(await statusWith(path, own, token), 200)
  assert.is(await statusWith(path, other), 200)
  const read = await service.call('GET', path, { token })
  assert.is(read.json['revision'], 1)
})

test('a read that mints a token has no tag and is never 304', async () => {
  const { slug, shareToken } = await service.create('# T')
  const answer = await service.call('GET', `/docs/${slug}?docs`, {
    token: shareToken,
    headers: { 'If-None-Match': '*' },
  })
  assert.is(answer.status, 200)
  assert.is(answer.headers.etag, undefined)
  assert.is(answer.headers['cache-control'], 'no-store')
})

test('a 304 carries the tag and who may cache', async () => {
  const { slug, token } = await service.create('# T')
  const tag = await tagOf(`/docs/${slug}`, token)
  const headers = { 'If-None-Match': tag }
  const answer = await service.call('GET', `/docs/${slug}`, { token, headers })
  assert.is(answer.headers.etag, tag)
  assert.is(answer.headers['cache-control'], 'private, no-cache')
})

test.run()
