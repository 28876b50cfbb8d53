/** Extensions §13: a request that waits for news is answered before a proxy ends it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { settled } from '../../../simulated-runtime.ts'
import { within } from '../wire.ts'
import { simulatedWorld } from '../world.ts'

const world = await simulatedWorld()
test.after(() => world.close())

for (const wait of [55, 60, 61, 86_400]) {
  test(`§13 wait=${wait} is answered after 55 seconds`, async () => {
    const { body } = await world.call('POST', '/agents/register', undefined, { name: 'Quill' })
    let isAnswered = false
    const answer = world
      .call('GET', `/agents/me/inbox?wait=${wait}`, String(body['agent_secret']))
      .finally(() => {
        isAnswered = true
      })
    await settled(50)
    await world.runtime.pass(54_900)
    await settled(50)
    assert.not(isAnswered)
    await world.runtime.pass(200)
    const { status, body: page } = await within(answer, 'an answer')
    assert.equal([status, page['entries']], [200, []])
  })
}

test.run()
