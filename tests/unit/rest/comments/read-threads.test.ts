/** Extensions §13: threads without the text, and comments on words by where they are. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ThreadsAnswer } from '../../../../schema/wire/threads.ts'
import { Browser } from '../browser.ts'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

async function scene(markdown: string) {
  const browser = new Browser(service)
  await browser.call('POST', '/auth/guest', { body: { name: 'Ada' } })
  const made = await browser.call('POST', '/docs', { body: { markdown } })
  const at = `/docs/${String(made.json['id'])}`
  const call = async (method: string, path: string, body?: unknown) =>
    browser.call(method, `${at}${path}`, body === undefined ? {} : { body })
  const comment = async (body: Record<string, unknown>) => {
    const { json, status, text } = await call('POST', '/comments', body)
    assert.is(status, 201, text)
    return { id: String(json['comment_id']), thread: String(json['thread_id']), json }
  }
  const threads = async (query = '') =>
    (await call('GET', `/threads${query}`)).json as unknown as ThreadsAnswer
  const blocks = (await call('GET', '')).json['content_blocks'] as { id: string }[]
  return { call, comment, threads, blocks: blocks.map(({ id }) => id) }
}

test('each thread says where its words are; of a whole block and an orphan there is no place', async () => {
  const { call, comment, threads, blocks } = await scene('At **noon** then.\n\nGone.\n')
  const [block = ''] = blocks
  const said = await comment({ quote: '**noon**', text: 'Why?' })
  await comment({ block_id: block, text: 'All of it.' })
  const lost = await comment({ quote: 'Gone', text: 'Hm.' })
  const edits = [{ old_string: 'Gone.', new_string: 'Other.' }]
  const outcomes = [{ id: lost.id, action: 'keep' }]
  const { revision } = await threads()
  const base = { base_revision: revision }
  const edited = await call('PATCH', '', { ...base, edits, comment_outcomes: outcomes })
  assert.is(edited.status, 200, edited.text)
  const answer = await threads()
  assert.equal(
    answer.threads.map(({ place, orphaned }) => [place, orphaned]),
    [
      [null, true],
      [null, false],
      [
        { from: { block_id: block, offset: 3 }, to: { block_id: block, offset: 7 }, words: 'noon' },
        false,
      ],
    ],
  )
  assert.equal(
    (await threads(`?ids=${said.thread},thr_gone`)).threads.map(({ id }) => id),
    [said.thread],
  )
})

test('by ids and by a comment resolved ones are there too, else the open ones', async () => {
  const { call, comment, threads } = await scene('One two.\n')
  const one = await comment({ quote: 'One', text: 'a' })
  const two = await comment({ quote: 'two', text: 'b' })
  await call('POST', `/threads/${one.thread}/resolve`, { text: 'Done.' })
  const ids = async (query: string) => (await threads(query)).threads.map(({ id }) => id)
  assert.equal(await ids(''), [two.thread])
  assert.equal(await ids('?resolved=all'), [two.thread, one.thread])
  assert.equal(await ids(`?ids=${one.thread}`), [one.thread])
  assert.equal(await ids(`?focus=comment-${one.id}`), [one.thread])
})

test('what the caller has muted is said to the caller', async () => {
  const { call, comment, threads } = await scene('One two.\n')
  const one = await comment({ quote: 'One', text: 'a' })
  assert.equal([(await threads()).muted, (await threads()).threads[0]?.muted], [false, undefined])
  await call('PUT', `/threads/${one.thread}/mute`, { muted: true })
  await call('PUT', '/mute', { muted: true })
  assert.equal([(await threads()).muted, (await threads()).threads[0]?.muted], [true, true])
})

test('pages follow each other with their filters', async () => {
  const { call, comment, threads } = await scene('One.\n')
  for (let n = 0; n < 12; n++) await comment({ quote: 'One', text: `${n} ${'x'.repeat(12_000)}` })
  const seen: string[] = []
  let answer = await threads('?resolved=all')
  for (;;) {
    seen.push(...answer.threads.map(({ id }) => id))
    const { next } = answer.threads_info
    if (next === null) break
    assert.match(next, /\/threads\?resolved=all&cursor=t\d+$/)
    answer = (await call('GET', next.replace(/^\/docs\/[^/]+/, '')))
      .json as unknown as typeof answer
  }
  assert.is(new Set(seen).size, 12)
  assert.is(seen.length, 12)
})

const placed = (block: string, offset: number, words: string) => ({
  from: { block_id: block, offset },
  to: { block_id: block, offset: offset + words.length },
  words,
})

test('words that stand there twice are commented on by their place', async () => {
  const { comment, threads, blocks } = await scene('the one and the other\n')
  const [block = ''] = blocks
  const { json } = await comment({ place: placed(block, 12, 'the'), text: 'Which?' })
  assert.is(json['anchor_block_id'], block)
  const [thread] = (await threads()).threads
  assert.equal([thread?.place, thread?.quote], [placed(block, 12, 'the'), 'the'])
  assert.equal(thread?.range, { from: 12, to: 15 })
})

test('pushed along they are found; a suggestion there is accepted there', async () => {
  const { call, comment, threads, blocks } = await scene('the one and the *other*\n')
  const [block = ''] = blocks
  const suggestion = { new_string: 'that' }
  const { id } = await comment({ place: placed(block, 11, 'the'), suggestion })
  assert.is((await threads()).threads[0]?.place?.from.offset, 12)
  assert.is((await call('POST', `/comments/${id}/accept`)).status, 200)
  assert.is((await call('GET', '')).json['markdown'], 'the one and that *other*\n')
})

test('over several blocks both ends count', async () => {
  const { comment, threads, blocks } = await scene('One two.\n\nThree four.\n')
  const [first = '', second = ''] = blocks
  const ends = { from: { block_id: first, offset: 4 }, to: { block_id: second, offset: 5 } }
  await comment({ place: { ...ends, words: 'two.\nThree' }, text: 'Both.' })
  const [thread] = (await threads()).threads
  assert.is(thread?.quote, 'two.\n\nThree')
  assert.equal(thread?.place, { ...ends, words: 'two.\nThree' })
})

test('other words, a block that is gone, and two targets at once are refused', async () => {
  const { call, blocks } = await scene('One two.\n')
  const [block = ''] = blocks
  const code = async (body: Record<string, unknown>) => {
    const { status, json } = await call('POST', '/comments', { text: 'x', ...body })
    return `${status} ${String(json['code'])}`
  }
  assert.is(await code({ place: placed(block, 0, 'Six') }), '409 NOT_FOUND')
  assert.is(await code({ place: placed('bid_gone', 0, 'One') }), '409 NOT_FOUND')
  assert.is(await code({ place: placed(block, 0, '') }), '409 NOT_FOUND')
  const both = { place: placed(block, 0, 'One'), quote: 'One' }
  assert.is(await code(both), '400 INVALID_REQUEST')
})

test.run()
