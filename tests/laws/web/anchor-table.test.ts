/**
 * Interface §2.5 as a law: under every operation that a person's editor or REST may do, and its
 * undo, a thread stays on its words, or is orphaned where they are gone; never is it on others.
 * `npm run bench -- anchors` tries each a thousand times. SEED=n repeats another seed.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seedsOf } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { trials } from './anchor-trials.ts'

const perOperation = process.env['LONG'] === undefined ? 4 : 400

for (const seed of seedsOf(1, 2)) {
  test(`seed ${seed}: each operation leaves anchors on their words, or honestly on none`, async () => {
    const tally = new Tally()
    for await (const { name, ending, told } of trials(seed, perOperation)) {
      assert.is.not(ending, 'wrong', told)
      tally.add(ending)
      if (ending === 'given up') tally.add(`given up: ${name}`)
    }
    const all = tally.of('right') + tally.of('given up')
    tally.tell(`${seed} anchors under operations`, { right: all * 0.95 })
  })
}

test.run()
