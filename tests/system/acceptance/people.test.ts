/** Extensions §3: people in browsers, their guest accounts, and what outlives a restart. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asText, refused, Service, succeeded, within } from '../../client.ts'
import { Person } from './person.ts'
import { Live, until } from './sockets.ts'

const service = new Service()
const page = join(service.directory, 'web')
mkdirSync(join(page, 'assets'), { recursive: true })
writeFileSync(join(page, 'index.html'), '<!doctype html>\n<html lang="en"></html>\n')
writeFileSync(join(page, 'assets/page-1.js'), 'page()')
const settings = { WEB_DIR: page }
test.before(() => service.start(settings).then(() => undefined))
test.after(() => service.remove())

const running: { stop(): void }[] = []
test.after.each(() => {
  for (const one of running.splice(0)) one.stop()
})

async function restart(signal: NodeJS.Signals): Promise<void> {
  await service.end(signal)
  await service.start(settings)
}

function live(person: Person, slug: string): Live {
  const headers = person.headers(`/docs/${slug}/live`)
  const one = new Live(service, slug, { headers })
  running.push(one)
  return one
}

test('the page is served for every document, its files with it', async () => {
  const made = await service.document('one\n')
  for (const path of ['/', `/d/${made.slug}`]) {
    const answer = await service.get(path)
    assert.is(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(answer.headers.get('content-security-policy') ?? '', /script-src 'self'/)
  }
  assert.is((await service.get('/assets/page-1.js')).text, 'page()')
  refused(await service.get('/assets/..%2findex.html'), 404, 'NOT_FOUND')
})

test('interface §4.10: the token leaves the address and the log for a cookie', async () => {
  const made = await service.document('one\n')
  const person = new Person(service)
  const answer = await person.ask('GET', `/d/${made.slug}?token=${made.shareToken}&focus=a`)
  assert.is(answer.status, 302)
  assert.is(answer.headers.get('location'), `/d/${made.slug}?focus=a`)
  const cookie = answer.headers.getSetCookie().find((one) => one.includes(`Path=${made.path}`))
  assert.match(cookie ?? '', /HttpOnly/)
  assert.match(cookie ?? '', /SameSite=Lax/)
  assert.is(succeeded(await person.get(made.path))['your_role'], 'editor')
  assert.not.ok(service.output.includes(made.shareToken))
})

test('interface §5: a token that is not good leads to link=invalid', async () => {
  const [made, other] = [await service.document('one\n'), await service.document('two\n')]
  const answer = await new Person(service).ask('GET', `/d/${made.slug}?token=${other.shareToken}`)
  assert.is(answer.headers.get('location'), `/d/${made.slug}?link=invalid`)
  assert.equal(answer.headers.getSetCookie(), [])
})

test('a guest writes in its own name, also after a crash and another start', async () => {
  const made = await service.document('one\n')
  const person = new Person(service)
  await person.open(made)
  const nameless = await person.edit(made, 'one', 'two')
  refused(nameless, 412, 'IDENTIFY_REQUIRED')
  assert.is(nameless.body['next'], 'POST /auth/guest')
  assert.is(nameless.body['slug'], made.slug)
  const me = await person.becomes('Ada')
  succeeded(await person.edit(made, 'one', 'one two'))
  await restart('SIGKILL')
  assert.equal(succeeded(await person.get('/auth/me'))['actor_id'], me)
  succeeded(await person.edit(made, 'two', 'two three'))
  const body = succeeded(await person.get(`${made.path}?include=authorship`))
  assert.is(body['display_name'], 'Ada')
  assert.ok(JSON.stringify(body['authorship']).includes(String(me)))
})

test('who claimed a document owns it after a restart; later claims are 409', async () => {
  const made = await service.document('one\n')
  const [ada, bob] = [new Person(service), new Person(service)]
  await ada.open(made)
  refused(await ada.post(`${made.path}/claim`), 401, 'AUTH_REQUIRED')
  await ada.becomes('Ada')
  const claimed = succeeded(await ada.post(`${made.path}/claim`))
  assert.equal(claimed, { id: made.slug, your_role: 'owner' })
  await restart('SIGTERM')
  await bob.open(made)
  await bob.becomes('Bob')
  refused(await bob.post(`${made.path}/claim`), 409, 'ALREADY_OWNED')
  assert.is(succeeded(await ada.get(made.path))['your_role'], 'owner')
})

test('a logout is for good, also after a restart', async () => {
  const person = new Person(service)
  await person.becomes('Ada')
  const { cookie = '' } = person.headers('/auth/me')
  succeeded(await person.post('/auth/logout'))
  await restart('SIGKILL')
  refused(await service.get('/auth/me', undefined, { cookie }), 401, 'AUTH_REQUIRED')
})

test('extensions §5: a nameless browser reads live; its first update closes with 4412', async () => {
  const made = await service.document('word\n')
  const person = new Person(service)
  await person.open(made)
  const reader = await live(person, made.slug).synced()
  assert.ok(reader.text.includes('word'))
  reader.type('word', ' lost')
  assert.is(await within(8000, reader.closed), 4412)
})

test('two people type into one document, each in its own name', async () => {
  const made = await service.document('left right\n')
  const [ada, bob] = [new Person(service), new Person(service)]
  const names = []
  for (const [person, name] of [[ada, 'Ada'] as const, [bob, 'Bob'] as const]) {
    await person.open(made)
    names.push(await person.becomes(name))
  }
  const [one, two] = [await live(ada, made.slug).synced(), await live(bob, made.slug).synced()]
  one.type('left', ' of Ada')
  two.type('right', ' of Bob')
  await until(async () => (await made.markdown()) === 'left of Ada right of Bob\n')
  const { authorship } = succeeded(await made.read('?include=authorship'))
  for (const name of names) assert.ok(JSON.stringify(authorship).includes(String(name)))
})

test('interface §4.10: one short link a document, for people and programs, after a restart', async () => {
  const made = await service.document('# Title\n')
  const path = `${made.path}/share-link`
  const first = succeeded(await service.post(path, {}, { token: made.token }), 201)
  await restart('SIGKILL')
  const again = succeeded(await service.ask('POST', path, { token: made.token }))
  // The address names the port, which is another one after each start.
  assert.equal([again['code'], again['link_id']], [first['code'], first['link_id']])
  const at = `/s/${first['code']}`

  const person = new Person(service)
  assert.is((await person.visit(at)).status, 200)
  assert.is(succeeded(await person.get(made.path))['your_role'], 'editor')

  const unconfirmed = succeeded(await service.get(at))
  const signed = new URL(asText(unconfirmed['confirmation_url'])).pathname
  await restart('SIGKILL')
  const confirmed = await service.get(signed)
  assert.is(confirmed.status, 302)
  assert.is(confirmed.body['slug'], made.slug)
  await restart('SIGKILL')
  refused(await service.get(signed), 410, 'CONFIRMATION_SPENT')

  const share = new URL(confirmed.headers.get('location') ?? '')
  assert.is(share.pathname, `/d/${made.slug}`)
  const token = asText(share.searchParams.get('token'))
  const headers = { 'x-service-share-ingress': '1' }
  const read = succeeded(await service.get(`${made.path}?docs`, token, headers))
  assert.match(asText(read['your_token']), /^dtk_/)

  assert.is(succeeded(await service.get(`${at}.json`))['markdown'], '# Title\n')
  const unfurled = await service.get(at, undefined, { 'user-agent': 'Discordbot/2.0' })
  assert.is(unfurled.status, 200)
  assert.not.ok(unfurled.text.includes(made.slug))
  assert.not.ok(service.output.includes(token))
})

test('interface §4.10: general access is the owner’s, holds at once and after a restart', async () => {
  const made = await service.document('one\n')
  const [owner, other] = [new Person(service), new Person(service)]
  const { code } = succeeded(
    await service.ask('POST', `${made.path}/share-link`, { token: made.token }),
    201,
  )
  await owner.open(made)
  await owner.becomes('Owner')
  succeeded(await owner.post(`${made.path}/claim`))
  await other.visit(`/s/${code}`)
  await other.becomes('Other')
  succeeded(await other.edit(made, 'one', 'two'))
  const path = `${made.path}/link-access`
  const body = { mode: 'restricted' }
  refused(await other.ask('PATCH', path, { body }), 403, 'FORBIDDEN')
  succeeded(await owner.ask('PATCH', path, { body }))
  refused(await other.get(made.path), 403, 'FORBIDDEN')
  refused(await service.get(made.path), 401, 'AUTH_REQUIRED')
  await restart('SIGKILL')
  refused(await other.edit(made, 'two', 'three'), 403, 'FORBIDDEN')
  const read = succeeded(await owner.get(made.path))
  assert.equal(read['link_access'], { mode: 'restricted', role: 'editor' })
  succeeded(await owner.ask('PATCH', path, { body: { mode: 'anyone', role: 'viewer' } }))
  assert.is(succeeded(await other.get(made.path))['your_role'], 'viewer')
})

test('a cookie lets nobody else’s page write', async () => {
  const made = await service.document('one\n')
  const person = new Person(service)
  await person.open(made)
  await person.becomes('Ada')
  const body = { edits: [{ old_string: 'one', new_string: 'two' }] }
  const headers = { ...person.headers(made.path), origin: 'https://evil.example' }
  refused(await service.patch(made.path, body, { headers }), 403, 'FORBIDDEN')
  const { origin: _, ...without } = headers
  refused(await service.patch(made.path, body, { headers: without }), 403, 'FORBIDDEN')
})

test.run()
