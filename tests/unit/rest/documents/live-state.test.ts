/** Extensions §5: the live document over HTTP, for readers without a websocket. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { Browser } from '../browser.ts'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const have = (ydoc: Y.Doc) => Buffer.from(Y.encodeStateVector(ydoc)).toString('base64url')

function apply(ydoc: Y.Doc, update: unknown): number {
  const bytes = Buffer.from(String(update), 'base64')
  Y.applyUpdate(ydoc, bytes)
  return bytes.length
}

const textOf = (ydoc: Y.Doc) => ydoc.getXmlFragment('prosemirror').toString()

test('§5 the state is the whole document, then what the state vector lacks', async () => {
  const { slug, token } = await service.create('First words.\n\nMore.', 'Ada')
  const path = `/docs/${slug}/live/state`
  const ydoc = new Y.Doc()
  const first = await service.call('GET', path, { token })
  assert.is(first.status, 200)
  const whole = apply(ydoc, first.json['update'])
  assert.match(textOf(ydoc), /First words/)
  const body = { edits: [{ old_string: 'More', new_string: 'Much more' }] }
  await service.call('PATCH', `/docs/${slug}`, { token, body })
  const next = await service.call('GET', `${path}?have=${have(ydoc)}`, { token })
  assert.ok(apply(ydoc, next.json['update']) < whole)
  assert.match(textOf(ydoc), /Much more/)
  assert.is(next.json['revision'], 2)
})

test('§5 the state says who the caller is, as `hello` does', async () => {
  const { slug, token } = await service.create('Words.', 'Ada')
  const path = `/docs/${slug}/live/state`
  const { json } = await service.call('GET', path, { token })
  assert.is(json['role'], 'editor')
  assert.is(json['name'], 'Ada')
  assert.is(json['linkless'], undefined)
  const nobody = await service.call('GET', path)
  assert.is(nobody.json['role'], 'viewer')
  assert.is(nobody.json['actor_id'], null)
  assert.is(nobody.json['linkless'], true)
})

test('§5 a browser that came by the create’s share address may claim', async () => {
  const { slug, shareToken } = await service.create('Words.', 'Ada')
  const browser = new Browser(service)
  await browser.open(`/d/${slug}?token=${shareToken}`)
  const { json } = await browser.call('GET', `/docs/${slug}/live/state`)
  assert.is(json['claimable'], true)
  await browser.guest('Bea')
  await browser.call('POST', `/docs/${slug}/claim`)
  const owned = await browser.call('GET', `/docs/${slug}/live/state`)
  assert.is(owned.json['claimable'], undefined)
  assert.is(owned.json['role'], 'owner')
})

test('§5 without a change the answer is 304; another role or revision is one', async () => {
  const { slug, token } = await service.create('Words.', 'Ada')
  const path = `/docs/${slug}/live/state`
  const tag = String((await service.call('GET', path, { token })).headers.etag)
  const asked = async (caller?: string) => {
    const headers = { 'If-None-Match': tag }
    return (await service.call('GET', path, { token: caller, headers })).status
  }
  assert.is(await asked(token), 304)
  assert.is(await asked(), 200)
  const body = { edits: [{ old_string: 'Words', new_string: 'Others' }] }
  await service.call('PATCH', `/docs/${slug}`, { token, body })
  assert.is(await asked(token), 200)
})

test('§5 a vector that is malformed is refused; one that is ahead waits for nobody', async () => {
  const { slug, token } = await service.create('Words.', 'Ada')
  const path = `/docs/${slug}/live/state`
  const { json } = await service.call('GET', path, { token })
  const malformed = await service.call('GET', `${path}?have=_____w`, { token })
  assert.is(malformed.status, 400)
  assert.is(malformed.json['code'], 'INVALID_REQUEST')
  const ydoc = new Y.Doc()
  apply(ydoc, json['update'])
  // Typed and not sent yet.
  ydoc.getXmlFragment('prosemirror').insert(0, [new Y.XmlElement('paragraph')])
  const ahead = await service.call('GET', `${path}?have=${have(ydoc)}`, { token })
  assert.is(ahead.status, 200)
})

test('§5 who may not read the document reads no state', async () => {
  const { slug, shareToken } = await service.create('Words.', 'Ada')
  const browser = new Browser(service)
  await browser.open(`/d/${slug}?token=${shareToken}`)
  await browser.guest('Bea')
  await browser.call('POST', `/docs/${slug}/claim`)
  const body = { mode: 'restricted' }
  await browser.call('PATCH', `/docs/${slug}/link-access`, { body })
  assert.is((await service.call('GET', `/docs/${slug}/live/state`)).status, 401)
  assert.is((await service.call('GET', '/docs/doc_nothing/live/state')).status, 404)
})

test.run()
