/**
 * The laws of replacing everything that was found: whether few or many, it comes to what each match
 * put in one by one comes to, what is written is what is shown, between two matches everything stays
 * as it was and whose it was, and one step of undo brings all of it back.
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
import { agrees, documentUpdate } from '../../unit/web/bound-pages.ts'
import { PageWithoutDom } from '../../unit/web/page-without-dom.ts'

const numRuns = process.env['LONG'] === undefined ? 40 : 2_000

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
  isLate: fc.boolean(),
  text: fc.constantFrom('', 'x', 'abab', 'a longer text'),
})

/** Each match in the place of what it found, the last first, by steps of their own. */
function oneByOne(doc: Node, matches: readonly Match[], { text, author }: Replacement): Node {
  return matches.reduceRight((after, { from, to }) => {
    const kept = after.nodeAt(from)?.marks.filter(({ type }) => type.name !== 'authored')
    const by = schema.mark('authored', { by: author })
    const fresh = text === '' ? [] : [schema.text(text, by.addToSet(kept ?? []))]
    return after.replace(from, to, new Slice(Fragment.from(fresh), 0, 0))
  }, doc)
}

test('everything replaced at once is each match replaced, shown and written', () => {
  const seed = 71
  const tally = new Tally()
  const law = fc.property(scenes, ({ blocks, query, text, isLate }) => {
    const from = documentUpdate(blocks.join('\n\n'))
    const page = new PageWithoutDom({ actor: 'human:bea', from, isLate })
    const { doc } = page.state
    const search = new Search({ text: query, matchesCase: true, wholeWords: false })
    const matches = search.matchesIn(doc)
    const by = { text, author: 'human:bea' }
    replaceAll(page as unknown as EditorView, matches, by)
    const expected = oneByOne(doc, matches, by)
    assert.ok(page.state.doc.eq(expected), `${expected}\nbut the page shows\n${page.state.doc}`)
    page.binding.flush()
    agrees(page)
    if (matches.length > 0) {
      page.run(undo as Command)
      page.binding.flush()
      agrees(page)
      assert.ok(page.state.doc.eq(doc), `${doc}\nbut undo brings\n${page.state.doc}`)
    }
    tally.add(matches.length > 200 ? 'many' : matches.length > 0 ? 'few' : 'none')
    page.close()
  })
  fc.assert(law, { seed, numRuns, includeErrorInReport: true })
  tally.tell(`${seed} replacing`, { many: numRuns / 8, few: numRuns / 6 })
})

test.run()
