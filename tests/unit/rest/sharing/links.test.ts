/** The links of a document and their names (interface §4.10; extensions §3, §4). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sha256Hex } from '../../../../core/records/secrets.ts'
import { limits } from '../../../../schema/limits.ts'
import { Browser } from '../browser.ts'
import { type Fields, hour, list, openScene, said } from './sharing-scene.ts'

const { agent, owned, revisionOf, role, service, soon } = await openScene()
test.after(() => service.close())

test('§4.10 a link: its shape, its role, its uses, its end', async () => {
  const { ada, at, slug, restrict } = await owned()
  await restrict()
  const before = await revisionOf(slug)
  const made = await ada.call('POST', `${at}/links`, { body: { role: 'viewer' } })
  assert.is(made.status, 201, made.text)
  assert.is(await revisionOf(slug), before + 1)
  const code = String(made.json['code'])
  assert.is(made.json['url'], `https://docs.example/s/${code}`)
  assert.equal(
    [made.json['role'], made.json['name'], made.json['expires_at']],
    ['viewer', null, null],
  )
  assert.not.match(made.text, /shr_|dtk_/)
  const token = await tokenBy(code)
  assert.is(await role(slug, token), 'viewer')
  const [listed] = list(await ada.call('GET', `${at}/links`), 'links')
  assert.equal([listed?.['uses'], typeof listed?.['last_used_at']], [1, 'string'])
  const gone = await ada.call('DELETE', `${at}/links/${code}`)
  assert.equal([gone.status, gone.json], [200, { deleted: true, code }])
  assert.is(await role(slug, token), '401 AUTH_REQUIRED')
  assert.is((await service.call('GET', `/s/${code}`)).status, 404)
  assert.is(said(await ada.call('DELETE', `${at}/links/${code}`)), '404 NOT_FOUND')
})

async function tokenBy(link: string): Promise<string> {
  const first = await service.call('GET', `/s/${link}`)
  assert.is(first.status, 200, first.text)
  const { pathname } = new URL(String(first.json['confirmation_url']))
  const { headers } = await service.call('GET', pathname)
  return new URL(String(headers.location)).searchParams.get('token') ?? ''
}

test('names: their shape, whose they are, taken, and free again', async () => {
  const { ada, at, slug, token, shareToken } = await owned()
  const named = (name: string) => ada.call('POST', `${at}/links`, { body: { name } })
  for (const name of ['x', 'Plan', 'a_b', 'a'.repeat(65), '0123456789abcdefghij', 'docs', '@/x']) {
    assert.is(said(await named(name)), '400 INVALID_REQUEST', name)
  }
  const made = await named('our-plan')
  assert.is(made.status, 201, made.text)
  assert.is(made.json['url'], 'https://docs.example/s/our-plan')
  assert.is(await role(slug, await tokenBy('our-plan')), 'editor')
  assert.is(said(await named('our-plan')), '409 NAME_TAKEN')
  const byToken = await service.call('POST', `${at}/links`, { token, body: { name: 'other-plan' } })
  assert.is(said(byToken), '403 FORBIDDEN')
  const { handle } = await agent('Somebody')
  assert.is(said(await named(handle)), '409 NAME_TAKEN', 'a handle of somebody else')
  assert.is(said(await named(`@${handle}/plan`)), '403 FORBIDDEN')
  const other = await owned()
  await ada.call('DELETE', `${at}/links/our-plan`)
  const elsewhere = () =>
    other.ada.call('POST', `${other.at}/links`, { body: { name: 'our-plan' } })
  assert.is(said(await elsewhere()), '409 NAME_TAKEN', 'kept for its document')
  assert.is((await named('our-plan')).status, 201, 'free to it at once')
  await ada.call('DELETE', `${at}/links/our-plan`)
  service.ahead += limits.linkNameHeldMs + hour
  const late = await elsewhere()
  assert.is(late.status, 201, late.text)
  void shareToken
})

test('§4.10 /s/@handle/name is followed, read with a suffix, and revoked by its name', async () => {
  const { ada, at, slug } = await owned()
  const me = await ada.call('GET', '/auth/me')
  const name = `@${me.json['handle']}/my-plan`
  const made = await ada.call('POST', `${at}/links`, { body: { name, role: 'commenter' } })
  assert.is(made.status, 201, made.text)
  assert.is(made.json['url'], `https://docs.example/s/${name}`)
  assert.is(await role(slug, await tokenBy(name)), 'commenter')
  for (const suffix of ['md', 'okf']) {
    assert.match((await service.call('GET', `/s/${name}.${suffix}`)).text, /# One/)
  }
  assert.is((await service.call('GET', `/s/${name}.json`)).json['id'], slug)
  const gone = await ada.call('DELETE', `${at}/links/${encodeURIComponent(name)}`)
  assert.is(gone.status, 200, gone.text)
  assert.is((await service.call('GET', `/s/${name}`)).status, 404)
})

test('a link ends in time, with tokens and grants that came through it', async () => {
  const { ada, at, slug, restrict } = await owned()
  await restrict()
  const { json } = await ada.call('POST', `${at}/links`, { body: { expires_at: soon() } })
  const code = String(json['code'])
  const token = await tokenBy(code)
  const bob = new Browser(service)
  await bob.open(`/d/${slug}?token=${token}`)
  await bob.guest('Bob')
  assert.is((await bob.edit(slug, 'text', 'words')).status, 200)
  bob.forget('link')
  assert.is((await bob.read(slug)).json['your_role'], 'editor', 'kept as a grant')
  const bobs = list(await ada.call('GET', `${at}/access`), 'grants').map((one) => one['source'])
  assert.ok(bobs.includes('link'))
  service.ahead += 2 * hour
  assert.is((await service.call('GET', `/s/${code}`)).status, 404)
  assert.is(await role(slug, token), '401 AUTH_REQUIRED')
  assert.is(said(await bob.read(slug)), '403 FORBIDDEN')
})

test('the link of general access is among them; revoked, the next one is another', async () => {
  const { ada, at, slug } = await owned()
  const before = await revisionOf(slug)
  const first = await ada.call('POST', `${at}/share-link`)
  assert.is(await revisionOf(slug), before + 1)
  await ada.call('POST', `${at}/share-link`)
  assert.is(await revisionOf(slug), before + 1, 'again makes no revision')
  const [listed] = list(await ada.call('GET', `${at}/links`), 'links')
  assert.equal([listed?.['code'], listed?.['general']], [first.json['code'], true])
  const { status } = await ada.call('DELETE', `${at}/links/${first.json['code']}`)
  assert.is(status, 200)
  const next = await ada.call('POST', `${at}/share-link`)
  assert.is(next.status, 201)
  assert.is.not(next.json['code'], first.json['code'])
})

test('a document has so many links, and those whose time is over make room', async () => {
  const { ada, at } = await owned()
  const make = (body: Fields) => ada.call('POST', `${at}/links`, { body })
  await make({ expires_at: soon() })
  for (let made = 1; made < limits.linksPerDocument; made++) await make({})
  const full = await make({})
  assert.is(said(full), '409 LIMIT_REACHED')
  assert.equal([full.json['limit'], full.json['max']], ['links', limits.linksPerDocument])
  service.ahead += 2 * hour
  assert.is((await make({})).status, 201)
})

test('at once, all that are asked for are made, and the limit of the store is not overrun', async () => {
  const { ada, at } = await owned()
  const asked = Array.from({ length: 12 }, () => ada.call('POST', `${at}/links`, { body: {} }))
  const answers = await Promise.all(asked)
  assert.equal(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.is(list(await ada.call('GET', `${at}/links`), 'links').length, 12)
})

test('no link’s code or token is in the store', async () => {
  const { ada, at } = await owned()
  const { json } = await ada.call('POST', `${at}/links`, { body: {} })
  const token = await tokenBy(String(json['code']))
  const parts: string[] = []
  for await (const { key, value } of service.store.scan({ gte: '' })) {
    parts.push(key, Buffer.from(value).toString())
  }
  const stored = parts.join('\n')
  assert.not.ok(stored.includes(String(json['code'])))
  assert.not.ok(stored.includes(token))
  assert.ok(stored.includes(sha256Hex(token)))
})

test.run()
