/** Live updates while the disk is nearly full (extensions §8). */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { freeSpaceKnownMs } from '../../../../core/assets/free-space.ts'
import { Copy, textsOf } from '../wire.ts'
import { simulatedWorld } from '../world.ts'

test('extensions §8: a large live update closes with 1013, a small one is stored', async () => {
  let free = 10_000
  const world = await simulatedWorld({ minFreeBytes: 5_000, freeBytes: () => free })
  const made = await world.create('words\n')
  const join = () =>
    new Copy(world.address, `/docs/${made.slug}/live`, { token: made.token }).synced()
  const one = await join()
  const type = (copy: Copy, text: string) => [...textsOf(copy.ydoc)][0]?.insert(0, text)
  type(one, 'y'.repeat(6_000))
  await one.handled()
  assert.is(one.closeCode, undefined)
  free = 1_000
  await world.runtime.pass(freeSpaceKnownMs + 1)
  type(one, 'small ')
  await one.handled()
  assert.is(one.closeCode, undefined)
  type(one, 'x'.repeat(6_000))
  assert.is(await one.code(), 1013)
  assert.match(await world.markdown(made), /^small y+words\n$/)
  const other = await join()
  assert.is(other.closeCode, undefined, 'a reader who brings nothing is not refused')
  for (const copy of [one, other]) copy.stop()
  await world.close()
})

test.run()
