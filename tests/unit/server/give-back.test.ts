/** After a load memory goes back to the system, and nobody is held up for it while much is open. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../schema/limits.ts'
import { collector, giveBack, leisure } from '../../../server/give-back.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import { becomes, pause } from '../../waiting.ts'

test('a collection is asked for when much has left and little is open', async () => {
  const runtime = new SimulatedRuntime()
  let used = 0
  let collections = 0
  let isAtLeisure = true
  const stop = giveBack({
    runtime,
    usedBytes: () => used,
    isAtLeisure: () => isAtLeisure,
    collect: () => void collections++,
  })
  const pass = (looks: number) => runtime.pass(looks * limits.collectEveryMs)
  used = limits.collectedMaxBytes * 4
  await pass(3)
  used = limits.collectedMaxBytes * 2
  await pass(3)
  assert.is(collections, 0, 'what is open would be looked at')
  used = limits.collectFromBytes / 4
  isAtLeisure = false
  await pass(2)
  assert.is(collections, 0, 'nobody is held up while there is much to do')
  isAtLeisure = true
  await pass(6)
  assert.is(collections, 4)
  used = limits.collectFromBytes
  await pass(3)
  used = limits.collectFromBytes / 8
  await pass(3)
  assert.is(collections, 4, 'little has left')
  stop()
  assert.is(runtime.waiting, 0)
})

test('where one took long, no more are asked for until much less is left', async () => {
  const runtime = new SimulatedRuntime()
  const left = limits.collectedMaxBytes / 2
  let used = 0
  let collections = 0
  let holdMs = limits.collectHoldMs + 1
  const stop = giveBack({
    runtime,
    usedBytes: () => used,
    isAtLeisure: () => true,
    collect: () => {
      collections++
      runtime.work(holdMs)
    },
  })
  const load = async (then: number) => {
    used = 4 * limits.collectedMaxBytes
    await runtime.pass(limits.collectEveryMs)
    used = then
    await runtime.pass(8 * limits.collectEveryMs)
  }
  await load(left)
  assert.is(collections, 1, 'of four')
  await load(left)
  assert.is(collections, 1, 'it would take as long again')
  holdMs = 1
  await load(left / 2)
  assert.is(collections, 1 + 4)
  stop()
})

test('who works without a pause is not at leisure', async () => {
  const isAtLeisure = leisure()
  const since = performance.now()
  while (performance.now() - since < 50) Math.sqrt(since)
  // The event loop's time is counted a turn late.
  await new Promise((resolve) => setImmediate(resolve))
  assert.not(isAtLeisure())
  // A machine that is busy with others holds up a turn that has little to do, now and then.
  await becomes(async () => {
    await pause(100)
    return isAtLeisure()
  })
})

test('node gives the collection to who asks', () => {
  collector()()
})

test.run()
