/**
 * `Idempotency-Key` on every route that makes something (extensions §2): a retry makes nothing more
 * and gets the first answer, secrets included; another request with the key is 409; without a
 * credential or a cookie it has no effect.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../../../rest/all-routes.ts'
import { png, pngChunk } from '../../../pictures.ts'
import { Browser } from '../browser.ts'
import { type Answered, startService } from '../service.ts'
import { openScene, said } from '../sharing/sharing-scene.ts'

const scene = await openScene()
const { service } = scene
test.after(() => service.close())

const ada = await scene.person('Ada')
const { slug, token, at } = await scene.owned('# One\n\ntext\n')
const quill = await scene.agent('Quill')
await service.call('POST', `${at}/access`, {
  token,
  body: { handle: quill.handle, role: 'editor' },
})
const second = await scene.agent('Second')
const ownerKey = await ada.browser.call('POST', '/auth/owner-keys', { body: {} })
const keyed = String(ownerKey.json['key'])
const comment = async () => {
  const made = await service.call('POST', `${at}/comments`, {
    token,
    body: { general: true, text: 'Said.' },
  })
  return String(made.json['comment_id'])
}

type Send = (path: string, more: object) => Promise<Answered>

interface Case {
  readonly path: string
  readonly body?: object
  readonly other?: object
  readonly raw?: { readonly type: string; readonly bytes: Buffer; readonly other: Buffer }
  readonly by: 'token' | 'agent' | 'browser' | 'key'
}

const html = (title: string) => Buffer.from(`<!doctype html><title>${title}</title><p>x`)
const picture = {
  type: 'image/png',
  bytes: png(),
  other: png(pngChunk('tEXt', Buffer.from('other'))),
}

const cases: Readonly<Record<string, Case>> = {
  'POST /docs': { path: '/docs', body: { markdown: 'x' }, by: 'agent' },
  'POST /docs/:slug/links': { path: `${at}/links`, body: { role: 'viewer' }, by: 'token' },
  'POST /docs/:slug/access': {
    path: `${at}/access`,
    body: { handle: second.handle, role: 'commenter' },
    by: 'token',
  },
  'POST /docs/:slug/comments': {
    path: `${at}/comments`,
    body: { general: true, text: 'Said.' },
    by: 'token',
  },
  'POST /docs/:slug/comments/:cid/resolve': {
    path: `${at}/comments/${await comment()}/resolve`,
    body: { text: 'Done.' },
    by: 'token',
  },
  'POST /docs/:slug/threads/:thread_id/resolve': { path: '', by: 'token' },
  'POST /docs/:slug/images': { path: `${at}/images`, raw: picture, by: 'agent' },
  'POST /docs/:slug/artifacts': {
    path: `${at}/artifacts`,
    raw: { type: 'text/html', bytes: html('one'), other: html('two') },
    by: 'agent',
  },
  'POST /docs/:slug/feedback': { path: `${at}/feedback`, body: { message: 'x' }, by: 'token' },
  'POST /docs/:slug/feedback/images': {
    path: `${at}/feedback/images`,
    raw: picture,
    by: 'token',
  },
  'POST /docs/folders': {
    path: '/docs/folders',
    body: { name: 'Folder', library_target: { kind: 'personal' } },
    by: 'browser',
  },
  'POST /auth/owner-keys': { path: '/auth/owner-keys', body: { name: 'Key' }, by: 'browser' },
  'POST /workspace/bots': { path: '/workspace/bots', body: { name: 'Bot' }, by: 'browser' },
  'POST /agents/register': { path: '/agents/register', body: { name: 'Agent' }, by: 'browser' },
  'POST /agents/ephemeral': { path: '/agents/ephemeral', body: { name: 'Agent' }, by: 'key' },
  'POST /agents/me/rotate-key': { path: '/agents/me/rotate-key', by: 'agent' },
}

const senderOf = (by: Case['by']): Send => {
  if (by === 'browser') return (path, more) => ada.browser.call('POST', path, more)
  const secret = { token, agent: quill.token, key: keyed }[by]
  return (path, more) => service.call('POST', path, { token: secret, ...more })
}

/** What a route answers must not change by who retries; the rest of it is of the request. */
const shownOf = ({ status, json }: Answered) => ({ status, json })

let keys = 0

for (const [name, given] of Object.entries(cases)) {
  if (given.path === '') continue
  const { path, body, raw, by } = given
  const send = senderOf(by)
  const asked = (key: string, isOther = false) => {
    const headers = { 'Idempotency-Key': key, ...(raw && { 'Content-Type': raw.type }) }
    const changed = body && { ...body, name: 'Other', text: 'Other.', message: 'other' }
    const known = Object.fromEntries(
      Object.entries(changed ?? {}).filter(([field]) => body !== undefined && field in body),
    )
    if (raw !== undefined) return { raw: isOther ? raw.other : raw.bytes, headers }
    if (body === undefined) return { headers }
    const other = { ...known, ...('markdown' in known && { markdown: 'y' }) }
    return {
      body: isOther ? { ...other, ...('role' in known && { role: 'editor' }) } : body,
      headers,
    }
  }
  test(`§13 ${name}: a retry gets the first answer, and nothing is made twice`, async () => {
    const key = `key-${keys++}`
    const before = await made()
    const first = await send(path, asked(key))
    assert.ok(first.status === 201 || first.status === 200, first.text)
    const between = await made()
    const [second, third] = await Promise.all([send(path, asked(key)), send(path, asked(key))])
    for (const again of [second, third]) assert.equal(shownOf(again), shownOf(first))
    assert.equal(await made(), between, 'nothing more was made')
    assert.not.equal(before, between, 'something was')
    if (body === undefined && raw === undefined) return
    const other = await send(path, asked(key, true))
    const code = path === '/docs' ? 'DOC_SLUG_CONFLICT_UNVERIFIED' : 'IDEMPOTENCY_KEY_REUSED'
    assert.is(said(other), `409 ${code}`)
    assert.equal(await made(), between)
  })
}

/** How many records there are of each kind, but of what passes. */
async function made(): Promise<Record<string, number>> {
  await service.people.links.listLinks(slug as never)
  const counts: Record<string, number> = {}
  for await (const { key } of service.store.scan({})) {
    const [kind = ''] = key.split('/')
    if (['use', 'index', 'agent-use', 'outbox'].includes(kind)) continue
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

test('§13 two requests at once with one key make one link', async () => {
  const before = (await made())['link'] ?? 0
  const headers = { 'Idempotency-Key': 'at-once' }
  const send = () => service.call('POST', `${at}/links`, { token, body: {}, headers })
  const answers = await Promise.all(Array.from({ length: 8 }, send))
  assert.is(new Set(answers.map(({ json }) => json['code'])).size, 1)
  assert.is((await made())['link'], before + 1)
})

test('§13 secrets of a replayed answer are good, and the store holds none of them', async () => {
  const headers = { 'Idempotency-Key': 'secrets' }
  const register = () =>
    ada.browser.call('POST', '/agents/register', { body: { name: 'A' }, headers })
  const [, again] = [await register(), await register()]
  const secret = String(again.json['agent_secret'])
  assert.is((await service.call('GET', '/agents/me', { token: secret })).status, 200)
  for await (const { value } of service.store.scan({})) {
    assert.not.ok(Buffer.from(value).toString('latin1').includes(secret))
  }
})

test('§13 a key is its holder’s: another’s request with it is another request', async () => {
  const headers = { 'Idempotency-Key': 'whose' }
  const one = await service.call('POST', `${at}/links`, { token, body: {}, headers })
  const other = await service.call('POST', `${at}/links`, {
    ...{ token: quill.token, body: {}, headers },
  })
  assert.is(other.status, 201)
  assert.is.not(other.json['code'], one.json['code'])
})

test('§13 without a credential and without a cookie the key has no effect', async () => {
  const headers = { 'Idempotency-Key': 'nobody' }
  const register = () =>
    service.call('POST', '/agents/register', { body: { name: 'Agent' }, headers })
  const [one, other] = [await register(), await register()]
  assert.is.not(one.json['agent_id'], other.json['agent_id'])
  const visitor = new Browser(service)
  await visitor.call('POST', '/docs', { body: { markdown: 'x' } })
  const again = () => visitor.call('POST', '/agents/register', { body: { name: 'A' }, headers })
  assert.is((await again()).json['agent_id'], (await again()).json['agent_id'])
})

test('§13 a refused request keeps nothing: the next one with its key is done', async () => {
  const headers = { 'Idempotency-Key': 'refused' }
  const name = 'taken-name'
  const agent = quill.token
  const send = (by: string) =>
    service.call('POST', `${at}/links`, { token: by, body: { name }, headers })
  const taken = await service.call('POST', `${at}/links`, { token: agent, body: { name } })
  assert.is(taken.status, 201)
  assert.is(said(await send(agent)), '409 NAME_TAKEN')
  await service.call('DELETE', `${at}/links/${name}`, { token: agent })
  assert.is((await send(agent)).status, 201)
})

test('§13 after 24 hours the key is free again', async () => {
  const own = await startService()
  const { slug: other, token: by } = await own.create('x', 'Maker')
  const headers = { 'Idempotency-Key': 'a-day' }
  const send = () => own.call('POST', `/docs/${other}/links`, { token: by, body: {}, headers })
  const first = await send()
  own.ahead += 23 * 3_600_000
  assert.is((await send()).json['code'], first.json['code'])
  own.ahead += 2 * 3_600_000
  assert.is.not((await send()).json['code'], first.json['code'])
  await own.close()
})

test('§13 every POST that makes something takes the key', () => {
  /** Sessions are made anew; what is said twice of the others changes nothing. */
  const without = new Set([
    ...['/auth/guest', '/docs/:slug/guest', '/auth/signup'],
    ...['/workspace/members', '/docs/:slug/owner', '/docs/:slug/artifacts/:id/poster'],
    '/docs/:slug/share-link',
  ])
  const makes = routes
    .map(({ declaration }) => declaration)
    .filter(({ method, success }) => method === 'POST' && success.status === 201)
    .filter(({ path }) => !without.has(path))
  assert.ok(makes.length > 10)
  for (const { method, path, keepsOutcome } of makes) {
    assert.is.not(keepsOutcome, undefined, path)
    assert.ok(`${method} ${path}` in cases, `${path} is tried above`)
  }
})

test.run()
