/** Any text at all, made of what markdown gives a meaning to, mutilated examples among it. */
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { spelledMarkdown } from './spelled-markdown.ts'

const spec = createRequire(import.meta.url)('commonmark-spec') as {
  readonly tests: readonly { readonly markdown: string }[]
}
const examples = spec.tests.map(({ markdown }) => markdown.replaceAll('→', '\t'))

const pieces = [
  ...[
    'a',
    'b ',
    'word',
    ' ',
    '  ',
    '    ',
    '\t',
    '\n',
    '\n',
    '\n\n',
    '\n\n\n',
    ' \n',
    '  \n',
    '\\\n',
  ],
  ...['- ', '* ', '+ ', '1. ', '2) ', '10. ', '-\n', '> ', '>', '>> ', '# ', '## ', ' #', '#'],
  ...['===\n', '---\n', '***\n', '* * *\n', '```', '```js\n', '~~~\n', '    code\n', '\tcode\n'],
  ...[
    '*',
    '**',
    '_',
    '__',
    '~~',
    '`',
    '``',
    '[',
    ']',
    '](u)',
    '[x]',
    '[x][]',
    '![',
    '[ ] ',
    '[x] ',
  ],
  ...['[x]: u\n', '[x]: <u> "t"\n', "'t'", '<', '>', '<b>', '</b>', '<div>\n', '</div>\n', '<br>'],
  ...['<br />\n', '<!-- ', ' -->', '<?', '?>', '<int>', '&amp;', '&copy;', '&#65;', '&', '\\', '|'],
  ...['| a | b |\n', '|-|-|\n', '| - |\n', 'a|b\n-|-\n', '\\|', 'https://x.y', '<https://x.y>'],
  ...[
    '中',
    '。',
    '**中。**中',
    '😀',
    '\u00a0',
    '\u3000',
    '---\nk: v\n---\n',
    '[^1]: n\n',
    '\u0008',
  ],
]
const joined = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 })
  .map((parts) => parts.join(''))

/** A text with some pieces put in or taken out. */
const mutilated = (source: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(source, fc.array(fc.tuple(fc.nat(9_999), fc.nat(4), fc.constantFrom('', ...pieces))))
    .map(([text, changes]) =>
      changes.slice(0, 3).reduce((md, [at, count, piece]) => {
        const from = at % (md.length + 1)
        return md.slice(0, from) + piece + md.slice(from + count)
      }, text),
    )

export const anyMarkdown: fc.Arbitrary<string> = fc.oneof(
  joined,
  mutilated(fc.constantFrom(...examples)),
  mutilated(spelledMarkdown),
)
