/**
 * Which blocks differ in two versions of a text, beside a look at all of them: what came and went,
 * and which stretches have another block before them (interface §2.7, §4.11: history rows rest on
 * it).
 */

import fc from 'fast-check'
import { Fragment } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type ChangedStretch,
  changedBlocks,
  changedInside,
} from '../../../core/documents/open/changed-blocks.ts'
import { touchedBlocks } from '../../../core/documents/open/row-blocks.ts'
import { lineDiff } from '../../../core/text/line-diff.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import type { PrintedBlock } from '../../../schema/markdown/printed.ts'
import { Tally } from '../../tally.ts'

const seed = 20_261_125
const runs = process.env['LONG'] ? 5000 : 75

const parts = ['word', 'two words', '# Title', '- item\n- more', '> quote', '<br />', '```\nx\n```']
const nodesOf = (texts: readonly string[]) => parseMarkdown(`${texts.join('\n\n')}\n`).children

interface Place {
  readonly printed: PrintedBlock
  readonly previous: PrintedBlock | undefined
  /** The end of the block before. */
  readonly from: number
  readonly start: number
  readonly end: number
}

function placesOf(text: DocumentText): Place[] {
  const places: Place[] = []
  for (let index = 0; index < text.blockCount; index++) {
    const last = places.at(-1)
    const [printed, start] = [text.printed(index), text.start(index)]
    const end = start + printed.md.length
    places.push({ printed, previous: last?.printed, from: last?.end ?? 0, start, end })
  }
  return places
}

/** By a look at everything: `head 3–5`, `whole 3–9`, and how many went. */
function slowly(before: DocumentText, after: DocumentText) {
  const old = new Map(placesOf(before).map((place) => [place.printed, place]))
  const now = placesOf(after)
  const isKept = new Set(now.map(({ printed }) => printed))
  const said: string[] = []
  for (const { printed, previous, from, start, end } of now) {
    if (printed.md === '') continue
    const known = old.get(printed)
    if (known === undefined) said.push(`whole ${from}`)
    else if (known.previous !== previous && start > from) said.push(`head ${from}–${start}`)
    assert.ok(end > from)
  }
  const gone = [...old.keys()].filter((printed) => !isKept.has(printed))
  return { said, gone }
}

test('§4.11 the blocks that differ are those that a look at all of them finds', () => {
  const tally = new Tally()
  const change = fc.record({
    at: fc.nat(1000),
    remove: fc.nat(3),
    insert: fc.array(fc.constantFrom(...parts), { maxLength: 3 }),
  })
  const property = fc.property(
    fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 200 }),
    fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
    (texts, versions) => {
      let text = DocumentText.of(nodesOf(texts))
      for (const changes of versions) {
        const before = text
        for (const { at, remove, insert } of changes) {
          const from = at % (text.blockCount + 1)
          const to = Math.min(text.blockCount, from + remove)
          text = text.splice(from, to, insert.length === 0 ? [] : nodesOf(insert))
        }
        const { gone, stretches } = changedBlocks(before, text)
        const expected = slowly(before, text)
        const said = stretches
          .filter(({ what }) => what !== 'tail')
          .map(({ what, from, to }) => `${what} ${what === 'head' ? `${from}–${to}` : from}`)
        assert.equal(said, expected.said)
        assert.equal(new Set(gone.map(({ printed }) => printed)), new Set(expected.gone))
        // What is behind the last word has an author too, where that is another block now.
        const isTold = stretches.some(({ to }) => to === text.length)
        const lastWord = placesOf(text).findLast(({ printed }) => printed.md !== '')
        const wasLast = placesOf(before).findLast(({ printed }) => printed.md !== '')
        if (lastWord !== undefined && lastWord.printed !== wasLast?.printed) assert.ok(isTold)
        tally.add('stretches', stretches.length)
        tally.add('gone', gone.length)
      }
    },
  )
  fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} blocks that differ`, { stretches: 2 * runs, gone: runs })
})

test('§4.11 a few blocks that read otherwise are found as by a look at all of them', () => {
  const tally = new Tally()
  const typed = fc.record({
    at: fc.nat(1000),
    offset: fc.nat(12),
    words: fc.constantFrom('x', ' y'),
  })
  const property = fc.property(
    fc.array(fc.constantFrom(...parts), { minLength: 3, maxLength: 200 }),
    fc.array(typed, { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    (texts, keys, isOneBlock) => {
      const before = DocumentText.of(nodesOf(texts))
      let text = before
      const first = keys[0]?.at ?? 0
      for (const { at, offset, words } of keys) {
        const index = (isOneBlock ? first : at) % text.blockCount
        const node = text.node(index)
        if (!node.isTextblock || node.content.size === 0) continue
        const chars = node.textContent
        const cut = Math.min(offset, chars.length)
        const now = node.type.schema.text(chars.slice(0, cut) + words + chars.slice(cut))
        text = text.splice(index, index + 1, [node.copy(Fragment.from(now))])
      }
      const splices = lineDiff(before, text)
      const found = changedInside(before, text, splices)
      const all = changedBlocks(before, text)
      const whole = all.stretches.filter(({ what }) => what === 'whole')
      if (found !== undefined) {
        assert.equal(
          found.gone.map(({ printed }) => printed.md),
          all.gone.map(({ printed }) => printed.md),
        )
        assert.equal(found.stretches.map(placeOf), whole.map(placeOf))
        assert.equal(touchedBlocks(found), touchedBlocks(all))
      } else assert.not.equal([whole.length, all.gone.length, splices.length], [1, 1, 1])
      tally.add('found', found === undefined ? 0 : 1)
      tally.add('several', (found?.gone.length ?? 0) > 1 ? 1 : 0)
      tally.add('not', found === undefined ? 1 : 0)
    },
  )
  fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} few blocks`, { found: runs / 4, several: runs / 20, not: runs / 8 })
})

const placeOf = ({ what, from, to, start, printed }: ChangedStretch) => {
  return { what, from, to, start, md: printed.md }
}

test.run()
