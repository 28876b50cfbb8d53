/**
 * Interface §2.4, §4.4 to §4.6, extensions §13: which refusal comes first, what answers name, and
 * what a discussion may grow to.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ActorId, Slug } from '../../../../schema/ids.ts'
import { becomes } from '../../../waiting.ts'
import { type Answered, startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

type Fields = Record<string, unknown>

const unknownId = '00000000-0000-4000-8000-000000000000'
const said = ({ status, json }: Answered) => `${status} ${json['code']}`

async function scene(markdown: string, name: string | undefined = 'Quill') {
  const { slug, token } = await service.create(markdown, name)
  const at = `/docs/${slug}`
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    service.call(method, `${at}${path}`, { token, headers, ...(body !== undefined && { body }) })
  const say = async (body: Fields) => {
    const made = await ask('POST', '/comments', body)
    assert.is(made.status, 201, made.text)
    return made.json
  }
  const read = async (query = '') => (await ask('GET', query)).json
  const threads = async () => (await read('?resolved=all'))['threads'] as Fields[]
  const blocks = async () => (await read())['content_blocks'] as { id: string }[]
  const patch = (body: Fields) => ask('PATCH', '', body)
  return { slug, token, at, ask, say, read, threads, blocks, patch }
}

async function agent(handle: string) {
  const { json } = await service.call('POST', '/agents/register', {
    body: { name: handle, handle },
  })
  return { token: String(json['agent_secret']), actor: String(json['actor_id']) }
}

test('§4.4 doc_total stands beside a total that differs, also where focus adds a thread', async () => {
  const { say, ask, read } = await scene('# A\n\nOne.\n')
  const { comment_id: cid } = await say({ quote: 'One.', text: 'x' })
  await ask('POST', `/comments/${cid}/resolve`, { text: 'Done.' })
  const { threads_info: plain } = await read()
  assert.equal(plain, { returned: 0, total: 0, next: null, doc_total: 1 })
  const { threads_info: focused } = await read(`?focus=comment-${cid}`)
  assert.equal(focused, { returned: 1, total: 1, next: null })
})

test('§2.4 a long thread shows its root and its latest nineteen', async () => {
  const { say, threads } = await scene('# A\n\nOne.\n')
  const { thread_id: thread } = await say({ quote: 'One.', text: 'root' })
  for (let n = 1; n <= 25; n++) await say({ thread_id: thread, text: `r${n}` })
  const [shown] = await threads()
  const texts = (shown?.['comments'] as Fields[]).map(({ text }) => text)
  assert.equal(texts, ['root', ...Array.from({ length: 19 }, (_, at) => `r${at + 7}`)])
  assert.is((shown?.['comments_info'] as Fields)['omitted'], 6)
})

test('§4.6 an accept says what became of anchors', async () => {
  const { say, ask } = await scene('# A\n\nOne two three.\n')
  const other = await say({ quote: 'two', text: 'x' })
  const made = await say({ quote: 'One two', suggestion: { new_string: 'Uno' } })
  const accepted = await ask('POST', `/comments/${made['comment_id']}/accept`)
  assert.is(accepted.status, 200, accepted.text)
  const { moved, orphaned } = accepted.json['comments'] as Record<string, string[]>
  assert.equal(new Set(moved), new Set([other['thread_id'], made['thread_id']]))
  assert.equal(orphaned, [])
})

test('§4.6 a suggestion for words without their markup takes the markup along, or is refused', async () => {
  const markdown = 'Leave on **Monday** and *come*\n\nSee [the **map**](x) of it.\n'
  const cases = [
    ['Leave on Monday', 'Go on Friday', 'Go on Friday and *come*\n\nSee [the **map**](x) of it.\n'],
    ['Monday and', 'then', 'Leave on then *come*\n\nSee [the **map**](x) of it.\n'],
    ['Monday and come', 'it', 'Leave on it\n\nSee [the **map**](x) of it.\n'],
    ['See the map of', 'A plan of', 'Leave on **Monday** and *come*\n\nA plan of it.\n'],
  ] as const
  for (const [quote, now, wanted] of cases) {
    const { say, ask, read } = await scene(markdown)
    const { comment_id: cid } = await say({ quote, suggestion: { new_string: now } })
    const accepted = await ask('POST', `/comments/${cid}/accept`)
    assert.is(accepted.status, 200, accepted.text)
    assert.is((await read())['markdown'], wanted)
  }
  const { ask } = await scene(markdown)
  const cut = { quote: 'Leave on Mon', suggestion: { new_string: 'Go' } }
  assert.is(said(await ask('POST', '/comments', cut)), '409 NOT_FOUND')
})

test('§4.6 a suggestion in an orphaned thread is ORPHANED_ANCHOR, of a block too', async () => {
  const { say, ask, blocks, patch } = await scene('# A\n\nOne two.\n\nEnd.\n')
  const id = (await blocks())[1]?.id
  const made = await say({ block_id: id, text: 'x' })
  const outcome = { id: made['comment_id'], action: 'keep' }
  const gone = { edits: [{ delete_block: id }], base_revision: 2, comment_outcomes: [outcome] }
  assert.is((await patch(gone)).status, 200)
  const reply = { suggestion: { new_string: 'x' }, expected_revision: 3 }
  const refused = await ask('POST', '/comments', { ...reply, reply_to: made['comment_id'] })
  assert.is(said(refused), '422 ORPHANED_ANCHOR')
  const target = await ask('POST', '/comments', { ...reply, block_id: id })
  assert.is(said(target), '409 BLOCK_STALE')
  assert.is(target.json['block_deleted'], true)
})

test('§2.1 a position names a block of the current revision alone', async () => {
  const { ask, patch } = await scene('# A\n\nOne.\n')
  await patch({ edits: [{ before: '# A', new_string: '# B\n\n' }], base_revision: 1 })
  const body = { block_id: 'blk_1', suggestion: { new_string: 'x' } }
  const old = await ask('POST', '/comments', { ...body, expected_revision: 1 })
  assert.is(said(old), '409 BLOCK_NOT_FOUND')
  assert.is(old.headers['deprecation'], 'block_id')
  assert.is((await ask('POST', '/comments', { ...body, expected_revision: 2 })).status, 201)
})

test('§7 what is not there is told before what is too new', async () => {
  const { ask, say } = await scene('# A\n\nOne.\n')
  const suggestion = { suggestion: { new_string: 'x' }, expected_revision: 99 }
  const { thread_id: thread } = await say({ quote: 'One.', text: 'x' })
  const other = await say({ general: true, text: 'y' })
  for (const [target, code] of [
    [{ reply_to: unknownId }, '404 REPLY_TARGET_NOT_FOUND'],
    [{ thread_id: 'thr_none' }, '404 THREAD_NOT_FOUND'],
    [{ thread_id: thread, reply_to: other['comment_id'] }, '400 THREAD_TARGET_MISMATCH'],
    [{ thread_id: thread }, '409 EXPECTED_REVISION_FUTURE'],
    [{ quote: 'One.' }, '409 EXPECTED_REVISION_FUTURE'],
  ] as const) {
    assert.is(said(await ask('POST', '/comments', { ...suggestion, ...target })), code)
  }
})

test('§4.5 a comment that was deleted with its thread cannot be declared', async () => {
  const { say, ask, patch } = await scene('# A\n\nOne two.\n')
  const { comment_id: cid } = await say({ quote: 'One', text: 'x' })
  await ask('DELETE', `/comments/${cid}`)
  const outcome = { id: cid, action: 'keep' }
  const edits = [{ old_string: 'One', new_string: 'Uno' }]
  const refused = await patch({ edits, comment_outcomes: [outcome] })
  assert.is(said(refused), '422 COMMENT_NOT_FOUND')
  assert.is(refused.json['index'], 0)
})

test('a block that gives way to nothing may be the last of its list', async () => {
  const { say, ask, blocks, read } = await scene('- one\n- two\n  - deep\n')
  const last = (await blocks()).at(-1)?.id
  const made = await say({ block_id: last, suggestion: { new_string: '' }, expected_revision: 1 })
  const accepted = await ask('POST', `/comments/${made['comment_id']}/accept`)
  assert.is(accepted.status, 200, accepted.text)
  assert.is((await read())['markdown'], '- one\n- two\n')
})

test('§4.6 who is refused for notify is not named by the request', async () => {
  await agent('robin')
  const { ask, read } = await scene('# A\n\nOne.\n', undefined)
  const body = { general: true, text: '@robin look', display_name: 'Quill' }
  assert.is(said(await ask('POST', '/comments', body)), '400 NOTIFICATION_REQUIRED')
  assert.is(
    said(await ask('POST', '/comments', { ...body, text: 'x', quote: 'gone' })),
    '409 NOT_FOUND',
  )
  const notify = { kind: 'heads_up', line: 'Plan — look at it' }
  assert.is((await ask('POST', '/comments', { ...body, notify })).status, 201)
  assert.is((await read())['revision'], 2)
})

test('a comment that is sent again is answered as the first time, whoever goes by its names', async () => {
  const { ask } = await scene('# A\n\nOne.\n')
  const key = { 'Idempotency-Key': 'again' }
  const body = { general: true, text: '@later look' }
  const first = await ask('POST', '/comments', body, key)
  assert.is(first.status, 201, first.text)
  await agent('later')
  const again = await ask('POST', '/comments', body, key)
  assert.equal([again.status, again.json], [201, first.json])
})

test('§4.6 a resolution that mentions somebody calls it', async () => {
  const wren = await agent('wren')
  const owner = await agent('owner-of-it')
  const call = (method: string, path: string, body?: unknown, { token } = owner) =>
    service.call(method, path, { token, ...(body !== undefined && { body }) })
  const { json: made } = await call('POST', '/docs', { markdown: '# A\n\nOne.\n' })
  const at = `/docs/${made['id']}`
  assert.is((await call('POST', `${at}/access`, { handle: 'wren', role: 'commenter' })).status, 201)
  const { json: root } = await call('POST', `${at}/comments`, { quote: 'One.', text: 'Hm.' })
  const notify = { kind: 'done', line: 'Plan — nothing to do' }
  const closing = { reply_to: root['comment_id'], kind: 'resolution', text: '@wren done.', notify }
  const resolved = await call('POST', `${at}/comments`, closing)
  assert.is(resolved.status, 201, resolved.text)
  const inbox = async () =>
    (await call('GET', '/agents/me/inbox', undefined, wren)).json['entries'] as Fields[]
  await becomes(async () => (await inbox()).some(({ event }) => event === 'mention'))
  const { json: read } = await call('GET', `${at}?mentions=me`, undefined, wren)
  const [thread] = read['threads'] as Fields[]
  const { mentions, notify: shown } = thread?.['resolution'] as Fields
  assert.equal([mentions, shown], [[wren.actor], notify])
})

test('a revert brings back what comments on a whole block were about', async () => {
  const words = 'A block of more than a few words, all of its own.'
  const { say, ask, blocks, patch, threads } = await scene(`# A\n\n${words}\n\nEnd.\n`)
  const id = (await blocks())[1]?.id
  const made = await say({ block_id: id, text: 'x' })
  const outcome = { id: made['comment_id'], action: 'keep' }
  const gone = { edits: [{ delete_block: id }], base_revision: 2, comment_outcomes: [outcome] }
  assert.is((await patch(gone)).status, 200)
  assert.is((await threads())[0]?.['orphaned'], true)
  const reverted = await ask('POST', '/revert', { revision: 1, base_revision: 3 })
  assert.is(reverted.status, 200, reverted.text)
  assert.equal(reverted.json['comments'], {
    moved: [made['thread_id']],
    degraded: [],
    orphaned: [],
  })
  assert.is((await threads())[0]?.['whole_block'], true)
})

test('a revert brings back what comments on a whole list, item or table were about', async () => {
  const wholes = {
    list: '- one\n- two\n- three',
    'list of one': '- the only item of its list, a longer one',
    quote: '> the only paragraph of its quote, a longer one',
    table: '| a | b |\n| - | - |\n| one | two |',
    short: 'Hm.',
    code: '```\na line of code that is long enough\n```',
  }
  for (const [name, markdown] of Object.entries(wholes)) {
    const { say, ask, blocks, patch, threads } = await scene(`# A\n\n${markdown}\n\nEnd.\n`)
    const inner = async () => (await blocks()).slice(1, -1).flatMap(({ id }) => id ?? [])
    const made: Fields[] = []
    for (const id of await inner()) made.push(await say({ block_id: id, text: 'x' }))
    const revision = made.length + 1
    const gone = {
      edits: [{ delete_block: (await inner())[0] }],
      base_revision: revision,
      comment_outcomes: made.map((one) => ({ id: one['comment_id'], action: 'keep' })),
    }
    const deleted = await patch(gone)
    assert.is(deleted.status, 200, deleted.text)
    assert.ok((await threads()).every((one) => one['orphaned'] === true))
    const reverted = await ask('POST', '/revert', { revision: 1, base_revision: revision + 1 })
    assert.is(reverted.status, 200, reverted.text)
    // Each is at the block that it was at; the newest come first.
    const now = (await threads()).map((one) => one['block_id'])
    assert.equal(now.reverse(), await inner(), name)
  }
})

test('§4.5 what was written into commented words may go again', async () => {
  const { say, patch, threads } = await scene('The words there are.\n')
  const suggestion = { new_string: 'terms' }
  await say({ quote: 'words there', suggestion })
  await say({ quote: 'are.', text: 'x' })
  const edits = (from: string, to: string) =>
    patch({ edits: [{ old_string: from, new_string: to }] })
  const suggestions = async () => (await threads()).map((one) => one['suggestions'])
  assert.is((await edits('words there', 'words over there')).status, 200)
  assert.equal((await suggestions()).at(-1), { pending: 0, stale: 1 })
  assert.is(said(await edits('over there', 'there or')), '409 EDITS_AFFECT_COMMENTS')
  assert.is(said(await edits('over th', 'under')), '409 EDITS_AFFECT_COMMENTS')
  const done = await edits('over ', '')
  assert.is(done.status, 200, done.text)
  assert.equal((await suggestions()).at(-1), { pending: 1, stale: 0 })
  assert.ok((await threads()).every((one) => one['orphaned'] === false))
})

test('§4.5 a revert is refused and declared as an edit is', async () => {
  const { say, ask, patch, threads } = await scene('# A\n\nOne.\n')
  await patch({ edits: [{ old_string: 'One.', new_string: 'One. Four.' }] })
  const made = await say({ quote: 'Four.', text: 'x' })
  const revert = { revision: 1, base_revision: 3 }
  const refused = await ask('POST', '/revert', revert)
  assert.is(said(refused), '409 EDITS_AFFECT_COMMENTS')
  for (const field of ['edits', 'failed_edit_indexes', 'likely_edit_indexes', 'instruction']) {
    assert.ok(field in refused.json, field)
  }
  assert.is(refused.json['candidate_markdown'], '# A\n\nOne.\n')
  const outcomes = refused.json['suggested_outcomes']
  const done = await ask('POST', '/revert', { ...revert, comment_outcomes: outcomes })
  assert.is(done.status, 200, done.text)
  assert.equal((done.json['comments'] as Fields)['moved'], [made['thread_id']])
  assert.is((await threads())[0]?.['orphaned'], false)
})

test('§4.5 what an edit would take from hundreds of comments is told in a bounded answer', async () => {
  const lines = Array.from({ length: 300 }, (_, n) => `Line ${n} ${'word '.repeat(20)}end${n}.`)
  const { say, patch, read } = await scene(`${lines.join('\n\n')}\n`)
  for (let n = 0; n < 300; n++) await say({ quote: `end${n}.`, text: `c${n}` })
  const revision = (await read())['revision']
  const body = { replace_document: 'All is new here.\n', base_revision: revision }
  const refused = await patch(body)
  assert.is(said(refused), '409 EDITS_AFFECT_COMMENTS')
  assert.is((refused.json['affected_comments'] as unknown[]).length, 300)
  assert.ok(refused.text.length < 1_000_000, `${refused.text.length}`)
  const outcomes = refused.json['suggested_outcomes']
  const done = await patch({ ...body, comment_outcomes: outcomes })
  assert.is(done.status, 200, done.text)
})

test('what is said of a large block costs what is sent', async () => {
  const { say, ask, blocks, slug } = await scene(`\`\`\`\n${'x'.repeat(900_000)}\n\`\`\`\n`)
  const [block] = await blocks()
  for (let n = 0; n < 20; n++) await say({ block_id: block?.id, text: 'x' })
  let stored = 0
  for await (const { key, value } of service.store.scan({ gte: `doc/${slug}`, lt: 'doc0' })) {
    if (key.includes('thread')) stored += value.length
  }
  assert.ok(stored > 0 && stored < 200_000, `${stored}`)
  const { comment_id: cid } = await say({ general: true, text: 'x' })
  assert.is((await ask('PATCH', `/comments/${cid}`, { text: 'y' })).status, 200)
})

test('one block can be talked of so often that keys typed in it stay quick', async () => {
  const { ask, slug } = await scene('# A\n\nOne two.\n')
  const { discussion } = service.documents
  const by = { writer: { actor: 'human:ann' as ActorId, authMethod: 'session' } } as const
  const body = { quote: 'One', text: 'x' }
  const comment = async () => ({ ...body, isResolution: false })
  for (let n = 0; n < 1_000; n += 100) {
    await Promise.all(
      Array.from({ length: 100 }, () => discussion.comment(slug as Slug, by, comment)),
    )
  }
  assert.is(said(await ask('POST', '/comments', body)), '409 LIMIT_REACHED')
  assert.is((await ask('POST', '/comments', { general: true, text: 'x' })).status, 201)
  assert.is((await ask('POST', '/comments', { ...body, quote: '# A' })).status, 201)
})

test.run()
