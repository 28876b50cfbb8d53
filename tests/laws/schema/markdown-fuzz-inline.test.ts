/**
 * The laws of canonical markdown on generated text: hostile characters in one paragraph, and marks
 * and leaves in a paragraph, a heading, an item and a table cell.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkLaws } from '../../unit/schema/markdown-check.ts'
import { inlineDocument, textDocument } from './markdown-documents.ts'

const seed = 20_261
const runs = process.env['LONG'] ? 40_000 : 2_000

test('hostile text obeys the laws', () => {
  console.log(`seed ${seed} hostile text: ${runs} runs`)
  fc.assert(fc.property(textDocument, checkLaws), { seed, numRuns: runs })
})

test('marks and leaves obey the laws', () => {
  console.log(`seed ${seed} marks and leaves: ${runs} runs`)
  let leaves = 0
  const property = fc.property(inlineDocument, (doc) => {
    checkLaws(doc)
    doc.descendants((node) => {
      if (node.isLeaf && node.isInline && !node.isText) leaves++
    })
  })
  fc.assert(property, { seed, numRuns: runs })
  assert.ok(leaves > runs / 2, 'the documents hold leaves')
})

test.run()
