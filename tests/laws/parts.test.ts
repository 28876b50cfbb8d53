/**
 * Law 2 where live updates of no great length are already applied in parts: whatever comes between
 * two parts of a message, everybody ends with the same valid document.
 */
import { test } from 'uvu'
import { limits } from '../../schema/limits.ts'
import { seedsOf } from '../chance.ts'
import { Tally } from '../tally.ts'
import { countParts } from './count-parts.ts'
import { simulate } from './scenario.ts'

const small = { ...limits, updatePartBytes: 20 }

const seeds = seedsOf(201, process.env['LONG'] ? 40 : 2)

for (const sort of ['pastes', 'structure'] as const) {
  test(`law 2: parts, ${sort}`, async () => {
    const tally = new Tally()
    const restore = countParts(tally)
    try {
      for (const seed of seeds) await simulate({ seed, limits: small }, { sort, tally })
    } finally {
      restore()
    }
    const pastes = sort === 'pastes' && { 'messages in parts': 10, parts: 30, paste: 10 }
    const least = { 'messages whole': 5 * seeds.length, ...pastes }
    tally.tell(`${seeds[0]}–${seeds.at(-1)} law 2 parts, ${sort}`, seeds.length === 1 ? {} : least)
  })
}

test.run()
