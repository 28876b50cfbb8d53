/** What people find in their libraries, and what is shared with them (extensions §7, §8, §12). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ActorId, Slug } from '../../../../schema/ids.ts'
import { Browser } from '../browser.ts'
import { startService } from '../service.ts'
import { type Fields, list, openScene, said } from '../sharing/sharing-scene.ts'

const scene = await openScene()
const { service } = scene
test.after(() => service.close())

const make = async (browser: Browser, markdown: string, kind = 'personal') =>
  String(
    (await browser.call('POST', '/docs', { body: { markdown, library_target: { kind } } })).json[
      'id'
    ],
  )
const library = (browser: Browser, query = '') => browser.call('GET', `/workspace/library${query}`)
const names = async (browser: Browser, query = '') =>
  list(await library(browser, query), 'nodes').map(({ name }) => name)

test('extensions §7: a container’s documents, the newest first, each with what a list needs', async () => {
  const ada = await scene.person('Ada')
  const first = await make(ada.browser, '# One\n\ntext\n')
  service.ahead += 2_000
  await make(ada.browser, '# Two')
  const answer = await library(ada.browser)
  assert.is(answer.status, 200)
  assert.equal(await names(ada.browser), ['Two', 'One'])
  const [, one] = list(answer, 'nodes')
  const { updated_at: at, created_at: made, ...rest } = one ?? {}
  for (const time of [at, made]) assert.ok(Date.parse(String(time)) > 0)
  assert.equal(rest, {
    id: first,
    kind: 'doc',
    name: 'One',
    apiUrl: `/docs/${first}`,
    updated_by: { actor_id: ada.actor, handle: ada.handle, name: 'Ada' },
  })
  assert.equal(answer.json['pageInfo'], { nextCursor: null })
})

test('extensions §7: a rename, and who wrote last, are in the list once they are stored', async () => {
  const ada = await scene.person('Ada')
  const slug = await make(ada.browser, '# One\n\ntext\n')
  const robo = await scene.agent('Robo')
  const body = { handle: robo.handle, role: 'editor' }
  await ada.browser.call('POST', `/docs/${slug}/access`, { body })
  const edits = [{ old_string: 'One', new_string: 'Another' }]
  await service.call('PATCH', `/docs/${slug}`, { token: robo.token, body: { edits } })
  const [node] = list(await library(ada.browser), 'nodes')
  assert.is(node?.['name'], 'Another')
  assert.is((node?.['updated_by'] as Fields)['actor_id'], robo.actor)
  await ada.browser.call('POST', `/docs/${slug}/access`, { body: { ...body, role: 'viewer' } })
  const [again] = list(await library(ada.browser), 'nodes')
  assert.is(again?.['updated_by'] && (again['updated_by'] as Fields)['actor_id'], robo.actor)
})

test('extensions §8: a list comes in pages, and opens no document', async () => {
  let reads = 0
  const own = await startService({
    wrapStore: (store) => ({
      get: (key) => store.get(key),
      getMany: (keys) => store.getMany(keys),
      scanRaw: (range) => store.scanRaw(range),
      deleteRange: (range) => store.deleteRange(range),
      compact: (range) => store.compact(range),
      watch: (key, listener) => store.watch(key, listener),
      close: () => store.close(),
      commit: (batch) => store.commit(batch),
      scan(range) {
        if (range.gte?.startsWith('doc/')) reads += 1
        return store.scan(range)
      },
    }),
  })
  const ada = new Browser(own)
  await ada.guest('Ada')
  for (let count = 0; count < 5; count++) {
    own.ahead += 1_000
    await make(ada, `# D${count}`)
  }
  reads = 0
  const seen: unknown[] = []
  let cursor = ''
  for (let pages = 0; pages < 4; pages++) {
    const page = await library(ada, `?limit=2${cursor}`)
    seen.push(list(page, 'nodes').map(({ name }) => name))
    const { nextCursor } = page.json['pageInfo'] as Fields
    if (nextCursor === null) break
    cursor = `&cursor=${nextCursor}`
  }
  const bad = [
    said(await library(ada, '?limit=0')),
    said(await library(ada, '?limit=201')),
    said(await library(ada, '?cursor=none')),
  ]
  await own.close()
  assert.equal(seen, [['D4', 'D3'], ['D2', 'D1'], ['D0']])
  assert.equal(bad, Array(3).fill('400 INVALID_REQUEST'))
  assert.is(reads, 0)
})

test('extensions §7: archived documents are in a list of their own', async () => {
  const ada = await scene.person('Ada')
  const slug = await make(ada.browser, '# Old')
  await make(ada.browser, '# New')
  assert.is((await ada.browser.call('POST', `/docs/${slug}/archive`)).status, 200)
  assert.equal(await names(ada.browser), ['New'])
  const archived = list(await library(ada.browser, '?archived=true'), 'nodes')
  assert.equal(
    archived.map(({ name }) => name),
    ['Old'],
  )
  assert.ok(Date.parse(String(archived[0]?.['archived_at'])) > 0)
})

test('extensions §7: members list the team’s container, others nothing of it', async () => {
  const ada = await scene.person('Ada')
  const bob = await scene.person('Bob')
  await make(ada.browser, '# Plan', 'team')
  await make(ada.browser, '# Diary')
  const { containers } = (await ada.browser.call('GET', '/workspace')).json
  const [personal, team] = (containers as Fields[]).map(({ id }) => `?container=${id}`)
  assert.equal(await names(ada.browser, team), ['Plan'])
  assert.is(said(await library(bob.browser, team)), '404 NOT_FOUND')
  await ada.browser.call('POST', '/workspace/members', { body: { handle: bob.handle } })
  assert.equal(await names(bob.browser, team), ['Plan'])
  for (const query of [personal, '?container=lc_nowhere', '?parent=lf_nowhere']) {
    assert.is(said(await library(bob.browser, query)), '404 NOT_FOUND', query)
  }
  assert.is(said(await service.call('GET', '/workspace/library')), '401 AUTH_REQUIRED')
})

const shared = async (browser: Browser, query = '') =>
  list(await browser.call('GET', `/workspace/shared${query}`), 'nodes')

test('extensions §12: what is shared is in the list for as long as it is, not one’s own, nor what is merely open', async () => {
  const ada = await scene.person('Ada')
  const bob = await scene.person('Bob')
  const own = await make(bob.browser, '# Own')
  const slug = await make(ada.browser, '# Hers')
  await service.create('# Open to anyone')
  const body = { handle: bob.handle, role: 'commenter' }
  await ada.browser.call('POST', `/docs/${slug}/access`, { body })
  const [node, ...others] = await shared(bob.browser)
  assert.equal(others, [])
  assert.equal([node?.['id'], node?.['name'], node?.['your_role']], [slug, 'Hers', 'commenter'])
  assert.equal(node?.['owner'], { actor_id: ada.actor, handle: ada.handle, name: 'Ada' })
  assert.equal(await shared(ada.browser), [])
  await ada.browser.call('POST', `/docs/${slug}/archive`)
  assert.equal(await shared(bob.browser), [])
  assert.equal(
    (await shared(bob.browser, '?archived=true')).map(({ id }) => id),
    [slug],
  )
  await ada.browser.call('POST', `/docs/${slug}/restore`)
  await ada.browser.call('DELETE', `/docs/${slug}/access/${encodeURIComponent(bob.actor)}`)
  assert.equal(await shared(bob.browser), [])
  assert.equal(await names(bob.browser), ['Own'], own)
})

test('extensions §12: so is what one wrote through a link, until that ends', async () => {
  const ada = await scene.person('Ada')
  const bob = await scene.person('Bob')
  const slug = await make(ada.browser, 'words')
  const link = await ada.browser.call('POST', `/docs/${slug}/links`, { body: { role: 'editor' } })
  await bob.browser.open(`/s/${link.json['code']}`)
  assert.equal(await shared(bob.browser), [])
  await bob.browser.edit(slug, 'words', 'letters')
  assert.equal(
    (await shared(bob.browser)).map(({ id, your_role: role }) => [id, role]),
    [[slug, 'editor']],
  )
  await ada.browser.call('DELETE', `/docs/${slug}/links/${link.json['code']}`)
  assert.equal(await shared(bob.browser), [])
})

test('extensions §8: what is shared comes in pages', async () => {
  const ada = await scene.person('Ada')
  const bob = await scene.person('Bob')
  const slugs: string[] = []
  for (let count = 0; count < 5; count++) {
    const slug = await make(ada.browser, `# D${count}`)
    slugs.push(slug)
    const body = { handle: bob.handle, role: 'viewer' }
    await ada.browser.call('POST', `/docs/${slug}/access`, { body })
  }
  const seen: unknown[] = []
  let query = '?limit=2'
  for (let pages = 0; pages < 4; pages++) {
    const page = await bob.browser.call('GET', `/workspace/shared${query}`)
    seen.push(...list(page, 'nodes').map(({ id }) => id))
    const { nextCursor } = page.json['pageInfo'] as Fields
    if (nextCursor === null) break
    query = `?limit=2&cursor=${nextCursor}`
  }
  assert.equal(seen, slugs.toSorted())
})

test('extensions §3: documents of a guest that join an account stand among its own', async () => {
  const guest = new Browser(service)
  await guest.guest('Guest')
  const slug = await make(guest, '# Mine')
  const body = { handle: 'ada-of-libraries', name: 'Ada', password: 'long enough' }
  const elsewhere = new Browser(service)
  await elsewhere.call('POST', '/auth/signup', { body })
  const { handle, password } = body
  await guest.call('POST', '/auth/login', { body: { handle, password } })
  const joined = await guest.call('POST', '/auth/guest-documents', { body: { join: true } })
  assert.is(joined.status, 200, joined.text)
  const { owner } = await service.people.access.ownership(slug as Slug)
  assert.is(owner, `human:${handle}` as ActorId)
  assert.equal(await names(guest), ['Mine'])
})

test('what an account owned before there were libraries is in its personal container', async () => {
  const made = await service.create('# Before')
  const ada = await scene.person('Ada')
  await ada.browser.open(`/d/${made.slug}?token=${made.shareToken}`)
  await ada.browser.call('POST', `/docs/${made.slug}/claim`)
  const { accountId } = await stored(`actor/${encodeURIComponent(ada.actor)}`)
  const { containerId } = await stored(`placement/${made.slug}`)
  const range = { gte: `index/placed/${containerId}/`, lt: `index/placed/${containerId}0` }
  const entries: string[] = []
  for await (const { key } of service.store.scan(range)) entries.push(key)
  assert.is(entries.length, 1)
  const deletes = [...entries, `placement/${made.slug}`, `workspace/${accountId}`]
  await service.store.commit({ deletes })
  assert.equal(await names(ada.browser), ['Before'])
  assert.equal(await names(ada.browser), ['Before'], 'and once')
  assert.is((await stored(`workspace/${accountId}`)).adopting, undefined)
})

const stored = async (key: string) =>
  JSON.parse(Buffer.from((await service.store.get(key))?.value ?? []).toString())

test.run()
