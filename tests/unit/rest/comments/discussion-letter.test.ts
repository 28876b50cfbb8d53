/**
 * The letter of interface §2.4, §2.5 and §4.4: each field of anchors, threads, comments and pages,
 * and what each filter selects.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../service.ts'
import { discussed, type Fields, fieldsOf, type Segment, said } from './discussion-scene.ts'

const service = await startService()
test.after(() => service.close())

const scene = (markdown: string) => discussed(service, markdown)

const everything = `# A **bold** title

One \`code\` two &amp; three.

- item one
- item *two* and more

> quoted words

| head | row |
| --- | --- |
| cell | last |

\`\`\`ts
const a = 1
\`\`\`
`

test('§2.5 the anchor: its fields, and segments that are slices of their block’s plain text', async () => {
  const { say, read } = await scene(everything)
  const plain = new Map([
    ['# A **bold** title', ['A bold title', 0]],
    ['bold', ['A bold title', 2]],
    ['`code` two', ['One code two & three.', 4]],
    ['- item *two*', ['item two and more', 0]],
    ['*two*', ['item two and more', 5]],
    ['> quoted', ['quoted words', 0]],
    ['cell', ['cell', 0]],
    ['const a', ['const a = 1', 0]],
  ] as const)
  const blocks = (await read('?include=block_quotes'))['content_blocks'] as Fields[]
  const ids = new Set(blocks.map(({ id }) => id))
  for (const [quote, [block, start]] of plain) {
    const { anchor, ...made } = await say({ quote, text: 'x' })
    const { segments, ...about } = anchor as Fields & { segments: Segment[] }
    const [segment] = segments as [Segment]
    assert.equal(about, { version: 2, kind: 'block_segments', scope: 'range', quote }, quote)
    assert.is(segments.length, 1, quote)
    assert.equal(fieldsOf(segment), ['block_id', 'end_offset', 'quote', 'start_offset'])
    assert.is(segment.start_offset, start, quote)
    assert.is(block.slice(segment.start_offset, segment.end_offset), segment.quote, quote)
    assert.is(made['anchor_block_id'], segment.block_id, quote)
    assert.ok(ids.has(segment.block_id), quote)
    assert.equal(fieldsOf(made), [
      'anchor_block_id',
      'comment_id',
      'created_at',
      'revision',
      'thread_id',
    ])
    assert.match(String(made['created_at']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  }
})

test('§2.5 scope is block for whole-block and general comments, whose segment is all of it', async () => {
  const { say, read } = await scene('---\ntype: Note\n---\n\n# A\n\nOne **two**.\n')
  const [, first, second] = (await read())['content_blocks'] as { id: string }[]
  const general = await say({ general: true, text: 'x' })
  const whole = await say({ block_id: second?.id, text: 'x' })
  const place = { start_offset: 0, end_offset: 1, quote: 'A' }
  assert.equal(general['anchor'], {
    version: 2,
    kind: 'block_segments',
    scope: 'block',
    segments: [{ block_id: first?.id, ...place }],
    quote: '# A',
  })
  assert.is(general['anchor_block_id'], first?.id, 'the first block behind front matter')
  assert.equal(whole['anchor'], {
    version: 2,
    kind: 'block_segments',
    scope: 'block',
    segments: [{ block_id: second?.id, start_offset: 0, end_offset: 8, quote: 'One two.' }],
    quote: 'One **two**.',
  })
})

test('§2.5 anchor_block_id: of every comment whose anchor is in one block, never of a suggestion', async () => {
  const { say, read, revision } = await scene('# A\n\n- one\n- two\n\nOne.\n\nTwo.\n')
  const [, list] = (await read())['content_blocks'] as { id: string }[]
  // The list is the innermost block that holds both.
  const both = await say({ quote: '- one\n- two', text: 'x' })
  assert.is((both['anchor'] as { segments: Segment[] }).segments.length, 1)
  assert.is(both['anchor_block_id'], list?.id)
  const reply = await say({ reply_to: both['comment_id'], text: 'y' })
  assert.is(reply['anchor_block_id'], list?.id)
  assert.equal(reply['anchor'], both['anchor'])
  const next = { suggestion: { new_string: '- one' }, expected_revision: await revision() }
  const suggested = await say({ ...next, reply_to: both['comment_id'] })
  assert.is(suggested['anchor_block_id'], undefined)
  const over = await say({ quote: 'One.\n\nTwo.', suggestion: { new_string: 'Three.' } })
  const { segments } = over['anchor'] as { segments: Segment[] }
  assert.equal(
    segments.map(({ quote }) => quote),
    ['One.', 'Two.'],
  )
})

test('§2.4 a thread: its fields; of an orphaned one null, an empty range, and stale suggestions', async () => {
  const { say, threads, patch, revision, read } = await scene('# A\n\nOne two.\n\nEnd.\n')
  const asked = { quote: 'two', text: 'x', suggestion: { new_string: 'three' } }
  const { comment_id: cid } = await say(asked)
  const shape = [
    'block_id',
    'comments',
    'comments_info',
    'id',
    'orphaned',
    'quote',
    'range',
    'resolved',
    'suggestions',
    'whole_block',
  ]
  const [thread] = await threads()
  assert.equal(fieldsOf(thread), shape)
  assert.equal(thread?.['range'], { from: 9, to: 12 })
  const [comment] = thread?.['comments'] as Fields[]
  assert.equal(fieldsOf(comment), ['at', 'by', 'id', 'suggestion', 'text'])
  assert.equal(comment?.['suggestion'], {
    kind: 'replace',
    old_string: 'two',
    new_string: 'three',
    status: 'pending',
    created_against_revision: (await revision()) - 1,
  })
  const gone = {
    edits: [{ old_string: 'One two.', new_string: 'Other.' }],
    comment_outcomes: [{ id: cid, action: 'keep' }],
  }
  assert.is((await patch(gone)).status, 200)
  const [orphan] = await threads()
  const { block_id: block, range, quote, whole_block: whole, orphaned } = orphan as Fields
  const { from, to } = range as { from: number; to: number }
  assert.equal([block, from === to, quote, whole, orphaned], [null, true, null, false, true])
  assert.equal(orphan?.['suggestions'], { pending: 0, stale: 1 })
  const [stale] = orphan?.['comments'] as Fields[]
  assert.is((stale?.['suggestion'] as Fields)['status'], 'stale')
  assert.equal((await read())['suggestions_info'], { pending: 0, stale: 1 })
})

test('§2.4 pages are exactly as they are said to be, and their addresses keep the filters', async () => {
  const { say, read, token } = await scene('# A\n\nOne.\n')
  const { thread_id: thread } = await say({ quote: 'One.', text: 'root' })
  for (let n = 0; n < 25; n++) await say({ thread_id: thread, text: `r${n}` })
  for (let n = 0; n < 6; n++) await say({ quote: 'One.', text: 'x'.repeat(16_000) })
  const first = await read('?resolved=all&since_revision=0')
  const { next } = first['threads_info'] as { next: string }
  const asked = new URL(next, 'http://x').searchParams
  assert.equal([asked.get('resolved'), asked.get('since_revision')], ['all', '0'])
  const page = (await service.call('GET', next, { token })).json
  assert.equal(fieldsOf(page), ['actors', 'revision', 'threads', 'threads_info'])
  const long = (page['threads'] as Fields[]).find(({ id }) => id === thread)
  const info = long?.['comments_info'] as { next: string }
  assert.equal(fieldsOf(info), ['next', 'omitted', 'returned', 'total'])
  const kept = new URL(info.next, 'http://x').searchParams
  assert.equal([kept.get('resolved'), kept.get('since_revision')], ['all', '0'])
  const more = (await service.call('GET', info.next, { token })).json
  assert.equal(fieldsOf(more), ['actors', 'comments', 'comments_info', 'revision', 'thread_id'])
  assert.is(more['thread_id'], thread)
})

test('§4.4 filters: what each selects, whatever is resolved; explicit resolved narrows', async () => {
  const { say, done, threads, revision } = await scene('# A\n\nOne two three.\n')
  const plain = await say({ quote: 'One', text: 'x' })
  const proposed = await say({ quote: 'two', suggestion: { new_string: 'zwei' } })
  const before = await revision()
  await done(`threads/${plain['thread_id']}/resolve`, { text: 'Done.' })
  const ids = async (query: string) => (await threads(query)).map(({ id }) => id)
  const [one, two] = [plain['thread_id'], proposed['thread_id']]
  assert.equal(await ids(''), [two])
  assert.equal(await ids('?resolved=true'), [one])
  assert.equal(await ids('?resolved=all'), [two, one])
  assert.equal(await ids('?since_revision=0'), [two, one])
  assert.equal(await ids('?since_revision=0&resolved=false'), [two])
  assert.equal(await ids(`?since_revision=${before}`), [one], 'a resolve is such a write')
  assert.equal(await ids('?suggestions=pending'), [two])
  assert.equal(await ids('?suggestions=open'), [two])
  assert.equal(await ids('?suggestions=stale'), [])
  await done(`threads/${one}/unresolve`)
  assert.equal(await ids(`?since_revision=${before + 1}`), [one], 'and so is an unresolve')
  await done(`comments/${proposed['comment_id']}/reject`)
  assert.equal(await ids(`?since_revision=${before + 2}`), [two], 'and a decision')
  assert.equal(await ids('?suggestions=open'), [])
  await done(`comments/${plain['comment_id']}/plusones`)
  assert.equal(await ids(`?since_revision=${before + 3}`), [], 'a reaction is none')
})

test('§4.4 a focused comment comes with its thread; a thread by its id, resolved or not', async () => {
  const { say, done, read } = await scene('# A\n\nOne.\n')
  const made = await say({ quote: 'One.', text: 'x' })
  await done(`comments/${made['comment_id']}/resolve`, { text: 'Done.' })
  const focused = await read(`?focus=comment-${made['comment_id']}`)
  assert.is((focused['focused'] as Fields)['id'], made['comment_id'])
  assert.equal(
    (focused['threads'] as Fields[]).map(({ id }) => id),
    [made['thread_id']],
  )
  const page = await read(`?thread_id=${made['thread_id']}&resolved=false`)
  assert.equal(
    (page['comments'] as Fields[]).map(({ id }) => id),
    [made['comment_id']],
  )
})

test('§2.5 tombstones: the comment, by whom and when, the latest first, page by page', async () => {
  const { say, ask } = await scene('# A\n\nOne.\n')
  for (let n = 0; n < 3; n++) {
    const { comment_id: id } = await say({ quote: 'One.', text: `t${n}` })
    await ask('DELETE', `/comments/${id}`)
  }
  const { comments, next_cursor: next } = (await ask('GET', '/tombstones?limit=2')).json
  const [first] = comments as Fields[]
  assert.equal(fieldsOf(first), ['at', 'by', 'deleted_at', 'deleted_by', 'id', 'text', 'thread_id'])
  assert.is(first?.['deleted_by'], first?.['by'])
  const more = (await ask('GET', `/tombstones?limit=2&cursor=${next}`)).json
  assert.equal(
    [...(comments as Fields[]), ...(more['comments'] as Fields[])].map(({ text }) => text),
    ['t2', 't1', 't0'],
  )
  assert.is(more['next_cursor'], null)
  assert.is(said(await ask('GET', '/tombstones?cursor=none')), '400 INVALID_REQUEST')
})

test('§2.5 reactions: each sentiment of the list and no other; the same again is no revision', async () => {
  const { say, done, post, ask, revision } = await scene('# A\n\nOne.\n')
  const { comment_id: cid } = await say({ quote: 'One.', text: 'x' })
  for (const sentiment of ['excited', 'grateful', 'curious', 'surprised', 'uneasy']) {
    const given = await done(`comments/${cid}/sentiments`, { sentiment })
    assert.equal(fieldsOf(given), ['actor_id', 'comment_id', 'revision', 'sentiment'])
    assert.is(given['sentiment'], sentiment)
  }
  const wrong = await post(`comments/${cid}/sentiments`, { sentiment: 'angry' })
  assert.is(said(wrong), '400 INVALID_REQUEST')
  const before = await revision()
  await done(`comments/${cid}/sentiments`, { sentiment: 'uneasy' })
  assert.is(await revision(), before)
  const given = await done(`comments/${cid}/plusones`)
  assert.equal(fieldsOf(given), ['actor_id', 'comment_id', 'revision'])
  assert.equal(await done(`comments/${cid}/plusones`), given)
  const own = encodeURIComponent(String(given['actor_id']))
  for (const kind of ['sentiments', 'plusones']) {
    const taken = await ask('DELETE', `/comments/${cid}/${kind}/${own}`)
    assert.equal(fieldsOf(taken.json), ['actor_id', 'comment_id', 'deleted', 'revision'])
    const again = await ask('DELETE', `/comments/${cid}/${kind}/${own}`)
    assert.is(said(again), '404 NOT_FOUND')
  }
})

test.run()
