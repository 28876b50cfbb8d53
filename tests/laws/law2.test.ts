/**
 * Law 2: whatever live editors and agents do at the same time, everybody ends with the same valid
 * document, and what is served is what the store gives when it is read from scratch. All but the
 * few that say so are simulated: SEED=n repeats one exactly, STORY=1 tells what everybody did.
 * LONG=1: more seeds, and law2.long.ts.
 */
import { test } from 'uvu'
import { seedsOf } from '../chance.ts'
import { Tally } from '../tally.ts'
import { runSeeds, simulate } from './scenario.ts'

const seeds = seedsOf(1, process.env['LONG'] ? 40 : 4)

for (const sort of ['typing', 'structure'] as const) {
  const both = {
    'authors by history': 100 * seeds.length,
    type: 1,
    erase: 1,
    200: 1,
    restarts: 1,
    offline: 1,
  }
  const structural = sort === 'structure' && { split: 1, wrap: 1, moveBlock: 1, undo: 1 }
  const least = seeds.length === 1 ? {} : { ...both, ...structural }

  test(`law 2: ${sort}`, async () => {
    const tally = new Tally()
    for (const seed of seeds) await simulate({ seed }, { sort, tally })
    tally.tell(`${seeds[0]}–${seeds.at(-1)} law 2 ${sort}`, least)
  })

  test(`law 2 over real sockets, on a real disk: ${sort}`, async () => {
    const few = seeds.slice(0, process.env['LONG'] ? 10 : 2)
    const tally = new Tally()
    await runSeeds(few, { sort, tally })
    tally.tell(`${few[0]}–${few.at(-1)} law 2 ${sort}, real`, { type: 1, 200: 1, restarts: 1 })
  })
}

test.run()
