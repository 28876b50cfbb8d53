/** Law 2 with 2,000 seeds; a seed that fails here becomes a named case or joins the gate. */
import { test } from 'uvu'
import { seedsOf } from '../chance.ts'
import { Tally } from '../tally.ts'
import { runSeeds, simulate } from './scenario.ts'

const seeds = seedsOf(1_001, 2_000)

for (const sort of ['typing', 'pastes', 'structure'] as const) {
  const told = `${seeds[0]}–${seeds.at(-1)} law 2 ${sort}`

  test(`law 2, long: ${sort}`, async () => {
    const tally = new Tally()
    for (const seed of seeds) await simulate({ seed }, { sort, tally })
    tally.tell(told, { type: seeds.length })
  })

  test(`law 2, long, over real sockets: ${sort}`, async () => {
    const tally = new Tally()
    await runSeeds(seeds, { sort, tally })
    tally.tell(`${told}, real`, { type: seeds.length })
  })
}

test.run()
