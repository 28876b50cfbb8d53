/**
 * Generated markdown in which every construct is written in every way that a document keeps:
 * bullets, delimiters, numbers, indents, headings of both kinds, fences and indented code, rules,
 * quotes, tables with all paddings, both kinds of emphasis, references with their definitions,
 * titles in all quotes, hard breaks of all kinds, blank lines or none, entities and needless
 * escapes.
 */
import fc from 'fast-check'

const words = [
  'a',
  'word',
  'two words',
  'x1',
  '漢字',
  'é',
  '😀',
  'snake_case_word',
  '3 * 4',
  'a & b',
]
const inlines = [
  ...['*em*', '_em_', '**strong**', '__strong__', '***both***', '_**both**_', '**a _b_ c**'],
  ...[
    '~~gone~~',
    '`code`',
    '`` a`b ``',
    '` `',
    '[a](/u)',
    '[a](</u>)',
    '[a](/u "t")',
    "[a](/u 't')",
  ],
  ...['[a](/u (t))', '[a](</a b>)', '[a]( /u )', '[](/u)', '[a][ref]', '[ref][]', '[ref]', '[Ref]'],
  ...['[**b**][ref]', '**[b](/u)**', '[_x_](/u)', '_[x](/u)_', '![i](/u)', '![i][ref]', '![ref]'],
  ...['[![i](/u)](/v)', '<https://x.y/a_b>', '<a@b.c>', 'https://x.y/a_b*c', '[u](u)', '[[wiki]]'],
  ...[
    '&amp;',
    '&copy;',
    '&#65;',
    '&#x42;',
    '&nbsp;',
    '&nope;',
    '\\*',
    '\\_x\\_',
    '\\.',
    '\\a',
    '\\\\',
  ],
  ...[
    '$a_b$',
    ':emoji:',
    '[^1]',
    '<b>x</b>',
    '<!-- c -->',
    'a<br>b',
    'a<br />b',
    '(c)',
    '1. x',
    '- x',
  ],
]
const inline = fc.oneof(fc.constantFrom(...words), fc.constantFrom(...inlines))
const glue = fc.constantFrom(' ', ' ', ' ', '  ', ', ', '.')

/** One line of text that begins and ends with a letter. */
const line = fc
  .array(fc.tuple(inline, glue), { minLength: 1, maxLength: 5 })
  .map((parts) => `w ${parts.map(([text, end]) => text + end).join('')}z`)
const lineEnd = fc.constantFrom(
  '\n',
  '\n',
  ' \n',
  '\\\n',
  '  \n',
  '    \n',
  '<br>\n',
  '\n ',
  '\n   ',
)
const lines = fc
  .array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 3 })
  .map((parts) =>
    parts.map(([text, end], at) => (at + 1 < parts.length ? text + end : text)).join(''),
  )

/** A block, without the blank lines before it. */
export interface SpelledBlock {
  readonly kind: string
  readonly md: string
}

const of = (kind: string, md: fc.Arbitrary<string>): fc.Arbitrary<SpelledBlock> =>
  md.map((text) => ({ kind, md: text }))
const indent = (most: number) => fc.integer({ min: 0, max: most }).map((count) => ' '.repeat(count))

const paragraph = of(
  'paragraph',
  fc.tuple(indent(1), lines).map((parts) => parts.join('')),
)
const atx = of(
  'heading',
  fc
    .tuple(
      fc.constantFrom('#', '##', '######'),
      fc.constantFrom(' ', '  ', '\t'),
      line,
      fc.constantFrom('', ' #', ' ##', '  ###  ', ' '),
    )
    .map((parts) => parts.join('')),
)
const setext = of(
  'setext',
  fc.tuple(line, fc.constantFrom('=', '===', '-', '-----------', '=== ')).map((p) => p.join('\n')),
)
const rule = of('rule', fc.constantFrom('***', '* * *', '___', '_____________', ' ***', '*  *  *'))
const codeLine = fc.constantFrom('let a = 1', '  b', '', '*c*', '- d', '\te', '> f', '<g>', '[ref]')
const codeText = fc
  .array(codeLine, { maxLength: 4 })
  .map((all) => ['code', ...all, 'end'].join('\n'))
const fenced = of(
  'code',
  fc
    .tuple(
      fc.constantFrom('```', '````', '~~~', '~~~~~~'),
      fc.constantFrom('', 'js', ' js', 'js {1,2}', '  a  b '),
      codeText,
      fc.constantFrom('', '`', ' '),
      indent(2),
      fc.constantFrom(/^(?=.)/gm, /^/gm),
    )
    .map(([fence, info, text, more, left, lines]) => {
      const end = more === '`' ? fence.charAt(0) : more
      return `${fence}${info}\n${text}\n${fence}${end}`.replace(lines, left)
    }),
)
const indented = of(
  'indented',
  fc
    .tuple(codeText, fc.constantFrom('', ' ', '    '))
    .map(([text, empty]) => text.replace(/^/gm, '    ').replace(/^ {4}$/gm, empty)),
)
const html = of(
  'html',
  fc.constantFrom(
    '<div>\n*x*\n</div>',
    '<!-- c\n\nd -->',
    '<details>\n<summary>s</summary>',
    '<br>',
  ),
)
const definition = of(
  'definition',
  fc.constantFrom(
    '[d1]: /u',
    '[d2]: </u> "t"',
    "[d 3]: /u\n  'title'",
    '[d4]:/u (t)',
    '[ref]: /u "t"',
  ),
)

const cellText = fc.constantFrom(
  'a',
  '*b*',
  '_c_',
  '`d`',
  'e \\| f',
  '[g][ref]',
  '',
  '`h \\| i`',
  '&lt;',
)
const row = (width: number) =>
  fc
    .tuple(
      fc.array(fc.tuple(indent(3), cellText, indent(3)), { minLength: width, maxLength: width }),
      fc.boolean(),
    )
    .map(([cells, isOpen]) => {
      const [first] = cells
      const isBare = isOpen && width > 1 && (first?.[1] ?? '') !== ''
      const text = cells.map(([left, said, right]) => left + (said || ' ') + right).join('|')
      return isBare && (cells.at(-1)?.[1] ?? '') !== '' ? text.trim() : `|${text}|`
    })
const table = of(
  'table',
  fc.integer({ min: 1, max: 3 }).chain((width) =>
    fc
      .tuple(
        row(width),
        fc.array(fc.constantFrom('-', '---', ':-', '-:', ':---:', ' --- '), {
          minLength: width,
          maxLength: width,
        }),
        fc.array(row(width), { maxLength: 3 }),
      )
      .map(([head, rules, rows]) => [head, `|${rules.join('|')}|`, ...rows].join('\n')),
  ),
)

const leaf = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  ...[atx, setext, rule, fenced, indented, html, definition, table].map((arbitrary) => ({
    weight: 1,
    arbitrary,
  })),
)

const open = new Set(['paragraph', 'table', 'list', 'quote', 'html'])

/** Whether a block may stand right below another. */
function mayTouch(before: SpelledBlock, next: SpelledBlock): boolean {
  if (next.kind === 'heading') return before.kind !== 'html'
  if (next.kind === 'code') return !['html', 'list', 'quote'].includes(before.kind)
  if (open.has(before.kind) || next.kind === 'indented') return false
  if (before.kind === 'definition') return next.kind === 'definition'
  return next.kind !== 'list'
}

/** Whether a block behind another would be read as more of it, or its list as loose. */
const joins = (before: SpelledBlock, next: SpelledBlock): boolean =>
  next.kind === before.kind && (next.kind === 'quote' || next.kind === 'list')

function stacked(blocks: readonly SpelledBlock[], gaps: readonly number[], tight: boolean): string {
  let text = ''
  let previous: SpelledBlock | undefined
  for (const [index, block] of blocks.entries()) {
    const isBehindList = previous?.kind === 'list' && /^[ \t]/.test(block.md)
    const next =
      isBehindList || (previous?.kind === 'indented' && block.kind === 'indented')
        ? { kind: 'heading', md: '# between' }
        : block
    const wanted = gaps[index % gaps.length] ?? 1
    if (previous !== undefined) {
      const isClose = wanted === 0 || tight
      const least = isClose && mayTouch(previous, next) ? 0 : Math.max(1, wanted)
      text += '\n'.repeat(1 + (joins(previous, next) ? 1 : least))
      if (joins(previous, next)) text += '# between\n\n'
    }
    text += next.md
    previous = next
  }
  return text
}

const { block } = fc.letrec<{ block: SpelledBlock }>((tie) => {
  const gap = fc.array(fc.constantFrom(0, 1, 1, 1, 2, 3), { minLength: 1, maxLength: 4 })
  const inner = fc.tuple(fc.array(tie('block'), { maxLength: 2 }), paragraph, gap)
  const quote = of(
    'quote',
    fc
      .tuple(
        inner,
        fc.constantFrom('> ', '> ', '>', ' > '),
        fc.constantFrom(0, 0, 0, 0, 1, 2),
        fc.constantFrom(...['', '', '', ''], '\n>', '\n> \n>'),
      )
      .map(([[blocks, first, gaps], mark, emptyLines, end]) => {
        const text = '\n'.repeat(emptyLines) + stacked([first, ...blocks], gaps, false)
        const marker = /^[ \t]/m.test(text) ? '> ' : mark
        const isIndented = marker.startsWith(' ')
        const last = isIndented ? end.replaceAll('>', ' >') : end
        return (
          text.replace(/^.*$/gm, (all) => (all === '' ? marker.trimEnd() : marker + all)) + last
        )
      }),
  )
  const list = of(
    'list',
    fc
      .record({
        marker: fc.constantFrom('-', '*', '+', '1.', '3)', '0.', '10.'),
        isSame: fc.boolean(),
        left: indent(2),
        blanks: fc.integer({ min: 1, max: 4 }),
        items: fc.array(fc.tuple(inner, fc.constantFrom('', '', '[ ] ', '[x] ')), {
          minLength: 1,
          maxLength: 3,
        }),
        isLoose: fc.boolean(),
      })
      .map(({ marker, isSame, left, blanks, items, isLoose }) => {
        const texts = items.map(([[blocks, first, gaps], box], index) => {
          const number = Number.parseInt(marker, 10)
          const own = Number.isNaN(number)
            ? marker
            : `${number + (isSame ? 0 : index)}${marker.slice(-1)}`
          const head = left + own + ' '.repeat(blanks)
          const some = isLoose ? blocks : blocks.filter(({ kind }) => kind === 'list').slice(0, 1)
          const lead = { kind: 'paragraph', md: first.md.trimStart() }
          const below = some.map((one) => (one.kind === 'definition' ? lead : one))
          const text = stacked([lead, ...below], isLoose ? gaps.map((n) => n || 1) : [0], !isLoose)
          return head + box + text.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(head.length)}`)
        })
        return texts.join(isLoose ? '\n\n' : '\n')
      }),
  )
  return {
    block: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 5, arbitrary: leaf },
      { weight: 1, arbitrary: quote },
      { weight: 2, arbitrary: list },
    ),
  }
})

/** A whole text; what it refers to is defined at its end. */
export const spelledMarkdown: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '', '', '---\nk: v\n---\n\n', '\n\n'),
    fc.array(block, { minLength: 1, maxLength: 5 }),
    fc.array(fc.constantFrom(0, 1, 1, 1, 2, 3), { minLength: 1, maxLength: 4 }),
  )
  .map(([head, blocks, gaps]) => `${head}${stacked(blocks, gaps, false)}\n\n[ref]: /ref "R"\n`)
