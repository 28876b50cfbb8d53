/** Who may send next, and when a delivery is made again (extensions §6). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeliveryOutcome, settled } from '../../../../core/webhooks/outcome.ts'
import { type Slot, Slots, type SlotTaker } from '../../../../core/webhooks/slots.ts'
import { newDelivery, type WaitingDelivery } from '../../../../core/webhooks/waiting-delivery.ts'
import { limits } from '../../../../schema/limits.ts'
import type { Runtime } from '../../../../schema/runtime.ts'
import { readConfig } from '../../../../server/config.ts'
import { systemRuntime } from '../../../../server/runtime.ts'

class Clock {
  elapsed = 0
  readonly runtime: Runtime = { ...systemRuntime, elapsed: () => this.elapsed }
}

interface Taker extends SlotTaker {
  isFailing: boolean
  isReady: boolean
}

const taker = (name: string, more: Partial<Taker> = {}): Taker => ({
  agentId: name,
  host: `${name}.example`,
  isFailing: false,
  isReady: true,
  ...more,
})

function world() {
  const clock = new Clock()
  const slots = new Slots<Taker>(clock.runtime, limits)
  const held: { taker: Taker; slot: Slot }[] = []
  const takeAll = (): string[] => {
    const names: string[] = []
    for (let next = slots.take(); next !== undefined; next = slots.take()) {
      held.push(next)
      names.push(next.taker.agentId)
      slots.offer(next.taker)
    }
    return names
  }
  /** The target answered after so long. */
  const answer = (name: string, ms: number) => {
    clock.elapsed += ms
    const at = held.findIndex(({ taker }) => taker.agentId === name)
    const [one] = held.splice(at, 1)
    if (one !== undefined) slots.release(one.taker, one.slot, true)
  }
  /** It is known to answer quickly. */
  const quick = (one: Taker) => {
    slots.offer(one)
    assert.ok(takeAll().includes(one.agentId))
    slots.withdraw(one)
    while (held.some(({ taker }) => taker === one)) answer(one.agentId, 1)
  }
  return { clock, slots, takeAll, answer, quick }
}

test('four deliveries of one agent are under way, one while its target fails', () => {
  const { slots, takeAll } = world()
  slots.offer(taker('one'))
  assert.is(takeAll().length, 4)
  slots.offer(taker('failing', { isFailing: true }))
  assert.equal(takeAll(), ['failing'])
})

test('eight of one host and port, and the next when one of these has ended', () => {
  const { slots, takeAll, answer } = world()
  const agents = Array.from({ length: 5 }, (_, at) => taker(`a${at}`, { host: 'one.example:80' }))
  for (const one of agents) slots.offer(one)
  const names = takeAll()
  assert.is(names.length, 8)
  answer(names[0] ?? '', 1)
  assert.is(takeAll().length, 1)
})

test('failing targets use 16 together, others not known to be quick 48, all 64', () => {
  const { slots, takeAll, quick } = world()
  const quickOnes = Array.from({ length: 30 }, (_, at) => taker(`quick${at}`))
  for (const one of quickOnes) quick(one)
  for (let at = 0; at < 300; at++) slots.offer(taker(`dead${at}`, { isFailing: true }))
  assert.is(takeAll().length, 16)
  for (let at = 0; at < 300; at++) slots.offer(taker(`new${at}`))
  assert.is(takeAll().length, 32)
  for (const one of quickOnes) slots.offer(one)
  assert.is(takeAll().filter((name) => name.startsWith('quick')).length, 16)
})

test('hundreds of identities that once were slow do not hold up a quick one', () => {
  const { slots, takeAll, answer, quick } = world()
  const honest = taker('honest')
  quick(honest)
  const slow = Array.from({ length: 400 }, (_, at) => taker(`slow${at}`))
  for (const one of slow) {
    quick(one)
    slots.offer(one)
    const names = takeAll()
    slots.withdraw(one)
    for (const name of names) answer(name, 1_200)
  }
  for (const one of slow) slots.offer(one)
  const held = takeAll()
  assert.is(held.length, 48, 'a part is left to those that are quick')
  slots.offer(honest)
  assert.equal(takeAll(), Array(4).fill('honest'))
  slots.withdraw(honest)
  answer('honest', 1)
  slots.offer(honest)
  answer(held[0] ?? '', 4_900)
  assert.is(takeAll()[0], 'honest')
})

const now = 1_000_000_000_000
const runtime = { ...systemRuntime, now: () => now }
const { webhookRetriesMs: retriesMs } = readConfig({})
const state = { secretId: 's' }
const made = () =>
  newDelivery(runtime, 7, { event: 'mention', at: now, slug: '0123456789abcdefghij' })
const failed: DeliveryOutcome = { kind: 'failed', status: 500, error: 'the answer was 500', ms: 3 }

test('retries come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h; then it is given up', () => {
  const waits: number[] = []
  let delivery: WaitingDelivery = made()
  for (;;) {
    const next = settled(delivery, state, { outcome: failed, at: { now, retriesMs } })
    assert.is(next.state.lastError, 'the answer was 500')
    const { lane, dueAt } = next.delivery
    if (lane === undefined || dueAt === undefined) {
      assert.equal([next.isExhausted, next.delivery.state], [true, 'given_up'])
      break
    }
    waits.push((dueAt - now) / 1000)
    delivery = { ...next.delivery, lane, dueAt }
  }
  assert.equal(waits, [5, 300, 1_800, 7_200, 18_000, 36_000])
  assert.is(delivery.attempts.length, 6)
})

test('a delivery leaves its lane after the third failed attempt', () => {
  let delivery: WaitingDelivery = made()
  const lanes: string[] = []
  for (let n = 0; n < 4; n++) {
    const next = settled(delivery, state, { outcome: failed, at: { now, retriesMs } })
    const { lane = '', dueAt = 0 } = next.delivery
    lanes.push(lane)
    delivery = { ...next.delivery, lane, dueAt }
  }
  const { slug, id } = delivery
  assert.equal(lanes, [slug, slug, `${slug}~${id}`, `${slug}~${id}`])
})

test('what the service could not do itself is no failure of the target', () => {
  const { delivery, state: after } = settled(made(), state, {
    outcome: { kind: 'postponed' },
    at: { now, retriesMs },
  })
  assert.equal([delivery.failed, delivery.attempts, after], [0, [], state])
})

test.run()
