/** A document's life up to its purge (interface §3, §4.1, §7, §8, §9; extensions §2, §9). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { needsOf } from '../../../../core/access/may.ts'
import { docHead } from '../../../../persistence/keys.ts'
import { routes } from '../../../../rest/all-routes.ts'
import { actionOf } from '../../../../rest/route.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { Browser } from '../browser.ts'
import { type Answered, type Call, startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const day = 24 * 3_600_000
const said = ({ status, json }: Answered) => `${status} ${json['code'] ?? ''}`.trim()
const edit = { edits: [{ old_string: 'words', new_string: 'others' }] }

/** A document with its owner's browser and a named editor's token. */
async function owned(markdown = '# Title\n\nwords\n') {
  const { slug, token, shareToken } = await service.create(markdown, 'Ada')
  const owner = new Browser(service)
  await owner.open(`/d/${slug}?token=${shareToken}`)
  await owner.guest('Olga')
  assert.is((await owner.call('POST', `/docs/${slug}/claim`)).status, 200)
  return { slug: slug as Slug, token, shareToken, owner }
}

const headOf = async (slug: Slug) =>
  JSON.parse(Buffer.from((await service.store.get(docHead(slug)))?.value ?? []).toString())

async function dueKeys(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of service.store.scan({
    gte: 'index/purge-due/',
    lt: 'index/purge-due0',
  }))
    keys.push(key)
  return keys
}

test('§3 an editor archives: everything answers 423 but its archive, and restore brings it back', async () => {
  const { slug, token } = await owned()
  const ask = (method: string, path = '', call: Call = {}) =>
    service.call(method, `/docs/${slug}${path}`, { token, ...call })
  const before = await ask('GET', '/archive')
  assert.equal(before.json, {
    id: slug,
    title: 'Title',
    archived: false,
    archived_at: null,
    archived_by: null,
    restorable_until: null,
    purging: false,
    your_role: 'editor',
    actors: {},
  })
  const archived = await ask('POST', '/archive')
  assert.is(archived.status, 200)
  const { revision, ...fields } = archived.json
  assert.is(revision, 3, 'behind the claim')
  const at = Date.parse(String(fields['archived_at']))
  assert.ok(Math.abs(at - Date.now()) < 60_000)
  assert.is(Date.parse(String(fields['restorable_until'])), at + 30 * day, '§8: 30 days')
  assert.is(fields['archived'], true)
  assert.match(String(fields['archived_by']), /^ai:anon\.tkn\./)
  assert.equal(Object.keys(fields['actors'] as object), [fields['archived_by']], 'who that is')
  assert.equal((await ask('GET', '/archive')).json, fields, 'it works while archived')
  const refused = [
    await ask('GET'),
    await ask('GET', '?format=okf'),
    await ask('PATCH', '', { body: edit }),
    await ask('GET', '/link-access'),
    await ask('POST', '/share-link'),
    await ask('GET', '/live'),
  ]
  assert.equal(
    refused.map(said),
    refused.map(() => '423 DOC_ARCHIVED'),
  )
  const again = await ask('POST', '/archive')
  assert.equal([again.status, again.json], [200, archived.json], '§9: again changes nothing')
  const restored = await ask('POST', '/restore')
  assert.equal([restored.json['archived'], restored.json['revision']], [false, 4])
  assert.equal((await ask('POST', '/restore')).json, restored.json)
  assert.is((await ask('GET')).json['markdown'], '# Title\n\nwords\n')
  assert.is((await ask('PATCH', '', { body: edit })).json['revision'], 5)
})

test('§3, §5 rule 3: who may: editors archive and restore, viewers see, others are told their role', async () => {
  const { slug, shareToken, owner } = await owned()
  const restrict = { body: { mode: 'restricted' } }
  const nobody = await service.call('POST', `/docs/${slug}/archive`)
  assert.is(said(nobody), '401 AUTH_REQUIRED')
  const unnamed = await service.call('GET', `/docs/${slug}?docs`, { token: shareToken })
  const token = String(unnamed.json['your_token'])
  const nameless = await service.call('POST', `/docs/${slug}/archive`, { token })
  assert.is(said(nameless), '412 IDENTIFY_REQUIRED')
  const byToken = await service.call('DELETE', `/docs/${slug}`, { token })
  assert.is(said(byToken), '403 FORBIDDEN', 'the alias is the owner’s')
  assert.is((await service.call('GET', `/docs/${slug}/archive`)).status, 200, 'a viewer sees')
  assert.is((await owner.call('PATCH', `/docs/${slug}/link-access`, restrict)).status, 200)
  assert.is(said(await service.call('GET', `/docs/${slug}/archive`)), '401 AUTH_REQUIRED')
  assert.is((await owner.call('POST', `/docs/${slug}/archive`)).status, 200)
  // Extensions §2: the role comes before 423, and 423 before the body.
  const stranger = await service.create('other\n', 'Eve')
  const foreign = await service.call('PATCH', `/docs/${slug}`, { token: stranger.token, body: 7 })
  assert.is(said(foreign), '403 FORBIDDEN')
  const invalid = await service.call('PATCH', `/docs/${slug}`, { token, body: { by: 'me' } })
  assert.is(said(invalid), '423 DOC_ARCHIVED')
  assert.is(
    said(await service.call('POST', `/docs/${slug}/restore`, { token })),
    '412 IDENTIFY_REQUIRED',
  )
  assert.is(said(await service.call('GET', `/docs/${'x'.repeat(20)}/archive`)), '404 DOC_NOT_FOUND')
})

test('§3 every route of a document answers 423 while it is archived, but the few that the table opens', async () => {
  const { slug, owner } = await owned()
  await owner.call('POST', `/docs/${slug}/archive`)
  const opened: string[] = []
  const asked = routes.flatMap(({ declaration }) => {
    const { method, path, access, slugIn } = declaration
    const action = actionOf(access)
    if (action === undefined || slugIn === 'body') return []
    if (needsOf[action].until === undefined) return [{ method, path }]
    opened.push(`${method} ${path}`)
    return []
  })
  for (const { method, path } of asked) {
    const address = path.replace(':slug', slug).replace(/:\w+/g, 'x1')
    const answer = await owner.call(method, address, method === 'GET' ? {} : { body: {} })
    assert.is(said(answer), '423 DOC_ARCHIVED', `${method} ${path}`)
  }
  assert.ok(asked.length > 25)
  assert.equal(opened.sort(), [
    'DELETE /docs/:slug',
    'DELETE /docs/:slug/forever',
    'GET /docs/:slug/archive',
    'POST /docs/:slug/archive',
    'POST /docs/:slug/restore',
  ])
})

test('§9 who may restore an archived document can read its text before that', async () => {
  const { slug, token, owner } = await owned()
  await owner.call('POST', `/docs/${slug}/archive`)
  const path = `/docs/${slug}/archive`
  const read = await owner.call('GET', `${path}?include=markdown`)
  assert.equal([read.status, read.json['markdown']], [200, '# Title\n\nwords\n'])
  assert.is((await owner.call('GET', path)).json['markdown'], undefined)
  const named = await service.call('GET', `${path}?include=markdown`, { token })
  assert.is(named.json['markdown'], '# Title\n\nwords\n')
  assert.is(said(await service.call('GET', `${path}?include=markdown`)), '401 AUTH_REQUIRED')
})

test('§9.5 DELETE /docs/:slug archives and says that it is deprecated, refused or not', async () => {
  const { slug, token, owner } = await owned()
  const refused = await service.call('DELETE', `/docs/${slug}`, { token })
  const done = await owner.call('DELETE', `/docs/${slug}`)
  assert.equal([refused.status, done.status, done.text], [403, 204, ''])
  for (const { headers } of [refused, done]) {
    assert.match(String(headers['deprecation']), /^@\d{10}$/, 'RFC 9745')
    assert.is(
      headers['link'],
      `<https://docs.example/docs/${slug}/archive>; rel="successor-version"`,
    )
  }
  assert.is((await owner.call('DELETE', `/docs/${slug}`)).status, 204)
  const { json } = await owner.call('GET', `/docs/${slug}/archive`)
  assert.equal([json['archived'], json['title']], [true, 'Title'])
  const api = (await service.call('GET', '/openapi.json')).json as {
    paths: Record<string, Record<string, { deprecated?: boolean }>>
  }
  assert.is(api.paths['/docs/{slug}']?.['delete']?.deprecated, true)
  assert.is(api.paths['/docs/{slug}/archive']?.['post']?.deprecated, undefined)
  assert.is((await service.call('POST', `/docs/${slug}/restore`, { token })).status, 200)
})

test('§8 restore within 30 days only: 410 after', async () => {
  const { slug, token } = await owned()
  await service.call('POST', `/docs/${slug}/archive`, { token })
  service.ahead += 30 * day - 60_000
  assert.is((await service.call('POST', `/docs/${slug}/restore`, { token })).status, 200)
  await service.call('POST', `/docs/${slug}/archive`, { token })
  service.ahead += 30 * day
  const late = await service.call('POST', `/docs/${slug}/restore`, { token })
  assert.is(said(late), '410 RETENTION_EXPIRED')
})

test('archive and restore are found by when they end, and only while archived', async () => {
  const { slug, token } = await owned()
  const mine = async () => (await dueKeys()).filter((key) => key.endsWith(slug))
  assert.equal(await mine(), [])
  await service.call('POST', `/docs/${slug}/archive`, { token })
  const { life } = await headOf(slug)
  const due = Math.ceil((life.at + 30 * day) / 1000)
  assert.equal(await mine(), [`index/purge-due/${String(due).padStart(12, '0')}/${slug}`])
  await service.call('POST', `/docs/${slug}/restore`, { token })
  assert.equal(await mine(), [])
})

test.run()
