/** Depth and count of JSON values, found without parsing (extensions §8). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { passedBound } from '../../../../rest/bodies/json-scan.ts'
import { Chance } from '../../../chance.ts'
import { leastOf, pace } from '../../../pace.ts'

const keeps = (text: string, maxDepth: number, maxValues: number) =>
  passedBound(Buffer.from(text), { maxDepth, maxValues, maxFields: 1_000 }) === undefined

/** What the text holds, by way of the parser. */
function measured(value: unknown): { readonly depth: number; readonly values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 }
  const inner = Object.values(value).map(measured)
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
  }
}

const words = ['', 'x', '"', '\\', '[', ',', '\\"', '{"a":[', '\u2028é']

function drawn(chance: Chance, level: number): unknown {
  const kind = level === 0 ? chance.below(3) : chance.below(5)
  const entries = () => Array.from({ length: chance.below(4) }, () => drawn(chance, level - 1))
  if (kind === 0) return words[chance.below(words.length)]
  if (kind === 1) return chance.below(100)
  if (kind === 2) return null
  if (kind === 3) return entries()
  return Object.fromEntries(entries().map((entry, at) => [`${at}${words[at] ?? ''}`, entry]))
}

test('depth and values are counted as the parser would count them', () => {
  const chance = new Chance(7)
  let containers = 0
  for (let round = 0; round < 2_000; round++) {
    const value = drawn(chance, 5)
    const { depth, values } = measured(value)
    if (depth > 1) containers += 1
    for (const space of [0, 2]) {
      const text = JSON.stringify(value, undefined, space)
      assert.ok(keeps(text, depth, values), text)
      assert.not.ok(keeps(text, depth, values - 1), text)
      if (depth > 0) assert.not.ok(keeps(text, depth - 1, values), text)
    }
  }
  assert.ok(containers > 100)
})

test('fields count by object, entries of arrays do not', () => {
  const passed = (text: string) =>
    passedBound(Buffer.from(text), { maxDepth: 9, maxValues: 1_000, maxFields: 3 })
  assert.is(passed('{"a":1,"b":{"c":1,"d":2,"e":3},"f":[1,2,3,4,5,6]}'), undefined)
  assert.is(passed('{"a":{},"b":{},"c":{}}'), undefined)
  assert.is(passed('[{"a":1,"b":2,"c":3},{"a":1,"b":2,"c":3}]'), undefined)
  assert.is(passed('{"a":1,"b":2,"c":3,"d":4}'), 'maxFields')
  assert.is(passed('[[{"a":[1,2,3,4,5],"b":2,"c":3,"d":4}]]'), 'maxFields')
})

test('the scan is linear, and ends at the bound', () => {
  const string = `"${'\\"['.repeat(2 * 1024 * 1024)}"`
  assert.ok(keeps(string, 0, 1))
  const took = leastOf(3, () => keeps(string, 0, 1))
  assert.ok(took < 60 * pace(), `${took} ms`)
  const early = leastOf(3, () => keeps('['.repeat(6 * 1024 * 1024), 32, 200_000))
  assert.ok(early < 40 * pace(), `${early} ms`)
})

test.run()
