/** GET /docs/:slug (interface §2.2, §4.4) over real sockets. */
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { docHead, docRecord } from '../../../../persistence/keys.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const text = '# Title\n\nFirst.\n\n- one\n- two\n'
const made = await service.create(text, 'Ada')
const path = `/docs/${made.slug}`
const read = (query = '', call: object = { token: made.token }) =>
  service.call('GET', `${path}${query}`, call)

test('§2.2 a plain read has every field of the document', async () => {
  const { json } = await read()
  assert.is(json['id'], made.slug)
  assert.is(json['title'], 'Title')
  assert.is(json['revision'], 1)
  assert.is(json['your_role'], 'editor')
  assert.is(json['read_only'], false)
  assert.is(json['comments_disabled'], false)
  assert.is(json['markdown'], text)
  assert.equal(json['threads'], [])
  assert.equal(json['threads_info'], { returned: 0, total: 0, next: null })
  assert.equal(json['suggestions_info'], { pending: 0, stale: 0 })
  assert.equal(json['link_access'], { mode: 'anyone', role: 'editor' })
  assert.is(json['display_name'], 'Ada')
  assert.is(json['api_reference_url'], 'https://docs.example/reference')
  assert.is(json['content_hash'], createHash('sha256').update(text).digest('hex'))
  for (const absent of ['your_token', 'quickstart', 'authorship', 'manifest', 'focused']) {
    assert.is(json[absent], undefined, absent)
  }
})

test('§2.2 actors of a plain read cover the caller', async () => {
  const { json } = await read()
  const actors = json['actors'] as Record<string, { name: string }>
  assert.equal(Object.keys(actors), [made.answer.json['actor_id']])
  assert.is(Object.values(actors)[0]?.name, 'Ada')
})

/** Another agent on the document, which has a name. */
async function agentNamed(name: string): Promise<{ token: string; actor: string }> {
  const headers = { 'X-Service-Share-Ingress': '1' }
  const invited = await read('', { token: made.shareToken, headers })
  const token = String(invited.json['your_token'])
  const body = { display_name: name, slug: made.slug }
  const named = await service.call('POST', '/agents/identify', { token, body })
  return { token, actor: String(named.json['actor_id']) }
}

type Actors = Record<string, { name: string; hue?: number }>

test('interface §2.6: actors have a hue once they have written, for every reader the same', async () => {
  const { token, actor } = await agentNamed('Bea')
  const before = (await read('', { token })).json['actors'] as Actors
  assert.not.ok('hue' in Object(before[actor]))
  const edit = (old_string: string, new_string: string) =>
    service.call('PATCH', path, { token, body: { edits: [{ old_string, new_string }] } })
  assert.is((await edit('First.', 'First by Bea.')).status, 200)
  const seen: number[] = []
  for (const call of [{ token }, { token: made.token }, {}]) {
    const actors = (await read('?include=authorship', call)).json['actors'] as Actors
    seen.push(Number(actors[actor]?.hue))
  }
  assert.is(new Set(seen).size, 1)
  assert.ok(Number.isInteger(seen[0]) && Number(seen[0]) >= 0 && Number(seen[0]) <= 9)
  assert.is((await edit('First by Bea.', 'First.')).status, 200)
  const { json } = await read('', { token })
  assert.is((json['actors'] as Actors)[actor]?.hue, seen[0], 'and stays')
})

test('extensions §4: a comment is a write too, and its actor’s hue is stored with it', async () => {
  const own = await service.create('Said of.\n', 'Ada')
  const at = `/docs/${own.slug}`
  const headers = { 'X-Service-Share-Ingress': '1' }
  const invited = await service.call('GET', at, { token: own.shareToken, headers })
  const token = String(invited.json['your_token'])
  const said = await service.call('POST', `${at}/comments`, {
    token,
    body: { quote: 'Said', text: 'Mm', display_name: 'Cyd' },
  })
  assert.is(said.status, 201, said.text)
  const { json } = await service.call('GET', at, { token })
  const [actor, shown] =
    Object.entries(json['actors'] as Actors).find(([, { name }]) => name === 'Cyd') ?? []
  assert.ok(Number.isInteger(shown?.hue))
  const stored = await service.store.get(docRecord(own.slug as Slug, 'hue', [String(actor)]))
  assert.equal(JSON.parse(Buffer.from(stored?.value ?? '').toString()), { hue: shown?.hue })
})

test('extensions §4: actors are looked up by id, if they have written in the document', async () => {
  const maker = String(made.answer.json['actor_id'])
  const silent = await agentNamed('Cyd')
  const ids = [maker, silent.actor, 'human:nobody', ''].join()
  const asked = (call: object) => service.call('GET', `${path}/actors?ids=${ids}`, call)
  const { status, json } = await asked({ token: made.token })
  assert.is(status, 200)
  assert.equal(Object.keys(json['actors'] as Actors), [maker], 'ids are no way to names')
  assert.is((json['actors'] as Actors)[maker]?.name, 'Ada')
  assert.is(typeof (json['actors'] as Actors)[maker]?.hue, 'number')
  const own = (await asked({ token: silent.token })).json['actors'] as Actors
  assert.equal(Object.keys(own), [maker, silent.actor], 'and oneself')
  const many = Array.from({ length: 101 }, (_, n) => `ai:${n}`).join()
  const refused = await service.call('GET', `${path}/actors?ids=${many}`, { token: made.token })
  assert.is(refused.status, 400)
  assert.is(refused.json['code'], 'INVALID_REQUEST')
})

test('§2.2 ranges index into the markdown of the same response', async () => {
  const { json } = await read('?include=block_quotes')
  const markdown = String(json['markdown'])
  const blocks = json['content_blocks'] as { range: { from: number; to: number }; quote: string }[]
  assert.ok(blocks.length >= 3)
  for (const { range, quote } of blocks) assert.is(markdown.slice(range.from, range.to), quote)
})

test('§4.4 filter rule 6: without include=block_quotes no block has a quote', async () => {
  const { json } = await read('?include=authorship,manifest')
  for (const block of json['content_blocks'] as object[]) assert.not.ok('quote' in block)
})

test('§2.2 authorship only when asked, covering everything, with its actors', async () => {
  const { json } = await read('?include=authorship', {})
  const author = made.answer.json['actor_id']
  assert.equal(json['authorship'], [{ from: 0, to: text.length, author }])
  assert.equal(Object.keys(json['actors'] as object), [author])
})

test('§4.4 include takes several, by commas and by repetition; others are INVALID_REQUEST', async () => {
  for (const query of ['?include=authorship,manifest', '?include=authorship&include=manifest']) {
    const { json } = await read(query)
    assert.ok(json['authorship'] && json['manifest'], query)
  }
  for (const query of ['?include=x', '?include=', '?include=authorship,x', '?nonsense=1']) {
    assert.is((await read(query)).json['code'], 'INVALID_REQUEST', query)
  }
})

test('§4.4 filter rule 5: malformed filter values are INVALID_FILTER', async () => {
  const bad = [
    'resolved=maybe',
    'mentions=you',
    'since_revision=-1',
    'since_revision=x',
    'since_revision=1.5',
    'suggestions=none',
    'thread_id=7',
    'focus=thread-1',
    'focus=comment-7',
    'resolved=true&resolved=all',
  ]
  for (const query of bad) {
    assert.is((await read(`?${query}`)).json['code'], 'INVALID_FILTER', query)
  }
})

test('§4.4 good filter values read no threads where there are none', async () => {
  const good = [
    'resolved=all',
    'resolved=true&mentions=me',
    'since_revision=0',
    'suggestions=open',
    'since_revision=3&resolved=false&suggestions=stale',
  ]
  for (const query of good) {
    const { json } = await read(`?${query}`)
    assert.equal(json['threads_info'], { returned: 0, total: 0, next: null }, query)
  }
})

test('§4.4 thread_id of no thread is THREAD_NOT_FOUND; focus on no comment is null', async () => {
  assert.is((await read('?thread_id=thr_abc')).json['code'], 'THREAD_NOT_FOUND')
  const { json } = await read('?focus=comment-123e4567-e89b-12d3-a456-426614174000')
  assert.is(json['focused'], null)
})

test('§4.4 docs adds a quickstart with this document in every call and no secret', async () => {
  const { json, text: body } = await read('?docs')
  const quickstart = json['quickstart'] as { steps: { step: string; request: string }[] }
  const names = quickstart.steps.map(({ step }) => step)
  assert.equal(names, ['Keep your token', 'Read', 'Edit', 'Watch'])
  assert.ok(quickstart.steps.slice(1).every(({ request }) => request.includes(made.slug)))
  assert.not.ok(body.includes(made.token))
})

test('§4.4 the quickstart of a nameless editor begins with identify', async () => {
  const other = await service.create('# T')
  const { json } = await service.call('GET', `/docs/${other.slug}?docs`, { token: other.token })
  const quickstart = json['quickstart'] as { steps: { step: string }[] }
  const names = quickstart.steps.map(({ step }) => step)
  assert.equal(names, ['Keep your token', 'Identify', 'Read', 'Edit', 'Watch'])
})

test('§5 a GET without a credential reads anyone-with-link as a viewer and mints nothing', async () => {
  for (const query of ['', '?docs']) {
    const headers = { 'X-Service-Share-Ingress': '1' }
    const { json } = await read(query, { headers })
    assert.is(json['your_role'], 'viewer')
    assert.is(json['your_token'], undefined)
    assert.is(json['display_name'], undefined)
  }
})

test('§4.4 a share token with the ingress header gets a personal your_token', async () => {
  const headers = { 'X-Service-Share-Ingress': '1' }
  const { json } = await read('?docs', { token: made.shareToken, headers })
  const yours = String(json['your_token'])
  assert.match(yours, /^dtk_/)
  const own = await read('?docs', { token: yours, headers })
  assert.is(own.json['your_token'], undefined)
  assert.is(own.json['your_role'], 'editor')
})

test('your_token is minted on ?docs or the header, and on neither by a plain read', async () => {
  const headers = { 'X-Service-Share-Ingress': '1' }
  const share = { token: made.shareToken }
  assert.ok((await read('', { ...share, headers })).json['your_token'])
  assert.ok((await read('?docs', share)).json['your_token'])
  assert.is((await read('', share)).json['your_token'], undefined)
  const other = await read('', { ...share, headers: { 'X-Service-Share-Ingress': '0' } })
  assert.is(other.json['your_token'], undefined)
})

test('every your_token is another one; a personal token gets none', async () => {
  const tokens = new Set<unknown>()
  for (let i = 0; i < 3; i++) {
    tokens.add((await read('?docs', { token: made.shareToken })).json['your_token'])
  }
  assert.is(tokens.size, 3)
  assert.is((await read('?docs')).json['your_token'], undefined)
})

test('a share token used as it is works as one shared identity', async () => {
  const { json } = await read('', { token: made.shareToken })
  assert.is(json['your_role'], 'editor')
  assert.is(Object.keys(json['actors'] as object).length, 1)
})

test('§2.2 manifest: front matter with the fixed fields, other keys as extensions', async () => {
  const front = '---\ntype: Note\ntags: [a, 2]\nowner: Ada\n---\n\n# Real title\n'
  const { slug } = await service.create(front)
  const { json } = await service.call('GET', `/docs/${slug}?include=manifest`)
  const manifest = json['manifest'] as Record<string, unknown>
  assert.is(manifest['type'], 'Note')
  assert.is(manifest['title'], 'Real title')
  assert.equal(manifest['tags'], ['a', '2'])
  assert.equal(manifest['extensions'], { owner: 'Ada' })
  const plain = (await read('?include=manifest')).json['manifest'] as object
  assert.not.ok('type' in plain)
})

test('HEAD answers like GET without a body, and mints nothing', async () => {
  const head = await service.call('HEAD', path, { token: made.token })
  const get = await read()
  assert.is(head.status, 200)
  assert.is(head.headers['content-length'], get.headers['content-length'])
  assert.is(head.headers.etag, get.headers.etag)
})

test('§4.4 a HEAD of a read that would mint has no validator, like that read', async () => {
  const { slug, shareToken } = await service.create('one')
  const ask = (method: string) => service.call(method, `/docs/${slug}?docs`, { token: shareToken })
  for (const method of ['HEAD', 'GET']) {
    const { status, headers } = await ask(method)
    assert.is(status, 200)
    assert.is(headers.etag, undefined, method)
    assert.is(headers['cache-control'], 'no-store', method)
  }
})

test('§7 unknown slugs are DOC_NOT_FOUND, whatever their form', async () => {
  for (const slug of ['a'.repeat(20), 'x', 'A'.repeat(20), '%00', '..%2f']) {
    const { json } = await service.call('GET', `/docs/${slug}`, { token: made.token })
    assert.is(json['code'], 'DOC_NOT_FOUND', slug)
  }
})

test('§3 what is archived refuses reading and writing: 423; what is being purged is gone', async () => {
  const { slug, token, shareToken } = await service.create('Old words.\n', 'Ada')
  const key = docHead(slug as Slug)
  const head = await service.store.get(key)
  for (const [state, refusal] of [
    ['archived', [423, 'DOC_ARCHIVED']],
    ['purging', [404, 'DOC_NOT_FOUND']],
  ] as const) {
    const life = { state, at: 0, by: 'human:anyone' }
    const archived = { ...JSON.parse(Buffer.from(head?.value ?? []).toString()), life }
    await service.store.commit({
      puts: [{ key, value: Buffer.from(JSON.stringify(archived)) }],
    })
    const edits = [{ old_string: 'Old', new_string: 'New' }]
    const said = [
      await service.call('GET', `/docs/${slug}`, { token }),
      await service.call('GET', `/docs/${slug}?format=okf`),
      await service.call('PATCH', `/docs/${slug}`, { token, body: { edits } }),
      await service.call('GET', `/docs/${slug}/live`, { token: shareToken }),
    ]
    assert.equal(
      said.map(({ status, json }) => [status, json['code']]),
      said.map(() => refusal),
    )
  }
})

test.run()
