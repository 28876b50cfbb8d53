/** Law 5: requests that come together begin in several turns, everybody in turn. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { RequestTurns } from '../../../rest/request-turns.ts'
import { limits } from '../../../schema/limits.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'

const most = limits.requestsBegunInATurn
const turn = () => new Promise((resolve) => setImmediate(resolve))

function desk() {
  const turns = new RequestTurns(new SimulatedRuntime({ seed: 3 }))
  const begun: string[] = []
  return { begun, come: (who: string) => turns.run(who, () => begun.push(who)) }
}

test('who comes alone begins at once, turn after turn', async () => {
  const { begun, come } = desk()
  for (let n = 1; n <= 20; n++) {
    come('somebody')
    assert.is(begun.length, n)
    await turn()
  }
})

test('of a thousand some begin in each turn, and all of them', async () => {
  const { begun, come } = desk()
  for (let n = 0; n < 1_000; n++) come('crowd')
  for (let before = begun.length; before < 1_000; before = begun.length) {
    assert.ok(before > 0)
    await turn()
    assert.ok(begun.length - before <= most, `${begun.length - before} in a turn`)
  }
})

test('whoever comes behind a thousand of another address is next but one', async () => {
  const { begun, come } = desk()
  for (let n = 0; n < 1_000; n++) come('crowd')
  come('somebody')
  await turn()
  await turn()
  assert.ok(begun.includes('somebody'), `${begun.length} before`)
})

test.run()
