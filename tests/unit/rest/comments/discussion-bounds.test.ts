/** What is said of much text costs what is sent: in the store, in answers, and kept for retries. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../service.ts'
import { discussed, type Fields, type Segment, said } from './discussion-scene.ts'

const service = await startService()
test.after(() => service.close())

const lines = Array.from({ length: 4_000 }, (_, n) => `Line ${n} ${'word '.repeat(40)}end.`)
const long = `${lines.join('\n\n')}\n`

/** Bytes of all that is kept of threads, and of answers for retries. */
async function keptBytes(): Promise<number> {
  let bytes = 0
  for await (const { key, value } of service.store.scan({ gte: '', lt: '~' })) {
    if (key.includes('/thread/') || key.startsWith('idempotency/')) bytes += value.length
  }
  return bytes
}

test('words named by their ends are as long as what stands between', async () => {
  const { post, read, say } = await discussed(service, long)
  const blocks = (await read())['content_blocks'] as { id: string }[]
  const [first, second, last] = [blocks[0]?.id, blocks[1]?.id, blocks.at(-1)?.id]
  const from = { block_id: first, offset: 5 }
  const begin = `${lines[0]?.slice(5)}\n`
  const place = { from, to: { block_id: last, offset: 4 }, words: `${begin}Line` }
  assert.is(said(await post('comments', { place, text: 'x' })), '409 NOT_FOUND')
  const near = { from, to: { block_id: second, offset: 4 }, words: `${begin}Line` }
  assert.is((await say({ place: near, text: 'x' }))['thread_id'] !== undefined, true)
})

test('what stands in a large block is not proposed anew as a whole', async () => {
  const { post, read, revision } = await discussed(
    service,
    `\`\`\`\n${'x'.repeat(300_000)}\n\`\`\`\n`,
  )
  const [block] = (await read())['content_blocks'] as { id: string }[]
  const body = { block_id: block?.id, suggestion: { new_string: '```\nx\n```' } }
  const refused = await post('comments', { ...body, expected_revision: await revision() })
  assert.is(said(refused), '413 PAYLOAD_TOO_LARGE')
})

test('answers about a large block, or to one about many words, are kept small', async () => {
  const { say, slug, token, read } = await discussed(service, long)
  const quote = long.slice(0, 60_000)
  const proposed = { quote, suggestion: { new_string: 'All.' } }
  const root = await say(proposed)
  assert.is((root['anchor'] as Fields)['quote'], quote, 'as it was sent')
  const before = await keptBytes()
  const body = { reply_to: root['comment_id'], text: 'x' }
  for (let n = 0; n < 20; n++) {
    const answered = await service.call('POST', `/docs/${slug}/comments`, {
      token,
      body,
      headers: { 'Idempotency-Key': `bounds-${slug}-${n}` },
    })
    assert.is(answered.status, 201, answered.text)
    assert.ok(answered.text.length < 40_000, `${answered.text.length}`)
    const { segments } = answered.json['anchor'] as { segments: Segment[] }
    for (const { start_offset: from, end_offset: to, quote: slice } of segments) {
      assert.is(slice.length, to - from)
    }
  }
  const each = ((await keptBytes()) - before) / 20
  assert.ok(each < 40_000, `${each} bytes a reply`)
  assert.is(((await read())['threads'] as Fields[]).length, 1)
})

test('§4.6 words in two blocks are not said to be in one where only their beginning is told', async () => {
  const [one, two] = ['a'.repeat(9_000), 'b'.repeat(9_000)]
  const { say } = await discussed(service, `${one}\n\n${two}\n`)
  const root = await say({ quote: `${one}\n\n${two}`, suggestion: { new_string: 'All.' } })
  const reply = await say({ reply_to: root['comment_id'], text: 'y' })
  assert.is((reply['anchor'] as { segments: Segment[] }).segments.length, 1)
  assert.equal([root['anchor_block_id'], reply['anchor_block_id']], [undefined, undefined])
})

test.run()
