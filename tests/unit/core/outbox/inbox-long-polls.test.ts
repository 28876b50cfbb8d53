/** Extensions §13: how many may wait for their inboxes, over all and of one network. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inboxDocumentsMax } from '../../../../core/outbox/inbox.ts'
import { inboxListenedMax, inboxWaitersMax, LongPolls } from '../../../../core/outbox/long-polls.ts'
import { Refusal } from '../../../../schema/errors.ts'
import type { Slug } from '../../../../schema/ids.ts'
import { testRuntime } from '../documents/model/tree-desk.ts'

const ms = 60_000
const slugs = Array.from({ length: inboxDocumentsMax }, (_, n) => `document-${n}` as Slug)
const isBusy = (error: unknown) => error instanceof Refusal && error.code === 'BUSY'

/** As many as may, each another agent; they end together. */
function crowd(waiting: LongPolls, address: string, heard: readonly Slug[]) {
  const waits: { end(): void }[] = []
  const one = () => waiting.begin(`ai:${address} ${waits.length}`, { slugs: heard, ms, address })
  try {
    while (waits.length <= inboxWaitersMax) waits.push(one())
  } catch (error) {
    if (!isBusy(error)) throw error
  }
  const end = () => {
    for (const wait of waits) wait.end()
  }
  return { count: waits.length, one, end }
}

for (const [of, heard] of Object.entries({ 'many documents': slugs, none: [] })) {
  test(`one network's identities, each of ${of}, leave room for others`, async () => {
    const waiting = new LongPolls(testRuntime())
    const many = crowd(waiting, '192.0.2.1', heard)
    assert.ok(many.count >= 50)
    assert.throws(many.one, isBusy)
    const other = waiting.begin('ai:other', { slugs, ms, address: '192.0.2.2' })
    waiting.told({ slug: slugs[7] as Slug })
    assert.is(await other.woken, true)
    many.end()
    const again = crowd(waiting, '192.0.2.1', heard)
    assert.is(again.count, many.count)
    waiting.close()
  })
}

test('over all networks as many wait as there is room for', () => {
  const waiting = new LongPolls(testRuntime())
  let listened = 0
  for (let n = 0; n < 9; n++) {
    listened += crowd(waiting, `192.0.2.${n}`, slugs).count * slugs.length
  }
  assert.is(listened, inboxListenedMax)
  waiting.close()
})

test.run()
