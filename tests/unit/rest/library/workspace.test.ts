/** A person's workspace, its members and bots (interface §2.1, §4.12; extensions §7, §9, §12). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../../schema/limits.ts'
import { Browser } from '../browser.ts'
import { type Fields, list, openScene, said } from '../sharing/sharing-scene.ts'

const scene = await openScene()
const { service } = scene
test.after(() => service.close())

const workspace = async (browser: Browser) => (await browser.call('GET', '/workspace')).json
const bots = async (browser: Browser) => (await workspace(browser))['bots'] as Fields[]

async function withBot(name = 'Quill', slug?: string) {
  const ada = await scene.person('Ada')
  const body = { name, ...(slug && { slug }) }
  const made = await ada.browser.call('POST', '/workspace/bots', { body })
  assert.is(made.status, 201, made.text)
  const { agent_id: id, agent_secret: secret } = made.json
  return { ...ada, id: String(id), secret: String(secret), made: made.json }
}

const place = (token: string, library_target?: unknown) =>
  service.call('POST', '/docs', {
    token,
    body: { markdown: '# T', ...(library_target !== undefined && { library_target }) },
  })

test('extensions §7: an account has a workspace with two containers, a guest too, for good', async () => {
  const guest = new Browser(service)
  await guest.guest('Guest')
  const { id, containers, ...rest } = await workspace(guest)
  assert.match(String(id), /^ws_[0-9a-z]{20}$/)
  const kinds = (containers as Fields[]).map(({ kind, name }) => [kind, name])
  assert.equal(kinds, [
    ['personal', 'Personal'],
    ['team', 'Team'],
  ])
  for (const one of containers as Fields[]) assert.match(String(one['id']), /^lc_[0-9a-z]{20}$/)
  assert.equal(rest, { members: [], bots: [], teams: [] })
  assert.equal(await workspace(guest), { id, containers, ...rest })
  assert.is(said(await service.call('GET', '/workspace')), '401 AUTH_REQUIRED')
  const { token } = await scene.agent('Robo')
  assert.is(said(await service.call('GET', '/workspace', { token })), '403 FORBIDDEN')
})

test('extensions §7: members are taken in by handle and taken out by actor', async () => {
  const ada = await scene.person('Ada')
  const bob = await scene.person('Bob')
  const add = (handle: string) =>
    ada.browser.call('POST', '/workspace/members', { body: { handle } })
  const added = await add(bob.handle)
  assert.equal(
    [added.status, added.json],
    [201, { actor_id: bob.actor, handle: bob.handle, name: 'Bob' }],
  )
  assert.is((await add(`@${bob.handle}`)).status, 201)
  assert.equal((await workspace(ada.browser))['members'], [added.json])
  const [team] = (await workspace(bob.browser))['teams'] as Fields[]
  assert.is((team?.['owner'] as Fields)['actor_id'], ada.actor)
  assert.is(team?.['workspace_id'], (await workspace(ada.browser))['id'])
  assert.is(said(await add('nobody-at-all')), '404 HANDLE_NOT_FOUND')
  assert.is(said(await add((await scene.agent('Robo')).handle)), '404 HANDLE_NOT_FOUND')
  assert.is(said(await add(ada.handle)), '400 INVALID_REQUEST')
  const path = `/workspace/members/${encodeURIComponent(bob.actor)}`
  const gone = await ada.browser.call('DELETE', path)
  assert.equal([gone.status, gone.json], [200, { deleted: true, actor_id: bob.actor }])
  assert.is(said(await ada.browser.call('DELETE', path)), '404 NOT_FOUND')
  assert.equal((await workspace(bob.browser))['teams'], [])
})

test('extensions §7: a bot is an agent of the workspace, with a brain and a slug', async () => {
  const { browser, id, secret, made } = await withBot('Quill')
  assert.equal(Object.keys(made).sort(), [
    ...['actor_id', 'agent_id', 'agent_secret', 'bot_slug', 'container_id', 'handle', 'name'],
  ])
  assert.is(made['bot_slug'], 'quill')
  assert.match(String(made['container_id']), /^lc_/)
  const me = await service.call('GET', '/agents/me', { token: secret })
  assert.equal([me.json['kind'], me.json['agent_id']], ['bot', id])
  const [bot] = await bots(browser)
  assert.equal([bot?.['agent_id'], bot?.['active'], bot?.['bot_slug']], [id, true, 'quill'])
  const containers = (await workspace(browser))['containers'] as Fields[]
  assert.equal(containers.at(-1), { id: made['container_id'], kind: 'brain', name: 'Quill' })
  const again = await browser.call('POST', '/workspace/bots', { body: { name: 'Quill' } })
  assert.is(again.json['bot_slug'], 'quill-2')
})

test('extensions §12: slugs are unique in a workspace, old ones stay reserved', async () => {
  const { browser, id } = await withBot('Quill', 'quill')
  const patch = (body: unknown) => browser.call('PATCH', `/workspace/bots/${id}`, { body })
  const make = (slug: string) =>
    browser.call('POST', '/workspace/bots', { body: { name: 'B', slug } })
  assert.is(said(await make('quill')), '409 HANDLE_TAKEN')
  const renamed = await patch({ slug: 'pen', name: 'Pen' })
  assert.equal([renamed.json['bot_slug'], renamed.json['name']], ['pen', 'Pen'])
  assert.is(said(await make('quill')), '409 HANDLE_TAKEN')
  assert.is(said(await make('pen')), '409 HANDLE_TAKEN')
  assert.is((await patch({ slug: 'quill' })).json['bot_slug'], 'quill', 'back to its own')
  const other = await make('other')
  assert.is(other.status, 201)
  assert.is(said(await patch({ slug: 'other' })), '409 HANDLE_TAKEN')
  assert.is((await withBot('Quill', 'quill')).made['bot_slug'], 'quill', 'in another workspace')
  for (const slug of ['Q', 'a b', '-x', '', 'a.b', 'x'.repeat(40)]) {
    assert.is(said(await make(slug)), '400 INVALID_REQUEST', slug)
  }
  const containers = (await workspace(browser))['containers'] as Fields[]
  assert.ok(containers.some(({ kind, name }) => kind === 'brain' && name === 'Pen'))
})

test('interface §4.12: a bot is deleted by its owner alone, and its slug is free again', async () => {
  const { browser, id, secret } = await withBot('Quill', 'quill')
  const self = await service.call('DELETE', '/agents/me', { token: secret })
  assert.is(said(self), '409 BOT_OWNER_DELETE_REQUIRED')
  const path = `/workspace/bots/${id}`
  const mallory = await scene.person('Mallory')
  assert.is(said(await mallory.browser.call('DELETE', path)), '404 NOT_FOUND')
  assert.is(said(await mallory.browser.call('PATCH', path, { body: {} })), '404 NOT_FOUND')
  const kept = await place(secret)
  const gone = await browser.call('DELETE', path)
  assert.equal([gone.status, gone.json], [200, { deleted: true, agent_id: id }])
  assert.is(said(await service.call('GET', '/agents/me', { token: secret })), '401 AUTH_REQUIRED')
  assert.equal(await bots(browser), [])
  const { containerId } = kept.json['library_target_resolution'] as Fields
  const left = await browser.call('GET', `/workspace/library?container=${containerId}`)
  assert.equal(
    list(left, 'nodes').map((node) => node['id']),
    [kept.json['id']],
  )
  const body = { name: 'Quill', slug: 'quill' }
  assert.is((await browser.call('POST', '/workspace/bots', { body })).status, 201)
})

test('an empty brain goes with its bot; a bot goes by the list of agents too', async () => {
  const { browser, id } = await withBot()
  assert.is((await browser.call('DELETE', `/auth/agents/${id}`)).status, 200)
  const { containers } = await workspace(browser)
  assert.equal(
    (containers as Fields[]).map(({ kind }) => kind),
    ['personal', 'team'],
  )
})

test('extensions §12: an inactive bot keeps secret and brain and has no part in the team’s files', async () => {
  const { browser, id, secret } = await withBot()
  const team = await browser.call('POST', '/docs', {
    body: { markdown: '# Team', library_target: { kind: 'team' } },
  })
  const brain = String((await place(secret)).json['id'])
  const roles = async () => [
    await scene.role(String(team.json['id']), secret),
    await scene.role(brain, secret),
  ]
  assert.equal(await roles(), ['editor', 'editor'])
  const set = (active: boolean) =>
    browser.call('PATCH', `/workspace/bots/${id}`, { body: { active } })
  assert.is((await set(false)).json['active'], false)
  assert.equal(await roles(), ['403 FORBIDDEN', 'editor'])
  assert.is(said(await place(secret, { kind: 'team' })), '403 NOT_AUTHORIZED')
  assert.is((await place(secret)).status, 201)
  await set(true)
  assert.equal(await roles(), ['editor', 'editor'])
  assert.is((await place(secret, { kind: 'team' })).status, 201)
})

test('extensions §7: members edit what stands in the team’s container, and nothing else of the owner’s', async () => {
  const ada = await scene.person('Ada')
  const bob = await scene.person('Bob')
  const make = async (kind: string) =>
    String(
      (
        await ada.browser.call('POST', '/docs', {
          body: { markdown: 'words', library_target: { kind } },
        })
      ).json['id'],
    )
  const [team, personal] = [await make('team'), await make('personal')]
  const read = async (slug: string) => {
    const answer = await bob.browser.call('GET', `/docs/${slug}`)
    return answer.status === 200 ? answer.json['your_role'] : said(answer)
  }
  assert.is(await read(team), '403 FORBIDDEN')
  await ada.browser.call('POST', '/workspace/members', { body: { handle: bob.handle } })
  assert.equal([await read(team), await read(personal)], ['editor', '403 FORBIDDEN'])
  assert.is((await bob.browser.edit(team, 'words', 'letters')).status, 200)
  await ada.browser.call('DELETE', `/workspace/members/${encodeURIComponent(bob.actor)}`)
  assert.is(await read(team), '403 FORBIDDEN')
  assert.is(said(await bob.browser.edit(team, 'letters', 'x')), '403 FORBIDDEN')
})

test('a workspace has so many members and bots', async () => {
  const ada = await scene.person('Ada')
  const { accountId } = await accountOf(ada.actor)
  for (let count = 0; count < limits.membersPerTeam; count++) {
    const { account } = await service.people.accounts.createGuest(`M${count}`)
    await service.people.library.addMember(accountId, account.handle)
  }
  const bob = await scene.person('Bob')
  const more = await ada.browser.call('POST', '/workspace/members', {
    body: { handle: bob.handle },
  })
  assert.is(said(more), '409 LIMIT_REACHED')
  for (let count = 0; count < limits.brainsPerAccount; count++) {
    await service.people.library.createBot({ accountId, name: 'B', slug: undefined })
  }
  const bot = await ada.browser.call('POST', '/workspace/bots', { body: { name: 'B' } })
  assert.is(said(bot), '409 LIMIT_REACHED')
})

async function accountOf(actor: string): Promise<{ accountId: string }> {
  const home = await service.store.get(`actor/${encodeURIComponent(actor)}`)
  return JSON.parse(Buffer.from(home?.value ?? []).toString())
}

test('extensions §3: with its account a team ends, and its memberships', async () => {
  const ada = new Browser(service)
  const body = { handle: 'ada-of-teams', name: 'Ada', password: 'long enough' }
  await ada.call('POST', '/auth/signup', { body })
  const [bob, eve] = [await scene.person('Bob'), await scene.person('Eve')]
  await ada.call('POST', '/workspace/members', { body: { handle: bob.handle } })
  const added = await eve.browser.call('POST', '/workspace/members', {
    body: { handle: 'ada-of-teams' },
  })
  assert.is(added.status, 201, added.text)
  assert.is(((await workspace(ada))['teams'] as Fields[]).length, 1)
  await ada.call('DELETE', '/auth/me', { body: { password: 'long enough' } })
  assert.equal((await workspace(bob.browser))['teams'], [])
  assert.equal((await workspace(eve.browser))['members'], [])
})

test.run()
