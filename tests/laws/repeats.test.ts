/**
 * A seed repeats exactly: a scenario whose clock, chance, network and disk are simulated tells the
 * same story each time, to the millisecond and the letter, and another one for another seed.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Tally } from '../tally.ts'
import { type Sort, simulate } from './scenario.ts'

const seed = 77

for (const sort of ['typing', 'pastes', 'structure'] as const satisfies readonly Sort[]) {
  test(`one seed, one story: ${sort}`, async () => {
    const tallies = [new Tally(), new Tally()]
    const stories: (readonly string[])[] = []
    for (const tally of tallies) stories.push(await simulate({ seed }, { sort, tally }))
    const [one = [], two = []] = stories
    assert.equal(two, one)
    assert.is(String(tallies[1]), String(tallies[0]))
    const other = await simulate({ seed: seed + 1 }, { sort, tally: new Tally() })
    assert.not.equal(other, one)
    const tally = new Tally()
    tally.add('told', one.length)
    tally.tell(`${seed} one story twice, ${sort}`, { told: 50 })
  })
}

test.run()
