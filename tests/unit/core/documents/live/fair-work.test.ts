/** Whose work comes next in a host: theirs who have had the least of its time lately. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Caller, FairWork } from '../../../../../core/documents/live/fair-work.ts'
import type { Slug } from '../../../../../schema/ids.ts'
import { SimulatedRuntime, settled } from '../../../../simulated-runtime.ts'

const caller = (slug: string, address?: string, link?: string): Caller => ({
  slug: slug as Slug,
  ...(address !== undefined && { address }),
  ...(link !== undefined && { link }),
})

class Host {
  readonly runtime = new SimulatedRuntime()
  readonly worked: string[] = []
  readonly done: string[] = []
  readonly fair = new FairWork(this.runtime, (slug) => void this.worked.push(slug))

  add(name: string, by: Caller, ms: number): void {
    this.fair.add(by, () => {
      this.done.push(name)
      this.runtime.work(ms)
    })
  }
}

test('alone it is done at once, and it is told whose document is worked on', () => {
  const host = new Host()
  host.add('a', caller('doc', '1', 'x'), 1)
  assert.equal(host.done, ['a'])
  assert.equal(host.worked, ['doc'])
})

test('after some milliseconds what came meanwhile is taken in before the next', async () => {
  const host = new Host()
  host.fair.add(caller('doc', '0', 'w'), () => {
    for (const name of ['a', 'b', 'c']) host.add(name, caller('doc', '1', 'x'), 3)
  })
  assert.equal(host.done, ['a', 'b'])
  await settled(1)
  assert.equal(host.done, ['a', 'b', 'c'])
})

for (const [what, hog, honest] of [
  ['address', caller('a', '1', 'x'), caller('b', '2', 'y')],
  ['link, from other addresses', caller('a', '3', 'x'), caller('b', '4', 'y')],
  ['document, by other links and addresses', caller('a', '5', 'z'), caller('b', '6', 'y')],
] as const) {
  test(`whoever had much of the time is behind all others: by ${what}`, async () => {
    const host = new Host()
    host.add('much', caller('a', '1', 'x'), 100)
    await settled(1)
    host.fair.add(caller('c', '9', 'v'), () => {
      for (let at = 0; at < 50; at++) host.add('hog', hog, 5)
      host.add('honest', honest, 1)
    })
    assert.is(host.done.indexOf('honest'), 1)
    await settled(60)
    assert.is(host.done.length, 52)
  })
}

test('of one caller all is done in its order, and callers with as little share alike', async () => {
  const host = new Host()
  host.fair.add(caller('c', '9', 'v'), () => {
    for (let at = 0; at < 3; at++) {
      host.add(`a${at}`, caller('a', '1', 'x'), 5)
      host.add(`b${at}`, caller('b', '2', 'y'), 5)
    }
  })
  await settled(10)
  assert.equal(host.done, ['a0', 'b0', 'a1', 'b1', 'a2', 'b2'])
})

test('of what comes together, theirs who had much is last', async () => {
  const host = new Host()
  host.add('much', caller('a', '1', 'x'), 100)
  await settled(1)
  host.fair.gather(() => {
    for (let at = 0; at < 5; at++) host.add('hog', caller('a', '1', 'x'), 5)
    host.add('honest', caller('b', '2', 'y'), 1)
  })
  assert.equal(host.done.slice(0, 2), ['much', 'honest'])
  await settled(10)
  assert.is(host.done.length, 7)
})

test('so it is of what comes in later steps of promises, once some milliseconds were worked', async () => {
  const host = new Host()
  const later = async (name: string, by: Caller) => {
    await undefined
    host.add(name, by, 2)
  }
  for (let at = 0; at < 9; at++) void later('hog', caller('a', '1', 'x'))
  void later('honest', caller('b', '2', 'y'))
  await settled(2)
  assert.equal(host.done.slice(0, 3), ['hog', 'hog', 'honest'])
  await settled(10)
  assert.is(host.done.length, 10)
})

test('what has no address and no link is counted for its document alone', async () => {
  const host = new Host()
  host.add('much', caller('a', '', ''), 100)
  await settled(1)
  host.fair.gather(() => {
    host.add('again', caller('a', '', ''), 1)
    host.add('other', caller('b', '', ''), 1)
  })
  assert.equal(host.done, ['much', 'other', 'again'])
})

test('what was used is forgotten with time', async () => {
  const host = new Host()
  host.add('much', caller('a', '1', 'x'), 100)
  await host.runtime.pass(60_000)
  host.add('some', caller('b', '2', 'y'), 5)
  await settled(1)
  host.fair.add(caller('c', '9', 'v'), () => {
    host.add('b', caller('b', '2', 'y'), 1)
    host.add('a', caller('a', '1', 'x'), 1)
  })
  assert.equal(host.done, ['much', 'some', 'a', 'b'])
})

test('work that answers or throws is answered so', async () => {
  const { fair } = new Host()
  assert.is(await fair.run(caller('a'), () => 'answer'), 'answer')
  await fair
    .run(caller('a'), () => {
      throw new Error('no')
    })
    .then(assert.unreachable, (error: Error) => assert.is(error.message, 'no'))
})

test.run()
