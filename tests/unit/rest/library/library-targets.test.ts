/**
 * Where a create puts a document, and whose it is then (interface §2.3, §2.8, §4.2; extensions §4,
 * §7, §9, §12).
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentKey } from '../../../../persistence/keys.ts'
import type { Commit } from '../../../../persistence/store.ts'
import { wrappedStore } from '../../../../persistence/wrapped-store.ts'
import { Browser } from '../browser.ts'
import { type Answered, startService } from '../service.ts'
import { type Fields, list, openScene, said } from '../sharing/sharing-scene.ts'

const scene = await openScene()
const { service } = scene
test.after(() => service.close())

const bodyOf = (library_target?: unknown, markdown = '# T') => ({
  markdown,
  ...(library_target !== undefined && { library_target }),
})
const by = (token: string | undefined, target?: unknown) =>
  service.call('POST', '/docs', { token, body: bodyOf(target) })
const inBrowser = (browser: Browser, target?: unknown) =>
  browser.call('POST', '/docs', { body: bodyOf(target) })
const resolution = ({ json }: Answered) => json['library_target_resolution'] as Fields | undefined

async function household() {
  const ada = await scene.person('Ada')
  const { json } = await ada.browser.call('GET', '/workspace')
  const [personal, team] = (json['containers'] as Fields[]).map(({ id }) => String(id))
  const bot = async (name: string) => {
    const made = await ada.browser.call('POST', '/workspace/bots', { body: { name } })
    const { agent_id: id, agent_secret: secret, bot_slug: slug, container_id: brain } = made.json
    return { id: String(id), secret: String(secret), slug: String(slug), brain: String(brain) }
  }
  const key = String((await ada.browser.call('POST', '/auth/owner-keys')).json['key'])
  const own = await ada.browser.call('POST', '/agents/register', { body: { name: 'Own' } })
  const agent = { secret: String(own.json['agent_secret']), actor: String(own.json['actor_id']) }
  return { ...ada, workspaceId: String(json['id']), personal, team, bot, key, agent }
}

test('extensions §7: without a target a person’s, an owner key’s and an owned agent’s go to the owner’s personal container', async () => {
  const { browser, key, agent, personal, workspaceId, actor } = await household()
  const expected = {
    kind: 'personal',
    workspaceId,
    containerId: personal,
    parentFolderId: null,
  }
  const made = [await inBrowser(browser), await by(key), await by(agent.secret)]
  for (const one of made) {
    assert.is(one.status, 201)
    assert.equal(resolution(one), expected)
    const { json } = await browser.call('GET', `/docs/${one.json['id']}`)
    assert.is(json['your_role'], 'owner')
    assert.equal(json['link_access'], { mode: 'restricted', role: 'viewer' })
    assert.is(one.json['access_token'], undefined)
  }
  assert.equal(
    made.map(({ json }) => json['actor_id']),
    [actor, actor, agent.actor],
  )
  assert.is(await scene.role(String(made[2]?.json['id']), agent.secret), 'editor')
  const history = await browser.call('GET', `/docs/${made[1]?.json['id']}/history`)
  const [first] = list(history, 'entries')
  assert.equal([first?.['actor_id'], first?.['auth_method']], [actor, 'owner_key'])
})

test('interface §4.2: an `ark_` create is the owner’s at once, and a claim is 409', async () => {
  const { key } = await household()
  const { json } = await by(key)
  const bob = await scene.person('Bob')
  const share = String(json['share_url'])
  await bob.browser.open(share)
  const claim = await bob.browser.call('POST', `/docs/${json['id']}/claim`)
  assert.is(said(claim), '409 ALREADY_OWNED')
  assert.is(said(await service.call('GET', `/docs/${json['id']}`, { token: key })), '403 FORBIDDEN')
})

test('extensions §7: an ephemeral agent’s goes to its owner’s, a bot’s to its brain', async () => {
  const { browser, key, personal, bot } = await household()
  const ephemeral = await service.call('POST', '/agents/ephemeral', { token: key })
  const one = await by(String(ephemeral.json['agent_secret']))
  assert.is(resolution(one)?.['containerId'], personal)
  const quill = await bot('Quill')
  const two = await by(quill.secret)
  assert.equal([resolution(two)?.['kind'], resolution(two)?.['containerId']], ['bot', quill.brain])
  assert.is((await browser.call('GET', `/docs/${two.json['id']}`)).json['your_role'], 'owner')
  const { json } = await service.call('GET', `/docs/${two.json['id']}`, { token: quill.secret })
  assert.equal(json['link_access'], { mode: 'restricted', role: 'viewer' })
})

test('extensions §4: who has no place in a library creates for anyone with the link; a guest too, placed', async () => {
  const robo = await scene.agent('Robo')
  for (const token of [undefined, robo.token]) {
    const one = await by(token)
    assert.is(resolution(one), undefined)
    const read = await service.call('GET', `/docs/${one.json['id']}`)
    assert.equal(read.json['link_access'], { mode: 'anyone', role: 'editor' })
  }
  const guest = new Browser(service)
  await guest.guest('Guest')
  const two = await inBrowser(guest)
  assert.is(resolution(two)?.['kind'], 'personal')
  const read = await guest.call('GET', `/docs/${two.json['id']}`)
  assert.equal(read.json['link_access'], { mode: 'anyone', role: 'editor' })
  assert.is(read.json['your_role'], 'owner')
})

test('interface §2.8: personal, team and bot lead where they say', async () => {
  const { browser, bot, personal, team, workspaceId, key } = await household()
  const quill = await bot('Quill')
  const place = async (target: unknown) => resolution(await inBrowser(browser, target))
  assert.is((await place({ kind: 'default' }))?.['kind'], 'personal')
  assert.is((await place({ kind: 'personal' }))?.['containerId'], personal)
  assert.is((await place({ kind: 'team', parentFolderId: null }))?.['containerId'], team)
  assert.is(resolution(await by(key, { kind: 'team' }))?.['containerId'], team)
  const full = {
    ...{ kind: 'bot', workspaceId, containerId: quill.brain, parentFolderId: null },
    ...{ botId: quill.id, botSlug: quill.slug, botAgentId: quill.id, bot_id: quill.id },
    ...{ canonical_bot_slug: quill.slug, slug_resolution: 'current' },
  }
  assert.equal(await place({ kind: 'bot', botId: quill.id }), { ...full, requested_bot_slug: null })
  const asked = { ...full, requested_bot_slug: quill.slug }
  assert.equal(await place({ kind: 'bot', botSlug: quill.slug }), asked)
  assert.equal(await place({ kind: 'bot', botId: quill.id, botSlug: quill.slug }), asked)
  const self = resolution(await by(quill.secret, { kind: 'bot' }))
  assert.equal(self, { ...full, requested_bot_slug: null })
})

test('extensions §7: a renamed slug goes on leading to its bot', async () => {
  const { browser, bot } = await household()
  const quill = await bot('Quill')
  const path = `/workspace/bots/${quill.id}`
  await browser.call('PATCH', path, { body: { slug: 'pen' } })
  const old = resolution(await inBrowser(browser, { kind: 'bot', botSlug: 'quill' }))
  assert.equal(
    [old?.['slug_resolution'], old?.['requested_bot_slug'], old?.['canonical_bot_slug']],
    ['renamed', 'quill', 'pen'],
  )
  assert.is(old?.['botSlug'], 'pen')
  const now = resolution(await inBrowser(browser, { kind: 'bot', botSlug: 'pen' }))
  assert.is(now?.['slug_resolution'], 'current')
})

test('interface §4.2: what is refused, with its code, and nothing is created', async () => {
  const ada = await household()
  const [quill, pen] = [await ada.bot('Quill'), await ada.bot('Pen')]
  const bob = await household()
  const theirs = await bob.bot('Theirs')
  const robo = await scene.agent('Robo')
  const guest = new Browser(service)
  await guest.guest('Guest')
  const before = await documents()
  const cases: readonly (readonly [
    who: string | undefined | Browser,
    target: unknown,
    code: string,
  ])[] = [
    [undefined, { kind: 'folder' }, '422 INVALID_KIND'],
    [ada.browser, { kind: 'folder' }, '422 INVALID_KIND'],
    [ada.browser, { kind: 7 }, '422 INVALID_KIND'],
    [ada.browser, { kind: null }, '422 INVALID_KIND'],
    [ada.browser, {}, '422 INVALID_KIND'],
    [ada.browser, { kind: 'personal', parentFolderId: 'lf_nowhere' }, '422 INVALID_PARENT'],
    [ada.browser, { kind: 'team', parentFolderId: 'x' }, '422 INVALID_PARENT'],
    [ada.browser, { kind: 'default', parentFolderId: 'lf_x' }, '422 INVALID_PARENT'],
    [ada.key, { kind: 'personal', parentFolderId: 'lf_x' }, '422 INVALID_PARENT'],
    [undefined, { kind: 'default', parentFolderId: 'lf_x' }, '422 INVALID_PARENT'],
    [quill.secret, { kind: 'bot', parentFolderId: 'lf_x' }, '422 INVALID_PARENT'],
    [undefined, { kind: 'personal' }, '403 NOT_AUTHORIZED'],
    [robo.token, { kind: 'team' }, '403 NOT_AUTHORIZED'],
    [undefined, { kind: 'bot', botId: quill.id }, '403 NOT_AUTHORIZED'],
    [ada.browser, { kind: 'bot', botId: theirs.id }, '403 NOT_AUTHORIZED'],
    [ada.browser, { kind: 'bot', botId: 'ag_unknown' }, '403 NOT_AUTHORIZED'],
    [ada.browser, { kind: 'bot', botSlug: 'theirs' }, '403 NOT_AUTHORIZED'],
    [ada.key, { kind: 'bot', botId: quill.id }, '403 NOT_AUTHORIZED'],
    [ada.agent.secret, { kind: 'bot', botId: quill.id }, '403 NOT_AUTHORIZED'],
    [quill.secret, { kind: 'bot', botId: pen.id }, '403 NOT_AUTHORIZED'],
    [quill.secret, { kind: 'personal' }, '403 NOT_AUTHORIZED'],
    [ada.browser, { kind: 'bot', botId: quill.id, botSlug: pen.slug }, '409 BOT_TARGET_MISMATCH'],
    [quill.secret, { kind: 'bot', botId: quill.id, botSlug: pen.slug }, '409 BOT_TARGET_MISMATCH'],
    [ada.browser, { kind: 'bot' }, '400 INVALID_REQUEST'],
    [ada.browser, { kind: 'personal', folder: 'x' }, '400 UNEXPECTED_FIELD'],
    [ada.browser, 'personal', '400 INVALID_REQUEST'],
  ]
  for (const [who, target, code] of cases) {
    const answer = who instanceof Browser ? inBrowser(who, target) : by(who, target)
    assert.is(said(await answer), code, JSON.stringify(target))
  }
  assert.is(await documents(), before)
})

async function documents(): Promise<number> {
  let count = 0
  for await (const { key } of service.store.scan({ gte: 'doc/', lt: 'doc0' })) {
    if (key.endsWith('/head')) count += 1
  }
  return count
}

test('interface §4.2: a replay answers as the first, whatever became of the place', async () => {
  const { browser, bot, key } = await household()
  const quill = await bot('Quill')
  const body = bodyOf({ kind: 'bot', botId: quill.id })
  const headers = { 'Idempotency-Key': 'one' }
  const first = await browser.call('POST', '/docs', { body, headers })
  assert.is(first.status, 201)
  assert.is((await browser.call('DELETE', `/workspace/bots/${quill.id}`)).status, 200)
  const again = await browser.call('POST', '/docs', { body, headers })
  assert.equal([again.status, again.json], [201, first.json])
  const fresh = { 'Idempotency-Key': 'two' }
  const refused = await browser.call('POST', '/docs', { body, headers: fresh })
  assert.is(said(refused), '403 NOT_AUTHORIZED')
  const ark = () => service.call('POST', '/docs', { token: key, body: bodyOf(), headers })
  const one = await ark()
  assert.equal((await ark()).json, one.json)
  assert.is.not(one.json['id'], first.json['id'])
})

/** A service whose store does something first, once, where a commit writes such a key. */
async function raced() {
  const first: { key: RegExp; act: (() => Promise<unknown>) | undefined } = {
    key: /$^/,
    act: undefined,
  }
  const service = await startService({
    wrapStore: (store) =>
      wrappedStore(store, {
        async commit(batch: Commit) {
          const { act } = first
          if (act !== undefined && batch.puts?.some(({ key }) => first.key.test(key))) {
            first.act = undefined
            await act()
          }
          return store.commit(batch)
        },
      }),
  })
  return { service, first }
}

test('a bot that ends in the very moment of a create gets nothing', async () => {
  const { service, first } = await raced()
  first.key = /^doc\/.*\/head$/
  const ada = new Browser(service)
  await ada.guest('Ada')
  const made = await ada.call('POST', '/workspace/bots', { body: { name: 'Quill' } })
  const { agent_id: id, agent_secret: secret } = made.json
  const path = `/workspace/bots/${id}`
  const place = async (kind: string) =>
    said(await service.call('POST', '/docs', { token: String(secret), body: bodyOf({ kind }) }))
  first.act = () => ada.call('PATCH', path, { body: { active: false } })
  const team = await place('team')
  first.act = () => ada.call('PATCH', path, { body: { name: 'Pen' } })
  const brain = await place('bot')
  first.act = () => ada.call('DELETE', path)
  const gone = await place('bot')
  const left = await service.store.get(agentKey(String(id)))
  await service.close()
  assert.equal([team, brain, gone], ['403 NOT_AUTHORIZED', '201', '401 AUTH_REQUIRED'])
  assert.is(left, undefined)
})

test('who is renamed in the very moment of a claim claims', async () => {
  const { service, first } = await raced()
  first.key = /^owner\//
  const made = await service.create('# Found')
  const ada = new Browser(service)
  await ada.open(`/d/${made.slug}?token=${made.shareToken}`)
  await ada.guest('Ada')
  first.act = () => ada.guest('Ada Lovelace')
  const claim = await ada.call('POST', `/docs/${made.slug}/claim`)
  await service.close()
  assert.is(first.act, undefined)
  assert.is(said(claim), '200')
})

test('extensions §3: a claimed document goes into the claimer’s personal container', async () => {
  const made = await service.create('# Found')
  const ada = await scene.person('Ada')
  await ada.browser.open(`/d/${made.slug}?token=${made.shareToken}`)
  assert.is((await ada.browser.call('POST', `/docs/${made.slug}/claim`)).status, 200)
  const nodes = list(await ada.browser.call('GET', '/workspace/library'), 'nodes')
  assert.equal(
    nodes.map(({ id, name }) => [id, name]),
    [[made.slug, 'Found']],
  )
})

test('extensions §3: a document that is handed on stands among the new owner’s', async () => {
  const ada = await scene.person('Ada')
  const bob = await scene.person('Bob')
  const { json } = await inBrowser(ada.browser, { kind: 'team' })
  const at = `/docs/${json['id']}`
  await ada.browser.call('POST', `${at}/owner`, { body: { handle: bob.handle } })
  assert.is((await bob.browser.call('POST', `${at}/owner/accept`)).status, 200)
  const ids = async (browser: Browser, query = '') =>
    list(await browser.call('GET', `/workspace/library${query}`), 'nodes').map(({ id }) => id)
  assert.equal(await ids(bob.browser), [json['id']])
  const containers = (await ada.browser.call('GET', '/workspace')).json['containers'] as Fields[]
  assert.equal(await ids(ada.browser, `?container=${containers[1]?.['id']}`), [])
  const shared = list(await ada.browser.call('GET', '/workspace/shared'), 'nodes')
  assert.equal(
    shared.map(({ id, your_role: role }) => [id, role]),
    [[json['id'], 'editor']],
  )
})

test.run()
