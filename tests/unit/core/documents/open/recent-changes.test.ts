/** What an edit on a stale base is rebased over (interface §4.5), kept in memory. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { RecentChanges } from '../../../../../core/documents/open/recent-changes.ts'
import { applyChange, composed, type TextChange } from '../../../../../core/text/text-change.ts'
import { limits } from '../../../../../schema/limits.ts'

const typed = (at: number, insert: string): TextChange => [{ at, remove: 0, insert }]

test('a revision that is still open is one change, however often it grows', () => {
  const recent = new RecentChanges(1)
  let open: TextChange = []
  for (let at = 0; at < 3 * limits.recentChangesMax; at++) {
    open = composed(open, typed(at, 'x'))
    recent.push(2, open)
  }
  assert.is(recent.keptFrom, 1)
  assert.equal(
    applyChange('.', recent.since(1) ?? []),
    `${'x'.repeat(open[0]?.insert.length ?? 0)}.`,
  )
  assert.equal(recent.since(2), [])
})

test('the oldest are forgotten by number and by length, and said to be', () => {
  const many = new RecentChanges(1)
  for (let revision = 2; revision < limits.recentChangesMax + 12; revision++) {
    many.push(revision, typed(0, 'x'))
  }
  const until = 11
  assert.is(many.keptFrom, until)
  assert.is(many.since(until - 1), undefined)
  assert.is(many.since(until)?.[0]?.insert.length, limits.recentChangesMax + 11 - until)
  const long = new RecentChanges(1)
  const half = 'x'.repeat(limits.recentChangesMaxChars / 2)
  // An open revision counts with what it is now, not once for each time it grew.
  for (const text of ['a', half]) long.push(2, typed(0, text))
  long.push(3, typed(0, half))
  assert.is(long.keptFrom, 1)
  long.push(4, typed(0, 'y'))
  assert.is(long.keptFrom, 2)
})

test('what is kept is told as it was, short or long', () => {
  const changes: readonly TextChange[] = [
    typed(0, '\u{1f600} "quoted" \\ \n'),
    [],
    [{ at: 2, remove: 3, insert: '\ud83d' }],
    typed(1, 'x'.repeat(1000)),
    Array.from({ length: 9 }, (_, at) => ({ at: at * 2, remove: 1, insert: '' })),
  ]
  const recent = new RecentChanges(1)
  for (const [index, change] of changes.entries()) recent.push(index + 2, change)
  for (const base of changes.keys()) {
    const expected = changes.slice(base).reduce<TextChange>(composed, [])
    assert.equal(recent.since(base + 1), expected)
  }
})

test.run()
