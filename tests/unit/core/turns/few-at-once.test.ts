/** Few at once: the others wait in their order, and one that failed makes room as well. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ConcurrencyLimit } from '../../../../core/turns/concurrency-limit.ts'
import { limits } from '../../../../schema/limits.ts'
import { SimulatedRuntime, settled } from '../../../simulated-runtime.ts'

test('four uploads are written at once; each that ends lets the next one begin', async () => {
  const most = limits.uploadWritesAtOnce
  assert.is(most, 4)
  const few = new ConcurrencyLimit(new SimulatedRuntime(), most)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const jobs = Array.from({ length: 10 }, (_, at) =>
    few.run(async () => {
      begun.push(at)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (at % 2 === 1) throw new Error(`job ${at}`)
      return at
    }),
  )
  const outcomes = Promise.allSettled(jobs)
  for (let done = 0; done < 10; done++) {
    await settled()
    assert.is(begun.length, Math.min(10, most + done))
    ends[done]?.()
  }
  assert.equal(begun, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'in the order in which they came')
  const failed = (await outcomes).flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))
  assert.equal(failed, [1, 3, 5, 7, 9])
})

test.run()
