/** Law 2 with 2,000 seeds; a seed that fails here becomes a named case or joins the gate. */
import { test } from 'uvu'
import { seedsOf } from '../chance.ts'
import { runSeeds } from './scenario.ts'

const seeds = seedsOf(1_001, 2_000)

for (const sort of ['typing', 'structure'] as const) {
  test(`law 2, long: ${sort}`, async () => {
    const tally = await runSeeds(seeds, sort)
    tally.tell(`${seeds[0]}–${seeds.at(-1)} law 2 ${sort}`, { type: seeds.length })
  })
}

test.run()
