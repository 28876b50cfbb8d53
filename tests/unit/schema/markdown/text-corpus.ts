/**
 * Random documents for the tests of the derived text: snippets of CommonMark and GFM one after the
 * other, from a small generator of its own, so that a seed is one number.
 */
import { createRequire } from 'node:module'
import type { Node } from 'prosemirror-model'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { printDocument } from '../../../../schema/markdown/printer.ts'
import { readMarkdown } from '../../../../schema/markdown/read-markdown.ts'
import type { Chance } from '../../../chance.ts'

const spec: { readonly tests: readonly { readonly markdown: string }[] } = createRequire(
  import.meta.url,
)('commonmark-spec')

const own = [
  '- [ ] task **x**\n- [x] y\n  - z `c`\n\n> q *e*\n> - a\n> - b | c\n',
  '| a | b |\n| - | - |\n| c `x\\|y` | d **e** |\n| \\*f | &amp;copy; |\n',
  '1. a | b\n   - c\n2. d\n   ```\n   x\n   ```\n',
  '- one\n- two\n\n* three\n* four\n\n1. five\n\n\n1) six\n',
  '***\n',
  '<br />\n',
  '~~s~~ vector\\<int\\> a&#98;**c:**&#100; https://x.y/a_b\n',
  '> one\n> two\\\n> three\n>\n> ```js\n> [x]: y\n> ```\n',
  '- a\n\n  ***\n\n  <div>\n  x\n  </div>\n- \n- c\n',
  'two\nlines *of\ntext* here\n',
  '## head `c` #\\#\n',
]

export const snippets: readonly string[] = [
  ...spec.tests.map((example) => example.markdown),
  ...own,
  ...own,
].filter((text) => text.trim() !== '')

/** A list of some items, each a snippet or a few words. */
export function randomList(chance: Chance): string {
  const ordered = chance.happens(0.3)
  const between = chance.happens(0.4) ? '\n\n' : '\n'
  const items = Array.from({ length: 3 + chance.below(6) }, (_, index) => {
    const marker = ordered ? `${index + 1}. ` : '- '
    const said = chance.happens(0.6)
      ? chance.oneOf(['one', '**two**', '[ ] do', 'a\nb'])
      : chance.oneOf(snippets)
    return marker + said.trimEnd().replaceAll('\n', `\n${' '.repeat(marker.length)}`)
  })
  return items.join(between)
}

/** A random document as the service would hold it: with how it was written, or without. */
export function randomDocument(chance: Chance, snippetsMax: number): Node {
  let source = chance.happens(0.1) ? '---\nkey: value\n---\n\n' : ''
  const count = 1 + chance.below(snippetsMax)
  for (let index = 0; index < count; index++) {
    source += `${chance.happens(0.2) ? randomList(chance) : chance.oneOf(snippets)}\n\n`
  }
  const read = chance.happens(0.3) ? readMarkdown(source) : parseMarkdown(source)
  return parseMarkdown(printDocument(read))
}
