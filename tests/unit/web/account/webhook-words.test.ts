/** What the page says of webhooks and their deliveries (extensions §6). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  deliveryWords,
  replayedSince,
  stateWords,
} from '../../../../web/account/own/webhook-words.ts'
import type { Delivery } from '../../../../web/api/webhooks.ts'

const status = { failing_since: null, last_success_at: null, last_error: null, waiting: 0 }
const attempt = { at: '2026-01-01T00:00:00.000Z', status: 500, error: 'the answer was 500', ms: 9 }
const delivery = (state: Delivery['state'], attempts: Delivery['attempts']): Delivery => ({
  id: 'msg_1',
  event: 'mention',
  document: null,
  created_at: '2026-01-01T00:00:00.000Z',
  state,
  attempts,
  next_attempt_at: null,
})

test('each state of a webhook is named, with what waits', () => {
  assert.match(stateWords({ ...status, state: 'off' }), /^No webhook address is set/)
  assert.is(stateWords({ ...status, state: 'ok' }), 'Working.')
  assert.match(stateWords({ ...status, state: 'failing', waiting: 3 }), /^Failing\..* 3 pending\.$/)
  assert.match(stateWords({ ...status, state: 'gone' }), /410 Gone/)
})

test('a delivery says how often it was tried and what went wrong last', () => {
  const good = { ...attempt, status: 204, error: null }
  assert.is(deliveryWords(delivery('delivered', [attempt, good])), 'delivered, 2 attempts')
  assert.is(deliveryWords(delivery('waiting', [])), 'pending')
  assert.is(deliveryWords(delivery('waiting', [attempt])), 'pending, 1 attempt, the answer was 500')
  assert.is(deliveryWords(delivery('given_up', [attempt])), 'failed, the answer was 500')
})

test('a replay goes back as far as it may', () => {
  const now = Date.parse('2026-02-01T00:00:00.000Z')
  const back = now - Date.parse(replayedSince(now))
  assert.ok(back < 30 * 24 * 3_600_000 && back > 29 * 24 * 3_600_000)
})

test.run()
