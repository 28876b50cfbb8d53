/**
 * Which blocks differ in two versions of a text, beside a look at all of them: what came and went,
 * and which stretches have another block before them (interface §2.7, §4.11: history rows rest on
 * it).
 */

import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { changedBlocks } from '../../../core/documents/open/changed-blocks.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import type { PrintedBlock } from '../../../schema/markdown/printed.ts'
import { Tally } from '../../tally.ts'

const seed = 20_261_125
const runs = process.env['LONG'] ? 5000 : 300

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

test.run()
