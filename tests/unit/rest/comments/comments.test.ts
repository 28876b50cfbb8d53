/** Interface §2.4, §2.5, §3, §4.4, §4.6: comments, threads, suggestions and reactions over REST. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answered, startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

const markdown = '# Plan\n\nWe ship on **Monday** at noon.\n\n- one\n- two\n\nThe end.\n'

type Fields = Record<string, unknown>

async function scene(text = markdown) {
  const { slug, token } = await service.create(text, 'Quill')
  const at = `/docs/${slug}`
  const read = async (query = '') => (await service.call('GET', `${at}${query}`, { token })).json
  const post = (path: string, body?: unknown) =>
    service.call('POST', `${at}/${path}`, { token, ...(body !== undefined && { body }) })
  const comment = async (body: Fields) => {
    const made = await post('comments', body)
    assert.is(made.status, 201, made.text)
    return made.json
  }
  const threads = async (query = '') => (await read(query))['threads'] as Fields[]
  const patch = (body: Fields) => service.call('PATCH', at, { token, body })
  const ask = (method: string, path: string, body?: unknown) =>
    service.call(method, `${at}/${path}`, { token, ...(body !== undefined && { body }) })
  return { slug, token, at, read, post, comment, threads, patch, ask }
}

const said = ({ status, json }: Answered) => `${status} ${json['code']}`

test('§4.6 a comment on a quote: its answer, its anchor, its thread', async () => {
  const { comment, read, threads } = await scene()
  const made = await comment({ quote: '**Monday**', text: 'Sure?' })
  const before = (await read())['revision']
  assert.is(made['revision'], before)
  assert.match(String(made['comment_id']), /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  const anchor = made['anchor'] as Fields
  assert.equal(anchor, {
    version: 2,
    kind: 'block_segments',
    scope: 'range',
    segments: [
      { block_id: made['anchor_block_id'], start_offset: 11, end_offset: 17, quote: 'Monday' },
    ],
    quote: '**Monday**',
  })
  const [thread] = await threads()
  assert.is(thread?.['id'], made['thread_id'])
  assert.is(thread?.['quote'], 'Monday')
  assert.equal(thread?.['suggestions'], { pending: 0, stale: 0 })
  const [root] = thread?.['comments'] as Fields[]
  assert.equal([root?.['id'], root?.['text']], [made['comment_id'], 'Sure?'])
  assert.equal(thread?.['comments_info'], { returned: 1, total: 1, omitted: 0, next: null })
})

test('§4.6 exclusions, and what is wrong with a body', async () => {
  const { post } = await scene()
  const tooLong = 'x'.repeat(64 * 1024 + 1)
  const spot = { block_id: 'bid_x', offset: 0 }
  const cases: readonly (readonly [Fields, string])[] = [
    [{ text: 'x' }, '400 INVALID_REQUEST'],
    [{ quote: 'one' }, '400 INVALID_REQUEST'],
    [{ quote: 'one', text: ' ' }, '400 INVALID_REQUEST'],
    [{ quote: 'one', block_id: 'bid_x', text: 'x' }, '400 INVALID_REQUEST'],
    [{ block_id: 'x', text: 'x' }, '400 INVALID_BLOCK_ID'],
    [{ block_id: 'bid_0000000000000000', text: 'x' }, '409 BLOCK_ID_NOT_FOUND'],
    [{ block_id: 'blk_99', text: 'x' }, '409 BLOCK_NOT_FOUND'],
    [{ general: true, suggestion: { new_string: 'x' } }, '400 GENERAL_SUGGESTION_UNSUPPORTED'],
    [{ general: true, text: 'x', kind: 'resolution' }, '400 GENERAL_RESOLUTION_UNSUPPORTED'],
    [{ thread_id: 'thr_x', text: 'x', kind: 'resolution' }, '400 INVALID_REPLY'],
    [{ quote: 'one', reply_to: 'x', text: 'x' }, '400 INVALID_REPLY'],
    [{ block_id: 'bid_x', suggestion: { new_string: 'x' } }, '400 EXPECTED_REVISION_REQUIRED'],
    [{ reply_to: 'x', suggestion: { new_string: 'x' } }, '400 EXPECTED_REVISION_REQUIRED'],
    [{ quote: 'nowhere', text: 'x' }, '409 NOT_FOUND'],
    [{ quote: 'n', text: 'x' }, '409 AMBIGUOUS'],
    [{ quote: 'noon.\n\n- one', text: 'x' }, '422 MULTI_BLOCK_COMMENT_UNSUPPORTED'],
    [{ reply_to: '00000000-0000-4000-8000-000000000000', text: 'x' }, '404 REPLY_TARGET_NOT_FOUND'],
    [{ thread_id: 'thr_none', text: 'x' }, '404 THREAD_NOT_FOUND'],
    [{ quote: 'one', text: 'x', by: 'me' }, '400 UNEXPECTED_FIELD'],
    [{ quote: 'one', text: 'x'.repeat(16 * 1024 + 1) }, '413 PAYLOAD_TOO_LARGE'],
    [{ quote: tooLong, text: 'x' }, '413 PAYLOAD_TOO_LARGE'],
    [{ place: { from: spot, to: spot, words: tooLong }, text: 'x' }, '413 PAYLOAD_TOO_LARGE'],
    [{ quote: 'one', text: 'x', notify: { kind: 'x' } }, '400 NOTIFICATION_INVALID'],
  ]
  for (const [body, code] of cases) {
    assert.is(said(await post('comments', body)), code, JSON.stringify(body).slice(0, 80))
  }
})

test('§3 resolve and open again, by both routes', async () => {
  const { comment, post, threads, read } = await scene()
  const made = await comment({ quote: 'noon', text: 'Why noon?' })
  const [cid, thread] = [made['comment_id'], made['thread_id']]
  const resolved = await post(`comments/${cid}/resolve`, { text: 'Agreed.' })
  assert.is(resolved.status, 200, resolved.text)
  assert.equal([resolved.json['comment_id'], resolved.json['resolved']], [cid, true])
  assert.is(said(await post(`threads/${thread}/resolve`, { text: 'x' })), '409 ALREADY_RESOLVED')
  assert.is(said(await post('comments', { reply_to: cid, text: 'x' })), '409 THREAD_RESOLVED')
  assert.equal(await threads(), [])
  const info = (await read())['threads_info'] as Fields
  assert.equal(info, { returned: 0, total: 0, next: null, doc_total: 1 })
  const [shown] = await threads('?resolved=true')
  assert.is((shown?.['resolution'] as Fields)['text'], 'Agreed.')
  const opened = await post(`threads/${thread}/unresolve`)
  assert.equal(opened.json['removed_resolution_ids'], [resolved.json['resolution_id']])
  const again = await post(`threads/${thread}/unresolve`)
  assert.equal(again.json['removed_resolution_ids'], [])
  assert.is(again.json['revision'], opened.json['revision'])
  assert.is((await threads()).length, 1)
})

test('§3 a suggestion is accepted once, credited to its author', async () => {
  const { comment, post, read, threads, patch } = await scene()
  const body = { quote: '**Monday**', suggestion: { new_string: '**Tuesday**' } }
  const { comment_id: cid } = await comment(body)
  assert.equal((await read())['suggestions_info'], { pending: 1, stale: 0 })
  const accepted = await post(`comments/${cid}/accept`)
  assert.is(accepted.status, 200, accepted.text)
  assert.match(String(accepted.json['markdown']), /on \*\*Tuesday\*\* at/)
  assert.is((await post(`comments/${cid}/accept`)).json['revision'], accepted.json['revision'])
  assert.is(said(await post(`comments/${cid}/reject`)), '409 SUGGESTION_CLOSED')
  const [thread] = await threads()
  assert.is(thread?.['quote'], 'Tuesday')
  const stale = await comment({ quote: 'noon', suggestion: { new_string: 'one' } })
  await patch({
    edits: [{ old_string: 'noon', new_string: 'nine' }],
    comment_outcomes: [{ id: stale['comment_id'], action: 'keep' }],
  })
  assert.equal((await read())['suggestions_info'], { pending: 0, stale: 1 })
  const refused = await post(`comments/${stale['comment_id']}/accept`)
  assert.match(said(refused), /^(409 BLOCK_STALE|422 ORPHANED_ANCHOR)$/)
  assert.is((await post(`comments/${stale['comment_id']}/reject`)).status, 200)
})

test('§4.6 a whole-block suggestion on a changed block is stale', async () => {
  const { post, read, patch } = await scene()
  const first = await read()
  const [, block] = first['content_blocks'] as Fields[]
  const revision = first['revision']
  await patch({ edits: [{ old_string: 'noon', new_string: 'nine' }] })
  const body = {
    block_id: block?.['id'],
    suggestion: { new_string: 'x' },
    expected_revision: revision,
  }
  const late = await post('comments', body)
  assert.is(said(late), '409 BLOCK_STALE')
  assert.is(late.json['current_text'], 'We ship on **Monday** at nine.')
  const now = { ...body, expected_revision: (await read())['revision'] }
  assert.is((await post('comments', now)).status, 201)
  const future = { ...body, expected_revision: 999 }
  assert.is(said(await post('comments', future)), '409 EXPECTED_REVISION_FUTURE')
})

test('§4.6 replies, edits, deletions and their tombstones', async () => {
  const { comment, ask, threads, read } = await scene()
  const root = await comment({ general: true, text: 'In all fine.' })
  const reply = await comment({ reply_to: root['comment_id'], text: 'Thanks.' })
  assert.is(reply['thread_id'], root['thread_id'])
  const edited = await ask('PATCH', `comments/${reply['comment_id']}`, { text: 'Thank you.' })
  assert.is(edited.json['text'], 'Thank you.')
  const gone = await ask('DELETE', `comments/${root['comment_id']}`)
  assert.equal([gone.status, gone.json['deleted']], [200, true])
  const [thread] = await threads()
  assert.equal(
    (thread?.['comments'] as Fields[]).map(({ text, deleted }) => [text, deleted]),
    [
      ['', true],
      ['Thank you.', undefined],
    ],
  )
  await ask('DELETE', `comments/${reply['comment_id']}`)
  assert.equal(await threads('?resolved=all'), [])
  const tombstones = (await ask('GET', 'tombstones')).json['comments'] as Fields[]
  assert.equal(
    tombstones.map(({ text }) => text),
    ['Thank you.', 'In all fine.'],
  )
  assert.is(((await read())['threads_info'] as Fields)['total'], 0)
})

test('§2.5 reactions, one each, one’s own', async () => {
  const { comment, ask, threads, post } = await scene()
  const { comment_id: cid } = await comment({ quote: 'one', text: 'x' })
  const felt = await post(`comments/${cid}/sentiments`, { sentiment: 'curious' })
  assert.is(felt.status, 200, felt.text)
  await post(`comments/${cid}/sentiments`, { sentiment: 'excited' })
  await post(`comments/${cid}/plusones`)
  const actor = String(felt.json['actor_id'])
  const [root] = ((await threads())[0]?.['comments'] ?? []) as Fields[]
  assert.equal(root?.['sentiments'], [{ actor_id: actor, sentiment: 'excited' }])
  assert.equal(root?.['plus_ones'], [actor])
  const path = `comments/${cid}/plusones/${encodeURIComponent(actor)}`
  assert.is((await ask('DELETE', path)).json['deleted'], true)
  assert.is(said(await ask('DELETE', path)), '404 NOT_FOUND')
  assert.is(said(await ask('DELETE', `comments/${cid}/sentiments/human:x`)), '403 FORBIDDEN')
})

test('§2.4 following next gives every thread and comment once', async () => {
  const { comment, read, token } = await scene()
  const ids: unknown[] = []
  for (let n = 0; n < 30; n++) {
    const { thread_id: thread, comment_id: cid } = await comment({ quote: 'noon', text: `t${n}` })
    ids.push(thread)
    for (let r = 0; n === 5 && r < 40; r++) {
      await comment({ reply_to: cid, text: `${r} ${'word '.repeat(300)}` })
    }
    await comment({ reply_to: cid, text: 'y'.repeat(3000) })
  }
  const seen: unknown[] = []
  const comments = new Map<unknown, string[]>()
  let page = await read()
  for (;;) {
    for (const thread of page['threads'] as Fields[]) {
      seen.push(thread['id'])
      const info = thread['comments_info'] as Fields
      const own = (thread['comments'] as Fields[]).map(({ id }) => String(id))
      for (let next = info['next']; typeof next === 'string'; ) {
        const more = (await service.call('GET', next, { token })).json
        own.push(...(more['comments'] as Fields[]).map(({ id }) => String(id)))
        next = (more['comments_info'] as Fields)['next']
      }
      comments.set(thread['id'], own)
      assert.is(new Set(own).size, own.length)
      assert.is(own.length, info['total'])
    }
    const { next } = page['threads_info'] as { next: string | null }
    if (next === null) break
    await comment({ quote: 'one', text: 'meanwhile' })
    page = (await service.call('GET', next, { token })).json
  }
  assert.equal(seen, ids.toReversed())
  assert.is(comments.get(ids[5])?.length, 42)
})

test('§4.5 an edit that takes the words of comments is declared, and done as declared', async () => {
  const { comment, patch, threads, read } = await scene()
  const [noon, end] = [
    await comment({ quote: 'noon', text: 'Why?' }),
    await comment({ quote: 'The end.', text: 'Really?' }),
  ]
  const revision = (await read())['revision']
  const edits = [
    { old_string: 'at noon', new_string: 'early' },
    { old_string: 'The end.', new_string: 'Over.' },
  ]
  const refused = await patch({ edits })
  assert.is(said(refused), '409 EDITS_AFFECT_COMMENTS')
  const { json } = refused
  assert.equal(
    [json['markdown'], json['current_markdown'], json['revision']],
    [markdown, markdown, revision],
  )
  assert.match(String(json['candidate_markdown']), /early\.[\s\S]*Over\./)
  assert.equal(json['likely_edit_indexes'], [0, 1])
  const affected = json['affected_comments'] as Fields[]
  assert.equal(
    affected.map(({ id, quote }) => [id, quote]),
    [
      [end['comment_id'], 'The end.'],
      [noon['comment_id'], 'noon'],
    ],
  )
  assert.is((await read())['revision'], revision, 'nothing is committed')
  const one = { id: noon['comment_id'], action: 'keep' }
  const half = await patch({ edits, comment_outcomes: [one] })
  assert.is(said(half), '409 UNDECLARED_ORPHAN')
  assert.equal(half.json['ids'], [end['comment_id']])
  const wrong: readonly (readonly [Fields, string])[] = [
    [{ id: 'nobody', action: 'keep' }, '422 COMMENT_NOT_FOUND'],
    [{ ...one, action: 'remap', new_block_idx: 99 }, '422 NEW_BLOCK_IDX_OUT_OF_RANGE'],
    [{ ...one, action: 'remap', new_block_quote: 'xyz' }, '422 NEW_BLOCK_QUOTE_NOT_FOUND'],
    [{ ...one, action: 'remap', new_block_quote: 'n' }, '422 NEW_BLOCK_QUOTE_AMBIGUOUS'],
    [
      { ...one, action: 'remap', new_block_quote: 'x'.repeat(64 * 1024 + 1) },
      '413 PAYLOAD_TOO_LARGE',
    ],
    [{ ...one, action: 'remap' }, '400 INVALID_REQUEST'],
  ]
  for (const [outcome, code] of wrong) {
    assert.is(said(await patch({ edits, comment_outcomes: [outcome] })), code)
  }
  const last = { id: end['comment_id'], action: 'remap', new_block_quote: 'Over.' }
  const done = await patch({ edits, comment_outcomes: [one, last] })
  assert.is(done.status, 200, done.text)
  assert.equal(done.json['comments'], {
    moved: [end['thread_id']],
    degraded: [],
    orphaned: [noon['thread_id']],
  })
  const [first, second] = await threads()
  assert.equal([first?.['orphaned'], first?.['whole_block']], [false, true])
  assert.equal([second?.['orphaned'], second?.['words']], [true, 'noon'])
  const safe = await patch({
    edits: [{ old_string: 'one', new_string: 'uno' }],
    comment_outcomes: [one],
  })
  assert.is(said(safe), '422 COMMENT_NOT_AT_RISK')
})

test('§4.5 suggested outcomes can be sent back as they are; whole documents too', async () => {
  const { comment, patch, threads, read } = await scene()
  await comment({ quote: '**Monday**', text: 'Sure?' })
  const body = {
    replace_document: '# Plan\n\nWe ship some day.\n',
    base_revision: (await read())['revision'],
  }
  const refused = await patch(body)
  assert.is(said(refused), '409 EDITS_AFFECT_COMMENTS')
  const done = await patch({ ...body, comment_outcomes: refused.json['suggested_outcomes'] })
  assert.is(done.status, 200, done.text)
  assert.is((await threads())[0]?.['orphaned'], false)
})

test.run()
