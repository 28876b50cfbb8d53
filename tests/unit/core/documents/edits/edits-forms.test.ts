/** Every form of edit but the plain replacement (interface §4.5): one case a rule. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Refusal } from '../../../../../schema/errors.ts'
import type { BlockId } from '../../../../../schema/ids.ts'
import type { DocumentText } from '../../../../../schema/markdown/document-text.ts'
import { bid, current, ids, plan, refused, result, stale, textOf } from './edits-planning.ts'

test('§4.5 anchor insert: lands on the line of its anchor', () => {
  assert.is(
    result('one two\n\nend\n', { new_string: ' and', after: 'one' }),
    'one and two\n\nend\n',
  )
  assert.is(result('one two\n', { new_string: 'and ', before: 'two' }), 'one and two\n')
  const made = result('one two\n\nend\n', { new_string: '\n\nnew', after: 'one two' })
  assert.is(made, 'one two\n\nnew\n\nend\n')
})

test('§4.5 anchor insert: null is the start and the end of the document', () => {
  assert.is(result('one\n', { new_string: 'zero\n\n', after: null }), 'zero\n\none\n')
  assert.is(result('one\n', { new_string: '\n\ntwo', before: null }), 'one\n\ntwo\n')
  for (const end of [{ after: null }, { before: null }, { after: null, before: null }]) {
    assert.is(result('', { new_string: 'one', ...end }), 'one\n')
  }
  refused('EDIT_INTENT_AMBIGUOUS', 'one\n', { new_string: 'x', after: null, before: null })
})

test('§4.5 anchor insert: the start is behind front matter', () => {
  const head = '---\ntitle: x\n---\n'
  assert.is(
    result(`${head}\none\n`, { new_string: 'new\n\n', after: null }),
    `${head}\nnew\n\none\n`,
  )
  assert.is(result(head, { new_string: '\n\nnew', after: null }), `${head}\nnew\n`)
})

test('§4.5 anchor insert: of two anchors each may tell the other apart', () => {
  const markdown = '- x\n- a\n- x\n- b\n'
  assert.is(
    result(markdown, { new_string: '\n- new', after: '- x', before: '- b' }),
    '- x\n- a\n- x\n- new\n- b\n',
  )
  assert.is(result('a b c\n', { new_string: '!', after: 'a', before: 'c' }), 'a! b c\n')
  assert.is(result('a b\n', { new_string: '! ', after: null, before: 'b' }), 'a ! b\n')
  assert.is(result('a b\n', { new_string: '!', after: 'a', before: null }), 'a! b\n')
})

test('§7 ANCHOR_NOT_FOUND, with a stale base EDIT_NOT_FOUND', () => {
  for (const side of ['after', 'before']) {
    refused('ANCHOR_NOT_FOUND', 'one\n', { new_string: 'x', [side]: 'two' })
    refused('EDIT_NOT_FOUND', 'one\n', { new_string: 'x', [side]: 'two' }, stale)
  }
  refused('ANCHOR_NOT_FOUND', 'one\n', { new_string: 'x', after: 'one', before: 'two' })
})

test('§7 ANCHOR_AMBIGUOUS: occurrences and snippets at offsets of the markdown', () => {
  for (const given of [current, stale]) {
    const details = refused('ANCHOR_AMBIGUOUS', 'a a\n', { new_string: 'x', after: 'a' }, given)
    assert.is(details['occurrences'], 2)
    assert.equal(
      (details['snippets'] as { offset: number }[]).map(({ offset }) => offset),
      [0, 2],
    )
  }
  refused('ANCHOR_AMBIGUOUS', 'a b a b\n', { new_string: 'x', after: 'a', before: 'b' })
})

test('§7 ANCHOR_ORDER_INVALID', () => {
  refused('ANCHOR_ORDER_INVALID', 'a b\n', { new_string: 'x', after: 'b', before: 'a' })
})

test('§4.5 anchor insert: what corrupts the structure is INVALID_MARKDOWN', () => {
  const open = { new_string: '\n\n```\nopen', after: 'one' }
  refused('INVALID_MARKDOWN', 'one\n\ntwo\n\nthree\n', open)
  refused('INVALID_MARKDOWN', '| a |\n| --- |\n| b |\n', { new_string: '\n\nx', after: 'b' })
  refused('INVALID_MARKDOWN', 'one\n', { new_string: ' <b>x</b>', after: 'one' })
})

test('§4.5 block insert: words equal to a neighbour’s are an insert like any other', () => {
  const kinds = ['same', '# same', '> same', '---', '```\nsame\n```', '| a |\n| --- |\n| b |']
  const others = ['one', '# one', '---', '> same', 'same']
  for (const words of kinds) {
    for (const other of others) {
      for (const blocks of [[words], [words, other], [other, words], [words, words, other]]) {
        insertedEqual(blocks, [words])
        insertedEqual(blocks, [words, other])
        insertedEqual(blocks, [other, words])
      }
    }
  }
})

/** Beside each block, both sides: the new ones stand where they were meant to, the old keep ids. */
function insertedEqual(blocks: readonly string[], words: readonly string[]): void {
  const markdown = textOf(blocks.join('\n\n')).toString()
  const before = topIds(textOf(markdown))
  for (const [index, id] of before.entries()) {
    for (const side of ['before_block', 'after_block']) {
      const at = side === 'before_block' ? index : index + 1
      const made = plan(markdown, { new_string: words.join('\n\n'), [side]: id })
      // A rule that the text began with is written with stars, wherever it stands from then on.
      const written = markdown.trimEnd().split('\n\n')
      const expected = textOf(written.toSpliced(at, 0, ...words).join('\n\n')).toString()
      const told = JSON.stringify([blocks, words, side, index])
      assert.is(made.text.toString(), expected, told)
      const nulls = words.map(() => null)
      assert.equal(topIds(made.text), before.toSpliced(at, 0, ...nulls), told)
    }
  }
}

const topIds = (text: DocumentText): (string | null)[] =>
  Array.from({ length: text.blockCount }, (_, at) => text.node(at).attrs['id'] ?? null)

test('§4.5 block insert: beside top-level blocks', () => {
  const markdown = 'one\n\ntwo\n'
  assert.is(result(markdown, { new_string: 'x', after_block: bid(0) }), 'one\n\nx\n\ntwo\n')
  assert.is(result(markdown, { new_string: '# x', before_block: bid(0) }), '# x\n\none\n\ntwo\n')
  assert.is(
    result(markdown, { new_string: 'x\n\ny', after_block: bid(1) }),
    'one\n\ntwo\n\nx\n\ny\n',
  )
  assert.is(result(markdown, { new_string: '\n\nx\n', after_block: null }), 'x\n\none\n\ntwo\n')
  assert.is(result(markdown, { new_string: 'x', before_block: null }), 'one\n\ntwo\n\nx\n')
  assert.is(result('', { new_string: 'x', after_block: null }), 'x\n')
  assert.is(plan(markdown, { new_string: ' \n', after_block: bid(0) }).operations.length, 0)
})

test('§4.5 block insert: between two blocks, in order', () => {
  const edit = { new_string: 'x', after_block: bid(0), before_block: bid(1) }
  assert.is(result('one\n\ntwo\n', edit), 'one\n\nx\n\ntwo\n')
  const turned = { new_string: 'x', after_block: bid(1), before_block: bid(0) }
  refused('BLOCK_ORDER_INVALID', 'one\n\ntwo\n', turned)
})

test('§4.5 block insert: neighbours keep their ids and their text', () => {
  const made = plan('one\n\n- a\n- b\n\ntwo\n', { new_string: 'x', after_block: bid(0) })
  assert.equal(ids(made).slice(0, 2), [bid(0), null])
  assert.equal(ids(made).slice(2), [1, 2, 3, 4, 5, 6].map(bid))
})

test('§4.5 block insert: beside list items only items', () => {
  const markdown = '- a\n- b\n'
  // The list is 0, its items 1 and 3.
  assert.is(result(markdown, { new_string: '- x', after_block: bid(1) }), '- a\n- x\n- b\n')
  assert.is(
    result(markdown, { new_string: '- x\n- y', before_block: bid(1) }),
    '- x\n- y\n- a\n- b\n',
  )
  for (const other of ['x', '1. x', '- x\n\ny']) {
    refused('AMBIGUOUS_STRUCTURE', markdown, { new_string: other, after_block: bid(1) })
  }
  refused('INVALID_MARKDOWN', markdown, { new_string: '- <b>x</b>', after_block: bid(1) })
})

test('§4.5 block insert: beside table rows only rows, none of them too wide', () => {
  const markdown = '> | a | b |\n> | --- | --- |\n> | c | d |\n'
  const text = textOf(markdown)
  const rows = [...text.blocks()].filter(({ type }) => type === 'table_row')
  const [header, row] = rows
  const made = result(markdown, { new_string: '| x | y |\n| z |', after_block: row?.id })
  assert.is(made, `${markdown}> | x | y |\n> | z | |\n`)
  const before = result(markdown, { new_string: '| x | y |', before_block: row?.id })
  assert.is(before, '> | a | b |\n> | --- | --- |\n> | x | y |\n> | c | d |\n')
  refused('AMBIGUOUS_STRUCTURE', markdown, { new_string: 'x', after_block: row?.id })
  refused('INVALID_MARKDOWN', markdown, { new_string: '| x | y | z |', after_block: row?.id })
  refused('BLOCK_ID_NOT_ADDRESSABLE', markdown, { new_string: '| x |', after_block: header?.id })
})

test('§4.5 block insert: inside a quote, a list item', () => {
  assert.is(
    result('> a\n>\n> b\n', { new_string: '# x', after_block: bid(1) }),
    '> a\n>\n> # x\n>\n> b\n',
  )
  const made = result('- a\n- b\n', { new_string: '> x', after_block: bid(2) })
  assert.is(made, '- a\n  > x\n- b\n')
})

test('§4.5 block insert: a list joins the list beside it', () => {
  const made = plan('- a\n\nend\n', { new_string: '- x', after_block: bid(0) })
  assert.is(made.text.blockCount, 2)
  assert.is(made.text.node(0).childCount, 2)
  refused('AMBIGUOUS_STRUCTURE', '- a\n\nend\n', { new_string: '    x', after_block: bid(0) })
})

test('§4.5 delete_block: a top-level one, an item, a row, the last thing in a holder', () => {
  assert.is(result('one\n\ntwo\n', { delete_block: bid(0) }), 'two\n')
  assert.is(result('one\n', { delete_block: bid(0) }), '')
  assert.is(result('- a\n- b\n- c\n', { delete_block: bid(3) }), '- a\n- c\n')
  assert.is(result('> a\n\nend\n', { delete_block: bid(1) }), 'end\n')
  assert.is(result('- a\n\nend\n', { delete_block: bid(1) }), 'end\n')
  const table = '| a |\n| --- |\n| b |\n| c |\n'
  assert.is(result(table, { delete_block: bid(2) }), '| a |\n| --- |\n| c |\n')
})

test('§7 BLOCK_ID_NOT_FOUND is 404 for one edit, BLOCK_TOMBSTONED tells where to go', () => {
  for (const edit of [
    { delete_block: bid(9) },
    { delete_block: 'nonsense' },
    { move_block: bid(9), after_block: null },
    { move_block: bid(0), after_block: bid(9) },
    { new_string: 'x', before_block: bid(9) },
  ]) {
    refused('BLOCK_ID_NOT_FOUND', 'one\n', edit)
    const tombstones = {
      resolve: (id: BlockId) =>
        id === bid(9) || id === bid(8)
          ? { deletedAtRevision: 4, survivor: bid(0), relation: 'after' as const }
          : undefined,
    }
    if (JSON.stringify(edit).includes('nonsense')) continue
    const details = refused('BLOCK_TOMBSTONED', 'one\n', edit, { tombstones })
    assert.equal(details['tombstone'], {
      nearest_survivor_id: bid(0),
      nearest_survivor_relation: 'after',
      deleted_at_revision: 4,
    })
  }
  assert.is(new Refusal('BLOCK_ID_NOT_FOUND').status, 404)
  assert.is(new Refusal('BLOCK_TOMBSTONED').status, 409)
})

test('§7 BLOCK_ID_NOT_ADDRESSABLE: nested wrappers', () => {
  const markdown = '- a\n  - b\n'
  const wrapper = [...textOf(markdown).blocks()].filter(({ type }) => type === 'bullet_list')[1]
  refused('BLOCK_ID_NOT_ADDRESSABLE', markdown, { delete_block: wrapper?.id })
})

test('§4.5 move_block: keeps the id, at any depth', () => {
  const made = plan('one\n\ntwo\n\nthree\n', { move_block: bid(0), after_block: bid(2) })
  assert.is(made.text.toString(), 'two\n\nthree\n\none\n')
  assert.equal(ids(made), [bid(1), bid(2), bid(0)])
  assert.is(result('one\n\ntwo\n', { move_block: bid(1), after_block: null }), 'two\n\none\n')
  assert.is(result('one\n\ntwo\n', { move_block: bid(0), before_block: null }), 'two\n\none\n')
  assert.is(
    result('- a\n- b\n- c\n', { move_block: bid(1), after_block: bid(5) }),
    '- b\n- c\n- a\n',
  )
  const across = '- a\n- b\n\nend\n\n1. c\n'
  assert.is(
    result(across, { move_block: bid(3), before_block: bid(7) }),
    '- a\n\nend\n\n1. b\n2. c\n',
  )
  assert.is(result('> a\n\nb\n', { move_block: bid(2), after_block: bid(1) }), '> a\n>\n> b\n')
  assert.is(result('> a\n\nb\n', { move_block: bid(1), after_block: bid(2) }), 'b\n\na\n')
})

test('§4.5 move_block: where it is already', () => {
  for (const to of [{ after_block: bid(0) }, { before_block: bid(2) }, { after_block: bid(1) }]) {
    assert.is(plan('a\n\nb\n\nc\n', { move_block: bid(1), ...to }).operations.length, 0)
  }
})

test('§4.5 move_block: never into itself, never where its kind cannot stand', () => {
  const list = '- a\n- b\n\nend\n'
  const details = refused('EDIT_FAILED', list, { move_block: bid(0), after_block: bid(1) })
  assert.is((details as { reason?: string }).reason, 'destination_inside_block')
  refused('UNSUPPORTED_NODE_TYPE', list, { move_block: bid(1), after_block: bid(5) })
  refused('UNSUPPORTED_NODE_TYPE', list, { move_block: bid(1), after_block: null })
  refused('UNSUPPORTED_NODE_TYPE', list, { move_block: bid(5), after_block: bid(1) })
  const headed = '---\na: b\n---\n\none\n'
  refused('UNSUPPORTED_NODE_TYPE', headed, { move_block: bid(0), after_block: bid(1) })
  refused('UNSUPPORTED_NODE_TYPE', headed, { move_block: bid(1), before_block: bid(0) })
  refused('UNSUPPORTED_NODE_TYPE', headed, { new_string: 'x', before_block: bid(0) })
  assert.is(plan(headed, { move_block: bid(1), after_block: null }).operations.length, 0)
})

test('§4.5 replace_document: only what changed is touched', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
  const next = lines.with(3, 'line three').with(30, 'line thirty').join('\n\n')
  const made = plan(`${lines.join('\n\n')}\n`, { replace_document: next })
  assert.is(made.text.toString(), `${next}\n`)
  assert.equal(
    made.operations[0]?.parts.map(({ from, to }) => [from, to]),
    [
      [3, 4],
      [30, 31],
    ],
  )
  assert.is(plan('one\n', { replace_document: 'one' }).operations.length, 0)
  assert.is(result('one\n\ntwo\n', { replace_document: '' }), '')
})

test('§4.5 replace_document: HTML may come back, not come', () => {
  const markdown = '<div>x</div>\n\none\n'
  assert.is(result(markdown, { replace_document: `new\n\n${markdown}` }), `new\n\n${markdown}`)
  refused('INVALID_MARKDOWN', 'one\n', { replace_document: 'one <b>two</b>' })
})

test('§4.5 an artifact fence stays byte for byte', () => {
  const fence = '```artifact\nid: x  \n\n\t<b>  &amp; \\* </b>\n```'
  assert.is(
    result(`one\n\n${fence}\n`, { old_string: 'one', new_string: 'two' }),
    `two\n\n${fence}\n`,
  )
  assert.is(result('one\n', { new_string: fence, before_block: null }), `one\n\n${fence}\n`)
})

test('§2.1 blk_ is the position among content_blocks of the current revision', () => {
  assert.is(result('one\n\ntwo\n', { delete_block: 'blk_1' }), 'one\n')
  const batch = [{ delete_block: 'blk_0' }, { delete_block: 'blk_1' }]
  assert.is(result('one\n\ntwo\n\nthree\n', batch), 'three\n')
  refused('BLOCK_NOT_FOUND', 'one\n', { delete_block: 'blk_1' })
  refused('BLOCK_NOT_FOUND', 'one\n', { new_string: 'x', after_block: 'blk_x' })
  refused('EDIT_STALE', 'one\n', { new_string: 'x', after_block: 'blk_0' }, stale)
})

test.run()
