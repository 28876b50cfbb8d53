/**
 * Text is read by our own walk over the rules of markdown-it, a piece at a time; the stock parser's
 * walk is the reference: the same tokens for every text, whatever the pieces.
 */
import type { Token } from 'markdown-it'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseEnv } from '../../../schema/markdown/parse-env.ts'
import { tokenizer, tokenizing } from '../../../schema/markdown/tokenizer.ts'
import { Chance } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { commonMarkExamples, packageDocuments } from './markdown-corpus.ts'

const seed = Number(process.env['SEED'] ?? 20_261_201)
const texts = process.env['LONG'] ? 200_000 : 1_500

const pieces = [
  ...['- ', '* ', '+ ', '1. ', '2) ', '10. ', '> ', '>', '>\t', '# ', '#', '    ', '\t', '  ', ' '],
  ...['\n', '\n', '\n', '\n\n', '\n\n\n', 'a', 'a b', '=', '===', '-', '---', '***', '```', '~~~'],
  ...['|a|b|', '|-|-|', '|', '[a]: b', '[a]', '"', '<div>', '<!--', '-->', '</div>', '<br />'],
  ...['*', '**', '_', '`', '[', '](', ')', '![', '~~', '\\', '&amp;', 'https://a.b/c', '[x] '],
]

function shape({ type, tag, attrs, map, nesting, level, children, ...rest }: Token): unknown {
  const { content, markup, info, meta, block, hidden } = rest
  const named = attrs?.map(([name, value]) => [name, String(value)])
  const own = [type, tag, named, map, nesting, level, content, markup, info, meta, block, hidden]
  return [...own, children?.map(shape)]
}

function assertSame(text: string): void {
  const stock = tokenizer.parse(text, parseEnv(true))
  const ours = tokenizing(text, parseEnv(true))
  assert.is(JSON.stringify(ours.map(shape)), JSON.stringify(stock.map(shape)), JSON.stringify(text))
}

test('the walk gives the tokens of the stock parser for every text of the corpus', () => {
  const tally = new Tally()
  for (const { markdown } of [...commonMarkExamples(), ...packageDocuments()]) {
    assertSame(markdown)
    tally.add('texts')
  }
  tally.tell('none walk over the corpus', { texts: 800 })
})

test('and for texts made at random of what markdown is made of', () => {
  const tally = new Tally()
  const chance = new Chance(seed)
  for (let count = 0; count < texts; count++) {
    const length = 1 + chance.below(24)
    assertSame(Array.from({ length }, () => pieces[chance.below(pieces.length)]).join(''))
    tally.add('texts')
  }
  tally.tell(`${seed} walk`, { texts })
})

test('and for texts so long that the walk stops within a paragraph, a list and a quote', () => {
  const chance = new Chance(seed)
  for (let count = 0; count < 12; count++) {
    const unit = Array.from(
      { length: 1 + chance.below(8) },
      () => pieces[chance.below(pieces.length)],
    ).join('')
    for (const text of [unit.repeat(400), `a *b* \`c\` [d](e) ${unit}`.repeat(300)]) {
      assertSame(text)
      assertSame(`> ${text.replaceAll('\n', '\n> ')}`)
      assertSame(`- ${text.replaceAll('\n', '\n  ')}`)
    }
  }
})

test.run()
