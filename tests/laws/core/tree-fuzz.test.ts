/**
 * Any admissible mess of concurrent writes, committed: the laws of the tree hold after each commit.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Tally } from '../../tally.ts'
import { Desk, y } from '../../unit/core/documents/model/tree-desk.ts'
import { Crowd, type Move } from './tree-crowd.ts'

const runs = process.env['LONG'] ? 3000 : 30
const seed = Number(process.env['SEED'] ?? 20)

const nat = fc.nat({ max: 1 << 20 })
const move: fc.Arbitrary<Move> = fc.tuple(fc.nat({ max: 2 }), nat, nat, nat, nat)

test('the laws hold after every commit', () => {
  const tally = new Tally()
  const done = new Tally()
  fc.assert(
    fc.property(fc.array(move, { minLength: 10, maxLength: 60, size: 'max' }), (moves) => {
      const desk = new Desk()
      desk.commit(() =>
        desk.fragment.insert(0, [
          y('paragraph', {}, 'one two'),
          y('bullet_list', {}, y('list_item', {}, y('paragraph', {}, 'three'))),
          y('table', {}, y('table_row', {}, y('table_cell', {}, 'four'))),
        ]),
      )
      const crowd = new Crowd(desk, 3)
      for (const each of moves) {
        const before = desk.updates.length
        crowd.move(each)
        if (desk.updates.length === before) continue
        tally.add('commits')
        desk.check()
      }
      crowd.settle()
      desk.check()
      for (const [name, count] of crowd.done) done.add(name, count)
    }),
    { seed, numRuns: runs, includeErrorInReport: true },
  )
  tally.tell(`${seed} tree fuzz`, { commits: runs })
  done.tell(`${seed} tree fuzz, actions`, {})
  assert.is(done.kinds, 12, 'every action happened')
})

test.run()
