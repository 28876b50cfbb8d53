/**
 * Interface §2.5 as a law, whatever editors, their undo and agents do: no thread is ever on other
 * words; one whose words are gone is orphaned, and comes back when they do; one whose words stand
 * is on them, but for rare tangles of undo in which it is orphaned honestly. Every character of the
 * text is there once, so that what stands can be told by looking. `ANCHORS_SEED=…` repeats another
 * seed.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { AnchorWorld, type Watched } from './anchor-world.ts'

const given = process.env['ANCHORS_SEED']
const seeds =
  given === undefined
    ? Array.from({ length: Number(process.env['ANCHORS_SEEDS'] ?? 8) }, (_, n) => n + 1)
    : [Number(given)]
const writesMax = 60

const all = new Tally()

for (const seed of seeds) {
  test(`seed ${seed}: every anchor is on its words, or honestly on none`, async () => {
    const tally = new Tally()
    const chance = new Chance(seed)
    const world = await AnchorWorld.make(chance)
    for (let write = 1; write <= writesMax; write++) {
      const what = await world.act()
      tally.add(what)
      for (const watched of world.watched()) judge(watched, { write, what, seed }, tally)
    }
    tally.tell(`${seed} anchors`, { right: 50 })
    all.addAll(tally)
  })
}

test('of words that stand whole, at most one in a hundred is given up', () => {
  all.tell('all anchors', { right: 1_000, orphaned: 100 })
  assert.ok(all.of('lost') <= all.of('right') / 100, `${all.of('lost')} of ${all.of('right')}`)
})

/** What stands of the words: all in one piece, some, or nothing. */
function judge(
  { words, read, standing }: Watched,
  at: { readonly write: number; readonly what: string; readonly seed: number },
  tally: Tally,
): void {
  const told = `seed ${at.seed}, write ${at.write} (${at.what}): “${words.join(' ')}” reads “${read}”`
  if (read === null) {
    const isHonest = standing === 'gone'
    tally.add(isHonest ? 'orphaned' : standing === 'whole' ? 'lost' : 'lost parts')
    return
  }
  const isTyped = /^[z*\s]+$/.test(read)
  assert.ok(standing !== 'gone' || isTyped, `not orphaned though nothing stands: ${told}`)
  assert.ok(
    // What is typed among them is theirs.
    [...words.join(''), 'z'].some((letter) => read.includes(letter)),
    `on other words: ${told}`,
  )
  if (standing === 'whole') {
    const isWhole = words.every((word) => read.includes(word))
    tally.add(isWhole ? 'right' : 'degraded')
  } else tally.add('right')
}

test.run()
