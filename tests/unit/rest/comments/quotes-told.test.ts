/** Quotes of comments as readers see the text, and what a refusal suggests (interface §4.6, §7). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../service.ts'
import { discussed, type Fields, said } from './discussion-scene.ts'

const service = await startService()
test.after(() => service.close())

const markdown = [
  '# Plan',
  'Some **strong words** and see [the spec](https://example.com/a_b) now.',
  '- buy milk\n- eggs',
  'He said “hello”  and it’s café.'.normalize('NFD'),
  '| a | b |\n| --- | --- |\n| one | two |',
  'Twice here, twice there.',
].join('\n\n')

test('a quote of what a reader sees finds its only place', async () => {
  const { say, threads } = await discussed(service, `${markdown}\n`)
  for (const [quote, stands] of [
    ['strong words', 'strong words'],
    ['Some strong words and', 'Some **strong words** and'],
    ['see the spec now', 'see [the spec](https://example.com/a_b) now'],
    ['buy milk\neggs', 'buy milk\n- eggs'],
    ['He said "hello" and it\'s', 'He said “hello” and it’s'],
    ['strong  words   and', 'strong words** and'],
    ['café', 'café'.normalize('NFD')],
  ] as const) {
    await say({ quote, text: 'x' })
    const [thread] = await threads()
    assert.is(String(thread?.['quote']).replace(/ {2}/g, ' '), stands, quote)
  }
})

test('a quote of a whole table, with its delimiter row, is the table', async () => {
  const { say, threads, read } = await discussed(service, `${markdown}\n`)
  const table = '| a | b |\n| --- | --- |\n| one | two |'
  const made = await say({ quote: table, text: 'x' })
  assert.is((made['anchor'] as Fields)['scope'], 'block')
  const [thread] = await threads()
  assert.is(thread?.['whole_block'], true)
  const blocks = (await read('?include=block_quotes'))['content_blocks'] as Fields[]
  assert.is(blocks.find(({ id }) => id === thread?.['block_id'])?.['quote'], table)
  const row = await say({ quote: '| one | two |', text: 'x' })
  assert.is((row['anchor'] as Fields)['scope'], 'range')
})

interface Candidate {
  readonly text: string
  readonly difference: string
}

test('NOT_FOUND and AMBIGUOUS carry candidates, which can be quoted as they are', async () => {
  const { post, patch } = await discussed(service, `${markdown}\n`)
  const missed = await post('comments', { quote: 'Strong Words', text: 'x' })
  assert.is(said(missed), '409 NOT_FOUND')
  const twice = await post('comments', { quote: 'wice', text: 'x' })
  assert.is(said(twice), '409 AMBIGUOUS')
  for (const { json } of [missed, twice]) {
    const candidates = json['candidates'] as Candidate[]
    assert.ok(candidates.length > 0)
    for (const { text } of candidates) {
      const again = await post('comments', { quote: text, text: 'y' })
      assert.is(again.status, 201, text)
    }
  }
  const wrong = { edits: [{ old_string: 'see the spec now', new_string: 'x' }] }
  const refused = await patch(wrong)
  assert.is(said(refused), '409 EDIT_NOT_FOUND')
  const [first] = refused.json['candidates'] as Candidate[]
  assert.equal(
    [first?.text, first?.difference],
    ['see [the spec](https://example.com/a_b) now', 'markup'],
  )
})

test('candidates say number, escape, unicode form and invisible, and are unique', async () => {
  const lines = [
    '1. alpha\n2. new\n3. beta',
    'use `a\\d` here',
    'zero\u200bwidth words',
    'The café is near. The café is far.'.normalize('NFD'),
    '| first cell | x |\n| --- | --- |\n| other cells | y |',
    '',
  ].join('\n\n')
  const { patch } = await discussed(service, lines)
  for (const [old_string, text, difference] of [
    ['2. beta', '3. beta', 'number'],
    ['use `a\\\\\\\\d` here', 'use `a\\d` here', 'escape'],
    ['zerowidth words', 'zero\u200bwidth words', 'invisible'],
    ['café', 'The café'.normalize('NFD'), 'unicode form'],
    ['Other cell', 'other cells', 'case'],
  ] as const) {
    const { json } = await patch({ edits: [{ old_string, new_string: 'x' }] })
    const candidates = json['candidates'] as Candidate[]
    assert.is(json['code'], 'EDIT_NOT_FOUND')
    assert.ok(candidates[0]?.text.startsWith(text.slice(0, 3)), JSON.stringify(candidates))
    assert.is(candidates[0]?.difference, difference, JSON.stringify(candidates))
    const edits = candidates.map((one) => ({ old_string: one.text, new_string: one.text }))
    assert.is((await patch({ edits: edits.slice(0, 1) })).status, 200, edits[0]?.old_string)
  }
})

test.run()
