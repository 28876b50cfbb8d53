/** GET /docs/:slug/blocks/:bid (interface §4.11, extensions §4) over real sockets. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { observing, silentPeer } from '../../../silent-peers.ts'
import { type Answered, type Created, startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

interface Block {
  readonly id: string | null
  readonly range: { readonly from: number; readonly to: number }
  readonly quote: string
}

const text =
  '# Title\n\nFirst.\n\n- one\n- two\n\n  - deep\n\n| a | b |\n| --- | --- |\n| c | d |\n'

async function blocksOf({ slug, token }: Created): Promise<readonly Block[]> {
  const { json } = await service.call('GET', `/docs/${slug}?include=block_quotes`, { token })
  return json['content_blocks'] as Block[]
}

const find = ({ slug, token }: Created, id: string): Promise<Answered> =>
  service.call('GET', `/docs/${slug}/blocks/${id}`, { token })

async function edit({ slug, token }: Created, oldString: string, newString: string) {
  const body = { edits: [{ old_string: oldString, new_string: newString }] }
  const answer = await service.call('PATCH', `/docs/${slug}`, { token, body })
  assert.is(answer.status, 200, answer.text)
}

/** The ids of the blocks that quote these texts. */
async function idsOf(made: Created, ...quotes: readonly string[]): Promise<string[]> {
  const blocks = await blocksOf(made)
  return quotes.map((quote) => {
    const found = blocks.find((block) => block.id !== null && block.quote === quote)
    assert.ok(found, quote)
    return String(found?.id)
  })
}

const tombstone = ({ json }: Answered) => json['tombstone'] as Record<string, unknown> | undefined

test('§4.11 every id of content_blocks resolves to its range and quote', async () => {
  const made = await service.create(text, 'Ada')
  const blocks = await blocksOf(made)
  assert.ok(blocks.length > 8)
  for (const { id, range, quote } of blocks) {
    if (id === null) continue
    const { status, json } = await find(made, id)
    assert.is(status, 200)
    const { request_id: _id, ...body } = json
    assert.equal(body, { id, revision: 1, range, quote })
  }
})

test('extensions §4: what has a null id in content_blocks is BLOCK_ID_NOT_ADDRESSABLE', async () => {
  const made = await service.create(text, 'Ada')
  const { state } = await stateOf(made)
  const named = new Set((await blocksOf(made)).map(({ id }) => id))
  const hidden = state.filter((id) => !named.has(id))
  assert.is(hidden.length, 2, 'a nested list and a header row')
  for (const id of hidden) {
    const { json, status } = await find(made, id)
    assert.is(`${status} ${json['code']}`, '409 BLOCK_ID_NOT_ADDRESSABLE')
  }
})

/** Every block id that the document has, addressable or not, as a live editor sees them. */
async function stateOf({ slug }: Created): Promise<{ state: readonly string[] }> {
  const session = await service.documents.connect(slug as never, observing, silentPeer)
  const update = Buffer.from(await session.answerStep1(new Uint8Array([0])))
  session.leave()
  return { state: [...new Set(update.toString('latin1').match(/bid_[0-9a-z]{16}/g) ?? [])] }
}

test('§4.11 a deleted block resolves to a tombstone with its nearest survivor', async () => {
  const made = await service.create('a\n\nb\n\nc\n\nd\n', 'Ada')
  const [a, b, c, d] = await idsOf(made, 'a', 'b', 'c', 'd')
  await edit(made, 'c\n\n', '')
  assert.equal(tombstone(await find(made, String(c))), {
    deleted_at_revision: 2,
    nearest_survivor_id: b,
    nearest_survivor_relation: 'after',
  })
  await edit(made, 'b\n\n', '')
  await edit(made, 'a\n\n', '')
  for (const [id, at] of [
    [c, 2],
    [b, 3],
    [a, 4],
  ]) {
    const answer = await find(made, String(id))
    assert.is(answer.status, 200)
    assert.is(answer.json['revision'], 4)
    assert.is(answer.json['range'], undefined)
    assert.equal(tombstone(answer), {
      deleted_at_revision: at,
      nearest_survivor_id: d,
      nearest_survivor_relation: 'before',
    })
  }
})

test('§7 unknown and malformed ids, and the deprecated ones, are 404 BLOCK_ID_NOT_FOUND', async () => {
  const made = await service.create('a\n', 'Ada')
  const ids = ['bid_0000000000000000', 'bid_', 'bid_x', 'blk_0', 'x', 'BID_0000000000000000']
  for (const id of [...ids, '%00', 'a%2Fb', '__proto__', 'x'.repeat(2000)]) {
    const { status, json } = await find(made, id)
    assert.is(`${status} ${json['code']}`, '404 BLOCK_ID_NOT_FOUND', id)
  }
})

test('a viewer reads it without a credential, and a query is refused', async () => {
  const made = await service.create('a\n', 'Ada')
  const [a] = await idsOf(made, 'a')
  assert.is((await service.call('GET', `/docs/${made.slug}/blocks/${a}`)).status, 200)
  const asked = await service.call('GET', `/docs/${made.slug}/blocks/${a}?x=1`)
  assert.is(asked.json['code'], 'INVALID_REQUEST')
  const gone = await service.call('GET', `/docs/${'0'.repeat(20)}/blocks/${a}`)
  assert.is(gone.json['code'], 'DOC_NOT_FOUND')
})

test.run()
