/**
 * The letter of interface §3, §4.5, §4.6 and §7, extensions §13, as far as comments go: each answer
 * and each code that no other file tries.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../service.ts'
import { agent, discussed, type Fields, fieldsOf, said } from './discussion-scene.ts'

const service = await startService()
test.after(() => service.close())

const scene = (markdown: string) => discussed(service, markdown)

test('§4.6 the answers have these fields, and a deprecated blk_ says so in its header', async () => {
  const { say, done, ask, post } = await scene('# A\n\nOne two.\n')
  const made = await say({ quote: 'One', text: 'x' })
  const cid = made['comment_id']
  const resolved = await done(`comments/${cid}/resolve`, { text: 'Done.' })
  assert.equal(fieldsOf(resolved), ['comment_id', 'resolution_id', 'resolved', 'revision'])
  const opened = await done(`threads/${made['thread_id']}/unresolve`)
  assert.equal(fieldsOf(opened), ['removed_resolution_ids', 'resolved', 'revision', 'thread_id'])
  const again = await done(`threads/${made['thread_id']}/resolve`, { text: 'Done.' })
  assert.equal([again['comment_id'], again['resolved']], [cid, true])
  await done(`threads/${made['thread_id']}/unresolve`)
  const edited = (await ask('PATCH', `/comments/${cid}`, { text: 'y' })).json
  assert.equal(fieldsOf(edited), ['comment_id', 'edited_at', 'revision', 'text'])
  const suggested = await say({ quote: 'two', suggestion: { new_string: 'zwei' } })
  const accepted = await done(`comments/${suggested['comment_id']}/accept`)
  for (const field of ['comment_id', 'status', 'markdown', 'revision']) assert.ok(field in accepted)
  assert.is(accepted['markdown'], '# A\n\nOne zwei.\n')
  const other = await say({ quote: 'zwei', suggestion: { new_string: 'two' } })
  const rejected = await done(`comments/${other['comment_id']}/reject`)
  assert.equal(fieldsOf(rejected), ['comment_id', 'revision', 'status'])
  const deleted = (await ask('DELETE', `/comments/${other['comment_id']}`)).json
  assert.equal(fieldsOf(deleted), ['comment_id', 'deleted', 'revision'])
  const old = await post('comments', { block_id: 'blk_1', text: 'x' })
  assert.equal([old.status, old.headers['deprecation']], [201, 'block_id'])
})

test('§7 the codes of replies, decisions and what is named', async () => {
  const { say, done, post, ask, patch, read } = await scene('# A\n\nOne two.\n\n- x\n  - y\n')
  const root = await say({ quote: 'One', text: 'x' })
  const reply = await say({ reply_to: root['comment_id'], text: 'y' })
  await ask('DELETE', `/comments/${reply['comment_id']}`)
  const to = (id: unknown, more: Fields = { text: 'z' }) =>
    post('comments', { reply_to: id, ...more })
  assert.is(said(await to(reply['comment_id'])), '400 REPLY_TARGET_DELETED')
  for (const way of ['accept', 'reject']) {
    assert.is(said(await post(`comments/${root['comment_id']}/${way}`)), '409 NOT_A_SUGGESTION')
  }
  const proposed = await say({ quote: 'two', suggestion: { new_string: 'zwei' } })
  const id = proposed['comment_id']
  const first = await done(`comments/${id}/reject`)
  assert.equal(await done(`comments/${id}/reject`), first, 'the same way again changes nothing')
  assert.is(said(await post(`comments/${id}/accept`)), '409 SUGGESTION_CLOSED')
  assert.is(said(await post('threads/thr_none/resolve', { text: 'x' })), '404 THREAD_NOT_FOUND')
  assert.is(said(await post('threads/thr_none/unresolve')), '404 THREAD_NOT_FOUND')
  const resolution = { kind: 'resolution', text: 'x' }
  assert.is(said(await post('comments', { ...resolution, general: false })), '400 INVALID_REPLY')
  assert.is(said(await post('comments', { ...resolution, quote: 'One' })), '400 INVALID_REPLY')
  const last = (await read())['content_blocks'] as { id: string | null }[]
  const block = last[1]?.id
  const outcomes = [root, proposed].map((one) => ({ id: one['comment_id'], action: 'keep' }))
  const gone = await patch({
    edits: [{ delete_block: block }],
    base_revision: (await read())['revision'],
    comment_outcomes: outcomes,
  })
  assert.is(gone.status, 200, gone.text)
  assert.is(said(await post('comments', { block_id: block, text: 'x' })), '409 BLOCK_TOMBSTONED')
  const orphan = root['comment_id']
  assert.is(
    said(await post(`comments/${orphan}/resolve`, { text: 'x' })),
    '422 MARK_ANCHOR_NOT_FOUND',
  )
  assert.is(said(await to(orphan, resolution)), '422 MARK_ANCHOR_NOT_FOUND')
  assert.is((await to(orphan)).status, 201, 'a plain reply to an orphaned thread works')
  const late = { suggestion: { new_string: 'x' }, expected_revision: 1 }
  assert.is(said(await to(orphan, late)), '422 ORPHANED_ANCHOR')
  assert.is((await post(`threads/${root['thread_id']}/resolve`, { text: 'x' })).status, 200)
  assert.is(said(await to(orphan, resolution)), '409 ALREADY_RESOLVED')
})

test('§7 what a quote or a block is refused with says what, and leads to a report', async () => {
  const { post, slug } = await scene('# A\n\nOne one.\n')
  const asked: readonly (readonly [Fields, string, RegExp])[] = [
    [{ quote: 'gone' }, '409 NOT_FOUND', /quote/],
    [{ quote: 'n' }, '409 AMBIGUOUS', /quote/],
    [{ block_id: 'bid_0000000000000000' }, '409 BLOCK_ID_NOT_FOUND', /block/],
  ]
  for (const [body, code, message] of asked) {
    const refused = await post('comments', { ...body, text: 'x' })
    assert.is(said(refused), code)
    assert.match(String(refused.json['error']), message)
    const { request_id: id } = refused.json
    assert.is(refused.json['feedback'], `/docs/${slug}/feedback?ref=${id}`, code)
  }
})

test('§4.6 author-only: others get 403, the 404 of what is not there comes first', async () => {
  const { say, ask, slug, token } = await scene('# A\n\nOne.\n')
  const { comment_id: cid } = await say({ quote: 'One.', text: 'x' })
  const made = await service.call('POST', `/docs/${slug}/access`, {
    token,
    body: { handle: (await agent(service, 'Second')).handle, role: 'editor' },
  })
  assert.is(made.status, 201, made.text)
  const other = await agent(service, 'Third')
  await service.call('POST', `/docs/${slug}/access`, {
    token,
    body: { handle: other.handle, role: 'editor' },
  })
  const as = (method: string, path: string, body?: unknown) => ask(method, path, body, other.token)
  assert.is(said(await as('PATCH', `/comments/${cid}`, { text: 'y' })), '403 FORBIDDEN')
  assert.is(said(await as('DELETE', `/comments/${cid}`)), '403 FORBIDDEN')
  const none = '/comments/00000000-0000-4000-8000-000000000000'
  assert.is(said(await as('PATCH', none, { text: 'y' })), '404 NOT_FOUND')
  assert.is(said(await as('DELETE', none)), '404 NOT_FOUND')
})

test('§10 a PATCH of one’s own suggestion changes what it puts in, while it is pending', async () => {
  const { say, ask, done, threads } = await scene('# A\n\nOne.\n')
  const plain = await say({ quote: 'One.', text: 'x' })
  const made = await say({ quote: 'One.', suggestion: { new_string: 'Uno.' } })
  const change = (id: unknown) =>
    ask('PATCH', `/comments/${id}`, { suggestion: { new_string: 'Eins.' } })
  assert.is(said(await change(plain['comment_id'])), '409 NOT_A_SUGGESTION')
  assert.is((await change(made['comment_id'])).status, 200)
  const [thread] = await threads()
  const [{ suggestion }] = thread?.['comments'] as [{ suggestion: Fields }]
  assert.is(suggestion['new_string'], 'Eins.')
  assert.match(String((await done(`comments/${made['comment_id']}/accept`))['markdown']), /Eins/)
  assert.is(said(await change(made['comment_id'])), '409 SUGGESTION_CLOSED')
})

test('§10 accepting: others’ threads go over; of what gives way to nothing they are orphaned', async () => {
  const { say, done, threads } = await scene('# A\n\nOne two three.\n')
  const other = await say({ quote: 'two', text: 'x' })
  const made = await say({ quote: 'two', suggestion: { new_string: '' } })
  const accepted = await done(`comments/${made['comment_id']}/accept`)
  assert.is(accepted['markdown'], '# A\n\nOne  three.\n')
  assert.equal(accepted['orphaned_threads'], [other['thread_id']])
  const [, thread] = await threads()
  assert.equal([thread?.['orphaned'], thread?.['resolved']], [true, false])
})

test('§10 a word that goes takes no letter of the next one for its own', async () => {
  for (const gone of [' two', 'two ']) {
    const { say, done, threads } = await scene('# A\n\nOne two three.\n')
    const other = await say({ quote: 'two', text: 'x' })
    const next = await say({ quote: 'three', text: 'y' })
    const made = await say({ quote: gone, suggestion: { new_string: '' } })
    const accepted = await done(`comments/${made['comment_id']}/accept`)
    assert.is(accepted['markdown'], '# A\n\nOne three.\n')
    const quotes = new Map((await threads()).map(({ id, quote }) => [id, quote]))
    assert.is(quotes.get(other['thread_id']), null, gone)
    assert.is(quotes.get(next['thread_id']), 'three', gone)
  }
})

test('§10 stale suggestions: pending again when the words are; a block’s own text is captured', async () => {
  const { say, patch, read, revision, post } = await scene('# A\n\nOne **two**.\n')
  const [, block] = (await read())['content_blocks'] as { id: string }[]
  const asked = { block_id: block?.id, suggestion: { new_string: 'Uno.' } }
  const { comment_id: cid } = await say({ ...asked, expected_revision: await revision() })
  const [thread] = (await read())['threads'] as Fields[]
  const [comment] = thread?.['comments'] as Fields[]
  assert.is((comment?.['suggestion'] as Fields)['old_string'], 'One **two**.')
  const totals = async () => (await read())['suggestions_info']
  await patch({ edits: [{ old_string: 'One', new_string: 'Two' }] })
  assert.equal(await totals(), { pending: 0, stale: 1 })
  const refused = await post(`comments/${cid}/accept`)
  assert.is(said(refused), '409 BLOCK_STALE')
  assert.is(refused.json['current_text'], 'Two **two**.')
  await patch({ edits: [{ old_string: 'Two', new_string: 'One' }] })
  assert.equal(await totals(), { pending: 1, stale: 0 })
  const accepted = await post(`comments/${cid}/accept`)
  assert.is(accepted.json['markdown'], '# A\n\nUno.\n')
})

test('§4.6 notify: its kinds, its line and its options, to the letter', async () => {
  const { post } = await scene('# A\n\nOne.\n')
  const options = [{ label: 'Yes', answer: 'Do it.' }]
  const line = (length: number) => `Plan — ${'x'.repeat(length - 7)}`
  const cases: readonly (readonly [unknown, boolean])[] = [
    [{ kind: 'blocked', line: 'Plan — look', options }, true],
    [{ kind: 'decision', line: 'Plan – look', options }, true],
    [{ kind: 'heads_up', line: 'Plan - look' }, true],
    [{ kind: 'done', line: line(120) }, true],
    [{ kind: 'done', line: line(121) }, false],
    [{ kind: 'done', line: 'Plan, look' }, false],
    [{ kind: 'done', line: 'Plan — look', options }, false],
    [{ kind: 'heads_up', line: 'Plan — look', options }, false],
    [{ kind: 'decision', line: 'Plan — look', options: [{ label: 'Yes' }] }, false],
    [{ kind: 'decision', line: 'Plan — look', options: Array(7).fill(options[0]) }, false],
    [{ kind: 'other', line: 'Plan — look' }, false],
    [{ line: 'Plan — look' }, false],
    ['Plan — look', false],
    [null, false],
  ]
  for (const [notify, isGood] of cases) {
    const answered = await post('comments', { general: true, text: 'x', notify })
    const expected = isGood ? '201 undefined' : '400 NOTIFICATION_INVALID'
    assert.is(said(answered), expected, JSON.stringify(notify).slice(0, 80))
  }
})

test('§4.6 a mention is none in code, escaped, of nobody or of oneself; entries count as one', async () => {
  const { post, threads } = await scene('# A\n\nOne.\n')
  const { handle } = await agent(service, 'Kestrel')
  const general = { general: true }
  const free = ['`@H`', '\\@H', '@nobody-goes-by-this', `mail@H`, '```\n@H\n```']
  for (const text of free) {
    const answered = await post('comments', { ...general, text: text.replace('H', handle) })
    assert.is(answered.status, 201, `${text}: ${answered.text}`)
    assert.is(answered.json['warning'], undefined, text)
  }
  const entry = { ...general, text: 'Look.', mentions: [handle] }
  assert.is(said(await post('comments', entry)), '400 NOTIFICATION_REQUIRED')
  const notify = { kind: 'heads_up', line: 'Plan — look' }
  const told = await post('comments', { ...entry, notify })
  assert.match(String(told.json['warning']), new RegExp(`no access.*${handle}`))
  const nobody = await post('comments', { ...general, text: 'x', mentions: ['nobody-at-all'] })
  assert.match(String(nobody.json['warning']), /nobody-at-all/)
  const [, thread] = await threads()
  const [comment] = thread?.['comments'] as Fields[]
  assert.equal(comment?.['notify'], notify)
})

test('§4.5 remap by index counts the candidate’s blocks; its anchor is the quote or the block', async () => {
  const { say, patch, read, threads, revision } = await scene('# A\n\nOne two.\n\nThree.\n')
  const made = await say({ quote: 'two', text: 'x' })
  const edits = [{ old_string: 'One two.\n\nThree.', new_string: 'Four.\n\nFive two.' }]
  const refused = await patch({ edits })
  if (refused.status === 200) return assert.is((await threads())[0]?.['quote'], 'two')
  assert.is(said(refused), '409 EDITS_AFFECT_COMMENTS')
  const [affected] = refused.json['affected_comments'] as Fields[]
  assert.equal(fieldsOf(affected), [
    'candidate_blocks',
    'id',
    'quote',
    'resolved',
    'text',
    'thread_id',
  ])
  const [candidate] = affected?.['candidate_blocks'] as Fields[]
  assert.equal(fieldsOf(candidate), ['block_id', 'idx', 'quote'])
  const outcome = { id: made['comment_id'], action: 'remap', new_block_idx: 2 }
  const both = { ...outcome, new_block_quote: 'Five two.' }
  assert.is(said(await patch({ edits, comment_outcomes: [both] })), '400 INVALID_REQUEST')
  const before = await revision()
  const done = await patch({ edits, comment_outcomes: [outcome] })
  assert.is(done.status, 200, done.text)
  assert.is(done.json['revision'], before + 1)
  const [thread] = await threads()
  const blocks = (await read())['content_blocks'] as Fields[]
  assert.equal([thread?.['quote'], thread?.['block_id']], ['two', blocks[2]?.['id']])
})

test('§4.5 what dangled before the edit needs no word; remove makes tombstones', async () => {
  const { say, patch, threads, ask, read } = await scene('# A\n\nOne two.\n\nEnd.\n')
  const old = await say({ quote: 'two', text: 'dangling' })
  const keep = [{ id: old['comment_id'], action: 'keep' }]
  const first = { edits: [{ old_string: 'One two.', new_string: 'Next.' }] }
  assert.is((await patch({ ...first, comment_outcomes: keep })).status, 200)
  const made = await say({ quote: 'Next.', text: 'removed' })
  const body = { replace_document: '# B\n\nAll else.\n', base_revision: (await read())['revision'] }
  const refused = await patch(body)
  const affected = refused.json['affected_comments'] as Fields[]
  assert.equal(
    affected.map(({ id }) => id),
    [made['comment_id']],
  )
  const remove = [{ id: made['comment_id'], action: 'remove' }]
  assert.is((await patch({ ...body, comment_outcomes: remove })).status, 200)
  assert.equal(
    (await threads()).map(({ id }) => id),
    [old['thread_id']],
  )
  const { comments } = (await ask('GET', '/tombstones')).json
  assert.equal(
    (comments as Fields[]).map(({ text }) => text),
    ['removed'],
  )
})

test.run()
