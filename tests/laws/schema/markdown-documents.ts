/**
 * Generated documents for the markdown laws: hostile text, every mark and leaf, every block. They
 * satisfy the schema but are not repaired, as if a browser had sent them.
 */
import fc from 'fast-check'
import type { Mark, Node } from 'prosemirror-model'
import { documentSchema } from '../../../schema/document-schema.ts'

const { nodes, marks } = documentSchema

const fragments = [
  ...'a b é 中 word . , ; : " { } @ 0 + - = # | ! & < > ( ) [ ] * _ ~ ` \\ \n \t'.split(' '),
  ...['', '  ', '    ', '**', '__', '~~', '``', '```', '~~~', '](', '![', '\\\\', '# ', '- '],
  ...['+ ', '1. ', '10) ', '> ', '===', '---', '***', '* * *', ':-- |', '| --- |', '[ ] ', '[x]'],
  ...['<b>', '</b>', '<int>', '<a', '/>', '<br />', '<!-- c -->', '<div>', '&amp;', '&#65;', '&x'],
  ...['https://x.y/a_b*c', 'http://', 'www.x.y', 'a@b.c', '<https://x.y>', '[x]: u', '[^1]: n'],
  ...['$a_b$', 'x_y_z', '😀', '\u00a0', '\u3000', '\u200b', '\u2028', '「x」', '。'],
]
const plainFragments = ['a', 'b', ' ', 'foo', 'bar.', '(x)', '"q"', ',', '中', '。', '「x」']

const joined = (parts: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength }).map((list) => list.join(''))
const hostileText = joined(fragments, 8).map((text) => text || 'x')
const plainText = joined(plainFragments, 4)
const anyText = fc.oneof(plainText, hostileText)

const address = fc.constantFrom(
  ...['', 'u', 'http://x.y', 'https://x.y/(a)', 'a b', 'a(b', 'mailto:a@b.c', 'x"y', '<z>', '\\'],
  ...['a\\)', '&amp;', '#h', 'a*b_c', 'ä', 'a|b', 'x)', 'javascript:x', 'a\nb', 'www.x.y'],
)
const title = fc.constantFrom('', '', 't', 'a "q"', '\\', "it's (x)", '&lt;', 'a|b', 'a\nb')
const link = fc.option(fc.record({ href: address, title }), { freq: 3 })

const emphasis = [marks.strong, marks.em, marks.strike, marks.code]
const markSet = fc
  .tuple(fc.subarray(emphasis, { maxLength: 3 }), link, fc.option(fc.constantFrom('p:1', 'ai:2')))
  .map(([types, attrs, by]) => {
    const list: Mark[] = types.map((type) => type.create())
    if (attrs !== null) list.push(marks.link.create(attrs))
    if (by !== null) list.push(marks.authored.create({ by }))
    return list.reduce((set, mark) => mark.addToSet(set), [] as readonly Mark[])
  })
const linkOfLeaf = link.map((attrs) => ({
  href: attrs?.href ?? null,
  hrefTitle: attrs?.title ?? '',
}))

const textNode = fc.tuple(anyText, markSet).map(([text, set]) => documentSchema.text(text, set))
const imageNode = fc
  .tuple(address, anyText, title, linkOfLeaf)
  .map(([src, alt, t, href]) => nodes.image.create({ src, alt, title: t, ...href }))
const htmlSource = fc.constantFrom(
  ...['<b>', '</b>', '<div>', '<!-- c -->', '<a href="x|y">', '<bogus', '<int>', '<br>', '<pre>'],
  ...['<img\nsrc="x">', '<span title="*a*">', '<?php ?>', '<!-- a\n\nb -->', '<b \n c>', ' <b>'],
)
const htmlNode = fc
  .tuple(htmlSource, linkOfLeaf)
  .map(([source, href]) => nodes.html_inline.create({ source, ...href }))
const inlineNode: fc.Arbitrary<Node> = fc.oneof(
  { weight: 6, arbitrary: textNode },
  { weight: 1, arbitrary: imageNode },
  { weight: 1, arbitrary: fc.constant(nodes.hard_break.create()) },
  { weight: 1, arbitrary: htmlNode },
)
export const inlineContent = fc.array(inlineNode, { maxLength: 5 })

const codeText = fc
  .array(
    fc.constantFrom(
      'a',
      '\n',
      '```',
      '~~~',
      '````',
      '  ',
      '- x',
      '<div>',
      '\t',
      '/artifacts/1',
      '---',
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''))
const params = fc.constantFrom('', 'js', 'artifact', 'a b', 'x`y', '~', 'a\\*b', '&amp;', '{.x}')
const blockSource = fc.constantFrom(
  ...[
    '<div>\nx\n</div>',
    '<!-- a\n\nb -->',
    '<!-- open',
    '<script>\n\nx</script>',
    '<br />',
    '<b>',
  ],
  ...['text', '<div>\n\nx', '<?php', '<table>\n- a\n</table>', '<pre>\n\n  a\n</pre>', '', ' <p>'],
)

const textOf = (text: string) => (text === '' ? null : documentSchema.text(text))
const id = fc.option(fc.constantFrom('b1', 'b2', 'b3'))
const align = fc.constantFrom(null, 'left', 'right', 'center')
const cell = fc
  .tuple(fc.boolean(), align, inlineContent)
  .map(([header, a, content]) =>
    (header ? nodes.table_header : nodes.table_cell).create({ align: a }, content),
  )
const row = fc
  .array(cell, { minLength: 1, maxLength: 3 })
  .map((cells) => nodes.table_row.create(null, cells))
const table = fc
  .array(row, { minLength: 1, maxLength: 3 })
  .map((rows) => nodes.table.create(null, rows))

const plainBlock: fc.Arbitrary<Node> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(id, inlineContent).map(([i, c]) => nodes.paragraph.create({ id: i }, c)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 7 }), inlineContent)
      .map(([level, c]) => nodes.heading.create({ level }, c)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(params, codeText)
      .map(([p, text]) => nodes.code_block.create({ params: p }, textOf(text))),
  },
  { weight: 1, arbitrary: id.map((i) => nodes.horizontal_rule.create({ id: i })) },
  { weight: 1, arbitrary: blockSource.map((source) => nodes.html_block.create({ source })) },
  { weight: 1, arbitrary: table },
)

const { block } = fc.letrec<{ block: Node }>((tie) => {
  const blocks = fc.array(tie('block'), { minLength: 1, maxLength: 2 })
  const item = fc
    .tuple(fc.constantFrom(null, null, true, false), blocks)
    .map(([checked, content]) => nodes.list_item.create({ checked }, content))
  const items = fc.array(item, { minLength: 1, maxLength: 3 })
  const order = fc.constantFrom(0, 1, 2, 9, 99, 999_999_999, -1)
  return {
    block: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { weight: 6, arbitrary: plainBlock },
      { weight: 1, arbitrary: blocks.map((content) => nodes.blockquote.create(null, content)) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.boolean(), items)
          .map(([tight, content]) => nodes.bullet_list.create({ tight }, content)),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.boolean(), order, items)
          .map(([tight, o, content]) => nodes.ordered_list.create({ tight, order: o }, content)),
      },
    ),
  }
})

const frontMatter = fc.option(
  fc.constantFrom('title: x', '# c\na: [1]\n', 'a: |\n  b', '', 'nokey', 'a: 1\n---\nb'),
  { freq: 8 },
)

const inParagraph = (content: readonly Node[]) =>
  nodes.doc.create(null, nodes.paragraph.create(null, content))

/** One paragraph of hostile text. */
export const textDocument: fc.Arbitrary<Node> = fc
  .array(anyText, { minLength: 1, maxLength: 4 })
  .map((parts) => inParagraph([documentSchema.text(parts.join(''))]))

/** One textblock of marked text and leaves: a paragraph, a heading, an item or a table cell. */
export const inlineDocument: fc.Arbitrary<Node> = fc
  .tuple(fc.constantFrom('paragraph', 'paragraph', 'heading', 'item', 'cell'), inlineContent)
  .map(([kind, content]) => {
    if (kind === 'paragraph') return inParagraph(content)
    if (kind === 'heading')
      return nodes.doc.create(null, nodes.heading.create({ level: 2 }, content))
    const paragraph = nodes.paragraph.create(null, content)
    const holder =
      kind === 'item'
        ? nodes.bullet_list.create(null, nodes.list_item.create(null, paragraph))
        : nodes.table.create(
            null,
            nodes.table_row.create(null, nodes.table_header.create(null, content)),
          )
    return nodes.doc.create(null, holder)
  })

/** Whole documents, front matter included. */
export const blockDocument: fc.Arbitrary<Node> = fc
  .tuple(frontMatter, fc.array(block, { minLength: 1, maxLength: 4 }))
  .map(([matter, blocks]) => {
    const start = matter === null ? [] : [nodes.front_matter.create(null, textOf(matter))]
    return nodes.doc.create(null, [...start, ...blocks])
  })
