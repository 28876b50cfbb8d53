/** A row of stretches is spliced as an array of its units would be, in time that grows with it. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Span, Spans } from '../../../../core/text/spans.ts'
import { pace, spentOn } from '../../../pace.ts'

const seed = 42_001

const unitsOf = (spans: Iterable<Span<string>>): string[] =>
  [...spans].flatMap(({ length, value }) => Array.from({ length }, () => value))

test('splices take out and put in what they would in an array of units', () => {
  const splice = fc.record({
    at: fc.nat(400),
    remove: fc.nat(60),
    insert: fc.array(fc.record({ length: fc.integer({ min: 1, max: 5 }), value: fc.string() }), {
      maxLength: 100,
    }),
  })
  fc.assert(
    fc.property(fc.array(splice, { maxLength: 40 }), (splices) => {
      const spans = new Spans<string>([{ length: 200, value: 'a' }])
      const units = unitsOf(spans)
      for (const { at, remove, insert } of splices) {
        const from = Math.min(at, units.length)
        const most = Math.min(remove, units.length - from)
        const taken = unitsOf(spans.splice(from, most, insert))
        assert.equal(taken, units.splice(from, most, ...unitsOf(insert)))
      }
      assert.equal(unitsOf(spans), units)
    }),
    { seed, numRuns: 200 },
  )
  console.log(`\nseed ${seed} spans`)
})

test('very many splices in either order take time that grows with their number', () => {
  const count = 60_000
  for (const isAscending of [true, false]) {
    const spans = new Spans<number>([{ length: 10 * count, value: 0 }])
    const spent = spentOn(() => {
      for (let nth = 0; nth < count; nth++) {
        const at = 10 * (isAscending ? nth : count - 1 - nth)
        spans.splice(at, 3, [{ length: 3, value: nth }])
      }
    })
    assert.ok(spent < 500 * pace(), `${isAscending ? 'ascending' : 'descending'}: ${spent} ms`)
  }
})

test.run()
