/**
 * The laws of canonical markdown on generated documents: every block in every other, tables that
 * are not rectangular, HTML that is none, lists side by side, front matter that is invalid.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Tally } from '../../tally.ts'
import { checkLaws } from '../../unit/schema/markdown/markdown-check.ts'
import { blockDocument } from './markdown-documents.ts'

const seed = 20_262
const runs = process.env['LONG'] ? 20_000 : 200

test('whole documents obey the laws', () => {
  const tally = new Tally()
  const property = fc.property(blockDocument, (doc) => {
    checkLaws(doc)
    doc.descendants((node) => {
      tally.add(node.type.name)
    })
  })
  fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} whole documents`, { paragraph: runs })
  assert.is(tally.kinds, 18, 'every kind of node occurs')
})

test.run()
