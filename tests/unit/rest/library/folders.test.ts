/** Folders, and where documents stand in a library (interface §2.8, §4.3; extensions §7, §12). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../../schema/limits.ts'
import type { Browser } from '../browser.ts'
import { type Fields, list, openScene, said } from '../sharing/sharing-scene.ts'
import { document, folder, household, library, made, names, node } from './folder-scene.ts'

const scene = await openScene()
const { service } = scene
test.after(() => service.close())

test('interface §4.3: a folder is 201, one of that name in that place 200, the same', async () => {
  const { browser, personal } = await household(scene)
  const first = await folder(browser, ' Papers ')
  assert.is(first.status, 201)
  const { id, created_at: at, ...rest } = node(first)
  assert.ok(/^lf_[\w-]{20}$/.test(String(id)), String(id))
  assert.ok(Date.parse(String(at)) > 0)
  const expected = { name: 'Papers', kind: 'folder', container_id: personal }
  assert.equal(first.json['ok'], true)
  assert.equal(rest, { ...expected, parent_folder_id: null })
  const again = await folder(browser, 'Papers')
  assert.is(again.status, 200)
  assert.equal(again.json, first.json)
  const inner = await folder(browser, 'Papers', { kind: 'personal', parentFolderId: id })
  assert.is(inner.status, 201)
  assert.equal(node(inner)['parent_folder_id'], id)
  assert.is((await folder(browser, 'Papers', { kind: 'team' })).status, 201)
})

test('interface §4.3: `default` is not accepted, nor a folder that is none, nor a name that is none', async () => {
  const { browser } = await household(scene)
  assert.is(said(await folder(browser, 'A', { kind: 'default' })), '422 INVALID_KIND')
  assert.is(said(await folder(browser, 'A', { kind: 'shelf' })), '422 INVALID_KIND')
  assert.is(said(await folder(browser, 'A', {})), '422 INVALID_KIND')
  const nowhere = { kind: 'personal', parentFolderId: 'lf_nowhere' }
  assert.is(said(await folder(browser, 'A', nowhere)), '422 INVALID_PARENT')
  const inTeam = await made(browser, 'B', { kind: 'team' })
  const elsewhere = { kind: 'personal', parentFolderId: inTeam }
  assert.is(said(await folder(browser, 'A', elsewhere)), '422 INVALID_PARENT')
  for (const name of ['', '  ', 'a\nb', 'a\u202Eb', 'x'.repeat(201)]) {
    assert.is(said(await folder(browser, name)), '400 INVALID_REQUEST', name)
  }
  assert.is((await folder(browser, '\u{1F4C1}'.repeat(200))).status, 201)
  const bodies: Fields[] = [{ name: 'A' }, { library_target: { kind: 'personal' } }]
  for (const body of bodies) {
    assert.is(said(await browser.call('POST', '/docs/folders', { body })), '400 INVALID_REQUEST')
  }
})

test('interface §4.1: owned agents, owner keys, people and the bot itself make folders; nobody else', async () => {
  const { browser, personal, team, bot } = await household(scene)
  const by = (token: string | undefined, target: Fields) =>
    service.call('POST', '/docs/folders', { token, body: { name: 'F', library_target: target } })
  const at = async (token: string, target: Fields) => {
    const answer = await by(token, target)
    return answer.status < 300 ? node(answer)['container_id'] : said(answer)
  }
  const key = String((await browser.call('POST', '/auth/owner-keys')).json['key'])
  const own = await browser.call('POST', '/agents/register', { body: { name: 'Own' } })
  const quill = await bot('Quill')
  const other = await bot('Other')
  for (const token of [key, String(own.json['agent_secret'])]) {
    assert.is(await at(token, { kind: 'personal' }), personal)
    assert.is(await at(token, { kind: 'team' }), team)
    assert.is(await at(token, { kind: 'bot', botId: quill.id }), '403 NOT_AUTHORIZED')
  }
  assert.is(await at(quill.secret, { kind: 'bot' }), quill.brain)
  assert.is(await at(quill.secret, { kind: 'team' }), team)
  assert.is(await at(quill.secret, { kind: 'personal' }), '403 NOT_AUTHORIZED')
  assert.is(await at(quill.secret, { kind: 'bot', botId: other.id }), '403 NOT_AUTHORIZED')
  const mismatch = { kind: 'bot', botId: quill.id, botSlug: other.slug }
  assert.is(said(await folder(browser, 'F', mismatch)), '409 BOT_TARGET_MISMATCH')
  const both = { kind: 'bot', botId: quill.id, botSlug: quill.slug }
  assert.is(node(await folder(browser, 'G', both))['container_id'], quill.brain)
  const stranger = await scene.agent('Stranger')
  assert.is(await at(stranger.token, { kind: 'personal' }), '403 NOT_AUTHORIZED')
  const { token } = await service.create('# Text')
  assert.is(said(await by(token, { kind: 'personal' })), '403 FORBIDDEN')
  assert.is(said(await by(undefined, { kind: 'personal' })), '401 AUTH_REQUIRED')
})

test('interface §2.3, §2.8: a document is made in a folder, and stands there in the list', async () => {
  const { browser, personal, bot } = await household(scene)
  const papers = await made(browser, 'Papers')
  const old = await made(browser, 'Old', { kind: 'personal', parentFolderId: papers })
  const target = { kind: 'personal', parentFolderId: old }
  const answer = await browser.call('POST', '/docs', {
    body: { markdown: '# In', library_target: target },
  })
  const resolution = answer.json['library_target_resolution'] as Fields
  assert.equal([resolution['containerId'], resolution['parentFolderId']], [personal, old])
  await document(browser, '# Out', { kind: 'personal' })
  assert.equal(await names(browser), ['Papers', 'Out'])
  const inner = await library(browser, `?parent=${old}`)
  assert.equal(inner.json['path'], [
    { id: papers, name: 'Papers' },
    { id: old, name: 'Old' },
  ])
  assert.equal(
    list(inner, 'nodes').map(({ name }) => name),
    ['In'],
  )
  const [shown] = list(await library(browser), 'nodes')
  const { updated_at: at, ...rest } = shown ?? {}
  assert.equal(rest, { id: papers, kind: 'folder', name: 'Papers', updated_by: null })
  assert.ok(Date.parse(String(at)) > 0)
  assert.equal(await names(browser, '?archived=true'), [])
  // `default` takes a folder of where it leads to.
  await document(browser, '# Second', { kind: 'default', parentFolderId: papers })
  assert.equal(await names(browser, `?parent=${papers}&container=${personal}`), ['Old', 'Second'])
  const quill = await bot('Quill')
  const brain = await made(browser, 'Notes', { kind: 'bot', botId: quill.id })
  const note = await service.call('POST', '/docs', {
    token: quill.secret,
    body: { markdown: '# Note', library_target: { kind: 'bot', parentFolderId: brain } },
  })
  assert.is((note.json['library_target_resolution'] as Fields)['parentFolderId'], brain)
  const wrong = { kind: 'personal', parentFolderId: brain }
  const body = { markdown: '# Lost', library_target: wrong }
  assert.is(said(await browser.call('POST', '/docs', { body })), '422 INVALID_PARENT')
})

test('interface §4.2: another’s folder is 403, for whoever asks and in whatever way', async () => {
  const ada = await household(scene)
  const bob = await household(scene)
  const papers = await made(ada.browser, 'Papers')
  const target = { kind: 'personal', parentFolderId: papers }
  assert.is(said(await folder(bob.browser, 'Mine', target)), '403 NOT_AUTHORIZED')
  for (const library_target of [target, { kind: 'default', parentFolderId: papers }]) {
    const body = { markdown: '# Mine', library_target }
    assert.is(said(await bob.browser.call('POST', '/docs', { body })), '403 NOT_AUTHORIZED')
    assert.is(said(await service.call('POST', '/docs', { body })), '403 NOT_AUTHORIZED')
  }
  for (const [method, body] of [['PATCH', { name: 'Bob’s' }], ['DELETE']] as const) {
    const answer = await bob.browser.call(method, `/docs/folders/${papers}`, body && { body })
    assert.is(said(answer), '404 NOT_FOUND')
  }
  assert.is(said(await library(bob.browser, `?parent=${papers}`)), '404 NOT_FOUND')
  assert.equal(await names(ada.browser), ['Papers'])
})

test('extensions §12: in a team’s folder its members make folders and documents, which are its owner’s', async () => {
  const ada = await household(scene)
  const bob = await scene.person('Bob')
  const plans = await made(ada.browser, 'Plans', { kind: 'team' })
  const target = { kind: 'team', parentFolderId: plans }
  assert.is(said(await folder(bob.browser, 'Bob’s', target)), '403 NOT_AUTHORIZED')
  await ada.browser.call('POST', '/workspace/members', { body: { handle: bob.handle } })
  const inner = await folder(bob.browser, 'Bob’s', target)
  assert.is(inner.status, 201)
  const id = String(node(inner)['id'])
  const slug = await document(bob.browser, '# Plan', { kind: 'team', parentFolderId: id })
  assert.is((await ada.browser.call('GET', `/docs/${slug}`)).json['your_role'], 'owner')
  assert.is((await bob.browser.call('GET', `/docs/${slug}`)).json['your_role'], 'editor')
  assert.equal(await names(bob.browser, `?parent=${id}`), ['Plan'])
  const renamed = await bob.browser.call('PATCH', `/docs/folders/${id}`, { body: { name: 'Ours' } })
  assert.is(node(renamed)['name'], 'Ours')
  const actor = encodeURIComponent(bob.actor)
  await ada.browser.call('DELETE', `/workspace/members/${actor}`)
  assert.is(said(await library(bob.browser, `?parent=${id}`)), '404 NOT_FOUND')
  assert.is(said(await bob.browser.call('DELETE', `/docs/folders/${id}`)), '404 NOT_FOUND')
})

test('extensions §12: a folder is renamed and put elsewhere in its container, never into itself', async () => {
  const { browser } = await household(scene)
  const change = (id: string, body: Fields) =>
    browser.call('PATCH', `/docs/folders/${id}`, { body })
  const a = await made(browser, 'A')
  const b = await made(browser, 'B', { kind: 'personal', parentFolderId: a })
  const c = await made(browser, 'C', { kind: 'personal', parentFolderId: b })
  await document(browser, '# Deep', { kind: 'personal', parentFolderId: c })
  assert.is(node(await change(a, { name: 'Z' }))['name'], 'Z')
  assert.equal(await names(browser), ['Z'])
  for (const parentFolderId of [a, b, c]) {
    assert.is(said(await change(a, { parentFolderId })), '422 INVALID_PARENT')
  }
  const team = await made(browser, 'T', { kind: 'team' })
  assert.is(said(await change(a, { parentFolderId: team })), '422 INVALID_PARENT')
  assert.is(said(await change(a, { parentFolderId: 'lf_nowhere' })), '422 INVALID_PARENT')
  assert.equal(node(await change(c, { parentFolderId: null }))['parent_folder_id'], null)
  assert.equal(await names(browser), ['C', 'Z'])
  assert.equal(await names(browser, `?parent=${c}`), ['Deep'])
  const taken = await change(c, { name: 'Z' })
  assert.is(said(taken), '409 NAME_TAKEN')
  assert.is(taken.json['id'], a)
  assert.equal((await change(c, {})).status, 200)
  assert.equal((await change(c, { name: 'C', parentFolderId: null })).status, 200)
  assert.is(said(await change('lf_nowhere', { name: 'x' })), '404 NOT_FOUND')
  assert.is(said(await change(c, { name: ' ' })), '400 INVALID_REQUEST')
})

test('extensions §12: an empty folder is deleted for good, one with anything in it is 409', async () => {
  const { browser } = await household(scene)
  const drop = (id: string) => browser.call('DELETE', `/docs/folders/${id}`)
  const a = await made(browser, 'A')
  const b = await made(browser, 'B', { kind: 'personal', parentFolderId: a })
  assert.is(said(await drop(a)), '409 FOLDER_NOT_EMPTY')
  const slug = await document(browser, '# In', { kind: 'personal', parentFolderId: b })
  assert.is(said(await drop(b)), '409 FOLDER_NOT_EMPTY')
  await browser.call('POST', `/docs/${slug}/archive`)
  assert.is(said(await drop(b)), '409 FOLDER_NOT_EMPTY', 'an archived document comes back there')
  await browser.call('POST', `/docs/${slug}/restore`)
  const root = { library_target: { kind: 'personal' } }
  assert.is((await browser.call('PUT', `/docs/${slug}/placement`, { body: root })).status, 200)
  assert.equal((await drop(b)).json, { deleted: true, id: b })
  assert.equal((await drop(a)).json, { deleted: true, id: a })
  assert.is(said(await drop(a)), '404 NOT_FOUND')
  const inDeleted = { kind: 'personal', parentFolderId: a }
  assert.is(said(await folder(browser, 'B', inDeleted)), '422 INVALID_PARENT')
  const body = { library_target: inDeleted }
  const moved = await browser.call('PUT', `/docs/${slug}/placement`, { body })
  assert.is(said(moved), '422 INVALID_PARENT')
  assert.is((await folder(browser, 'A')).status, 201)
})

test('extensions §12: its owner puts a document elsewhere, which is no revision and changes who reads it', async () => {
  const ada = await household(scene)
  const bob = await scene.person('Bob')
  await ada.browser.call('POST', '/workspace/members', { body: { handle: bob.handle } })
  const quill = await ada.bot('Quill')
  const slug = await document(ada.browser, '# Text', { kind: 'personal' })
  const put = (browser: Browser, library_target: Fields) =>
    browser.call('PUT', `/docs/${slug}/placement`, { body: { library_target } })
  const roles = async () => [
    said(await bob.browser.call('GET', `/docs/${slug}`)),
    await scene.role(slug, quill.secret),
  ]
  assert.equal(await roles(), ['403 FORBIDDEN', '403 FORBIDDEN'])
  const plans = await made(ada.browser, 'Plans', { kind: 'team' })
  const moved = await put(ada.browser, { kind: 'team', parentFolderId: plans })
  assert.is(moved.status, 200)
  assert.is(moved.json['id'], slug)
  const { kind, containerId, parentFolderId } = moved.json['library_target_resolution'] as Fields
  assert.equal([kind, containerId, parentFolderId], ['team', ada.team, plans])
  assert.equal(await roles(), ['200', 'editor'])
  assert.is(said(await put(bob.browser, { kind: 'personal' })), '403 FORBIDDEN')
  await put(ada.browser, { kind: 'bot', botId: quill.id })
  assert.equal(await roles(), ['403 FORBIDDEN', 'editor'])
  assert.is(said(await put(ada.browser, { kind: 'bot' })), '400 INVALID_REQUEST')
  assert.is(said(await put(ada.browser, { kind: 'shelf' })), '422 INVALID_KIND')
  await put(ada.browser, { kind: 'default' })
  assert.equal(await names(ada.browser), ['Text'])
  assert.is((await ada.browser.call('GET', `/docs/${slug}`)).json['revision'], 1)
  // Nobody is given a document by having it put among theirs.
  const carol = await household(scene)
  await carol.browser.call('POST', '/workspace/members', { body: { handle: ada.handle } })
  const hers = await made(carol.browser, 'Hers', { kind: 'team' })
  const given = await put(ada.browser, { kind: 'team', parentFolderId: hers })
  assert.is(said(given), '403 NOT_AUTHORIZED')
})

test('extensions §8: folders, then documents, come in pages', async () => {
  const { browser } = await household(scene)
  for (const name of ['b', 'c', 'a']) await made(browser, name)
  for (const name of ['1', '2', '3']) {
    service.ahead += 1_000
    await document(browser, `# ${name}`, { kind: 'personal' })
  }
  for (const [limit, expected] of [
    [
      2,
      [
        ['a', 'b'],
        ['c', '3'],
        ['2', '1'],
      ],
    ],
    [
      3,
      [
        ['a', 'b', 'c'],
        ['3', '2', '1'],
      ],
    ],
    [
      4,
      [
        ['a', 'b', 'c', '3'],
        ['2', '1'],
      ],
    ],
    [200, [['a', 'b', 'c', '3', '2', '1']]],
  ] as const) {
    const pages: unknown[] = []
    for (let cursor: unknown = ''; cursor !== null && pages.length < 9; ) {
      const page = await library(browser, `?limit=${limit}${cursor && `&cursor=${cursor}`}`)
      pages.push(list(page, 'nodes').map(({ name }) => name))
      cursor = (page.json['pageInfo'] as Fields)['nextCursor']
    }
    assert.equal(pages, expected, String(limit))
  }
})

test('extensions §7: documents of all folders are listed when asked for, and archived ones always are', async () => {
  const { browser } = await household(scene)
  const a = await made(browser, 'A')
  const b = await made(browser, 'B', { kind: 'personal', parentFolderId: a })
  const slug = await document(browser, '# Deep', { kind: 'personal', parentFolderId: b })
  await document(browser, '# Top', { kind: 'personal' })
  assert.equal(await names(browser, '?nested=true'), ['Deep', 'Top'])
  assert.equal(await names(browser, '?nested=true&limit=1'), ['Deep'])
  await browser.call('POST', `/docs/${slug}/archive`)
  assert.equal(await names(browser, '?nested=true'), ['Top'])
  assert.equal(await names(browser, '?archived=true'), ['Deep'])
  assert.is(said(await library(browser, '?nested=yes')), '400 INVALID_REQUEST')
})

test('an empty id is one that is not there', async () => {
  const { browser } = await household(scene)
  const empty = { kind: 'personal', parentFolderId: '' }
  const asked = [
    await browser.call('POST', '/docs', { body: { markdown: '# x', library_target: empty } }),
    await service.call('POST', '/docs', {
      body: { markdown: '# x', library_target: { kind: 'default', parentFolderId: '' } },
    }),
    await folder(browser, 'x', empty),
    await folder(browser, 'x', { kind: 'bot', botId: '' }),
    await folder(browser, 'x', { kind: 'bot', botSlug: '' }),
    await library(browser, '?parent='),
    await library(browser, '?container='),
  ]
  const parent = '422 INVALID_PARENT'
  const bot = '403 NOT_AUTHORIZED'
  const gone = '404 NOT_FOUND'
  assert.equal(asked.map(said), [parent, parent, parent, bot, bot, gone, gone])
})

test('interface §5: an owner key makes folders, and neither changes nor deletes them', async () => {
  const { browser } = await household(scene)
  const token = String((await browser.call('POST', '/auth/owner-keys')).json['key'])
  const body = { name: 'F', library_target: { kind: 'personal' } }
  const { json } = await service.call('POST', '/docs/folders', { token, body })
  const path = `/docs/folders/${(json['node'] as Fields)['id']}`
  const change = await service.call('PATCH', path, { token, body: { name: 'G' } })
  assert.is(said(change), '403 FORBIDDEN')
  assert.is(said(await service.call('DELETE', path, { token })), '403 FORBIDDEN')
})

test('extensions §8: a cursor that was not given here is 400', async () => {
  const { browser } = await household(scene)
  for (const text of ['after:zzz', 'after:share:x', 'after:']) {
    const cursor = Buffer.from(text).toString('base64url')
    assert.is(said(await library(browser, `?cursor=${cursor}`)), '400 INVALID_REQUEST', text)
  }
})

test('extensions §12: as many folders stand in one, and within each other, as may', async () => {
  const { browser } = await household(scene)
  let parent: Fields = { kind: 'personal' }
  for (let depth = 1; depth <= limits.folderDepthMax; depth++) {
    parent = { kind: 'personal', parentFolderId: await made(browser, 'In', parent) }
  }
  assert.is(said(await folder(browser, 'In', parent)), '409 LIMIT_REACHED')
  const other = await made(browser, 'Other')
  const into = { body: { parentFolderId: parent['parentFolderId'] } }
  const moved = await browser.call('PATCH', `/docs/folders/${other}`, into)
  assert.is(said(moved), '409 LIMIT_REACHED')
  // What is in it counts as well.
  const top = list(await library(browser), 'nodes').find(({ name }) => name === 'In')
  const under = { body: { parentFolderId: other } }
  const deeper = await browser.call('PATCH', `/docs/folders/${top?.['id']}`, under)
  assert.is(said(deeper), '409 LIMIT_REACHED')
})

test.run()
