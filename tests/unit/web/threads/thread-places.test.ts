/** Where the words of threads are in the page's document, and how the service is told of them. */
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import type { Place, Thread } from '../../../../web/api/threads.ts'
import { blocksOf, placeOf, plainBetween, rangeOf } from '../../../../web/threads/thread-ranges.ts'
import { withIds } from '../numbered.ts'

const doc = (markdown: string) => withIds(parseMarkdown(markdown))

const about = (place: Place | null, block: string | null = null): Thread => ({
  id: 'thr_1',
  block_id: block,
  range: { from: 0, to: 0 },
  quote: null,
  whole_block: place === null,
  orphaned: false,
  resolved: false,
  suggestions: { pending: 0, stale: 0 },
  comments: [],
  comments_info: { returned: 0, total: 0, omitted: 0, next: null },
  place,
})

/** The n-th occurrence of words, as positions. */
function found(node: Node, words: string, nth = 0): { from: number; to: number } {
  let left = nth
  let at: number | undefined
  node.descendants((child, pos) => {
    if (at !== undefined || !child.isTextblock) return at === undefined
    for (let from = 0; ; from++) {
      from = child.textContent.indexOf(words, from)
      if (from < 0) return false
      if (left-- === 0) at = pos + 1 + from
    }
  })
  if (at === undefined) throw new Error(`no ${words}`)
  return { from: at, to: at + words.length }
}

/** There and back. */
function returns(markdown: string, words: string, nth = 0): Place {
  const node = doc(markdown)
  const range = found(node, words, nth)
  const place = placeOf(node, range)
  assert.ok(place)
  const thread = about(place)
  assert.equal(rangeOf(blocksOf(node, [thread]), thread), { ...range, isBlock: false })
  return place
}

test('words in a paragraph, an item, a cell, a quote and code lead there and back', () => {
  assert.equal(returns('One two.\n', 'two'), {
    from: { block_id: 'b0', offset: 4 },
    to: { block_id: 'b0', offset: 7 },
    words: 'two',
  })
  returns('- a\n  - deep words\n', 'words')
  returns('| a | b |\n| --- | --- |\n| c | cell words |\n', 'words')
  returns('> quoted **bold** words\n', 'words')
  returns('```js\nlet words\n```\n', 'words')
})

test('of words that stand there twice the one that was meant', () => {
  assert.is(returns('the one and the other\n', 'the', 1).from.offset, 12)
})

test('blanks at the ends of a selection are not meant; nothing but blanks is nothing', () => {
  const node = doc('One  two  \n\nThree\n')
  const { from, to } = found(node, ' two')
  assert.is(placeOf(node, { from, to: to + 1 })?.words, 'two')
  assert.is(placeOf(node, { from, to: from + 1 }), undefined)
})

test('a selection over several blocks has both ends', () => {
  const node = doc('One two.\n\nThree four.\n')
  const range = { from: found(node, 'two').from, to: found(node, 'Three').to }
  const place = placeOf(node, range)
  assert.equal([place?.from.block_id, place?.to.block_id], ['b0', 'b1'])
  assert.is(place?.words, 'two.\nThree')
  const thread = about(place ?? null)
  assert.equal(rangeOf(blocksOf(node, [thread]), thread), { ...range, isBlock: false })
})

test('words that typing pushed along are found; others never stand for them', () => {
  const place = { from: { block_id: 'b0', offset: 4 }, to: { block_id: 'b0', offset: 7 } }
  const thread = about({ ...place, words: 'two' })
  const pushed = doc('One and two.\n')
  const range = rangeOf(blocksOf(pushed, [thread]), thread)
  assert.is(range && plainBetween(pushed, range), 'two')
  const other = doc('One 2.\n\ntwo\n')
  assert.is(rangeOf(blocksOf(other, [thread]), thread), undefined)
})

test('a whole block is from before it to behind it', () => {
  const node = doc('One\n\nTwo\n')
  const thread = about(null, 'b1')
  assert.equal(rangeOf(blocksOf(node, [thread]), thread), { from: 5, to: 10, isBlock: true })
})

test.run()
