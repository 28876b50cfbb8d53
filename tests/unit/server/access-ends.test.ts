/**
 * Open sockets of who loses access (interface §4.10, §6.1; extensions §3): within two seconds of a
 * revocation, and at the time at which a link or a token ends.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemRuntime } from '../../../server/runtime.ts'
import { Copy, Wire, within } from './wire.ts'
import { type Made, openWorld } from './world.ts'

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
