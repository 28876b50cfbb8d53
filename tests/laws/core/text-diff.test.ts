/** The splice between two versions of a document is that of their texts, wherever they differ. */
import * as fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { diffTexts } from '../../../core/text/text-diff.ts'
import { documentSchema } from '../../../schema/document-schema.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { Tally } from '../../tally.ts'

const seed = 21
const paragraph = (text: string): Node =>
  documentSchema.node('paragraph', null, text === '' ? [] : [documentSchema.text(text)])
const front = documentSchema.node('front_matter', null, documentSchema.text('k: v'))
const word = fc.constantFrom('', 'a', 'ab', 'ba', 'b😀', 'b😁')
const words = fc.array(word, { maxLength: 6 })
const wish = fc.oneof(
  fc.record({ from: fc.nat(), count: fc.nat(5), words }),
  fc.record({ from: fc.nat(), count: fc.constant(1), words: word.map((one) => [one]) }),
)

test('a splice turns the old text into the new one', () => {
  const tally = new Tally()
  const run = (
    start: readonly string[],
    long: boolean,
    wishes: readonly { from: number; count: number; words: string[] }[],
    fronted: boolean,
  ) => {
    const filler = long ? Array.from({ length: 400 }, (_, index) => `filler ${index}`) : []
    let text = DocumentText.of([
      ...(fronted ? [front] : []),
      ...[...filler, ...start].map(paragraph),
    ])
    for (const one of wishes) {
      const before = text
      const from = one.from % (text.blockCount + 1)
      const to = Math.min(text.blockCount, from + one.count)
      text = text.splice(from, to, one.words.map(paragraph))
      const [old, now] = [before.toString(), text.toString()]
      const splice = diffTexts(before, text)
      const isOne = to === from + 1 && one.words.length === 1
      if (isOne) assert.equal(diffTexts(before, text, from), splice, 'told of the block it is in')
      if (isOne) tally.add('of one block')
      if (splice === undefined) {
        assert.is(now, old)
        continue
      }
      tally.add('splices')
      const { at, remove, insert } = splice
      assert.is(old.slice(0, at) + insert + old.slice(at + remove), now)
      assert.not.ok(/[\ud800-\udbff]$/.test(old.slice(0, at)), 'cuts a pair')
    }
  }
  const wishes = fc.array(wish, { maxLength: 6 })
  fc.assert(fc.property(words, fc.boolean(), wishes, fc.boolean(), run), { seed, numRuns: 1_500 })
  tally.tell(`${seed} text differences`, { splices: 1_500, 'of one block': 500 })
})

test.run()
