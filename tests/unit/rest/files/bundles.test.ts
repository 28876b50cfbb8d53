/** An agent's library as files (interface §2.7, §4.11; extensions §12). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../../schema/limits.ts'
import type { Browser } from '../browser.ts'
import { type Fields, list, openScene, said } from '../sharing/sharing-scene.ts'

const scene = await openScene()
const { service } = scene
test.after(() => service.close())

const bundle = (token: string, path = 'me', query = '') =>
  service.call('GET', `/bundles/${path}${query}`, { token })
type Files = Record<string, string>
const files = async (token: string, path?: string, query?: string) =>
  (await bundle(token, path, query)).json['files'] as Files

const make = async (browser: Browser, markdown: string, target: Fields = { kind: 'personal' }) => {
  const body = { markdown, library_target: target }
  return String((await browser.call('POST', '/docs', { body })).json['id'])
}
const invite = (browser: Browser, slug: string, handle: string) =>
  browser.call('POST', `/docs/${slug}/access`, { body: { handle, role: 'viewer' } })

async function household() {
  const ada = await scene.person('Ada')
  const { json } = await ada.browser.call('POST', '/workspace/bots', { body: { name: 'Quill' } })
  const { agent_id: id, agent_secret: secret, handle, actor_id: actor } = json
  return {
    ...ada,
    bot: { id: String(id), secret: String(secret), handle: String(handle), actor: String(actor) },
  }
}

test('interface §4.11: a bundle holds each document as OKF, an index, and a handle for each grant', async () => {
  const ada = await household()
  const shared = await make(ada.browser, '# Shared & more\n\ntext\n')
  await invite(ada.browser, shared, ada.bot.handle)
  const made = await ada.browser.call('POST', '/docs/folders', {
    body: { name: 'Plans: 2026', library_target: { kind: 'team' } },
  })
  const parentFolderId = (made.json['node'] as Fields)['id']
  const plan = await make(ada.browser, '# Plan', { kind: 'team', parentFolderId })
  const note = await make(ada.browser, '# Note', { kind: 'bot', botId: ada.bot.id })
  await make(ada.browser, '# Diary')
  const answer = await bundle(ada.bot.secret)
  assert.is(answer.status, 200)
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  const paths = [`shared/${shared}.md`, `team/Plans 2026/${plan}.md`, `brain/${note}.md`]
  const all = answer.json['files'] as Files
  assert.equal(Object.keys(all).toSorted(), ['index.md', ...paths].toSorted())
  for (const [index, slug] of [shared, plan, note].entries()) {
    const { text } = await service.call('GET', `/docs/${slug}?format=okf`, {
      token: ada.bot.secret,
    })
    assert.is(all[paths[index] ?? ''], text)
  }
  assert.is(
    all['index.md'],
    [
      '# Library\n',
      '## Shared\n',
      `* [Shared \\& more](shared/${shared}.md)\n`,
      '## Team\n',
      `* [Plan](team/Plans%202026/${plan}.md)\n`,
      '## Brain\n',
      `* [Note](brain/${note}.md)\n`,
    ].join('\n'),
  )
  assert.is(answer.json['partial'], false)
  const scopes = list(answer, 'scopes')
  assert.equal(
    scopes.map(({ kind, label, documents }) => [kind, label, documents]),
    [
      ['share', 'Shared by Ada', 1],
      ['team', 'Team of Ada', 1],
      ['brain', 'Brain of Quill', 1],
    ],
  )
  for (const [index, { handle }] of scopes.entries()) {
    assert.match(String(handle), /^bnd_[\w-]+$/)
    const one = await bundle(ada.bot.secret, String(handle))
    assert.is(one.status, 200)
    const path = paths[index] ?? ''
    assert.equal(Object.keys(one.json['files'] as Files), [path, 'index.md'])
    assert.equal(one.json['scopes'], [scopes[index]])
  }
})

test('interface §4.11: a handle is good for its agent alone, and what was revoked drops out', async () => {
  const ada = await household()
  const slug = await make(ada.browser, '# Shared')
  await invite(ada.browser, slug, ada.bot.handle)
  const [scope] = list(await bundle(ada.bot.secret), 'scopes')
  const handle = String(scope?.['handle'])
  const stranger = await scene.agent('Stranger')
  for (const other of [`${handle}=`, handle.slice(4)]) {
    assert.is(said(await bundle(ada.bot.secret, other)), '404 NOT_FOUND', other)
  }
  for (const other of [handle, `${handle}x`, handle.slice(0, -2), 'bnd_', 'bnd_nothing', 'none']) {
    assert.is(said(await bundle(stranger.token, other)), '404 NOT_FOUND', other)
  }
  assert.is(said(await bundle(ada.bot.secret, `bnd_${'A'.repeat(60)}`)), '404 NOT_FOUND')
  const actor = encodeURIComponent(ada.bot.actor)
  await ada.browser.call('DELETE', `/docs/${slug}/access/${actor}`)
  const left = await bundle(ada.bot.secret, handle)
  assert.is(left.status, 200)
  assert.equal(Object.keys(left.json['files'] as Files), ['index.md'])
  assert.equal(left.json['partial'], false)
  assert.is(said(await service.call('GET', '/bundles/me')), '401 AUTH_REQUIRED')
  const { token } = await service.create('# Text')
  assert.is(said(await bundle(token)), '403 FORBIDDEN')
  assert.is(said(await bundle(stranger.token, 'me', '?format=zip')), '400 INVALID_REQUEST')
})

test('interface §4.11: notes are named by their titles, and links between them are wikilinks', async () => {
  const ada = await household()
  const base = 'https://docs.example'
  const team = { kind: 'team' }
  const first = await make(ada.browser, '---\ntags: [a]\n---\n\n# One: a/b\n', team)
  const second = await make(ada.browser, '# Two\n', team)
  const third = await make(ada.browser, '# Two\n', team)
  const markdown = [
    '# Links',
    `[one](/docs/${first}) and [One a b](/d/${first}?x=1#y), [two](${base}/docs/${second})`,
    `[other](/docs/nowhere) [far](https://example.org/docs/${first}) \`[code](/docs/${first})\``,
    `\`\`\`\n[fence](/docs/${first})\n\`\`\``,
  ].join('\n\n')
  const links = await make(ada.browser, markdown, team)
  const all = await files(ada.bot.secret, 'me', '?format=obsidian')
  const names = ['Links', 'One a b', 'Two (2)', 'Two'].map((name) => `team/${name}.md`)
  assert.equal(Object.keys(all).toSorted(), ['index.md', ...names].toSorted())
  assert.match(all['team/One a b.md'] ?? '', /^---\n[\s\S]*tags: \[a\]\n[\s\S]*x-service:\n/)
  assert.match(all['team/Links.md'] ?? '', new RegExp(`slug: ${links}`))
  const body = (all['team/Links.md'] ?? '').split('---\n\n')[1] ?? ''
  const lines = body.split('\n\n')
  // The older one keeps the name, whatever changes in the list later.
  assert.ok((all['team/Two.md'] ?? '').includes(second))
  assert.is(lines[1], '[[One a b|one]] and [[One a b#y|One a b]], [[Two|two]]')
  assert.ok(lines[2]?.includes(`\`[code](/docs/${first})\``))
  assert.ok(lines[2]?.includes('[other](/docs/nowhere)') && !lines[2]?.includes('[['))
  assert.ok(lines[3]?.includes(`[fence](/docs/${first})`))
  assert.match(all['index.md'] ?? '', /\* \[\[team\/One a b\|One: a\/b\]\]/)
  assert.ok(third)
})

test('interface §4.11: front matter is preserved in notes, and names stay what files can be called', async () => {
  const ada = await household()
  const team = { kind: 'team' }
  const target = await make(ada.browser, '# index', team)
  const front = `---\ndescription: see [x](/docs/${target})\ncode: |\n  \`\`\`\n---`
  await make(ada.browser, `${front}\n\n# CON\n\n[y](/docs/${target})\n`, team)
  const made = await ada.browser.call('POST', '/docs/folders', {
    body: { name: 'x).md', library_target: team },
  })
  const parentFolderId = (made.json['node'] as Fields)['id']
  const inner = await make(ada.browser, '# In', { kind: 'team', parentFolderId })
  const notes = await files(ada.bot.secret, 'me', '?format=obsidian')
  const con = Object.keys(notes).find((path) => path.startsWith('team/CON (')) ?? ''
  assert.ok(notes[con]?.includes(`description: see [x](/docs/${target})`), notes[con])
  // The root has an index of its own.
  assert.ok(notes[con]?.includes('[[team/index|y]]'), notes[con])
  const okf = await files(ada.bot.secret)
  assert.ok(okf[`team/x) md/${inner}.md`] !== undefined)
  assert.ok(okf['index.md']?.includes(`(team/x%29%20md/${inner}.md)`), okf['index.md'])
})

test('extensions §12: a bundle ends at its bounds and says so', async () => {
  const ada = await household()
  const large = `${'words of some length '.repeat(40_000)}\n`
  const fits = Math.floor(limits.bundleMaxBytes / large.length)
  for (let count = 0; count < fits + 1; count++) {
    await make(ada.browser, `# Large ${count}\n\n${large}`, { kind: 'team' })
  }
  const small = await make(ada.browser, '# Small', { kind: 'team' })
  const answer = await bundle(ada.bot.secret)
  const all = answer.json['files'] as Files
  assert.is(answer.json['partial'], true)
  assert.ok(all[`team/${small}.md`] !== undefined, 'what fits is in it')
  assert.is(Object.keys(all).length - 2, fits)
  const bytes = Object.values(all).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  assert.ok(bytes <= limits.bundleMaxBytes + 64 * 1024)
})

test.run()
