/** Extensions §13: a claim can be given back for a day; the document has no owner again. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Browser } from '../browser.ts'
import { hour, openScene, said } from './sharing-scene.ts'

const { service, owned, agent } = await openScene()
test.after(() => service.close())

const nodesOf = async (browser: Browser): Promise<string> => {
  const { containers } = (await browser.call('GET', '/workspace')).json as {
    containers: { id: string; kind: string }[]
  }
  const personal = containers.find(({ kind }) => kind === 'personal')?.id
  return (await browser.call('GET', `/workspace/library?container=${personal}`)).text
}

test('§13 the document has no owner and no place again, and its giver edits', async () => {
  const { ada, at, slug, token } = await owned()
  assert.ok((await nodesOf(ada)).includes(slug))
  const given = await ada.call('DELETE', `${at}/claim`)
  assert.equal([given.status, given.json], [200, { id: slug, your_role: 'editor' }])
  const { json } = await service.call('GET', `${at}/owner`, { token })
  assert.is(json['owner'], null)
  assert.not.ok((await nodesOf(ada)).includes(slug))
  assert.is((await ada.read(slug)).json['your_role'], 'editor')
  assert.is((await ada.edit(slug, 'text', 'words')).status, 200)
  assert.is(
    said(await ada.call('PATCH', `${at}/settings`, { body: { read_only: true } })),
    '403 FORBIDDEN',
  )
  assert.is(said(await ada.call('DELETE', `${at}/claim`)), '403 FORBIDDEN')
})

test('§13 the next person who comes by the share address may claim', async () => {
  const { ada, at, slug, shareToken } = await owned()
  await ada.call('DELETE', `${at}/claim`)
  const bob = new Browser(service)
  await bob.open(`/d/${slug}?token=${shareToken}`)
  await bob.guest('Bob')
  assert.is(said(await bob.call('POST', `${at}/claim`)), '200')
  assert.is((await ada.read(slug)).json['your_role'], 'editor')
  assert.is(said(await ada.call('POST', `${at}/claim`)), '409 ALREADY_OWNED')
})

test('§13 giving back is a revision with the event of access, and ends an offer', async () => {
  const { ada, at, slug, shareToken } = await owned()
  const bob = new Browser(service)
  await bob.open(`/d/${slug}?token=${shareToken}`)
  const account = { handle: 'bob-gb', name: 'Bob', password: 'long enough' }
  const signed = await bob.call('POST', '/auth/signup', { body: account })
  assert.is(signed.status, 201)
  assert.is(said(await ada.call('POST', `${at}/owner`, { body: { handle: 'bob-gb' } })), '201')
  await ada.call('DELETE', `${at}/claim`)
  assert.is(said(await bob.call('POST', `${at}/owner/accept`)), '403 FORBIDDEN')
  const { entries } = (await ada.call('GET', `${at}/history`)).json as {
    entries: { event: string }[]
  }
  assert.is(entries[0]?.event, 'access')
})

test('§13 after a day, by others, and by who made the document it is 403', async () => {
  const { ada, at, token, slug } = await owned()
  const bot = await agent('Robo')
  for (const other of [token, bot.token]) {
    assert.is(said(await service.call('DELETE', `${at}/claim`, { token: other })), '403 FORBIDDEN')
  }
  service.ahead += 24 * hour
  assert.is(said(await ada.call('DELETE', `${at}/claim`)), '403 FORBIDDEN')
  assert.is((await ada.read(slug)).json['your_role'], 'owner')
  const made = await ada.call('POST', '/docs', { body: { markdown: 'own' } })
  const path = `/docs/${made.json['id']}/claim`
  assert.is(said(await ada.call('DELETE', path)), '403 FORBIDDEN')
})

test.run()
