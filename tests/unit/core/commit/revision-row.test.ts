/** History rows in the making (interface §2.7): what joins a revision that is open. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { joinedRow, newRow } from '../../../../core/commit/revision-row.ts'
import type { ActorId, BlockId } from '../../../../schema/ids.ts'

const test = suite('revision row')

const writer = { actor: 'ai:one' as ActorId, authMethod: 'token', ipHash: 'abc' } as const
const other = { actor: 'ai:two' as ActorId, authMethod: 'token' } as const
const begun = newRow(
  { revision: 7, at: 1, event: 'edit' },
  [writer],
  [{ at: 0, remove: 0, insert: 'x' }],
)

test('a row is who began it, and everyone who joined', () => {
  const row = joinedRow(begun, [other, writer], [{ at: 1, remove: 0, insert: 'y' }])
  assert.equal(row.actors, ['ai:one', 'ai:two'])
  assert.equal([row.revision, row.at, row.event, row.ipHash], [7, 1, 'edit', 'abc'])
  assert.equal(row.splices, [{ at: 0, remove: 0, insert: 'xy' }])
})

test('what the row said of authors and blocks is of the text before, and is said anew', () => {
  const described = {
    ...begun,
    credits: [{ from: 0, to: 1, author: 'ai:two' }],
    blocks: [['bid_0123456789abcdef' as BlockId, null]] as const,
  }
  const row = joinedRow(described, [writer], [{ at: 0, remove: 1, insert: '' }])
  assert.is(row.credits, undefined)
  assert.is(row.blocks, undefined)
})

test.run()
