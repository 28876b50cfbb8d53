/**
 * Browsers at live sockets (extensions §3, §5): cookies as credentials, a nameless reader that
 * becomes a guest, and what of it reaches others.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { schemaVersion } from '../../../schema/document-schema.ts'
import { unattributed } from '../../../schema/ids.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { everything } from '../core/documents/views/whole-view.ts'
import { awarenessOf, Copy, plain, textsOf, Wire } from './wire.ts'
import { type Made, openWorld } from './world.ts'

const world = await openWorld(systemRuntime)
const open: { stop(): void }[] = []
test.after.each(() => {
  for (const one of open.splice(0)) one.stop()
})
test.after(() => world.close())

/** The cookies of one browser. */
interface Cookies {
  readonly visitor: string
  readonly link?: string
  session?: string
}

const cookieHeader = (cookies: Cookies): string =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

const headersOf = (cookies: Cookies) => ({
  Cookie: cookieHeader(cookies),
  Origin: 'http://service.test',
})

let browsers = 0
const browserWith = (link?: string): Cookies => ({
  visitor: String(++browsers).padStart(43, 'v'),
  ...(link !== undefined && { link }),
})

/** Gives the browser a session; returns the account's actor id. */
async function becomeGuest(cookies: Cookies, name: string): Promise<string> {
  const response = await fetch(`http://${world.address}/auth/guest`, {
    method: 'POST',
    headers: { ...headersOf(cookies), 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  const session = /session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1]
  if (session !== undefined) cookies.session = session
  const { actor_id: actor } = (await response.json()) as { actor_id: string }
  return actor
}

async function join(made: Made, cookies: Cookies, ydoc?: Copy['ydoc']): Promise<Copy> {
  const options = { headers: headersOf(cookies), ...(ydoc && { ydoc }) }
  const copy = new Copy(world.address, `/docs/${made.slug}/live?events=json`, options)
  open.push(copy)
  return copy.synced()
}

async function authors(made: Made): Promise<string[]> {
  const view = await world.documents.read(made.slug, everything)
  return view.authorship().map(({ author }) => author)
}

test('a browser with a link and no session reads; its first update closes with 4412', async () => {
  const made = await world.create('words\n')
  const reader = await join(made, browserWith(made.share))
  await world.patch(made, 'words', 'other words')
  await reader.untilText('other words')
  reader.type('other', ' lost')
  assert.is(await reader.code(), 4412)
  assert.is(await world.markdown(made), 'other words\n')
})

test('a browser with a session writes as its account', async () => {
  const made = await world.create('words\n')
  const cookies = browserWith(made.share)
  const me = await becomeGuest(cookies, 'Ada')
  const copy = await join(made, cookies)
  copy.type('words', ' mine')
  await copy.handled()
  assert.is(await world.markdown(made), 'words mine\n')
  assert.ok((await authors(made)).includes(me))
})

test('a clientID that a nameless reader announced stays its own when it is a guest', async () => {
  const made = await world.create('words\n')
  const cookies = browserWith(made.share)
  const reader = await join(made, cookies)
  const client = reader.ydoc.clientID
  reader.send(awarenessOf([[client, 1, '{"user":{"name":"reader"}}']]))
  await reader.handled()

  const thief = await join(made, browserWith(made.share))
  thief.send(awarenessOf([[client, 7, '{"user":{"name":"thief"}}']]))
  await thief.handled()
  const eve = browserWith(made.share)
  await becomeGuest(eve, 'Eve')
  const forger = new Copy(world.address, `/docs/${made.slug}/live`, { headers: headersOf(eve) })
  open.push(forger)
  forger.ydoc.clientID = client
  await forger.synced()
  forger.type('words', ' forged')
  assert.ok([4403, 4409, 1013].includes(await forger.code()), `${forger.closeCode}`)

  const me = await becomeGuest(cookies, 'Ada')
  const writer = await join(made, cookies, reader.ydoc)
  writer.send(awarenessOf([[client, 9, '{"user":{"name":"Ada"}}']]))
  await writer.handled()
  const latest = () => thief.presences.filter((one) => one.client === client).at(-1)
  await thief.until(() => latest()?.clock === 9, 'the state of the guest')
  assert.equal(latest()?.state, { user: { name: 'Ada', actor: me } })
  reader.socket.terminate()
  writer.type('words', ' mine')
  await writer.handled()
  assert.is(await world.markdown(made), 'words mine\n')
  assert.ok((await authors(made)).includes(me))
})

/** A copy of what a nameless page shows, on which it has gone on writing without sending it. */
function writtenBy(reader: Copy, words: string, added: string): Y.Doc {
  const ydoc = new Y.Doc()
  ydoc.clientID = reader.ydoc.clientID
  Y.applyUpdate(ydoc, Y.encodeStateAsUpdate(reader.ydoc))
  for (const text of textsOf(ydoc)) text.insert(plain(text).indexOf(words) + words.length, added)
  return ydoc
}

for (const isAnnounced of [true, false]) {
  const way = isAnnounced ? 'announced again' : 'not announced again'
  test(`what was written before a name goes out beside the first socket: ${way}`, async () => {
    const made = await world.create('words\n')
    const cookies = browserWith(made.share)
    const reader = await join(made, cookies)
    const client = reader.ydoc.clientID
    reader.send(awarenessOf([[client, 1, '{}']]))
    await reader.handled()
    const ydoc = writtenBy(reader, 'words', ' first')
    const me = await becomeGuest(cookies, 'Ada')
    // The end of the first socket is still on its way.
    const writer = await join(made, cookies, ydoc)
    if (isAnnounced) writer.send(awarenessOf([[client, 9, '{"user":{"name":"Ada"}}']]))
    await writer.handled()
    assert.is(writer.closeCode, undefined)
    reader.socket.terminate()
    await reader.code()
    writer.type('first', ' and more')
    await writer.handled()
    assert.is(await world.markdown(made), 'words first and more\n')
    assert.ok((await authors(made)).includes(me))
  })
}

test('a session alone reads what anyone may, and its write is refused with 4403', async () => {
  const made = await world.create('words\n')
  const cookies = browserWith()
  await becomeGuest(cookies, 'Ada')
  const copy = await join(made, cookies)
  copy.type('words', ' lost')
  assert.is(await copy.code(), 4403)
})

test('the first update by a link records a grant for the account; reading does not', async () => {
  const made = await world.create('words\n')
  const cookies = browserWith(made.share)
  await becomeGuest(cookies, 'Ada')
  const copy = await join(made, cookies)
  const { link: _, ...later } = cookies
  const role = async () => {
    const answer = await fetch(`http://${world.address}/docs/${made.slug}`, {
      headers: headersOf(later),
    })
    return ((await answer.json()) as { your_role: string }).your_role
  }
  assert.is(await role(), 'viewer')
  copy.type('words', ' mine')
  await copy.handled()
  while ((await role()) !== 'editor') await copy.handled()
  await world.revoke(made.share)
  assert.is(await copy.code(), 4403)
  assert.is(await role(), 'viewer')
})

test('a logout ends the sockets of the session with 4401', async () => {
  const made = await world.create('words\n')
  const cookies = browserWith(made.share)
  await becomeGuest(cookies, 'Ada')
  const copy = await join(made, cookies)
  const watcher = new Wire(world.address, `/docs/${made.slug}/changes/connect`, {
    headers: headersOf(cookies),
  })
  open.push(watcher)
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  await fetch(`http://${world.address}/auth/logout`, {
    method: 'POST',
    headers: headersOf(cookies),
  })
  assert.is(await copy.code(), 4401)
  assert.is(await watcher.code(), 4401)
})

const helloOf = (copy: Copy) => copy.events('hello').at(-1)?.['data'] as Record<string, unknown>

test('extensions §5: hello says who a socket is here, before anything else', async () => {
  const made = await world.create('words\n')
  const cookies = browserWith(made.share)
  const nameless = await join(made, cookies)
  assert.is(nameless.heard[0]?.kind, 'text')
  const { epoch, schema, ...rest } = helloOf(nameless)
  assert.equal(rest, {
    revision: 1,
    role: 'editor',
    actor_id: null,
    name: null,
    read_only: false,
    comments_disabled: false,
    claimable: true,
  })
  assert.type(epoch, 'string')
  assert.is(schema, schemaVersion)
  const me = await becomeGuest(cookies, 'Ada')
  await world.patch(made, 'words', 'other words')
  const named = await join(made, cookies)
  const { revision, actor_id: actor, name } = helloOf(named)
  assert.equal([revision, actor, name], [2, me, 'Ada'])
})

test('extensions §5: hello says that a document can be claimed until somebody owns it', async () => {
  const made = await world.create('words\n')
  const [cookies, late] = [browserWith(made.share), browserWith(made.share)]
  await becomeGuest(cookies, 'Ada')
  assert.is(helloOf(await join(made, cookies))['claimable'], true)
  const claimed = await fetch(`http://${world.address}/docs/${made.slug}/claim`, {
    method: 'POST',
    headers: headersOf(cookies),
  })
  assert.is(claimed.status, 200)
  for (const browser of [cookies, late]) {
    assert.is(helloOf(await join(made, browser))['claimable'], undefined)
  }
})

test('extensions §5: the epoch of hello lets a socket in, another one is 4409', async () => {
  const made = await world.create('words\n')
  const { epoch } = helloOf(await join(made, browserWith(made.share)))
  const path = `/docs/${made.slug}/live?epoch=`
  const known = new Wire(world.address, `${path}${epoch}`, made)
  const other = new Wire(world.address, `${path}other`, made)
  open.push(known, other)
  assert.is(await other.code(), 4409)
  await known.handled()
  assert.is(known.closeCode, undefined)
})

test('extensions §5: a socket that asked for no events gets no hello', async () => {
  const made = await world.create('words\n')
  const wire = new Wire(world.address, `/docs/${made.slug}/live`, made)
  open.push(wire)
  await wire.opened
  await wire.handled()
  assert.equal(wire.texts, [])
})

test('extensions §5: who is renamed is told so, and is owner after a claim', async () => {
  const made = await world.create('words\n')
  const cookies = browserWith(made.share)
  await becomeGuest(cookies, 'Ada')
  const copy = await join(made, cookies)
  await becomeGuest(cookies, 'Grace')
  await copy.until(() => helloOf(copy)['name'] === 'Grace', 'the new name')
  assert.is(copy.events('hello').length, 2)
  const claimed = await fetch(`http://${world.address}/docs/${made.slug}/claim`, {
    method: 'POST',
    headers: headersOf(cookies),
  })
  assert.is(claimed.status, 200)
  assert.is(await copy.code(), 4503)
  assert.is(helloOf(await join(made, cookies))['role'], 'owner')
})

test('extensions §5: saved counts updates and the answer to step 1 alike', async () => {
  const made = await world.create('words\n')
  const cookies = browserWith(made.share)
  await becomeGuest(cookies, 'Ada')
  const copy = await join(made, cookies)
  const saved = () => (copy.events('saved').at(-1)?.['data'] as { updates: number }).updates
  await copy.until(() => copy.events('saved').length > 0, 'the answer to step 1')
  assert.is(saved(), 1)
  copy.type('words', ' a')
  copy.type('words', ' b')
  await copy.until(() => saved() === 3, 'both')
})

async function ownedBy(cookies: Cookies, made: Made): Promise<void> {
  await becomeGuest(cookies, 'Owner')
  await send(cookies, 'POST', `/docs/${made.slug}/claim`)
}

async function send(cookies: Cookies, method: string, path: string, body?: unknown) {
  const response = await fetch(`http://${world.address}${path}`, {
    method,
    headers: { ...headersOf(cookies), 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** A browser that came by the document's general link. */
async function byGeneralLink(made: Made): Promise<Cookies> {
  const plan = () => world.people.links.planGeneralLink(made.slug)
  const by = { event: 'access', writer: { actor: unattributed, authMethod: 'anonymous' } } as const
  const { code } = await world.documents.record(made.slug, by, plan)
  return browserWith((await world.people.links.shortLink(code))?.token)
}

test('extensions §3: open sockets follow general access: 4403 for a lower role and for none', async () => {
  const made = await world.create('words\n')
  const owner = browserWith(made.share)
  await ownedBy(owner, made)
  const path = `/docs/${made.slug}/link-access`
  const cookies = await byGeneralLink(made)
  await becomeGuest(cookies, 'Bob')
  const bob = await join(made, cookies)
  const watcher = new Wire(world.address, `/docs/${made.slug}/changes/connect`, {
    headers: headersOf(cookies),
  })
  open.push(watcher)
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  assert.is((await send(owner, 'PATCH', path, { role: 'commenter' })).status, 200)
  assert.is(await bob.code(), 4403)
  const again = await join(made, cookies)
  assert.is(helloOf(again)['role'], 'commenter')
  await watcher.until(
    () => watcher.texts.some((frame) => frame['event'] === 'access'),
    'the change',
  )
  assert.is((await send(owner, 'PATCH', path, { mode: 'restricted' })).status, 200)
  assert.is(await again.code(), 4403)
  assert.is(await watcher.code(), 4403)
})

test('extensions §3: a link that ends closes sockets of grants and tokens that came by it', async () => {
  const made = await world.create('words\n')
  const cookies = browserWith(made.share)
  await becomeGuest(cookies, 'Ada')
  const patch = { edits: [{ old_string: 'words', new_string: 'new words' }] }
  assert.is((await send(cookies, 'PATCH', `/docs/${made.slug}`, patch)).status, 200)
  const { link: _, ...later } = cookies
  const byGrant = await join(made, later)
  assert.is(helloOf(byGrant)['role'], 'editor')
  const read = await world.call('GET', `/docs/${made.slug}?docs`, made.share)
  const path = `/docs/${made.slug}/live`
  const minted = new Wire(world.address, path, { token: String(read.body['your_token']) })
  open.push(minted)
  await minted.opened
  await minted.handled()
  await byGrant.handled()
  await world.revoke(made.share)
  assert.is(await byGrant.code(), 4403)
  assert.is(await minted.code(), 4401)
})

test('extensions §5: a lock reaches open sockets as a hello with read_only', async () => {
  const made = await world.create('words\n')
  const cookies = browserWith(made.share)
  await becomeGuest(cookies, 'Bob')
  const bob = await join(made, cookies)
  const writer = { actor: made.actor, authMethod: 'token' } as const
  await world.documents.configure(made.slug, { readOnly: true }, { writer })
  await bob.until(() => helloOf(bob)['read_only'] === true, 'the lock')
  assert.is(helloOf(bob)['revision'], 2)
  bob.type('words', ' lost')
  assert.is(await bob.code(), 4403)
})

test('an upgrade by cookies from another Origin is 403 before any socket opens', async () => {
  const made = await world.create('words\n')
  const cookies = browserWith(made.share)
  await becomeGuest(cookies, 'Ada')
  for (const origin of [undefined, 'https://evil.example']) {
    const headers = { Cookie: cookieHeader(cookies), ...(origin && { Origin: origin }) }
    const wire = new Wire(world.address, `/docs/${made.slug}/live`, { headers })
    open.push(wire)
    assert.is((await wire.opened)?.status, 403)
  }
})

test.run()
