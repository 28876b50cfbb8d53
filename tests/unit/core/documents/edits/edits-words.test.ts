/** Links side by side lose no words; an address that would be shown is a word too many. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { plan, refused, result } from './edits-planning.ts'

test('equal links side by side are kept as written', () => {
  assert.is(result('[a](y)\n', { new_string: '[b](y)', before: null }), '[a](y)[b](y)\n')
  assert.is(plan('a\n', { old_string: 'a', new_string: '[u](u)' }).operations.length, 1)
})

test('an empty link is POST_APPLY_MISMATCH', () => {
  refused('POST_APPLY_MISMATCH', 'see [x](u) there\n', { old_string: 'x', new_string: '' })
})

test('an image needs no text', () => {
  const edit = { old_string: 'there', new_string: 'there![](u)' }
  assert.is(result('see there\n', edit), 'see there![](u)\n')
})

test.run()
