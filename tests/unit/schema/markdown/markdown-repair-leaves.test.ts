/** A leaf without content is taken out wherever it stands, the last place included. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { repairBlock } from '../../../../schema/markdown/repair.ts'

const { nodes } = documentSchema
const empty = nodes.html_inline.create({ source: '' })
const words = documentSchema.text('words')

for (const [name, children, rest] of [
  ['first', [empty, words], 'words'],
  ['last', [words, empty], 'words'],
  ['alone', [empty], ''],
] as const) {
  test(`an empty HTML leaf that stands ${name} goes`, () => {
    const repaired = repairBlock(nodes.paragraph.create(null, children))
    assert.is(repaired.textContent, rest)
    assert.is(repaired.childCount, rest === '' ? 0 : 1)
  })
}

test.run()
