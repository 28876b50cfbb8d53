/**
 * The laws of canonical markdown on generated documents: every block in every other, tables that
 * are not rectangular, HTML that is none, lists side by side, front matter that is invalid.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkLaws } from '../../unit/schema/markdown-check.ts'
import { blockDocument } from './markdown-documents.ts'

const seed = 20_262
const runs = process.env['LONG'] ? 20_000 : 2_000

test('whole documents obey the laws', () => {
  console.log(`seed ${seed} whole documents: ${runs} runs`)
  const types = new Set<string>()
  const property = fc.property(blockDocument, (doc) => {
    checkLaws(doc)
    doc.descendants((node) => {
      types.add(node.type.name)
    })
  })
  fc.assert(property, { seed, numRuns: runs })
  assert.is(types.size, 18, `every kind of node occurs: ${[...types].join(' ')}`)
})

test.run()
