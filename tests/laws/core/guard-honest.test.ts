/** Whatever stock clients send is admitted, and the guarded document equals an unguarded one. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Tally } from '../../tally.ts'
import { World } from '../../unit/core/documents/guard/guard-world.ts'

const worlds = process.env['LONG'] ? 2_000 : 15
const steps = 150

test('random edits, undo, offline merges, reloads and reconnects of three clients', () => {
  const tally = new Tally()
  for (let seed = 1; seed <= worlds; seed++) {
    const world = new World(seed)
    try {
      for (let step = 0; step < steps; step++) world.step()
      const cuts = seed % 4 === 0
      if (!world.check() && !cuts) tally.add('unequal')
    } catch (error) {
      console.log(`failing seed ${seed}`)
      throw error
    }
    tally.add('updates admitted', world.judged)
  }
  tally.tell(`1–${worlds} guard honest`, { 'updates admitted': 20 * worlds })
  assert.ok(tally.of('unequal') <= worlds / 200)
})

test.run()
