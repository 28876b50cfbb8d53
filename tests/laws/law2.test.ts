/**
 * Law 2: whatever live editors and agents do at the same time, everybody ends with the same valid
 * document, and what is served is what the store gives when it is read from scratch.
 */
import { test } from 'uvu'
import { seedsOf } from '../chance.ts'
import { runSeeds } from './scenario.ts'

const seeds = seedsOf(1, 50)

for (const sort of ['typing', 'structure'] as const) {
  test(`law 2: ${sort}`, async () => {
    const tally = await runSeeds(seeds, sort)
    const both = { type: 1, erase: 1, 200: 1, restarts: 1, offline: 1 }
    const structural = sort === 'structure' && { split: 1, wrap: 1, moveBlock: 1, undo: 1 }
    const least = seeds.length === 1 ? {} : { ...both, ...structural }
    tally.tell(`${seeds[0]}–${seeds.at(-1)} law 2 ${sort}`, least)
  })
}

test.run()
