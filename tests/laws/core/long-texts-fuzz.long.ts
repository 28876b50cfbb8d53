/**
 * Looks for texts that hold the event loop: patterns of what markdown is made of are repeated,
 * spliced, nested and interleaved, and those that cost most for their size are kept and changed
 * further. The worst are then taken at full size. What this finds becomes a case of `long-texts.ts`.
 * SEED repeats a run, RUNS makes it longer.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance } from '../../chance.ts'
import { pace } from '../../pace.ts'
import { Tally } from '../../tally.ts'
import { type Taken, takeText } from './taken-texts.ts'

const seed = Number(process.env['SEED'] ?? 20_261_202)
const runs = Number(process.env['RUNS'] ?? 400)

const smallChars = 24 * 1024
const fullBytes = 4 * 1024 * 1024
const turnMaxMs = 300
/** Patterns that are kept, and how many of them are taken at full size. */
const keptMax = 40
const worstMax = 8

const pieces = [
  ...['a', 'b c', '1', ' ', '  ', '    ', '\t', '\n', '\n', '\n\n', '\\\n', '  \n', '\\', '"', "'"],
  ...['- ', '* ', '+ ', '1. ', '9) ', '- [ ] ', '- [x] ', '> ', '>', '# ', '#', ' #', '=', '-'],
  ...['***', '---\n', '```\n', '~~~', '`', '``', '*', '**', '_', '__', '~~', '[', ']', '![', ']('],
  ...['](b)', '[a](b)', '[a]: b', '[a]', ')', '(', '<', '>', '<a ', '<br />', '<b>', '<div>', '&'],
  ...['</div>', '<!--', '-->', '<?', '&amp;', 'https://a.b/c', '<a@b.c>', '|', '|a|b|', '|-|-|'],
  ...['!', ':', '\u00a0', '\u{1f600}', '\ufeff', 'é', '[^1]:', '~', '=\n', '$'],
]

interface Pattern {
  readonly before: string
  readonly unit: string
}

const chance = new Chance(seed)
const oneOf = <T>(from: readonly T[]): T => from[chance.below(from.length)] as T
const some = (most: number): string =>
  Array.from({ length: 1 + chance.below(most) }, () => oneOf(pieces)).join('')

const fresh = (): Pattern => ({
  before: chance.below(4) === 0 ? `${some(4)}\n` : '',
  unit: some(6),
})

/** A place between two of a text's characters. */
const placeIn = (text: string): number => chance.below(text.length + 1)

const indent = (text: string, prefix: string): string =>
  prefix + text.replaceAll('\n', `\n${chance.below(2) === 0 ? prefix : ' '.repeat(prefix.length)}`)

function changed({ before, unit }: Pattern, other: Pattern): Pattern {
  const at = placeIn(unit)
  const part = unit.slice(at, at + 1 + chance.below(8))
  const changes: (() => Pattern)[] = [
    () => ({
      before,
      unit: unit.slice(0, at) + part.repeat(2 + chance.below(30)) + unit.slice(at),
    }),
    () => ({ before, unit: unit.slice(0, at) + oneOf(pieces) + unit.slice(at) }),
    () => ({ before, unit: unit.slice(0, at) + unit.slice(at + part.length) || 'a' }),
    () => ({ before, unit: unit.slice(0, at) + other.unit.slice(placeIn(other.unit)) || 'a' }),
    () => ({ before, unit: indent(unit, oneOf(['> ', '- ', '  ', '    ', '1. ', '| '])) }),
    () => ({ before, unit: unit + other.unit }),
    () => ({ before, unit: `${unit}\n` }),
    () => ({ before, unit: `${unit}\n\n` }),
    () => ({ before: `${some(4)}\n`, unit }),
    () => ({ before: '', unit: unit.slice(0, 400) }),
  ]
  return oneOf(changes)()
}

const textOf = ({ before, unit }: Pattern, chars: number): string =>
  before + unit.repeat(Math.max(1, Math.floor((chars - before.length) / unit.length)))

interface Found extends Pattern {
  readonly score: number
}

/** What a text costs beside what it should: its longest turn, and the work for each character. */
function scoreOf(takes: readonly Taken[]): number {
  const longest = Math.max(...takes.map(({ longestMs }) => longestMs))
  const total = takes.reduce((sum, { totalMs }) => sum + totalMs, 0)
  return longest + total / 20
}

const shown = ({ before, unit }: Pattern): string => JSON.stringify({ before, unit })

/** The largest text of a pattern that is taken, as far as halving it tells. */
async function assertAtFullSize(pattern: Pattern): Promise<number> {
  let longest = 0
  for (let chars = fullBytes; chars >= smallChars; chars = Math.floor(chars / 3)) {
    const text = textOf(pattern, chars)
    if (Buffer.byteLength(text) > fullBytes) continue
    const takes = await takeText(text)
    for (const { way, longestMs } of takes) {
      longest = Math.max(longest, longestMs)
      if (longestMs < turnMaxMs) continue
      const bound = turnMaxMs * pace()
      const message = `${way} of ${text.length}: a turn of ${longestMs} ms, not ${bound}`
      assert.ok(longestMs < bound, `${message}: ${shown(pattern)}`)
    }
    if (takes.some(({ outcome }) => outcome === 'taken')) break
  }
  return longest
}

test('no text that is made of markdown holds the event loop', async () => {
  const tally = new Tally()
  let kept: Found[] = []
  for (let run = 0; run < runs; run++) {
    const isFresh = kept.length < keptMax / 2 || chance.below(5) === 0
    const pattern = isFresh ? fresh() : changed(oneOf(kept), oneOf(kept))
    if (pattern.unit.length > smallChars) continue
    const score = scoreOf(await takeText(textOf(pattern, smallChars), ['create', 'replace']))
    tally.add('texts')
    kept.push({ ...pattern, score })
    kept = kept.sort((a, b) => b.score - a.score).slice(0, keptMax)
  }
  for (const found of kept.slice(0, worstMax)) {
    const longest = await assertAtFullSize(found)
    tally.add('at full size')
    console.log(`${Math.round(found.score)} ${Math.round(longest)} ms ${shown(found)}`)
  }
  tally.tell(`${seed} long texts`, { texts: runs / 2, 'at full size': 1 })
})

test.run()
