/** After a load memory goes back to the system, and nobody is held up for it while much is open. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../schema/limits.ts'
import { collector, giveBack } from '../../server/give-back.ts'
import { SimulatedRuntime } from '../simulated-runtime.ts'

test('a collection is asked for when much has left and little is open', async () => {
  const runtime = new SimulatedRuntime()
  let used = 0
  let collections = 0
  const stop = giveBack({
    runtime,
    usedBytes: () => used,
    collect: () => void collections++,
  })
  const pass = (looks: number) => runtime.pass(looks * limits.collectEveryMs)
  used = limits.collectedMaxBytes * 4
  await pass(3)
  used = limits.collectedMaxBytes * 2
  await pass(3)
  assert.is(collections, 0, 'what is open would be looked at')
  used = limits.collectFromBytes / 4
  await pass(5)
  assert.is(collections, 2)
  used = limits.collectFromBytes
  await pass(3)
  used = limits.collectFromBytes / 8
  await pass(3)
  assert.is(collections, 2, 'little has left')
  stop()
  assert.is(runtime.waiting, 0)
})

test('node gives the collection to who asks', () => {
  collector()()
})

test.run()
