/** Changes of a text: composing them is the same as making one after the other. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  applyChange,
  changeOf,
  compose,
  composed,
  type TextReplacement,
} from '../../../../core/text/text-change.ts'

const seed = 20
const letters = fc.string({ maxLength: 4 })
const wish = fc.record({ place: fc.nat(), remove: fc.nat(5), insert: letters })
const text = fc.string({ maxLength: 30 })

type Wish = { readonly place: number; readonly remove: number; readonly insert: string }

const splice = (before: string, { place, remove, insert }: Wish): TextReplacement => {
  const at = place % (before.length + 1)
  return { at, remove: Math.min(remove, before.length - at), insert }
}

/** Steps that each count in what the ones before left, and the text after all. */
function made(before: string, wishes: readonly Wish[]) {
  const steps: TextReplacement[] = []
  let now = before
  for (const one of wishes) {
    const step = splice(now, one)
    steps.push(step)
    now = now.slice(0, step.at) + step.insert + now.slice(step.at + step.remove)
  }
  return { steps, now }
}

const apart = (change: readonly TextReplacement[]) =>
  change.every(({ at }, index) => {
    const last = change[index - 1]
    return last === undefined || last.at + last.remove < at
  })

test('steps become one change', () => {
  const run = (before: string, wishes: readonly Wish[]) => {
    const { steps, now } = made(before, wishes)
    const change = changeOf(steps)
    assert.is(applyChange(before, change), now)
    assert.ok(apart(change))
  }
  fc.assert(fc.property(text, fc.array(wish, { maxLength: 12 }), run), { seed, numRuns: 3_000 })
})

test('composing two changes is making one after the other', () => {
  const several = fc.array(wish, { maxLength: 8 })
  const run = (before: string, first: readonly Wish[], second: readonly Wish[]) => {
    const one = made(before, first)
    const two = made(one.now, second)
    const both = composed(changeOf(one.steps), changeOf(two.steps))
    assert.is(applyChange(before, both), two.now)
    assert.ok(apart(both))
  }
  fc.assert(fc.property(text, several, several, run), { seed, numRuns: 3_000 })
  console.log(`seed ${seed} text changes: 9000 runs`)
})

test('composing many changes is making one after the other', () => {
  const several = fc.array(fc.array(wish, { maxLength: 4 }), { maxLength: 9 })
  const run = (before: string, wishes: readonly (readonly Wish[])[]) => {
    let now = before
    const changes = wishes.map((some) => {
      const { steps, now: after } = made(now, some)
      now = after
      return changeOf(steps)
    })
    const all = compose(changes)
    assert.is(applyChange(before, all), now)
    assert.ok(apart(all))
  }
  fc.assert(fc.property(text, several, run), { seed, numRuns: 3_000 })
})

test('typing in one place is one splice', () => {
  const keys = [...'hello'].map((insert, index) => ({ at: 7 + index, remove: 0, insert }))
  assert.equal(changeOf(keys), [{ at: 7, remove: 0, insert: 'hello' }])
  const taken = composed(changeOf(keys), [{ at: 10, remove: 2, insert: '' }])
  assert.equal(taken, [{ at: 7, remove: 0, insert: 'hel' }])
})

test.run()
