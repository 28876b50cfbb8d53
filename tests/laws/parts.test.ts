/**
 * Law 2 where live updates of no great length are already applied in parts: whatever comes between
 * two parts of a message, everybody ends with the same valid document.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../schema/limits.ts'
import { seedsOf } from './chance.ts'
import { runSeeds } from './scenario.ts'

const small = { ...limits, updatePartBytes: 150 }

const seeds = seedsOf(201, 16)

test('law 2: parts', async () => {
  const tally = await runSeeds(seeds, 'structure', small)
  assert.ok(seeds.length < 16 || tally.of('pasteBlock') > 0, 'nobody pasted')
})

test.run()
