/** What planned edits do to anchors: blocks that are gone, blocks that say something else. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { anchorEffect } from '../../../core/documents/edits/plan/anchor-effect.ts'
import { bid, type Item, plan, textOf } from './edits-planning.ts'

function effect(markdown: string, items: Item | readonly Item[]) {
  const { gone, changed } = anchorEffect(textOf(markdown), plan(markdown, items).operations)
  return { gone: [...gone], changed: Object.fromEntries(changed) }
}

test('a word changes its block and the blocks that hold it', () => {
  assert.equal(effect('- a\n- b\n\nend\n', { old_string: 'a', new_string: 'A' }), {
    gone: [],
    changed: {
      [bid(0)]: { before: '- a\n- b', after: '- A\n- b' },
      [bid(1)]: { before: '- a', after: '- A' },
      [bid(2)]: { before: 'a', after: 'A' },
    },
  })
})

test('a deleted block is gone, a moved one is not', () => {
  assert.equal(effect('a\n\nb\n\nc\n', { delete_block: bid(1) }), { gone: [bid(1)], changed: {} })
  const moved = { move_block: bid(0), after_block: bid(2) }
  assert.equal(effect('a\n\nb\n\nc\n', moved), { gone: [], changed: {} })
})

test('a block that a new document moves, wraps or converts is not gone', () => {
  const now = 'three words\n\n# one words\n\n- two words\n'
  const whole = { replace_document: now }
  assert.equal(effect('one words\n\ntwo words\n\nthree words\n', whole), {
    gone: [],
    changed: { [bid(0)]: { before: 'one words', after: '# one words' } },
  })
})

test('a later edit of the same request can name a block that an earlier one moved', () => {
  const items = [{ old_string: 'two words', new_string: '- two words' }, { delete_block: bid(1) }]
  assert.equal(effect('one\n\ntwo words\n', items), { gone: [bid(1)], changed: {} })
})

test('a batch counts as a whole: what it makes and takes away again was never there', () => {
  const items = [
    { new_string: 'x', after_block: bid(0) },
    { old_string: 'a', new_string: 'A' },
    { old_string: 'A', new_string: 'a' },
    { old_string: 'b', new_string: 'B' },
  ]
  const changed = { [bid(1)]: { before: 'b', after: 'B' } }
  assert.equal(effect('a\n\nb\n', items), { gone: [], changed })
})

test('many touched blocks are found in one walk', () => {
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`)
  const next = lines.map((line, index) => (index % 2 === 0 ? `${line}!` : line)).slice(0, -1)
  const { gone, changed } = effect(`${lines.join('\n\n')}\n`, {
    replace_document: next.join('\n\n'),
  })
  assert.equal(gone, [bid(299)])
  assert.is(Object.keys(changed).length, 150)
})

test.run()
