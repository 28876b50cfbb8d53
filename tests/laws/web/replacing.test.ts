/**
 * The laws of replacing everything that was found: whether few or many, it comes to what it comes
 * to one by one, what is written is what is shown, between two matches everything stays as it was,
 * whose it was and as another types it meanwhile, and one step of undo brings all of it back.
 */
import fc from 'fast-check'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import type { Command } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { undo } from 'y-prosemirror'
import { documentSchema as schema } from '../../../schema/document-schema.ts'
import { type Replacement, replaceAll } from '../../../web/find/replace.ts'
import { type Match, Search } from '../../../web/find/search.ts'
import { Tally } from '../../tally.ts'
import { agrees, documentUpdate } from '../../unit/web/editor/binding/bound-pages.ts'
import { PageWithoutDom } from '../../unit/web/editor/binding/page-without-dom.ts'

const numRuns = process.env['LONG'] === undefined ? 20 : 2_000

const forms = [
  'ab abab cab',
  'a**bab**ab *a*b',
  '# ab',
  'ab\\\nabab ab',
  '![ab](p.png)ab![ab](p.png)',
  '- ab\n- aba\n  - ab **ab**',
  '> ab\n>\n> `ab` [ab](https://x.y)',
  '```js\nab ab\n\nab\n```',
  '| ab | b |\n| --- | --- |\n| ab ab | *ab* |',
  '---',
  'nothing of it',
  '<br />',
]

const scenes = fc.record({
  blocks: fc.array(fc.constantFrom(...forms), { minLength: 1, maxLength: 400, size: 'max' }),
  query: fc.constantFrom('ab', 'a', 'b', 'ba', 'b a', 'b ab', 'ab c'),
  typing: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 4 }),
  text: fc.constantFrom('', 'x', 'abab', 'a longer text'),
})

/**
 * Each match in the place of what it found, the last first, by steps of their own; what both begin
 * or end with alike stays.
 */
function oneByOne(doc: Node, matches: readonly Match[], { text, author }: Replacement): Node {
  const by = schema.mark('authored', { by: author })
  return matches.reduceRight((after, { from, to }) => {
    const kept = after.nodeAt(from)?.marks.filter(({ type }) => type.name !== 'authored')
    const found = after.textBetween(from, to)
    const least = Math.min(found.length, text.length)
    let [front, back] = [0, 0]
    while (front < least && found[front] === text[front]) front++
    while (back < least - front && found.at(-1 - back) === text.at(-1 - back)) back++
    const words = text.slice(front, text.length - back)
    const fresh = words === '' ? [] : [schema.text(words, by.addToSet(kept ?? []))]
    return after.replace(from + front, to - back, new Slice(Fragment.from(fresh), 0, 0))
  }, doc)
}

/** Every text block's positions between characters that are not inside a match. */
function betweenMatches(doc: Node, matches: readonly Match[]): number[] {
  const inside = new Set<number>()
  for (const { from, to } of matches) for (let at = from + 1; at < to; at++) inside.add(at)
  const places: number[] = []
  doc.descendants((node, pos) => {
    for (let at = pos + 1; node.isTextblock && at <= pos + 1 + node.content.size; at++) {
      if (!inside.has(at)) places.push(at)
    }
  })
  return places
}

const typed = '§'

test('everything replaced at once is each match replaced, shown and written; others type on', async () => {
  const seed = 71
  const tally = new Tally()
  const law = fc.asyncProperty(scenes, async ({ blocks, query, text, typing }) => {
    const from = documentUpdate(blocks.join('\n\n'))
    const page = new PageWithoutDom({ actor: 'human:bea', from })
    const other = new PageWithoutDom({ actor: 'ai:quill', from })
    const { doc } = page.state
    const search = new Search({ text: query, matchesCase: true, wholeWords: false })
    const matches = search.matchesIn(doc)
    const by = { text, author: 'human:bea' }
    replaceAll(page as unknown as EditorView, matches, by)
    const expected = oneByOne(doc, matches, by)
    assert.ok(page.state.doc.eq(expected), `${expected}\nbut the page shows\n${page.state.doc}`)
    agrees(page)

    const places = betweenMatches(doc, matches)
    const at = typing.map((part) => places[Math.floor(part * places.length)] ?? 0)
    const own = at.filter((pos) => pos > 0).sort((a, b) => b - a)
    for (const pos of own) other.dispatch(other.state.tr.insertText(typed, pos))
    page.sendTo(other)
    other.sendTo(page)
    agrees(page)
    const merged = page.state.doc
    assert.ok(other.state.doc.eq(merged), `${merged}\nbut the other has\n${other.state.doc}`)
    assert.is(merged.textContent.split(typed).length, own.length + 1, `${merged}`)
    assert.is(merged.textContent.replaceAll(typed, ''), expected.textContent)
    tally.add('typed amid it', own.length)

    if (matches.length > 0) {
      page.run(undo as Command)
      agrees(page)
      if (own.length === 0) assert.ok(page.state.doc.eq(doc), `${doc}\nbut ${page.state.doc}`)
      assert.is(page.state.doc.textContent.replaceAll(typed, ''), doc.textContent)
    }
    tally.add(matches.length > 200 ? 'many' : matches.length > 0 ? 'few' : 'none')
    page.close()
    other.close()
    // What is closed is let go of in a turn of its own.
    await new Promise((resolve) => setImmediate(resolve))
  })
  await fc.assert(law, { seed, numRuns, includeErrorInReport: true })
  const least = { many: numRuns / 8, few: numRuns / 6, 'typed amid it': numRuns }
  tally.tell(`${seed} replacing`, least)
})

test.run()
