/** Links between documents as wikilinks (interface §4.11). */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { printDocument } from '../../../../schema/markdown/printer.ts'
import { readMarkdown } from '../../../../schema/markdown/read-markdown.ts'
import { writeWikilinks } from '../../../../schema/wikilinks.ts'

const noteOf = (href: string) => /^\/docs\/(\w+)$/.exec(href)?.[1]
const written = (markdown: string) => writeWikilinks(markdown, noteOf)

test('a link to a note is one in brackets, with its text where that is another', () => {
  assert.is(written('a [text](/docs/N) b\n'), 'a [[N|text]] b\n')
  assert.is(written('[N](/docs/N) [x](</docs/N>) [y](/docs/N "title")'), '[[N]] [[N|x]] [[N|y]]')
  assert.is(written('[*em* `code`](/docs/N)'), '[[N|*em* `code`]]')
  assert.is(written('[a \\[b\\] c|d](/docs/N)'), '[[N|a (b) c/d]]')
  assert.is(written('[\\]\\[](/docs/N) [a\\\nb](/docs/N)'), '[[N|)(]] [[N|a b]]')
  assert.is(written('| [a](/docs/N) | [N](/docs/N) |'), '| [[N\\|a]] | [[N]] |')
  assert.is(written('> [two\n> lines](/docs/N)'), '> [[N|two lines]]')
})

test('what is code, escaped, a picture or leads elsewhere stays as it is', () => {
  for (const text of [
    '`[a](/docs/N)`',
    '`` ` [a](/docs/N) ` ``',
    '\\[a](/docs/N)',
    '![a](/docs/N)',
    '[a](/elsewhere/N)',
    '[a](https://example.org/docs/N)',
    '```\n[a](/docs/N)\n```',
    '~~~~ md\n~~~\n[a](/docs/N)\n~~~~',
    '- item\n\n  ```\n  [a](/docs/N)\n  ```',
    '> ```\n> [a](/docs/N)\n> ```',
    '<!-- [a](/docs/N) -->',
    '[a] (/docs/N)',
    '[a](/docs/N',
  ]) {
    assert.is(written(`${text}\n`), `${text}\n`, text)
  }
  assert.is(written('` one [a](/docs/N)\n\ntwo ` [b](/docs/N)'), '` one [[N|a]]\n\ntwo ` [[N|b]]')
  assert.is(written('```\n[a](/docs/N)\n```\n\n[b](/docs/N)'), '```\n[a](/docs/N)\n```\n\n[[N|b]]')
})

/** How many links to notes a document holds, as the parser reads it. */
function linksIn(markdown: string): number {
  let count = 0
  let last: unknown
  parseMarkdown(markdown).descendants((node) => {
    const mark = node.marks.find(({ type }) => type.name === 'link')
    if (node.isText && mark !== undefined && mark !== last && noteOf(mark.attrs['href'])) count++
    last = node.isText ? mark : undefined
  })
  return count
}

const seed = 20_261_128
const piece = fc.constantFrom(
  ...['[a](/docs/N)', '[b c](/docs/M "t")', 'x', ' ', '\n', '\n\n', '`', '``', '\\', '[', ']', '('],
  ...[')', '![', '*', '> ', '- ', '```\n', '~~~\n', '|', '[d](/far)', '1. ', '# '],
)

test('in canonical markdown just the links to notes are rewritten', () => {
  let links = 0
  const property = fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
    const markdown = printDocument(readMarkdown(pieces.join('')))
    const rewritten = written(markdown).match(/\[\[[NM][\\|\]]/g)?.length ?? 0
    const expected = linksIn(markdown)
    links += expected
    assert.is(rewritten, expected, JSON.stringify(markdown))
  })
  fc.assert(property, { seed, numRuns: process.env['LONG'] ? 20_000 : 1_500 })
  console.log(`\nseed ${seed} wikilinks: ${links} links`)
  assert.ok(links > 500)
})

test('it costs what the text costs, whatever that is', () => {
  for (const text of [
    '[',
    '[a](',
    '`',
    '``` ',
    '- ',
    '> ',
    '\\',
    '![',
    '[a](/docs/N',
    '[a](/docs/N)',
    '<!-- ',
    '` `` ',
  ]) {
    const long = text.repeat(Math.ceil(1_000_000 / text.length))
    const before = process.cpuUsage()
    written(long)
    const { user, system } = process.cpuUsage(before)
    assert.ok((user + system) / 1000 < 2_000, `${text}: ${(user + system) / 1000} ms`)
  }
})

test.run()
