/** Extensions §11: who is received, who waits, and that nobody keeps a place by being slow. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type UploadSlot, UploadSlots } from '../../../../core/assets/upload-slots.ts'
import type { Refusal } from '../../../../schema/errors.ts'
import { limits } from '../../../../schema/limits.ts'
import { SimulatedRuntime, settled } from '../../../simulated-runtime.ts'

function desk() {
  const runtime = new SimulatedRuntime()
  const places = new UploadSlots(runtime)
  const evicted: string[] = []
  const enter = (address: string, name = address) => {
    const guest = { place: undefined as UploadSlot | undefined, leaveLine: () => {} }
    const onEvicted = ({ code }: Refusal) => void evicted.push(`${name} ${code}`)
    void places
      .enter({ source: { address, link: '' }, onEvicted }, (leave) => {
        guest.leaveLine = leave
      })
      .then((place) => {
        guest.place = place
      })
    return guest
  }
  return { runtime, places, evicted, enter }
}

test('so many at once, fewer of one address; the others wait, each address in its turn', async () => {
  const { places, enter } = desk()
  const greedy = Array.from({ length: 40 }, () => enter('a'))
  const other = enter('b')
  await settled()
  const served = greedy.filter(({ place }) => place !== undefined)
  assert.is(served.length, limits.uploadsOfAddress)
  assert.ok(other.place, 'one address does not fill the house')
  const more = Array.from({ length: 40 }, () => enter('c'))
  await settled()
  assert.is(more.filter(({ place }) => place).length, limits.uploadsAtOnce - served.length - 1)
  const late = enter('d')
  for (const { place } of served.slice(0, 3)) place?.leave()
  await settled()
  assert.ok(late.place, 'behind one of each at most')
  const waiting = places.waiting
  for (const guest of more) guest.leaveLine()
  assert.ok(places.waiting < waiting, 'who left is not waited for')
})

test('while others wait, the slowest gives way after ten seconds, and nobody who is quick', async () => {
  const { runtime, evicted, enter } = desk()
  const holders = Array.from({ length: limits.uploadsAtOnce }, (_, at) => enter(`h${at}`))
  await settled()
  const second = async () => {
    for (const [at, { place }] of holders.entries()) {
      place?.received(at === 7 ? 1 : at === 9 ? 10 : limits.uploadSlowBytesPerSecond)
    }
    await runtime.pass(1_000)
  }
  for (let seconds = 0; seconds < 30; seconds++) await second()
  assert.equal(evicted, [], 'nobody waits')
  const late = enter('late')
  for (let seconds = 0; seconds < 3; seconds++) await second()
  assert.equal(evicted, ['h7 BUSY'])
  assert.ok(late.place)
  enter('later')
  for (let seconds = 0; seconds < 3; seconds++) await second()
  assert.equal(evicted, ['h7 BUSY', 'h9 BUSY'])
  const last = enter('last')
  for (let seconds = 0; seconds < 5; seconds++) await second()
  assert.is(last.place, undefined, 'all the others are quick, or have only begun')
  holders[7]?.place?.leave()
  await settled()
  assert.is(last.place, undefined, 'a place that was given up is not given twice')
  holders[1]?.place?.leave()
  await settled()
  assert.ok(last.place)
})

test.run()
