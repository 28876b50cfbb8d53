/** A crowd is told of what is new in turns, everybody in order, and whoever left no more. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Telling } from '../../../core/documents/live/telling.ts'
import { limits } from '../../../schema/limits.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { testRuntime } from './tree-desk.ts'

/** Each listener takes a millisecond of a clock that goes on by that alone. */
function scene(count: number) {
  let now = 0
  const turns: (() => void)[] = []
  const runtime: Runtime = {
    ...testRuntime(),
    elapsed: () => now,
    inTurn: (callback) => void turns.push(callback),
  }
  const heard = Array.from({ length: count }, () => [] as string[])
  const telling = new Telling<string[], string>(runtime, (listener, news) => {
    now += 1
    listener.push(news)
  })
  const run = () => {
    const began = now
    turns.shift()?.()
    return now - began
  }
  return { telling, heard, turns, run, now: () => now }
}

test('a few hear at once; a crowd in turns, each of them in order', () => {
  const few = scene(3)
  few.telling.add('one', few.heard)
  assert.equal(few.heard, [['one'], ['one'], ['one']])
  assert.is(few.turns.length, 0)
  const { telling, heard, turns, run, now } = scene(1_000)
  telling.add('one', heard)
  assert.ok(now() <= limits.turnMs)
  telling.add('two', heard)
  while (turns.length > 0) assert.ok(run() <= limits.turnMs)
  assert.ok(heard.every((each) => each.join() === 'one,two'))
})

test('what comes faster than all can hear is told at once; so is the rest before an end', () => {
  const { telling, heard, turns, run } = scene(100)
  for (let n = 0; n < 40; n++) telling.add(`${n}`, heard)
  telling.finish()
  const all = Array.from({ length: 40 }, (_, n) => `${n}`).join()
  assert.ok(heard.every((each) => each.join() === all))
  while (turns.length > 0) run()
  assert.ok(
    heard.every((each) => each.join() === all),
    'and not twice',
  )
})

test.run()
