/** The common subsequence of two rows: always one, and at a cost that grows with the rows alone. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commonSubsequence } from '../../../../schema/diff/subsequence.ts'
import { pace, spentOn } from '../../../pace.ts'

/**
 * Each token stands twice, a few places apart, so that none is the only one of its kind before its
 * neighbour is aligned: each alignment makes one more possible, and leaves all the rest.
 */
const chained = (length: number, own: string): string[] =>
  Array.from({ length }, (_, at) => [`${own}${at}`, `t${at + 1}`, `t${at}`]).flat()

test('rows that can be divided one token at a time cost no more than others', () => {
  const links = 20_000
  const [a, b] = ['a', 'b'].map((own) => ['t0', 'only', ...chained(links, own), `t${links}`])
  let pairs: ReturnType<typeof commonSubsequence> = []
  const spent = spentOn(() => {
    pairs = commonSubsequence(a ?? [], b ?? [])
  })
  assert.ok(spent < 400 * pace(), `${spent} ms`)
  assert.ok(pairs.length > 2)
  for (const [at, [i, j]] of pairs.entries()) {
    assert.is(a?.[i], b?.[j])
    const before = pairs[at - 1]
    assert.ok(before === undefined || (before[0] < i && before[1] < j))
  }
})

test('many rests without a token of their own cost no more than some', () => {
  const rests = 400
  const row = (own: string) =>
    Array.from({ length: rests }, (_, rest) => [
      `rest ${rest}`,
      ...Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? `x${at % 7}` : `${own}${at % 5}`)),
    ]).flat()
  const [a, b] = [row('a'), row('b')]
  let pairs = 0
  const spent = spentOn(() => {
    pairs = commonSubsequence(a, b).length
  })
  assert.ok(spent < 500 * pace(), `${spent} ms`)
  assert.ok(pairs > rests)
})

test.run()
