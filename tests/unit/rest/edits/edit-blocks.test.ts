/** Edits that name blocks, over HTTP (interface §4.5, §7, §9.4). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

async function made(markdown: string) {
  const { slug, token } = await service.create(markdown, 'Ada')
  const patch = (edits: readonly unknown[], base = 1) =>
    service.call('PATCH', `/docs/${slug}`, { token, body: { edits, base_revision: base } })
  const read = await service.call('GET', `/docs/${slug}`)
  const ids = (read.json['content_blocks'] as { id: string }[]).map(({ id }) => id)
  return { patch, ids }
}

test('§9.4 blk_ ids are answered with Deprecation: block_id', async () => {
  const { patch, ids } = await made('one\n\ntwo\n')
  const { status, json, headers } = await patch([{ delete_block: 'blk_1' }])
  assert.equal([status, json['markdown'], headers['deprecation']], [200, 'one\n', 'block_id'])
  const durable = await patch([{ new_string: 'x', after_block: ids[0] }], 2)
  assert.is(durable.headers['deprecation'], undefined)
  const missing = await patch([{ delete_block: 'blk_9' }], 3)
  assert.equal([missing.status, missing.json['code']], [409, 'BLOCK_NOT_FOUND'])
  assert.is(missing.headers['deprecation'], 'block_id')
})

const table = '| a | b |\n| --- | --- |\n| c | d |\n'

test('§4.5 blocks are inserted before and after a table by every form', async () => {
  const forms: [string, (id: string | undefined) => object, string][] = [
    ['after null', () => ({ after: null, new_string: 'x\n\n' }), `x\n\n${table}`],
    ['before null', () => ({ before: null, new_string: '\n\nx' }), `${table}\nx\n`],
    ['after_block null', () => ({ after_block: null, new_string: 'x' }), `x\n\n${table}`],
    ['before_block null', () => ({ before_block: null, new_string: 'x' }), `${table}\nx\n`],
    ['after_block', (id) => ({ after_block: id, new_string: 'x' }), `${table}\nx\n`],
    ['before_block', (id) => ({ before_block: id, new_string: 'x' }), `x\n\n${table}`],
    ['after', () => ({ after: '| c | d |', new_string: '\n\nx' }), `${table}\nx\n`],
    ['before', () => ({ before: '| a | b |', new_string: 'x\n\n' }), `x\n\n${table}`],
  ]
  for (const [name, form, wanted] of forms) {
    const { patch, ids } = await made(table)
    const { status, json, text } = await patch([form(ids[0])])
    assert.is(status, 200, `${name}: ${text}`)
    assert.is(json['markdown'], wanted, name)
  }
  const quoted = table.replace(/^/gm, '> ').replace(/> $/, '')
  const { patch } = await made(quoted)
  const within = await patch([{ after: '| c | d |', new_string: '\n>\n> x' }])
  assert.is(within.json['markdown'], `${quoted}>\n> x\n`, within.text)
  const first = await patch([{ before: '| a | b |', new_string: 'y\n>\n> ' }], 2)
  assert.is(first.json['markdown'], `> y\n>\n${quoted}>\n> x\n`, first.text)
  const other = await made(quoted)
  const behind = await other.patch([{ after: '| c | d |', new_string: '\n\nx' }])
  assert.is(behind.json['markdown'], `${quoted}\nx\n`, behind.text)
})

test('§4.5 lines between the rows of a table, or in a cell, are INVALID_MARKDOWN', async () => {
  for (const edit of [
    { after: '| a | b |', new_string: '\n\nx' },
    { before: '| c | d |', new_string: 'x\n\n' },
    { after: '| c | d |', new_string: '\nx' },
    { before: '| a | b |', new_string: 'x\n' },
    { after: '| c', new_string: '\n\nx' },
    { old_string: 'c', new_string: 'c\n\nx' },
  ]) {
    const { patch } = await made(table)
    const { status, json } = await patch([edit])
    const said = JSON.stringify(edit)
    assert.equal([status, json['code']], [422, 'INVALID_MARKDOWN'], said)
  }
})

test('§9.4 every refusal of a body with blk_ ids says so, whatever it is for', async () => {
  const { patch, ids } = await made('one\n\ntwo\n')
  const edit = { delete_block: 'blk_1' }
  const both = { ...edit, new_string: 'x' }
  const answers = [
    await patch([edit], 9),
    await patch([{ move_block: ids[0], after_block: 'blk_7' }]),
    await patch([both]),
    await patch([{ new_string: '<b>x</b>', after_block: 'blk_0' }]),
  ]
  for (const { status, headers } of answers) {
    assert.ok(status >= 400, String(status))
    assert.is(headers['deprecation'], 'block_id')
  }
  const durable = await patch([{ delete_block: ids[1] }], 9)
  assert.equal([durable.status, durable.headers['deprecation']], [409, undefined])
})

test('§7 BLOCK_TOMBSTONED says where to retry, and there it works', async () => {
  const { patch, ids } = await made('one\n\ntwo\n\nthree\n')
  await patch([{ delete_block: ids[1] }])
  const { status, json } = await patch([{ new_string: 'x', before_block: ids[1] }], 2)
  assert.equal([status, json['code']], [409, 'BLOCK_TOMBSTONED'])
  assert.is(json['markdown'], 'one\n\nthree\n')
  const tombstone = json['tombstone'] as Record<string, unknown>
  assert.is(tombstone['deleted_at_revision'], 2)
  assert.is(tombstone['nearest_survivor_relation'], 'after')
  const edit = { new_string: 'x', after_block: tombstone['nearest_survivor_id'] }
  assert.is((await patch([edit], 2)).json['markdown'], 'one\n\nx\n\nthree\n')
})

test('§7 BLOCK_ID_NOT_FOUND is 404 for one edit and per edit in a batch', async () => {
  const { patch, ids } = await made('one\n')
  const gone = { delete_block: 'bid_0000000000000000' }
  const alone = await patch([gone])
  assert.equal([alone.status, alone.json['code']], [404, 'BLOCK_ID_NOT_FOUND'])
  const { status, json } = await patch([gone, { new_string: 'two', after_block: ids[0] }])
  assert.equal([status, json['failed_edit_indexes']], [200, [0]])
  assert.is(json['sequential_reconcile'], true)
})

test('§4.5 a moved block keeps its id', async () => {
  const { patch, ids } = await made('one\n\ntwo\n')
  const { json } = await patch([{ move_block: ids[0], before_block: null }])
  assert.is(json['markdown'], 'two\n\none\n')
  const again = await patch([{ move_block: ids[0], after_block: null }], 2)
  assert.is(again.json['markdown'], 'one\n\ntwo\n')
})

test.run()
