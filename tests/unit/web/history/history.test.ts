/** The past as the page tells it: groups, places of changes, addresses. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { diffWords } from '../../../../core/text/word-diff.ts'
import { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import type { HistoryEntry, WordChange } from '../../../../web/api/history.ts'
import { placesOfChanges } from '../../../../web/history/change-places.ts'
import { shownIn } from '../../../../web/history/history-mode.ts'
import { rowsOf } from '../../../../web/history/revision-groups.ts'
import { Chance, seedsOf } from '../../../chance.ts'

const minute = 60_000
const noon = new Date(2026, 10, 3, 12).getTime()

/** `minutes` after noon. */
const entry = (
  revision: number,
  minutes: number,
  by: string,
  more: Partial<HistoryEntry> = {},
): HistoryEntry => ({
  revision,
  at: new Date(noon + minutes * minute).toISOString(),
  event: 'edit',
  actor_id: by,
  auth_method: 'session',
  ip_hash: null,
  ...more,
})

const told = (...entries: readonly HistoryEntry[]): string[] =>
  rowsOf(entries.toReversed()).map((row) =>
    row.kind === 'occasion'
      ? row.entry.event
      : `${row.group.oldest}–${row.group.newest} ${row.group.actors}`,
  )

test('a pause ends a group, and so does another day', () => {
  assert.equal(told(entry(1, 0, 'a'), entry(2, 19, 'a'), entry(3, 40, 'a')), ['3–3 a', '1–2 a'])
  const late = 12 * 60 - 1
  assert.equal(told(entry(1, late, 'a'), entry(2, late + 2, 'a')), ['2–2 a', '1–1 a'])
})

test('who comes later has a group of their own; who writes at the same time is in it', () => {
  assert.equal(told(entry(1, 0, 'a'), entry(2, 5, 'b')), ['2–2 b', '1–1 a'])
  assert.equal(told(entry(1, 0, 'a'), entry(2, 0.5, 'b'), entry(3, 1, 'a')), ['1–3 a,b'])
  const both = entry(1, 0, 'a', { actor_ids: ['a', 'b'] })
  assert.equal(told(both, entry(2, 10, 'b')), ['2–2 b', '1–1 a,b'])
})

test('names, reverts and what is no edit stand by themselves', () => {
  const named = entry(2, 1, 'a', { name: 'Draft' })
  assert.equal(told(entry(1, 0, 'a'), named, entry(3, 2, 'a')), ['3–3 a', '1–2 a'])
  const revert = entry(2, 1, 'a', { event: 'revert' })
  assert.equal(told(entry(1, 0, 'a'), revert, entry(3, 2, 'a')), ['3–3 a', '2–2 a', '1–1 a'])
  const access = entry(2, 1, 'a', { event: 'access' })
  assert.equal(told(entry(1, 0, 'a'), access, entry(3, 2, 'a')), ['3–3 a', 'access', '1–1 a'])
})

/** As the service answers, all by one author. */
function changesOf(old: string, next: string): WordChange[] {
  return diffWords(old, next).flatMap(({ from, to, nextFrom, nextTo }) => {
    const changes: WordChange[] = []
    if (to > from) changes.push({ kind: 'delete', text: old.slice(from, to), from, author: 'x' })
    if (nextTo > nextFrom) {
      const text = next.slice(nextFrom, nextTo)
      changes.push({ kind: 'insert', text, to: nextFrom, author: 'x' })
    }
    return changes
  })
}

function places(old: string, next: string): string[] {
  const doc = parseMarkdown(next)
  const text = DocumentText.of(doc.children)
  assert.is(text.toString(), next)
  return placesOfChanges(doc, text, changesOf(old, next)).map((place) => {
    if (place.kind === 'came') return `came ${doc.textBetween(place.from, place.to, '|')}`
    if (place.kind === 'shaped') return `shaped ${doc.textBetween(place.from, place.to)}`
    const { parent, nodeAfter } = doc.resolve(place.pos)
    const where = `${parent.type.name} before ${nodeAfter?.textContent ?? 'nothing'}`
    return `gone ${JSON.stringify(place.text)} in ${where}${place.isBlock ? ', a block' : ''}`
  })
}

test('words that came and words that are gone, within their texts', () => {
  assert.equal(places('one two three\n', 'one 2 three\n'), [
    'gone "two" in paragraph before 2 three',
    'came 2',
  ])
  assert.equal(
    places(
      '# A\n\n| a | b |\n| --- | --- |\n| c | dd |\n',
      '# A\n\n| a | b |\n| --- | --- |\n| c | ee |\n',
    ),
    ['gone "dd" in table_cell before ee', 'came ee'],
  )
})

test('blocks that are gone stand between blocks: of a list, of a table, of the document', () => {
  assert.equal(places('- one\n- two\n- three\n', '- one\n- three\n'), [
    'gone "- two" in bullet_list before three, a block',
  ])
  assert.equal(places('a\n\ngone\n\nb\n', 'a\n\nb\n'), ['gone "gone" in doc before b, a block'])
  assert.equal(
    places(
      '| a | b |\n| --- | --- |\n| c | d |\n| e | f |\n',
      '| a | b |\n| --- | --- |\n| e | f |\n',
    ),
    ['gone "| c | d |" in table before ef, a block'],
  )
})

test('markup alone is told of its block', () => {
  assert.equal(places('# Title\n', '## Title\n').at(-1), 'shaped Title')
})

test('law: every change of any text has a place in it', () => {
  const blocks = ['# Head', 'plain words', '- one\n- two *soft*', '> quoted **bold**', '---']
  const more = [
    '```js\nlet a = 1\n```',
    '| a | b |\n| --- | --- |\n| c | d |',
    'a [link](https://x.org)',
  ]
  let placed = 0
  for (const seed of seedsOf(1, 200)) {
    const chance = new Chance(seed)
    const pick = () => chance.oneOf([...blocks, ...more])
    const old = Array.from({ length: chance.between(1, 5) }, pick)
    const next = old.flatMap((same) => {
      if (chance.happens(0.25)) return []
      return chance.happens(0.3) ? [same, pick()] : [same.replace(/[aeo]/, 'uu')]
    })
    const print = (parts: string[]) => `${parts.join('\n\n')}\n`
    const doc = parseMarkdown(print(next.length === 0 ? ['x'] : next))
    const text = DocumentText.of(doc.children)
    for (const place of placesOfChanges(doc, text, changesOf(print(old), text.toString()))) {
      const { size } = doc.content
      const [from, to] = place.kind === 'gone' ? [place.pos, place.pos] : [place.from, place.to]
      assert.ok(0 <= from && from <= to && to <= size, `seed ${seed}`)
      placed++
    }
  }
  assert.ok(placed > 200, `${placed}`)
})

test('the address says which of the past is shown', () => {
  assert.is(shownIn('?other=1'), undefined)
  assert.equal(shownIn('?history'), { revision: undefined, since: undefined })
  assert.equal(shownIn('?history=57&since=12'), { revision: 57, since: 12 })
  assert.equal(shownIn('?history=x&since=-1'), { revision: undefined, since: undefined })
})

test.run()
