/** What an agent has in its library, and finds there (interface §2.7, §4.12; extensions §12). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Browser } from '../browser.ts'
import { type Fields, list, openScene, said } from '../sharing/sharing-scene.ts'

const scene = await openScene()
const { service } = scene
test.after(() => service.close())

const context = (token: string, query = '') =>
  service.call('GET', `/agents/me/library/context${query}`, { token })
const search = (token: string, query: string) =>
  service.call('GET', `/agents/me/library/search?${query}`, { token })
const names = async (token: string) => list(await context(token), 'rows').map(({ name }) => name)

const make = async (browser: Browser, markdown: string, target: Fields = { kind: 'personal' }) => {
  const body = { markdown, library_target: target }
  return String((await browser.call('POST', '/docs', { body })).json['id'])
}
const invite = (browser: Browser, slug: string, handle: string, role = 'viewer') =>
  browser.call('POST', `/docs/${slug}/access`, { body: { handle, role } })
const take = (browser: Browser, slug: string, actor: string) =>
  browser.call('DELETE', `/docs/${slug}/access/${encodeURIComponent(actor)}`)

async function household() {
  const ada = await scene.person('Ada')
  const { json } = await ada.browser.call('POST', '/workspace/bots', { body: { name: 'Quill' } })
  const { agent_id: id, agent_secret: secret, handle, actor_id: actor } = json
  const bot = {
    id: String(id),
    secret: String(secret),
    handle: String(handle),
    actor: String(actor),
  }
  return { ...ada, bot }
}

test('interface §4.12: what was shared with an agent by its handle is in its context, with what opens it', async () => {
  const ada = await scene.person('Ada')
  const robo = await scene.agent('Robo')
  const slug = await make(ada.browser, '# Shared\n\ntext\n')
  await make(ada.browser, '# Private')
  assert.equal((await context(robo.token)).json, {
    rows: [],
    pageInfo: { nextCursor: null, partial: false },
  })
  await invite(ada.browser, slug, robo.handle, 'commenter')
  const answer = await context(robo.token)
  assert.is(answer.status, 200)
  const [row, ...others] = list(answer, 'rows')
  assert.equal(others, [])
  const { updatedAt, ...rest } = row ?? {}
  assert.ok(Date.parse(String(updatedAt)) > 0)
  assert.equal(rest, {
    id: slug,
    kind: 'doc',
    apiUrl: `/docs/${slug}`,
    yourRole: 'commenter',
    authHint: 'agent-secret',
    name: 'Shared',
    sourceLabel: 'Shared by Ada',
    sharedByActorId: ada.actor,
  })
  const opened = await service.call('GET', String(row?.['apiUrl']), { token: robo.token })
  assert.is(opened.json['your_role'], 'commenter')
  await take(ada.browser, slug, robo.actor)
  assert.equal(await names(robo.token), [])
})

test('interface §4.12: who shared it is named, not whose it is', async () => {
  const ada = await scene.person('Ada')
  const bob = await scene.person('Bob')
  const robo = await scene.agent('Robo')
  const slug = await make(ada.browser, '# Text')
  await invite(ada.browser, slug, bob.handle, 'editor')
  await invite(bob.browser, slug, robo.handle)
  const [row] = list(await context(robo.token), 'rows')
  assert.equal([row?.['sharedByActorId'], row?.['sourceLabel']], [bob.actor, 'Shared by Bob'])
})

test('extensions §4: what an agent wrote, or reached by a link or general access, is not there', async () => {
  const robo = await scene.agent('Robo')
  const own = await service.call('POST', '/docs', {
    token: robo.token,
    body: { markdown: '# Own' },
  })
  assert.is(own.status, 201)
  const open = await service.create('# Open to anyone')
  const read = await service.call('GET', `/docs/${open.slug}`, { token: robo.token })
  assert.is(read.status, 200)
  assert.equal(await names(robo.token), [])
})

test('interface §4.12: a bot has its team’s files and its brain, an inactive one its brain, nobody else’s', async () => {
  const ada = await household()
  const other = await ada.browser.call('POST', '/workspace/bots', { body: { name: 'Other' } })
  const folder = await ada.browser.call('POST', '/docs/folders', {
    body: { name: 'Plans', library_target: { kind: 'team' } },
  })
  const parentFolderId = (folder.json['node'] as Fields)['id']
  await make(ada.browser, '# Deep', { kind: 'team', parentFolderId })
  const plan = await make(ada.browser, '# Plan', { kind: 'team' })
  await make(ada.browser, '# Note', { kind: 'bot', botId: ada.bot.id })
  await make(ada.browser, '# Others', { kind: 'bot', botId: String(other.json['agent_id']) })
  await make(ada.browser, '# Diary')
  assert.equal(await names(ada.bot.secret), ['Plan', 'Deep', 'Note'])
  const rows = list(await context(ada.bot.secret), 'rows')
  assert.equal(
    rows.map(({ sourceLabel, yourRole }) => [sourceLabel, yourRole]),
    [
      ['Team of Ada', 'editor'],
      ['Team of Ada', 'editor'],
      ['Brain of Quill', 'editor'],
    ],
  )
  // What is shared besides is there once, as shared.
  await invite(ada.browser, plan, ada.bot.handle)
  assert.equal(await names(ada.bot.secret), ['Plan', 'Deep', 'Note'])
  const [first] = list(await context(ada.bot.secret), 'rows')
  assert.equal([first?.['sourceLabel'], first?.['yourRole']], ['Shared by Ada', 'editor'])
  await ada.browser.call('POST', `/docs/${plan}/archive`)
  assert.equal(await names(ada.bot.secret), ['Deep', 'Note'])
  const inactive = { body: { active: false } }
  await ada.browser.call('PATCH', `/workspace/bots/${ada.bot.id}`, inactive)
  assert.equal(await names(ada.bot.secret), ['Note'])
})

test('interface §2.7: context comes in pages, as long as `partial` says so', async () => {
  const ada = await household()
  const expected: string[] = []
  for (const kind of ['share', 'team', 'brain']) {
    const made: string[] = []
    for (let count = 0; count < 3; count++) {
      const target = kind === 'brain' ? { kind: 'bot', botId: ada.bot.id } : { kind: 'team' }
      const slug = await make(
        ada.browser,
        `# ${kind} ${count}`,
        kind === 'share' ? { kind: 'personal' } : target,
      )
      if (kind === 'share') await invite(ada.browser, slug, ada.bot.handle)
      made.push(slug)
      service.ahead += 1_000
    }
    expected.push(...(kind === 'share' ? made.toSorted() : made))
  }
  for (const limit of [1, 2, 4, 200]) {
    const seen: unknown[] = []
    let query = `?limit=${limit}`
    for (let pages = 0; pages < 12; pages++) {
      const page = await context(ada.bot.secret, query)
      const rows = list(page, 'rows')
      assert.ok(rows.length <= limit)
      seen.push(...rows.map(({ id }) => id))
      const { nextCursor, partial } = page.json['pageInfo'] as Fields
      assert.is(partial, nextCursor !== null)
      if (nextCursor === null) break
      query = `?limit=${limit}&cursor=${nextCursor}`
    }
    assert.equal(seen, expected, String(limit))
  }
  const foreign = `?cursor=${Buffer.from('after:folder:x').toString('base64url')}`
  for (const query of ['?limit=0', '?limit=201', '?cursor=none', '?other=1', foreign]) {
    assert.is(said(await context(ada.bot.secret, query)), '400 INVALID_REQUEST')
  }
})

const found = async (token: string, query: string) => {
  const { json } = await search(token, query)
  return (json['rows'] as Fields[]).map(({ name, searchMatches }) => [
    name,
    ...(searchMatches as Fields[]).map(({ line, column }) => `${line}:${column}`),
  ])
}

test('interface §4.12: literal search finds a text within a line, with its case unless it is ignored', async () => {
  const ada = await scene.person('Ada')
  const robo = await scene.agent('Robo')
  const slug = await make(ada.browser, '# Alpha\n\none Beta two beta\n\nno\n\nbetaBETA\n')
  const other = await make(ada.browser, '# Beta\n')
  await make(ada.browser, '# beta that is not shared\n')
  for (const each of [slug, other]) await invite(ada.browser, each, robo.handle)
  const answer = await search(robo.token, 'q=beta&context=1')
  assert.equal([answer.json['mode'], answer.json['caseSensitive']], ['literal', true])
  const [row, ...others] = list(answer, 'rows')
  assert.equal(others, [])
  assert.equal(row?.['yourRole'], 'viewer')
  assert.equal(row?.['searchMatches'], [
    { line: 3, column: 14, text: 'one Beta two beta', before: [''], after: [''] },
    { line: 7, column: 1, text: 'betaBETA', before: [''], after: [] },
  ])
  const sorted = (rows: unknown[][]) => rows.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
  assert.equal(sorted(await found(robo.token, 'q=beta&ignoreCase=1')), [
    ['Alpha', '3:5', '7:1'],
    ['Beta', '1:3'],
  ])
  const ignored = await search(robo.token, 'q=beta&ignoreCase=1')
  assert.is(ignored.json['caseSensitive'], false)
  assert.equal(await found(robo.token, 'q=beta&matchesPerDoc=1'), [['Alpha', '3:14']])
  assert.equal(await found(robo.token, 'q=b.ta'), [])
  // A change is found at once.
  await ada.browser.edit(slug, 'one', 'b.ta')
  assert.equal(await found(robo.token, 'q=b.ta'), [['Alpha', '3:1']])
})

test('interface §4.12: bm25 finds whole words in whatever case, any of them, the weightiest document first', async () => {
  const ada = await scene.person('Ada')
  const robo = await scene.agent('Robo')
  const texts = ['# One\n\nrain and sun\n', '# Two\n\nRAIN\n\nraining\n', '# Three\n\nrain snow\n']
  for (const text of texts) {
    await invite(ada.browser, await make(ada.browser, text), robo.handle)
  }
  const answer = await search(robo.token, 'q=snow+Rain&mode=bm25&ignoreCase=0')
  assert.equal([answer.json['mode'], answer.json['caseSensitive']], ['bm25', false])
  assert.equal(
    list(answer, 'rows').map(({ name }) => name),
    ['Three', 'Two', 'One'],
  )
  assert.equal(await found(robo.token, 'q=raining&mode=bm25'), [['Two', '5:1']])
  assert.equal(await found(robo.token, 'q=rai&mode=bm25'), [])
  assert.is(said(await search(robo.token, 'q=%2B%2B&mode=bm25')), '400 INVALID_REQUEST')
})

test('interface §8: what a search asks for has its bounds', async () => {
  const robo = await scene.agent('Robo')
  const bad = ['', 'q=', 'q=a&matchesPerDoc=0', 'q=a&matchesPerDoc=21', 'q=a&context=11']
  const worse = ['q=a&mode=fuzzy', 'q=a&limit=201', 'q=a&ignoreCase=yes', `q=${'a'.repeat(501)}`]
  for (const query of [...bad, ...worse]) {
    assert.is(said(await search(robo.token, query)), '400 INVALID_REQUEST', query)
  }
  const { token } = await service.create('# Text')
  assert.is(said(await search(token, 'q=a')), '403 FORBIDDEN')
  assert.is(said(await service.call('GET', '/agents/me/library/search?q=a')), '401 AUTH_REQUIRED')
})

test('interface §4.12: a page of what was found ends where it is large, and the next goes on', async () => {
  const ada = await scene.person('Ada')
  const robo = await scene.agent('Robo')
  const lines = `${'needle '.repeat(70)}\n\n`.repeat(60)
  for (let count = 0; count < 5; count++) {
    await invite(ada.browser, await make(ada.browser, `# T${count}\n\n${lines}`), robo.handle)
  }
  const seen = new Set<unknown>()
  let query = 'q=needle&context=10&matchesPerDoc=20'
  let pages = 0
  for (; pages < 9; pages++) {
    const page = await search(robo.token, query)
    assert.ok(page.text.length < 400_000)
    for (const { id } of list(page, 'rows')) seen.add(id)
    const { nextCursor } = page.json['pageInfo'] as Fields
    if (nextCursor === null) break
    query = `q=needle&context=10&matchesPerDoc=20&cursor=${nextCursor}`
  }
  assert.equal([seen.size, pages > 0], [5, true])
})

test('interface §4.12: a search goes on over pages, and what was revoked is in none', async () => {
  const ada = await scene.person('Ada')
  const robo = await scene.agent('Robo')
  const slugs: string[] = []
  for (let count = 0; count < 5; count++) {
    const slug = await make(ada.browser, `# T${count}\n\nneedle\n`)
    await invite(ada.browser, slug, robo.handle)
    slugs.push(slug)
  }
  const seen: unknown[] = []
  let query = 'q=needle&limit=2'
  for (let pages = 0; pages < 4; pages++) {
    const page = await search(robo.token, query)
    seen.push(...list(page, 'rows').map(({ id }) => id))
    const { nextCursor } = page.json['pageInfo'] as Fields
    if (nextCursor === null) break
    query = `q=needle&limit=2&cursor=${nextCursor}`
  }
  assert.equal(seen, slugs.toSorted())
  await take(ada.browser, slugs[0] ?? '', robo.actor)
  assert.is((await found(robo.token, 'q=needle')).length, 4)
})

test.run()
