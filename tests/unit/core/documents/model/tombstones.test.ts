/**
 * Interface §4.11, §7: where the place of a deleted block is, however its neighbours fared since.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type StoredTombstone,
  Tombstones,
  tombstonesMax,
} from '../../../../../core/documents/model/tombstones.ts'
import type { BlockId } from '../../../../../schema/ids.ts'
import { bid } from './tree-desk.ts'

const id = (name: string | number) => bid(name) as BlockId

/** A flat document that buries its dead as the service does, and its store. */
class Yard {
  readonly live: BlockId[] = []
  readonly stored = new Map<BlockId, StoredTombstone>()
  tombstones = this.#fresh()
  revision = 1

  #fresh(): Tombstones {
    return new Tombstones({ stands: (one) => this.live.includes(one) })
  }

  insert(one: BlockId, at: number): void {
    this.live.splice(at, 0, one)
    this.#follow([], [one])
  }

  delete(from: number, count: number): void {
    const gone = this.live.splice(from, count)
    const before = this.live[from - 1]
    const survivor = before ?? this.live[from] ?? null
    const relation = before === undefined && survivor !== null ? 'before' : 'after'
    this.#follow(
      gone.map((one) => ({ id: one, survivor, relation }) as const),
      [],
    )
  }

  restart(): void {
    this.tombstones = this.#fresh()
    this.tombstones.takeOver([...this.stored.values()])
  }

  /** `relation survivor` at a revision. */
  place(one: BlockId): string | undefined {
    const found = this.tombstones.resolve(one)
    return found && `${found.relation} ${found.survivor?.replace(/^bid_0*/, '') ?? 'null'}`
  }

  #follow(
    deleted: Parameters<Tombstones['follow']>[0]['deleted'],
    revived: readonly BlockId[],
  ): void {
    const { puts, deletes } = this.tombstones.follow({ deleted, revived }, ++this.revision)
    for (const put of puts) this.stored.set(put.id, put)
    for (const one of deletes) assert.ok(this.stored.delete(one), `${one} was not stored`)
    assert.is(this.tombstones.count, this.stored.size)
  }
}

function yard(...names: readonly string[]): Yard {
  const made = new Yard()
  for (const [at, name] of names.entries()) made.insert(id(name), at)
  return made
}

test('a block that stands, or never was, has no tombstone', () => {
  const made = yard('a', 'b')
  assert.is(made.tombstones.resolve(id('a')), undefined)
  assert.is(made.tombstones.resolve(id('zz')), undefined)
})

test('a chain is followed to a block that stands, and the last relation holds', () => {
  const made = yard('a', 'b', 'c', 'd')
  made.delete(2, 1)
  assert.is(made.place(id('c')), 'after b')
  made.delete(1, 1)
  assert.is(made.place(id('c')), 'after a')
  made.delete(0, 1)
  assert.equal(
    ['a', 'b', 'c'].map((name) => made.place(id(name))),
    ['before d', 'before d', 'before d'],
  )
  made.insert(id('e'), 0)
  made.delete(1, 1)
  assert.is(made.place(id('c')), 'after e')
  assert.is(made.tombstones.resolve(id('c'))?.deletedAtRevision, 6)
})

test('when nothing is left the place is the start of the document', () => {
  const made = yard('a', 'b')
  made.delete(0, 2)
  assert.equal([made.place(id('a')), made.place(id('b'))], ['after null', 'after null'])
})

test('a block that comes back has no tombstone, and chains end at it again', () => {
  const made = yard('a', 'b', 'c')
  made.delete(2, 1)
  made.delete(1, 1)
  assert.is(made.place(id('c')), 'after a')
  made.insert(id('b'), 1)
  assert.is(made.place(id('b')), undefined)
  assert.is(made.place(id('c')), 'after b')
  assert.equal([...made.stored.keys()], [id('c')])
})

test('a long chain is followed, and in one walk for all its blocks', () => {
  const count = tombstonesMax
  const live = new Set<BlockId>([id('root')])
  let looks = 0
  const stones = new Tombstones({
    stands: (one) => {
      looks++
      return live.has(one)
    },
  })
  for (let n = 0; n < count; n++) {
    const survivor = n + 1 < count ? id(n + 1) : id('root')
    stones.follow({ deleted: [{ id: id(n), survivor, relation: 'after' }], revived: [] }, n + 2)
  }
  for (let n = 0; n < count; n++) assert.is(stones.resolve(id(n))?.survivor, id('root'))
  assert.ok(looks < 6 * count, `${looks} looks`)
})

test('100,000 deletions leave the newest tombstones, in memory and in the store', () => {
  const stones = new Tombstones({ stands: (one) => one === id('root') })
  const stored = new Set<BlockId>()
  const bury = (from: number, to: number, revision: number) => {
    const deleted = Array.from({ length: to - from }, (_, n) => {
      return { id: id(from + n), survivor: id('root'), relation: 'after' } as const
    })
    const { puts, deletes } = stones.follow({ deleted, revived: [] }, revision)
    for (const put of puts) stored.add(put.id)
    for (const one of deletes) assert.ok(stored.delete(one))
  }
  for (let n = 0; n < 60_000; n += 100) bury(n, n + 100, n + 2)
  bury(60_000, 100_000, 100_000)
  assert.is(stones.count, tombstonesMax)
  assert.is(stored.size, tombstonesMax)
  assert.is(stones.resolve(id(99_999))?.survivor, id('root'))
  assert.is(stones.resolve(id(0)), undefined)
})

test('a chain that leads to a forgotten block is forgotten as well', () => {
  const stones = new Tombstones({ stands: (one) => one === id('a') })
  const facts = { survivor: id('gone'), relation: 'after', revision: 2 } as const
  stones.takeOver([{ id: id('b'), facts }])
  assert.is(stones.resolve(id('b')), undefined)
})

interface Buried {
  readonly one: BlockId
  /** Those that stood before it and behind it when it went. */
  readonly before: readonly BlockId[]
  readonly behind: readonly BlockId[]
}

function placeOf(made: Yard, one: BlockId): number {
  const { survivor = null, relation } = made.tombstones.resolve(one) ?? {}
  return survivor === null ? 0 : made.live.indexOf(survivor) + (relation === 'after' ? 1 : 0)
}

/** What stood on either side of a deleted block and still stands is on that side of its place. */
function check(made: Yard, { one, before, behind }: Buried): void {
  const found = made.tombstones.resolve(one)
  assert.ok(found, one)
  const { survivor } = found ?? { survivor: null }
  assert.ok(survivor === null || made.live.includes(survivor), one)
  const at = placeOf(made, one)
  const left = new Set(made.live.slice(0, at))
  const right = new Set(made.live.slice(at))
  for (const other of before) assert.not.ok(right.has(other), `${other} stood before ${one}`)
  for (const other of behind) assert.not.ok(left.has(other), `${other} stood behind ${one}`)
}

const step = fc.record({ what: fc.nat(9), at: fc.nat(1000), count: fc.integer({ min: 1, max: 4 }) })

test('random deletions, insertions and returns: places keep their sides, restarts included', () => {
  const runs = 400
  console.log(`seed 31 tombstone places: ${runs} runs`)
  const property = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const made = yard('s0', 's1', 's2', 's3', 's4')
    const buried = new Map<BlockId, Buried>()
    let named = 0
    for (const { what, at, count } of steps) {
      const place = at % (made.live.length + 1)
      const back = [...buried.keys()][at % Math.max(1, buried.size)]
      if (what < 4) made.insert(id(`n${named++}`), place)
      else if (what < 8) {
        for (const [index, one] of made.live.slice(place, place + count).entries()) {
          const before = made.live.slice(0, place + index)
          buried.set(one, { one, before, behind: made.live.slice(place + index + 1) })
        }
        made.delete(place, count)
      } else if (what === 8 && back !== undefined) {
        made.insert(back, placeOf(made, back))
        buried.delete(back)
        for (const [one, { before, behind }] of buried) {
          const known = (other: BlockId) => other !== back
          buried.set(one, { one, before: before.filter(known), behind: behind.filter(known) })
        }
      } else made.restart()
      for (const one of buried.values()) check(made, one)
    }
  })
  fc.assert(property, { seed: 31, numRuns: runs })
})

test.run()
