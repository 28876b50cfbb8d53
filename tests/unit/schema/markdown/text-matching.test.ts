/** Finding the text that an edit names: the four stages, whole units, exact counts. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { type EscapeView, viewOfChunk } from '../../../../schema/markdown/escape-view.ts'
import { findText, snippets, type TextRange } from '../../../../schema/markdown/matching.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { occurrences, occurrencesInPieces } from '../../../../schema/occurrences.ts'
import { Chance } from '../../../chance.ts'
import { leastOf, pace } from '../../../pace.ts'
import { randomDocument } from './text-corpus.ts'

const seed = Number(process.env['SEED'] ?? 1)
const long = process.env['LONG'] !== undefined

const textOf = (markdown: string) => DocumentText.of(parseMarkdown(markdown).children)

/** One case: the stage and the matched markdown of every hit. */
function finds(markdown: string, wanted: string, stage: string, ...hits: string[]): void {
  const text = textOf(markdown)
  const found = findText(text, wanted)
  assert.is(found.stage, stage, JSON.stringify(text.toString()))
  assert.equal(
    found.matches.map(({ from, to }) => text.slice(from, to)),
    hits,
  )
  assert.is(found.total, hits.length)
}

test('the first stage with a hit decides', () => {
  finds('vector\\<int\\> a\n', 'vector\\<int\\>', 'exact', 'vector\\<int\\>')
  finds('vector<int> a\n', 'vector<int>', 'view', 'vector\\<int\\>')
  finds('a\\*b\\*c\n', 'a*b', 'view', 'a\\*b')
  finds('x > y\n', 'x \\> y', 'wanted-view', 'x > y')
  finds('- item\n- other\n', '* item', 'meaning', '- item')
  finds('- item\n- other\n', '* item\n* other\n', 'meaning', '- item\n- other\n')
  finds('**a** b\n', '__a__', 'meaning', '**a**')
  finds('__a__ b\n', '__a__', 'exact', '__a__')
  finds('a\n', 'b', 'none')
  finds('a\n', '', 'none')
  finds('', 'a', 'none')
})

test('hits are whole units', () => {
  finds('\\&amp; b\n', '&amp;', 'exact', '\\&amp;')
  finds('\\&amp; b\n', 'amp;', 'exact', 'amp;')
  finds('a\\*b\n', 'a\\', 'exact', 'a\\*')
  finds('a&#98;**c:**&#100;\n', '98', 'exact', '&#98;')
})

test('a marker matches only a whole marker', () => {
  finds('## The plan\n', '# The plan', 'none')
  finds('## The plan\n\n# The plan\n', '# The plan', 'exact', '# The plan')
  finds('## The plan\n', '### The plan', 'none')
  finds('text\n\n## The plan\n', 'text\n\n#', 'none')
  finds('10. a\n11. b\n', '1. b', 'none')
  finds('- x\n\n  ## The plan\n', '# The plan', 'none')
  finds('````js\n```\n````\n', '```js', 'none')
  finds('**a** b\n', '*a*', 'none')
  finds('~~a~~ b\n', '~a~', 'none')
  finds('***a*** b\n', '**a**', 'exact', '**a**')
  finds('```\n## x\n```\n', '# x', 'exact', '# x')
  finds('C## x\n', '# x', 'exact', '# x')
})

test('a marker that is spelled otherwise is sought where a block begins', () => {
  finds('one - two\n\n- two\n', '* two', 'meaning', '- two')
  finds('one - two\n', '* two', 'none')
  finds('a 1. b\n', '1) b', 'none')
  finds('> - two\n', '* two', 'meaning', '- two')
})

test('code, HTML and bare addresses are as written', () => {
  finds('`a\\*b` and a\\*b\n', 'a*b', 'view', 'a\\*b')
  finds('```\na\\*b\n```\n', 'a*b', 'none')
  finds('<b title="&amp;">x</b>\n', 'title="&"', 'none')
  finds('https://x.y/?a=1&amp;b=2\n', 'a=1&b=2', 'none')
  finds('| `a\\|b` |\n| --- |\n', 'a|b', 'view', 'a\\|b')
  finds('[x](/a\\(b)\n', 'a(b', 'view', 'a\\(b')
  finds('[x](</a(b>)\n', 'a(b', 'exact', 'a(b')
})

test('overlapping occurrences count, as stepping indexOf by one finds them', () => {
  finds('aaaa\n', 'aa', 'exact', 'aa', 'aa', 'aa')
  const many = findText(textOf(`${'a'.repeat(5000)}\n`), 'aaa')
  assert.is(many.total, 4998)
  assert.is(many.matches.length, 1000)
  const chosen = findText(textOf(`${'a'.repeat(5000)}\n`), 'aaa', { at: 4000 }).chosen
  assert.equal(chosen, { from: 4000, to: 4003 })
  assert.is(findText(textOf('aaaa\n'), 'aa', { at: 3 }).chosen, undefined)
  const started = performance.now()
  assert.is(findText(textOf(`${'a'.repeat(300_000)}\n`), 'a'.repeat(100_000)).total, 200_001)
  assert.ok(performance.now() - started < 5000, 'searching repeated letters is linear')
})

test('snippets show the surroundings and cut no character in two', () => {
  const text = textOf('ab😀 word 😀cd\n')
  const { matches } = findText(text, 'word')
  assert.equal(snippets(text, matches, 2), [{ offset: 5, text: ' word ' }])
  assert.equal(snippets(text, matches), [{ offset: 5, text: 'ab😀 word 😀cd\n' }])
})

function naive(text: string, wanted: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) found.push(at)
  return found
}

test('searching in pieces equals searching the whole', () => {
  const chance = new Chance(seed)
  let hits = 0
  for (let run = 0; run < 3000; run++) {
    const pieces = Array.from({ length: chance.below(6) }, () =>
      Array.from({ length: chance.below(8) }, () => chance.oneOf(['a', 'a', 'b'])).join(''),
    )
    const wanted = Array.from({ length: 1 + chance.below(6) }, () =>
      chance.oneOf(['a', 'a', 'b']),
    ).join('')
    const whole = pieces.join('')
    const found = [...occurrencesInPieces(pieces, wanted)]
    assert.equal(found, naive(whole, wanted), JSON.stringify({ pieces, wanted }))
    assert.equal([...occurrences(whole, wanted)], found)
    hits += found.length
  }
  assert.ok(hits > 1000)
  console.log(`\nseed ${seed} pieces: ${hits} hits`)
})

/** For each character of the view, the markdown that it stands for. */
function sources(view: EscapeView): TextRange[] {
  const ranges: TextRange[] = []
  let at = 0
  let markdown = 0
  const plain = (until: number) => {
    for (; at < until; at++, markdown++) ranges.push({ from: markdown, to: markdown + 1 })
  }
  for (const unit of view.units) {
    plain(unit.at)
    for (let count = unit.length; count > 0; count--) ranges.push({ from: unit.from, to: unit.to })
    at += unit.length
    markdown = unit.to
  }
  plain(view.text.length)
  return ranges
}

test('matches in a large text agree with a naive search of the whole view', () => {
  const chance = new Chance(seed + 1)
  const words = ['a', 'b', '*', '&', '&amp;', '<b', ' ', '_', 'ab', '\\', '`c*`', '']
  let hits = 0
  for (let run = 0; run < (long ? 20 : 3); run++) {
    const nodes = Array.from({ length: 700 }, () => {
      const said = Array.from({ length: 1 + chance.below(4) }, () => chance.oneOf(words)).join('')
      return documentSchema.node('paragraph', null, documentSchema.text(`${said}x`))
    })
    const text = DocumentText.of(nodes)
    const views = text.chunks.map(viewOfChunk)
    const whole = views.map((view) => view.text).join('')
    let offset = 0
    const ranges = text.chunks.flatMap((chunk, index) => {
      const part = sources(views[index] ?? { text: '', units: [] })
      offset += chunk.length
      return part.map(({ from, to }) => ({
        from: from + offset - chunk.length,
        to: to + offset - chunk.length,
      }))
    })
    assert.is(ranges.at(-1)?.to, text.length)
    for (let query = 0; query < 40; query++) {
      const from = chance.below(whole.length)
      const wanted = whole.slice(from, from + 1 + chance.below(12))
      const found = findText(text, wanted)
      const expected =
        found.stage === 'exact'
          ? naive(text.toString(), wanted).length
          : new Set(
              naive(whole, wanted).map((at) => {
                const last = ranges[at + wanted.length - 1]
                return `${ranges[at]?.from} ${last?.to}`
              }),
            ).size
      if (found.stage === 'exact' && found.total < expected) continue
      assert.is(found.total, expected, JSON.stringify({ wanted, stage: found.stage }))
      hits += found.total
    }
  }
  assert.ok(hits > 1000)
  console.log(`\nseed ${seed + 1} view: ${hits} hits`)
})

test('every block finds itself', () => {
  const chance = new Chance(seed + 2)
  for (let run = 0; run < (long ? 100 : 20); run++) {
    const text = DocumentText.of(randomDocument(chance, 6).children)
    for (let index = 0; index < text.blockCount; index++) {
      const { md } = text.printed(index)
      if (md === '') continue
      const found = findText(text, md, { at: text.start(index) })
      assert.is(found.stage, 'exact')
      assert.equal(found.chosen, { from: text.start(index), to: text.end(index) })
    }
  }
  console.log(`\nseed ${seed + 2} every block`)
})

test('megabytes that are not there are told so at once', () => {
  const text = DocumentText.of(randomDocument(new Chance(seed + 3), 200).children)
  const wanted = '- an item *in* a list that is nowhere\n'.repeat(120_000)
  assert.ok(leastOf(3, () => assert.is(findText(text, wanted).stage, 'none')) < 150 * pace())
})

test.run()
