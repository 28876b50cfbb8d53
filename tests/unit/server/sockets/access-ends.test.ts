/**
 * Open sockets of who loses access (interface §4.10, §6.1; extensions §3): within two seconds of a
 * revocation, and at the time at which a link or a token ends.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sha256Hex } from '../../../../core/records/secrets.ts'
import { tokenBySha256 } from '../../../../persistence/keys.ts'
import { systemRuntime } from '../../../../server/runtime.ts'
import { Copy, Wire, within } from '../wire.ts'
import { type Made, openWorld } from '../world.ts'

const world = await openWorld(systemRuntime)
const open: { stop(): void }[] = []
test.after.each(() => {
  for (const one of open.splice(0)) one.stop()
})
test.after(() => world.close())

/** Somebody who edits and somebody who watches, both by this token. */
async function company(made: Made, token: string) {
  const headers = { Authorization: `Bearer ${token}` }
  const editor = new Copy(world.address, `/docs/${made.slug}/live`, { headers })
  const watcher = new Wire(world.address, `/docs/${made.slug}/changes/connect`, { headers })
  open.push(editor, watcher)
  await editor.synced()
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  return { editor, codes: () => Promise.all([editor.code(), watcher.code()]) }
}

/** The token at the end of a link, as a program comes by it. */
async function tokenBy(code: unknown): Promise<string> {
  const { body } = await world.call('GET', `/s/${code}`)
  const { pathname } = new URL(String(body['confirmation_url']))
  const answer = await fetch(`http://${world.address}${pathname}`, { redirect: 'manual' })
  return new URL(String(answer.headers.get('location'))).searchParams.get('token') ?? ''
}

async function linked(made: Made, body: object) {
  const link = await world.call('POST', `/docs/${made.slug}/links`, made.token, body)
  assert.is(link.status, 201, JSON.stringify(link.body))
  const code = link.body['code']
  const token = await tokenBy(code)
  const read = await world.call('GET', `/docs/${made.slug}?docs`, token)
  return { code, token, own: String(read.body['your_token']) }
}

test('§4.10 a revoked link ends the sockets of its token and of those minted through it', async () => {
  const made = await world.create('words\n')
  const { code, token, own } = await linked(made, {})
  const [one, other] = [await company(made, token), await company(made, own)]
  const gone = await world.call('DELETE', `/docs/${made.slug}/links/${code}`, made.token)
  assert.is(gone.status, 200)
  const codes = await within(Promise.all([one.codes(), other.codes()]), 'closes', 2_000)
  assert.equal(codes.flat(), [4401, 4401, 4401, 4401])
})

test('a link that ends by time ends them at that time', async () => {
  const made = await world.create('words\n')
  const endsAt = Date.now() + 1_200
  const { own } = await linked(made, { expires_at: new Date(endsAt).toISOString() })
  const { codes } = await company(made, own)
  assert.equal(await codes(), [4401, 4401])
  assert.ok(Date.now() >= endsAt - 50, 'not before')
})

test('who is taken out loses its sockets', async () => {
  const made = await world.create('words\n')
  const agent = await world.call('POST', '/agents/register', undefined, { name: 'Quill' })
  const { handle, actor_id: actor, agent_secret: secret } = agent.body
  const path = `/docs/${made.slug}/access`
  await world.call('POST', path, made.token, { handle, role: 'editor' })
  const { editor } = await company(made, String(secret))
  const id = encodeURIComponent(String(actor))
  assert.is((await world.call('DELETE', `${path}/${id}`, made.token)).status, 200)
  assert.is(await within(editor.code(), 'closes', 2_000), 4403)
})

/** A person in a browser of this world, by its session's cookie. */
async function person(name: string) {
  const origin = `http://${world.address}`
  const made = await fetch(`${origin}/auth/guest`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  const { handle, actor_id: actor } = (await made.json()) as Record<string, string>
  const Cookie = made.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const headers = { Cookie, Origin: origin }
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Record<string, unknown>
  }
  return { handle, actor, headers, call }
}

/** Somebody who edits and somebody who watches, both by these headers. */
async function companyBy(slug: unknown, headers: Record<string, string>) {
  const editor = new Copy(world.address, `/docs/${slug}/live`, { headers })
  const watcher = new Wire(world.address, `/docs/${slug}/changes/connect`, { headers })
  open.push(editor, watcher)
  await editor.synced()
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  return () => within(Promise.all([editor.code(), watcher.code()]), 'closes', 2_000)
}

async function team() {
  const ada = await person('Ada')
  const doc = await ada.call('POST', '/docs', {
    markdown: 'words\n',
    library_target: { kind: 'team' },
  })
  await ada.call('PATCH', `/docs/${doc['id']}/link-access`, { mode: 'restricted', role: 'viewer' })
  const bot = await ada.call('POST', '/workspace/bots', { name: 'Quill' })
  const headers = { Authorization: `Bearer ${bot['agent_secret']}` }
  return { ada, slug: doc['id'], bot: { headers, path: `/workspace/bots/${bot['agent_id']}` } }
}

test('extensions §7: who is taken out of the team loses the sockets that were open by it', async () => {
  const { ada, slug } = await team()
  const bob = await person('Bob')
  await ada.call('POST', '/workspace/members', { handle: bob.handle })
  const codes = await companyBy(slug, bob.headers)
  await ada.call('DELETE', `/workspace/members/${encodeURIComponent(String(bob.actor))}`)
  assert.equal(await codes(), [4403, 4403])
})

test('extensions §12: a bot that is set inactive, or deleted, loses its sockets', async () => {
  const { ada, slug, bot } = await team()
  const inactive = await companyBy(slug, bot.headers)
  await ada.call('PATCH', bot.path, { active: false })
  assert.equal(await inactive(), [4403, 4403])
  await ada.call('PATCH', bot.path, { active: true })
  const deleted = await companyBy(slug, bot.headers)
  await ada.call('DELETE', bot.path)
  assert.equal(await deleted(), [4401, 4401])
})

test('extensions §3: with its placement a document leaves the team’s open sockets', async () => {
  const { ada, slug, bot } = await team()
  const bob = await person('Bob')
  await world.store.commit(await withoutGuest(String(bob.actor)))
  const codes = await companyBy(slug, bot.headers)
  await ada.call('POST', `/docs/${slug}/owner`, { handle: bob.handle })
  await bob.call('POST', `/docs/${slug}/owner/accept`)
  assert.equal(await codes(), [4403, 4403])
})

/** The account as it is after sign-up. */
async function withoutGuest(actor: string) {
  const read = async (key: string) =>
    JSON.parse(Buffer.from((await world.store.get(key))?.value ?? []).toString())
  const { accountId } = await read(`actor/${encodeURIComponent(actor)}`)
  const key = `account/${accountId}`
  const value = Buffer.from(JSON.stringify({ ...(await read(key)), guest: false }))
  return { puts: [{ key, value }] }
}

test('§5.7 a socket by a rotated secret closes when that ends', async () => {
  const made = await world.create('words\n')
  const agent = await world.call('POST', '/agents/register', undefined, { name: 'Quill' })
  const { handle, agent_secret: secret } = agent.body
  await world.call('POST', `/docs/${made.slug}/access`, made.token, { handle, role: 'editor' })
  const codes = await companyBy(made.slug, { Authorization: `Bearer ${secret}` })
  const key = tokenBySha256(sha256Hex(String(secret)))
  const record = JSON.parse(Buffer.from((await world.store.get(key))?.value ?? []).toString())
  const until = Date.now() + 1_000
  const value = Buffer.from(JSON.stringify({ ...record, until }))
  await world.store.commit({ puts: [{ key, value }] })
  assert.equal(await codes(), [4401, 4401])
  assert.ok(Date.now() >= until - 50, 'not before')
})

test('§6.1 watchers are told of each act as an event `access`', async () => {
  const made = await world.create('words\n')
  const headers = { Authorization: `Bearer ${made.token}` }
  const watcher = new Wire(world.address, `/docs/${made.slug}/changes/connect`, { headers })
  await watcher.until(() => watcher.texts.length > 0, 'ready')
  open.push(watcher)
  await world.call('POST', `/docs/${made.slug}/links`, made.token, {})
  await watcher.until(() => watcher.texts.length > 1, 'doc_changed')
  const told = watcher.texts.at(-1)
  assert.is(told?.['type'], 'doc_changed')
  assert.is(told?.['event'], 'access')
})

test.run()
