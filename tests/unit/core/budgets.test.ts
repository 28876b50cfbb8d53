/** Shares of the event loop: by link, network and document, with turns for each lane. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Budgets } from '../../../core/documents/live/budgets.ts'
import type { Slug } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import { SimulatedRuntime, settled } from '../../simulated-runtime.ts'

const slug = 'doc' as Slug
const other = 'other' as Slug
const from = (address: string, link: string) => () => ({ address, link })
const { budgetMaxMicros, budgetMicrosPerMs } = limits

test('what one spends, all of its network, of its link and of the document have spent', () => {
  const budgets = new Budgets(new SimulatedRuntime())
  budgets.of('updates', slug, from('a', 'x')).spend(2 * budgetMaxMicros)
  for (const [address, link, where] of [
    ['a', 'y', other],
    ['b', 'x', other],
    ['b', 'y', slug],
  ] as const) {
    assert.is(budgets.of('updates', where, from(address, link)).mayGo, false, `${address} ${link}`)
  }
  assert.is(budgets.of('updates', other, from('b', 'y')).mayGo, true)
  assert.is(budgets.of('answers', slug, from('a', 'x')).mayGo, true)
})

test('what everybody feels is paid by the network alone', () => {
  const budgets = new Budgets(new SimulatedRuntime())
  budgets.of('updates', slug, from('a', 'x')).spend(1_000, 2 * budgetMaxMicros)
  assert.is(budgets.of('updates', slug, from('a', 'x')).mayGo, false)
  assert.is(budgets.of('updates', slug, from('b', 'x')).mayGo, true)
})

test('a share comes back with time, and what is cheap leaves no debt', async () => {
  const runtime = new SimulatedRuntime()
  const budget = new Budgets(runtime).of('updates', slug, from('a', 'x'))
  budget.charge(5 * budgetMaxMicros)
  assert.is(budget.mayGo, false)
  await runtime.pass(1)
  assert.is(budget.mayGo, true)
  budget.spend(budgetMicrosPerMs * 1_001)
  let isTurn = false
  const turn = budget.turn().then(() => {
    isTurn = true
  })
  await runtime.pass(999)
  assert.is(isTurn, false)
  await runtime.pass(2)
  await turn
})

test('a crowd in one lane does not stand before another lane', async () => {
  const runtime = new SimulatedRuntime()
  const budgets = new Budgets(runtime)
  const crowd = budgets.of('updates', slug, from('a', 'x'))
  crowd.spend(budgetMaxMicros + 1)
  const order: string[] = []
  const wait = async (name: string, link: string) => {
    const budget = budgets.of('updates', slug, from(name === 'honest' ? 'b' : 'a', link))
    await budget.turn()
    order.push(name)
    budget.spend(10 * budgetMicrosPerMs)
  }
  for (let at = 0; at < 20; at++) void wait(`evil ${at}`, 'x')
  void wait('honest', 'y')
  await settled()
  await runtime.pass(40)
  assert.ok(order.indexOf('honest') >= 0 && order.indexOf('honest') <= 2, order.join(', '))
  budgets.close()
  await settled()
  assert.is(order.length, 21)
})

test.run()
