/**
 * Exception intervals against an array of authors, also after being loaded from their puts alone.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Exceptions, type Interval } from '../../../core/documents/authorship/exceptions.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { Tally } from '../../tally.ts'

const seed = 42
const numRuns = process.env['LONG'] ? 20_000 : 250
const size = 40
const owner = 'human:owner' as ActorId
const client = 7

const interval: fc.Arbitrary<Interval> = fc
  .record({
    clock: fc.nat(size - 1),
    length: fc.integer({ min: 1, max: size }),
    actor: fc.constantFrom('ai:a' as ActorId, 'ai:b' as ActorId, owner),
  })
  .map(({ clock, length, actor }) => ({
    client,
    clock,
    actor,
    length: Math.min(length, size - clock),
  }))

function check(exceptions: Exceptions, expected: readonly (ActorId | undefined)[]): void {
  for (const [clock, actor] of expected.entries()) assert.is(exceptions.at(client, clock), actor)
  for (const from of [0, 5, 17]) {
    const runs = exceptions.runs({ client, clock: from, length: size - from }, owner)
    const authors = runs.flatMap(({ length, author }) => Array.from({ length }, () => author))
    const wanted = expected.slice(from).map((actor) => actor ?? owner)
    assert.equal(authors, wanted)
    assert.not(runs.some(({ author }, index) => author === runs[index + 1]?.author))
  }
}

test('intervals say who is credited, and their puts are enough to say it again', () => {
  const tally = new Tally()
  fc.assert(
    fc.property(fc.array(interval, { maxLength: 12 }), (intervals) => {
      const exceptions = new Exceptions()
      const stored = new Map<number, Interval>()
      const expected: (ActorId | undefined)[] = Array.from({ length: size })
      for (const one of intervals) {
        const isCovered = expected
          .slice(one.clock, one.clock + one.length)
          .some((actor) => actor !== undefined)
        assert.is(exceptions.overlaps(client, one.clock, one.length), isCovered)
        tally.add(isCovered ? 'covered' : 'apart')
        for (const put of exceptions.set(one)) stored.set(put.clock, put)
        expected.fill(one.actor, one.clock, one.clock + one.length)
        check(exceptions, expected)
      }
      const loaded = new Exceptions()
      for (const put of [...stored.values()].sort((a, b) => a.clock - b.clock)) loaded.set(put)
      check(loaded, expected)
    }),
    { seed, numRuns },
  )
  tally.tell(`${seed} authorship exceptions`, { covered: numRuns, apart: numRuns })
})

test.run()
