/**
 * What is held to be plain text is read, and written, as the whole of the parser and the printer
 * would (interface §3): a short cut that both take.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseEnv } from '../../../schema/markdown/parse-env.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { spellsItself } from '../../../schema/markdown/plain-text.ts'
import { printDocument } from '../../../schema/markdown/printer.ts'
import { tokenizer } from '../../../schema/markdown/tokenizer.ts'
import { Tally } from '../../tally.ts'

const seed = 20_261_127
const runs = process.env['LONG'] ? 200_000 : 20_000

const mostlyPlain = [
  ...'abcxyzÄéßжあ漢1239 .,;:?\'"()%/#+-=$^{}@–—…',
  ...['www.', 'http:', 'mailto:a@b.c', '1. ', '- ', '---', '===', ':--', '  ', '\t', '\u00a0'],
  ...['\u200b', '\u2028', '\u2029', '\ufeff', '\u3000', '\u0001', '😀', '\ud83d', 'e\u0301'],
]
const marked = [...'\\`*_~[]<>&|!\r\n\0', '://', '**', '](', '&amp;']

const word = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...mostlyPlain) },
  { weight: 1, arbitrary: fc.constantFrom(...marked) },
)
const line = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(''))

test('§3 plain text has the very tokens that all inline rules make of it', () => {
  const tally = new Tally()
  const property = fc.property(line, (text) => {
    const isPlain = spellsItself(text)
    tally.add(isPlain ? 'plain' : 'others')
    if (!isPlain) return
    const env = parseEnv({})
    const tokens = tokenizer.parseInline(text, env)[0]?.children ?? []
    assert.equal(
      tokens.map(({ type, content, nesting, level }) => ({ type, content, nesting, level })),
      [{ type: 'text', content: text, nesting: 0, level: 0 }],
      JSON.stringify(text),
    )
  })
  fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} plain tokens`, { plain: runs / 6, others: runs / 4 })
})

test('§3 plain text is read as all of the parser reads it, and written as it is', () => {
  const tally = new Tally()
  const property = fc.property(line, fc.constantFrom('', '\n'), (text, end) => {
    tally.add('others', spellsItself(text) ? 0 : 1)
    if (!spellsItself(text)) return
    tally.add('plain', 1)
    const alone = parseMarkdown(text + end)
    // Two blocks are never read the short way.
    const both = parseMarkdown(`${text}\n\n${text}`)
    assert.is(both.childCount, 2, JSON.stringify(text))
    for (const block of both.children) {
      assert.equal(alone.toJSON().content, [block.toJSON()], JSON.stringify(text))
    }
    assert.is(printDocument(alone), `${text}\n`, JSON.stringify(text))
  })
  fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} plain text`, { plain: runs / 6, others: runs / 4 })
})

test.run()
