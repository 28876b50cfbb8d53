/** Interface §4.6: which handles a comment's text calls. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { handlesIn } from '../../../schema/mentions.ts'

const cases: readonly (readonly [string, readonly string[]])[] = [
  ['@ann please', ['ann']],
  ['cc @Ann, @bob-2 and (@carl).', ['ann', 'bob-2', 'carl']],
  ['mail ann@example.org', []],
  ['\\@ann is text', []],
  ['`@ann` is code, ``a ` @bob`` too, @carl is not', ['carl']],
  ['a ` lone one @ann', ['ann']],
  ['```\n@ann\n```\n@bob', ['bob']],
  ['~~~ js\n@ann\n~~\n@x\n~~~\n@bob', ['bob']],
  ['```\n@ann', []],
  ['@ann @ANN @ann', ['ann']],
  ['@ann.', ['ann']],
  ['https://e.org/@ann', []],
  ['@', []],
]

test('interface §4.6: a handle is called unless it is code, escaped or part of a word', () => {
  for (const [text, handles] of cases) assert.equal(handlesIn(text), handles, text)
})

test('a text of nothing but backticks takes no longer than it is long', () => {
  const text = Array.from({ length: 180 }, (_, n) => '`'.repeat(n + 1)).join(' ')
  assert.equal(handlesIn(`${text} @ann`), ['ann'])
})

test.run()
