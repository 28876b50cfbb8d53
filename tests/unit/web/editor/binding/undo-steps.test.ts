/** Where one step of undo ends: what is typed over a selection, and blanks that end a line. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMarkdown } from '../../../../../schema/markdown/parser.ts'
import { UndoSteps } from '../../../../../web/editor/binding/undo-steps.ts'

const [many, none, letter] = ['a\n\nb\n\nc\n', '', 'x'].map((text) => parseMarkdown(text)) as [
  ReturnType<typeof parseMarkdown>,
  ReturnType<typeof parseMarkdown>,
  ReturnType<typeof parseMarkdown>,
]
const typed = { isMoved: false, isBrought: false }

for (const [waitMs, isOne] of [
  [20, true],
  [200, false],
] as const) {
  test(`${waitMs} ms after a large deletion was written`, () => {
    const steps = new UndoSteps()
    assert.not(steps.joins({ before: many, after: none, at: 1_000, ...typed }))
    steps.written(2_500)
    const at = 2_500 + waitMs
    assert.is(steps.joins({ before: none, after: letter, at, ...typed }), isOne)
  })
}

test('a blank that ends the line for a moment is typed like any letter', () => {
  const steps = new UndoSteps()
  const texts = ['a', 'ab', 'ab ', 'ab c', 'ab ', 'ab'].map((text) => parseMarkdown(`${text}\n`))
  const joined = texts.slice(1).map((after, index) => {
    const before = texts[index] ?? after
    return steps.joins({ before, after, at: 1_000 + index, ...typed })
  })
  assert.equal(joined, [false, true, true, false, true])
})

test('another image in the place of one is a step of its own, also right after typing', () => {
  const steps = new UndoSteps()
  const texts = ['', 'x', 'xy', 'xy\n\n![a](/a.png)', 'xy\n\n![a](/b.png)']
  const [none, x, xy, one, other] = texts.map((text) => parseMarkdown(text))
  assert.ok(none && x && xy && one && other)
  assert.not(steps.joins({ before: none, after: x, at: 1_000, ...typed }))
  assert.ok(steps.joins({ before: x, after: xy, at: 1_001, ...typed }))
  steps.joins({ before: xy, after: one, at: 1_002, ...typed })
  assert.not(steps.joins({ before: one, after: other, at: 1_003, ...typed }))
})

test.run()
