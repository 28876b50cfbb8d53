/** How two texts differ by words: the laws of it for any lines, and what a reader expects. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { diffWords } from '../../../../core/text/word-diff.ts'
import { Chance, seedsOf } from '../../../chance.ts'
import { leastOf, pace } from '../../../pace.ts'

/** What went and what came, as `-old+new`. */
function told(old: string, next: string): string[] {
  const regions = diffWords(old, next)
  let [read, made] = [0, '']
  for (const { from, to, nextFrom, nextTo } of regions) {
    assert.ok(from >= read && (to > from || nextTo > nextFrom))
    made += old.slice(read, from) + next.slice(nextFrom, nextTo)
    read = to
  }
  assert.is(made + old.slice(read), next)
  return regions.map(({ from, to, nextFrom, nextTo }) => {
    const [gone, came] = [old.slice(from, to), next.slice(nextFrom, nextTo)]
    return `${gone === '' ? '' : `-${gone}`}${came === '' ? '' : `+${came}`}`
  })
}

test('a line that went and words that came beside it are told apart', () => {
  const old = '- [x] Shelves for two rooms\n- [x] Lamps\n- [ ] A sign for the door\n'
  const next = '- [x] Lamps from the attic\n- [ ] A brass sign for the door\n'
  assert.equal(told(old, next), ['-- [x] Shelves for two rooms\n', '+ from the attic', '+brass '])
})

test('a line gives way to another that shares little with it as a whole', () => {
  assert.equal(
    told('a\n\nThis will be gone.\n\nb\n', 'a\n\nSomething else came here.\n\nb\n').length,
    1,
  )
  assert.equal(told('one two three\nsame\n', 'one 2 three\nnew line\nsame\n'), [
    '-two+2',
    '+new line\n',
  ])
})

test('law: applied to the old text the regions make the new one', () => {
  for (const seed of seedsOf(1, 300)) {
    const chance = new Chance(seed)
    const word = () => chance.oneOf(['one', 'two', 'a', 'xy', '- ', '**b**', ''])
    const line = () => Array.from({ length: chance.below(5) }, word).join(' ')
    const lines = Array.from({ length: chance.below(8) }, line)
    const other = lines.flatMap((same) => {
      if (chance.happens(0.2)) return []
      if (chance.happens(0.2)) return [same, line()]
      return [chance.happens(0.3) ? `${same} ${word()}` : same]
    })
    told(lines.join('\n'), other.join('\n'))
  }
})

test('of a text that was written anew so much is compared, and the rest taken as a whole', () => {
  const line = (seed: number, at: number) =>
    Array.from({ length: 200 }, (_, word) => `w${(at * 131 + word * 17) % 997}`)
      .map((word, index) => (index % 3 === 0 ? `${word}${seed}` : word))
      .join(' ')
  const text = (seed: number) =>
    Array.from({ length: 1_000 }, (_, at) =>
      at % 64 === 0 ? `same ${at}\n` : `${line(seed, at)}\n`,
    ).join('')
  const [old, next] = [text(1), text(2)]
  const spent = leastOf(2, () => told(old, next))
  assert.ok(spent < 1_000 * pace(), `${spent} ms`)
})

test.run()
