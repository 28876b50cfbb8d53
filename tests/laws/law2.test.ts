/**
 * Law 2: whatever live editors and agents do at the same time, everybody ends with the same valid
 * document, and what is served is what the store gives when it is read from scratch.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seedsOf } from './chance.ts'
import { runSeeds } from './scenario.ts'

const seeds = seedsOf(1, 50)

for (const sort of ['typing', 'structure'] as const) {
  test(`law 2: ${sort}`, async () => {
    const tally = await runSeeds(seeds, sort)
    const structural = sort === 'structure' ? ['split', 'wrap', 'moveBlock', 'undo'] : []
    for (const what of ['type', 'erase', '200', 'restarts', 'offline', ...structural]) {
      assert.ok(seeds.length < 50 || tally.of(what) > 0, `no ${what}`)
    }
  })
}

test.run()
