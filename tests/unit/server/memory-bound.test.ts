/** Documents make way for what else is in memory (`MEMORY_MB`), no further than they have to. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { keepNear, memoryForDocuments } from '../../../server/memory-bound.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'

const mb = 1024 ** 2
const aimBytes = 512 * mb
const most = memoryForDocuments(aimBytes)

/** A process in which documents take as much as they may, and the rest so much. */
async function bounded(restBytes: () => number) {
  const runtime = new SimulatedRuntime()
  let documentBytes = most
  const told: number[] = []
  const stop = keepNear({
    runtime,
    aimBytes,
    residentBytes: () => restBytes() + documentBytes,
    usedBytes: () => documentBytes,
    bound: (bytes) => {
      told.push(bytes)
      documentBytes = bytes
    },
  })
  return { runtime, told, stop, pass: (looks: number) => runtime.pass(looks * 1_000) }
}

test('documents keep what they may have while the process is below the aim', async () => {
  const { told, pass, stop, runtime } = await bounded(() => 100 * mb)
  await pass(5)
  assert.equal(told, Array(5).fill(most))
  stop()
  assert.is(runtime.waiting, 0)
})

test('close to the aim they have less, step by step until there is some room', async () => {
  const enough = 0.9 * aimBytes
  let rest = enough - most + 30 * mb
  const { told, pass, stop } = await bounded(() => rest)
  await pass(20)
  const met = told.at(-1) ?? 0
  assert.ok(rest + met <= enough && rest + met > enough - 10 * mb, `${met / mb} MB`)
  for (const [at, bytes] of told.entries()) {
    const before = told[at - 1] ?? most
    assert.ok(bytes <= before && before - bytes <= 8 * mb, 'no jolt')
  }
  const looks = told.length
  await pass(5)
  assert.equal(told.slice(looks), Array(5).fill(met), 'near it nothing moves')
  rest = 50 * mb
  await pass(30)
  assert.is(told.at(-1), most, 'well below it they get it back')
  stop()
})

test('what is left for them has a bound, however much the rest takes', async () => {
  const { told, pass, stop } = await bounded(() => 4 * aimBytes)
  await pass(60)
  assert.is(told.at(-1), memoryForDocuments(0))
  assert.ok(memoryForDocuments(0) >= 64 * mb)
  stop()
})

test.run()
