/** Tokens, invitations, owners (interface §4.2, §4.7, §4.10, §5, §7; extensions §3). */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { kindRange, madeKey, metaKey } from '../../../../persistence/keys.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { type Answered, noRates, startService } from '../service.ts'
import { type Fields, hour, list, openScene, said } from './sharing-scene.ts'

const { agent, owned, person, revisionOf, role, service, soon } = await openScene()
test.after(() => service.close())

test('§4.10 an owner’s token is dtk_, shared, and reads through it give your_token', async () => {
  const { ada, at, slug } = await owned()
  const before = await revisionOf(slug)
  const made = await ada.call('POST', `${at}/access`, { body: { role: 'commenter' } })
  assert.is(made.status, 201, made.text)
  const token = String(made.json['access_token'])
  assert.match(token, /^dtk_[\w-]{43}$/)
  assert.match(String(made.json['token_id']), /^tok_/)
  assert.is(made.json['role'], 'commenter')
  assert.is(await revisionOf(slug), before + 1, 'one revision')
  assert.is(await role(slug, token), 'commenter')
  const read = await service.call('GET', `${at}?docs`, { token })
  assert.match(String(read.json['your_token']), /^dtk_/)
  const listed = list(await ada.call('GET', `${at}/access`), 'tokens')
  assert.is(listed.length, 1)
  assert.is(listed[0]?.['token_id'], made.json['token_id'])
  assert.is(typeof listed[0]?.['last_used_at'], 'string')
  assert.equal(listed[0]?.['expires_at'], null)
})

test('§4.7 another inline name of a shared dtk_ token is IDENTITY_MISMATCH', async () => {
  const { ada, at } = await owned()
  const { json } = await ada.call('POST', `${at}/access`, { body: { role: 'editor' } })
  const token = String(json['access_token'])
  const edit = (display_name: string, from: string, to: string) =>
    service.call('PATCH', at, {
      token,
      body: { display_name, edits: [{ old_string: from, new_string: to }] },
    })
  assert.is((await edit('One', 'text', 'word')).status, 200)
  assert.is(said(await edit('Two', 'word', 'text')), '409 IDENTITY_MISMATCH')
})

test('only the owner makes tokens: 403 comes before 400 and 412', async () => {
  const { at, token, shareToken } = await owned()
  const call = (by: string, body: unknown) =>
    service.call('POST', `${at}/access`, { token: by, body })
  assert.is(said(await call(token, { role: 'viewer' })), '403 FORBIDDEN')
  assert.is(said(await call(token, { role: 'king' })), '403 FORBIDDEN')
  assert.is(said(await call(shareToken, { role: 'viewer' })), '403 FORBIDDEN')
})

test('§4.7 an inline display_name names who makes a link or invites, as with any JSON write', async () => {
  for (const [what, body] of [
    ['links', {}],
    ['access', { role: 'viewer' }],
  ] as const) {
    const { at, shareToken: token, slug } = await owned()
    const { handle } = await agent('Invited')
    const asked = what === 'access' ? { ...body, handle } : body
    const call = (display_name?: string) =>
      service.call('POST', `${at}/${what}`, { token, body: { ...asked, display_name } })
    assert.is(said(await call()), '412 IDENTIFY_REQUIRED')
    assert.is(said(await call('')), '400 INVALID_REQUEST')
    const before = await revisionOf(slug)
    const made = await call('Lin')
    assert.is(made.status, 201, made.text)
    assert.is(await revisionOf(slug), before + 1)
    const { json } = await service.call('GET', at, { token })
    assert.is(json['display_name'], 'Lin')
    if (what === 'links') {
      const links = list(await service.call('GET', `${at}/links`, { token }), 'links')
      const own = links.find(({ code }) => code === made.json['code'])
      const me = Object.entries(json['actors'] as Fields).find(
        ([, actor]) => (actor as Fields)['name'] === 'Lin',
      )
      assert.is(own?.['created_by'], me?.[0])
    }
    assert.is(said(await call('Other')), '409 IDENTITY_MISMATCH')
  }
})

test('§4.10 a link needs no body: all that it can hold is optional', async () => {
  const { ada, at } = await owned()
  const made = await ada.call('POST', `${at}/links`)
  assert.is(made.status, 201, made.text)
  assert.is(made.json['role'], 'editor')
})

test('§7 412 for whoever has no name, after 400', async () => {
  const { at, shareToken: token } = await owned()
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `${at}/${path}`, { token, ...(body !== undefined && { body }) })
  assert.is(said(await call('POST', 'links', {})), '412 IDENTIFY_REQUIRED')
  assert.is(said(await call('POST', 'links', { name: 'A!' })), '400 INVALID_REQUEST')
  assert.is(said(await call('DELETE', 'links/nothing')), '412 IDENTIFY_REQUIRED')
  assert.is(said(await call('DELETE', 'access/tok_x')), '412 IDENTIFY_REQUIRED')
  const invited = await call('POST', 'access', { handle: 'x', role: 'viewer' })
  assert.is(said(invited), '412 IDENTIFY_REQUIRED')
  assert.is((await call('POST', 'share-link')).status, 201, 'but share-link')
})

test('times: expires_at in the past or no time is 400', async () => {
  const { ada, at } = await owned()
  for (const expires_at of ['2001-01-01T00:00:00Z', 'tomorrow', '2099-13-01T00:00:00Z']) {
    const token = await ada.call('POST', `${at}/access`, { body: { role: 'viewer', expires_at } })
    assert.is(said(token), '400 INVALID_REQUEST', expires_at)
    const link = await ada.call('POST', `${at}/links`, { body: { expires_at } })
    assert.is(said(link), '400 INVALID_REQUEST', expires_at)
  }
})

test('a token ends in time, and what was minted through it', async () => {
  const { ada, at, slug, restrict } = await owned()
  await restrict()
  const body = { role: 'editor', expires_at: soon() }
  const { json } = await ada.call('POST', `${at}/access`, { body })
  const token = String(json['access_token'])
  const read = await service.call('GET', `${at}?docs`, { token })
  const own = String(read.json['your_token'])
  assert.is(await role(slug, own), 'editor')
  service.ahead += 2 * hour
  assert.is(await role(slug, token), '401 AUTH_REQUIRED')
  assert.is(await role(slug, own), '401 AUTH_REQUIRED')
})

test('§4.10 an invitation by handle gives agents and people a role, again sets it', async () => {
  const { ada, at, slug, token, restrict } = await owned()
  await restrict()
  const quill = await agent('Quill')
  assert.is(await role(slug, quill.token), '403 FORBIDDEN')
  const invite = (handle: string, as: string) =>
    service.call('POST', `${at}/access`, { token, body: { handle, role: as } })
  const answer = await invite(quill.handle, 'commenter')
  assert.is(answer.status, 201, answer.text)
  const { actor_id, handle, role: given } = answer.json
  assert.equal([actor_id, handle, given], [quill.actor, quill.handle, 'commenter'])
  assert.is(await role(slug, quill.token), 'commenter')
  assert.is((await invite(quill.handle, 'editor')).status, 201)
  assert.is(await role(slug, quill.token), 'editor')
  assert.is(said(await invite('nobody-at-all', 'viewer')), '404 HANDLE_NOT_FOUND')
  const me = await ada.call('GET', '/auth/me')
  assert.is(said(await invite(String(me.json['handle']), 'viewer')), '403 FORBIDDEN')
  const bob = await person('Bob')
  assert.is((await invite(bob.handle, 'viewer')).status, 201)
  assert.is((await bob.browser.read(slug)).json['your_role'], 'viewer')
  const grants = list(await ada.call('GET', `${at}/access`), 'grants')
  const sources = Object.fromEntries(grants.map((one) => [one['actor_id'], one['source']]))
  assert.is(sources[quill.actor], 'invite')
  assert.is(Object.values(sources).filter((source) => source === 'creator').length, 1)
})

test('lists page: limit, next_cursor, and a cursor that is none is 400', async () => {
  const { ada, at } = await owned()
  for (const name of ['A', 'B', 'C']) {
    const { handle } = await agent(name)
    await ada.call('POST', `${at}/access`, { body: { handle, role: 'viewer' } })
    await ada.call('POST', `${at}/links`, { body: {} })
  }
  for (const [path, name] of [
    ['access', 'grants'],
    ['links', 'links'],
  ]) {
    const first = await ada.call('GET', `${at}/${path}?limit=2`)
    const cursor = String(first.json['next_cursor'])
    const second = await ada.call('GET', `${at}/${path}?limit=2&cursor=${cursor}`)
    assert.is(second.json['next_cursor'], null)
    const ids = [first, second].flatMap((page) =>
      list(page, name ?? '').map((one) => one['id'] ?? one['code']),
    )
    assert.is(new Set(ids).size, path === 'access' ? 4 : 3)
    assert.is(said(await ada.call('GET', `${at}/${path}?cursor=zzz`)), '400 INVALID_REQUEST')
    assert.is(said(await ada.call('GET', `${at}/${path}?limit=201`)), '400 INVALID_REQUEST')
  }
})

test('taking access ends it, and the links they made unless they are kept', async () => {
  const { ada, at, slug, restrict } = await owned()
  await restrict()
  const quill = await agent('Quill')
  const invite = () =>
    ada.call('POST', `${at}/access`, { body: { handle: quill.handle, role: 'editor' } })
  const link = async () =>
    String(
      (await service.call('POST', `${at}/links`, { token: quill.token, body: {} })).json['code'],
    )
  const id = encodeURIComponent(quill.actor)
  await invite()
  const kept = await link()
  const taken = await ada.call('DELETE', `${at}/access/${id}?keep_links=true`)
  assert.equal([taken.status, taken.json], [200, { deleted: true, id: quill.actor }])
  assert.is(await role(slug, quill.token), '403 FORBIDDEN')
  assert.is((await service.call('GET', `/s/${kept}`)).status, 200)
  assert.is(said(await ada.call('DELETE', `${at}/access/${id}`)), '404 NOT_FOUND')
  await invite()
  const second = await link()
  await ada.call('DELETE', `${at}/access/${id}`)
  assert.is((await service.call('GET', `/s/${second}`)).status, 404)
  assert.is((await service.call('GET', `/s/${kept}`)).status, 200, 'it is Ada’s since')
  const [first] = list(await ada.call('GET', `${at}/links`), 'links').filter(
    ({ code }) => code === kept,
  )
  const me = await ada.call('GET', '/auth/me')
  assert.is(first?.['created_by'], me.json['actor_id'])
})

test('§13 a chain of makers has an end: the link past it is 409 LIMIT_REACHED', async () => {
  const { ada, at, slug } = await owned()
  let token: string | undefined
  for (let made = 0; ; made++) {
    const call = { ...(token !== undefined && { token }), body: { display_name: `Guest ${made}` } }
    const link = await (token === undefined ? ada : service).call('POST', `${at}/links`, call)
    if (link.status !== 201) {
      assert.equal([said(link), link.json['limit']], ['409 LIMIT_REACHED', 'makers'])
      assert.ok(made > 20, `${made} were made`)
      return
    }
    const { json } = await service.call('GET', `/s/${link.json['code']}`)
    const { pathname } = new URL(String(json['confirmation_url']))
    const { location } = (await service.call('GET', pathname)).headers
    const shared = new URL(String(location)).searchParams.get('token') ?? ''
    const read = await service.call('GET', `${at}?docs`, { token: shared })
    token = String(read.json['your_token'])
    assert.is(await role(slug, token), 'editor')
  }
})

test('§13 a link by an account that an operator disabled lets nobody in, until it is enabled', async () => {
  const { ada, at } = await owned()
  const bob = await person('Bob')
  await ada.call('POST', `${at}/access`, { body: { handle: bob.handle, role: 'editor' } })
  const { json } = await bob.browser.call('POST', `${at}/links`, { body: {} })
  const follow = async () => (await service.call('GET', `/s/${json['code']}`)).status
  const { accounts } = service.people
  await accounts.setDisabled(bob.handle, true)
  assert.is(await follow(), 404)
  await accounts.setDisabled(bob.handle, false)
  assert.is(await follow(), 200)
})

test('§13 links that are worth nothing make room for others', async () => {
  const { ada, at } = await owned()
  const quill = await agent('Quill')
  const body = { handle: quill.handle, role: 'editor' }
  await ada.call('POST', `${at}/access`, { body })
  for (let made = 0; made < 200; made++) {
    const link = await service.call('POST', `${at}/links`, { token: quill.token, body: {} })
    assert.is(link.status, 201)
  }
  const more = () => ada.call('POST', `${at}/links`, { body: {} })
  assert.is(said(await more()), '409 LIMIT_REACHED')
  await ada.call('DELETE', `${at}/access/${encodeURIComponent(quill.actor)}`)
  assert.is((await more()).status, 201)
})

test('links of a store in which tokens named no maker have one after a start', async () => {
  const { ada, at, slug } = await owned()
  const quill = await agent('Quill')
  await ada.call('POST', `${at}/access`, { body: { handle: quill.handle, role: 'editor' } })
  const made = await service.call('POST', `${at}/links`, { token: quill.token, body: {} })
  const token = await service.call('POST', `${at}/links`, {
    token: quill.token,
    body: { role: 'viewer' },
  })
  const { store } = service
  // As a version before left it.
  for await (const { key, value } of store.scan(kindRange('token'))) {
    const { maker: _, ...record } = JSON.parse(Buffer.from(value).toString())
    if (record.slug !== slug || record.origin !== 'link') continue
    await store.commit({ puts: [{ key, value: Buffer.from(JSON.stringify(record)) }] })
  }
  await store.commit({ deletes: [metaKey('link-makers'), madeKey(quill.actor, slug as Slug)] })
  const follow = async (link: Answered) =>
    (await service.call('GET', `/s/${link.json['code']}`)).status
  await service.people.links.recordFormerMakers()
  assert.is(await follow(made), 200)
  await ada.call('DELETE', `${at}/access/${encodeURIComponent(quill.actor)}`)
  assert.equal([await follow(made), await follow(token)], [404, 404])
})

test('a token is taken, with what came through it; the owner is not', async () => {
  const { ada, at, slug, token, restrict } = await owned()
  await restrict()
  const { json } = await ada.call('POST', `${at}/access`, { body: { role: 'viewer' } })
  const read = await service.call('GET', `${at}?docs`, { token: String(json['access_token']) })
  const own = String(read.json['your_token'])
  assert.is(await role(slug, own), 'viewer')
  const remove = (id: unknown) =>
    service.call('DELETE', `${at}/access/${encodeURIComponent(String(id))}`, { token })
  assert.is((await remove(json['token_id'])).status, 200)
  assert.is(await role(slug, own), '401 AUTH_REQUIRED')
  assert.is(list(await ada.call('GET', `${at}/access`), 'tokens').length, 0)
  const me = await ada.call('GET', '/auth/me')
  assert.is(said(await remove(me.json['actor_id'])), '403 FORBIDDEN')
})

/** Follows a link as a program has to. */
test('§4.2 the owner offers the document, another takes it, and the giver stays editor', async () => {
  const { ada, at, slug, restrict, token } = await owned()
  await restrict()
  const bob = await person('Bob')
  const offer = (handle: string) => ada.call('POST', `${at}/owner`, { body: { handle } })
  assert.is(said(await bob.browser.call('POST', `${at}/owner/accept`)), '403 FORBIDDEN')
  const made = await offer(bob.handle)
  assert.is(made.status, 201, made.text)
  assert.is((await bob.browser.read(slug)).json['your_role'], 'viewer', 'sees what is offered')
  assert.is((await ada.call('DELETE', `${at}/owner`)).status, 200)
  assert.is(said(await bob.browser.call('POST', `${at}/owner/accept`)), '403 FORBIDDEN')
  await offer(bob.handle)
  const before = await revisionOf(slug)
  const taken = await bob.browser.call('POST', `${at}/owner/accept`)
  assert.equal([taken.status, taken.json], [200, { id: slug, your_role: 'owner' }])
  assert.is(await revisionOf(slug), before + 1)
  assert.is((await ada.read(slug)).json['your_role'], 'editor')
  assert.is((await bob.browser.read(slug)).json['your_role'], 'owner')
  assert.is(said(await offer(bob.handle)), '403 FORBIDDEN')
  const mine = await bob.browser.call('POST', `${at}/owner`, { body: { handle: bob.handle } })
  assert.is(said(mine), '409 ALREADY_OWNED')
  const { handle } = await agent('Robot')
  const robot = await bob.browser.call('POST', `${at}/owner`, { body: { handle } })
  assert.is(said(robot), '403 FORBIDDEN', 'agents are never owners')
  assert.is(said(await service.call('POST', `${at}/owner/accept`, { token })), '403 FORBIDDEN')
})

test('extensions §3 whose a document is; an offer is shown to its two people only', async () => {
  const { ada, at, token, shareToken } = await owned()
  const [bob, eve] = await Promise.all([person('Bob'), person('Eve')])
  await eve.browser.open(`/d/${at.slice('/docs/'.length)}?token=${shareToken}`)
  await ada.call('POST', `${at}/owner`, { body: { handle: bob.handle } })
  const seen = async (answer: Promise<Answered>) => {
    const { status, json } = await answer
    const { owner, offer } = json as Record<string, Fields | null>
    return [status, owner?.['name'], offer?.['name']]
  }
  assert.equal(await seen(ada.call('GET', `${at}/owner`)), [200, 'Ada', 'Bob'])
  assert.equal(await seen(bob.browser.call('GET', `${at}/owner`)), [200, 'Ada', 'Bob'])
  assert.equal(await seen(eve.browser.call('GET', `${at}/owner`)), [200, 'Ada', undefined])
  assert.equal(await seen(service.call('GET', `${at}/owner`, { token })), [200, 'Ada', undefined])
  assert.is(said(await service.call('GET', `${at}/owner`)), '401 AUTH_REQUIRED')
  const unowned = await service.create('# Nobody’s\n', 'Maker')
  const answer = await service.call('GET', `/docs/${unowned.slug}/owner`, { token: unowned.token })
  assert.equal(answer.json, { id: unowned.slug, owner: null, offer: null })
})

test('§6.1 a claim is a revision; asked again it is none', async () => {
  const { ada, at, slug } = await owned()
  assert.is(await revisionOf(slug), 2)
  assert.is((await ada.call('POST', `${at}/claim`)).status, 200)
  assert.is(await revisionOf(slug), 2)
})

test('§4.5 an Idempotency-Key in quotes is the same key as without', async () => {
  const { at, token } = await owned()
  const body = { edits: [{ old_string: 'text', new_string: 'text again' }] }
  const send = (key: string) =>
    service.call('PATCH', at, { token, body, headers: { 'Idempotency-Key': key } })
  const first = await send('one-key')
  const second = await send('"one-key"')
  assert.equal([second.status, second.json['revision']], [200, first.json['revision']])
})

test('§8 invitations have a quota by the hour and account', async () => {
  const rates = { ...noRates, invite: 2 }
  const other = await startService({ config: { rates } })
  const { slug, token } = await other.create('one', 'Maker')
  const invite = () =>
    other.call('POST', `/docs/${slug}/access`, { token, body: { handle: 'x', role: 'viewer' } })
  assert.is((await invite()).headers['ratelimit-limit'], '2')
  await invite()
  const over = await invite()
  assert.is(said(over), '429 RATE_LIMITED')
  assert.ok(Number(over.headers['retry-after']) > 3_500)
  other.ahead += hour + 1
  assert.is(said(await invite()), '404 HANDLE_NOT_FOUND')
  await other.close()
})

test.run()
