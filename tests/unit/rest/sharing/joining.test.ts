/** Extensions §9: a registered agent takes a document's link, and can be mentioned from then on. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openScene, said } from './sharing-scene.ts'

const { service, owned, agent } = await openScene()
test.after(() => service.close())

const join = (bot: { readonly token: string }, slug: string, token: string) =>
  service.call('POST', '/agents/me/join', { token: bot.token, body: { slug, token } })

test('§9 the agent has the link’s role under its own name', async () => {
  const { ada, at, slug } = await owned()
  for (const role of ['viewer', 'commenter', 'editor']) {
    const bot = await agent(`Quill ${role}`)
    const { json: link } = await ada.call('POST', `${at}/links`, { body: { role } })
    const token = await tokenOf(String(link['url']))
    const answer = await join(bot, slug, token)
    const { handle, actor } = bot
    assert.equal(answer.json, { id: slug, actor_id: actor, handle, your_role: role })
    const { json } = await service.call('GET', at, { token: bot.token })
    assert.is(json['your_role'], role)
    assert.is(said(await join(bot, slug, token)), '200')
  }
})

/** The token that a short link leads to. */
async function tokenOf(url: string): Promise<string> {
  const { pathname } = new URL(url)
  const { json } = await service.call('GET', pathname)
  const address = new URL(String(json['confirmation_url']))
  const { headers } = await service.call('GET', address.pathname + address.search)
  return new URL(String(headers.location)).searchParams.get('token') ?? ''
}

test('§9 it is offered as a mention, called by one, and hears of it in its inbox', async () => {
  const { ada, at, slug, shareToken } = await owned()
  const bot = await agent('Quill')
  await join(bot, slug, shareToken)
  const { json } = await ada.call('GET', `${at}/mentionable?q=quill`)
  assert.is((json['people'] as { handle: string }[])[0]?.handle, bot.handle)
  const body = { quote: 'text', text: `@${bot.handle} have a look` }
  const comment = await ada.call('POST', `${at}/comments`, { body })
  assert.is(comment.json['warning'], undefined)
  const inbox = await service.call('GET', '/agents/me/inbox', { token: bot.token })
  assert.is((inbox.json['entries'] as { event: string }[])[0]?.event, 'mention')
})

test('§9 the role ends with the link', async () => {
  const { ada, at, slug } = await owned()
  await ada.call('PATCH', `${at}/link-access`, { body: { mode: 'restricted', role: 'viewer' } })
  const bot = await agent('Quill')
  const { json: link } = await ada.call('POST', `${at}/links`, { body: { role: 'editor' } })
  await join(bot, slug, await tokenOf(String(link['url'])))
  await ada.call('DELETE', `${at}/links/${link['code']}`)
  assert.is(said(await service.call('GET', at, { token: bot.token })), '403 FORBIDDEN')
})

test('§9 refused: other credentials, tokens of elsewhere, secrets that are none', async () => {
  const { slug, shareToken, token } = await owned()
  const other = await owned()
  const bot = await agent('Quill')
  assert.is(said(await join({ token }, slug, shareToken)), '403 FORBIDDEN')
  assert.is(said(await join(bot, slug, other.shareToken)), '403 FORBIDDEN')
  assert.is(said(await join(bot, slug, 'shr_nothing')), '403 FORBIDDEN')
  assert.is(said(await join(bot, slug, bot.token)), '403 FORBIDDEN')
  assert.is(said(await join(bot, 'a'.repeat(20), shareToken)), '404 DOC_NOT_FOUND')
  const nobody = await service.call('POST', '/agents/me/join', { body: { slug, token } })
  assert.is(said(nobody), '401 AUTH_REQUIRED')
})

test.run()
