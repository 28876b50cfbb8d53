/**
 * The laws of canonical markdown on generated text: hostile characters in one paragraph, and marks
 * and leaves in a paragraph, a heading, an item and a table cell.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import { Tally } from '../../tally.ts'
import { checkLaws } from '../../unit/schema/markdown/markdown-check.ts'
import { inlineDocument, textDocument } from './markdown-documents.ts'

const seed = 20_261
const runs = process.env['LONG'] ? 40_000 : 500

test('hostile text obeys the laws', () => {
  const tally = new Tally()
  const property = fc.property(textDocument, (doc) => {
    checkLaws(doc)
    tally.add('characters', doc.textContent.length)
  })
  fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} hostile text`, { characters: 2 * runs })
})

test('marks and leaves obey the laws', () => {
  const tally = new Tally()
  const property = fc.property(inlineDocument, (doc) => {
    checkLaws(doc)
    doc.descendants((node) => {
      if (node.isLeaf && node.isInline && !node.isText) tally.add('leaves')
      for (const mark of node.marks) tally.add(mark.type.name)
    })
  })
  fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} marks and leaves`, { leaves: runs / 2, strong: runs / 2, link: runs / 10 })
})

test.run()
