/**
 * The canonical form, in which a block is printed whose spelling is not known, rule by rule: `from`
 * prints as `to`, and `to` as itself.
 */
import { Mark, type Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { contextOf } from '../../../../schema/markdown/context.ts'
import { printBlock, printDocument } from '../../../../schema/markdown/printer.ts'
import { readMarkdown } from '../../../../schema/markdown/read-markdown.ts'
import { checkLaws } from './markdown-check.ts'

const { nodes, marks } = documentSchema

function prints(from: string, to: string): void {
  const doc = readMarkdown(from)
  assert.is(printDocument(doc), to)
  checkLaws(doc)
  checkLaws(readMarkdown(to))
}

const text = (value: string, ...own: Mark[]) => documentSchema.text(value, Mark.setFrom(own))
const p = (...content: Node[]) => nodes.paragraph.create(null, content)
const say = (...blocks: Node[]) => printDocument(nodes.doc.create(null, blocks))
const plain = (value: string) => say(p(text(value))).slice(0, -1)

test('one blank line between blocks, one newline at the end', () => {
  prints('a\n\n\n\n# b\nc', 'a\n\n# b\n\nc\n')
  assert.is(say(p()), '')
})

test('an empty paragraph alone in its container prints nothing, others <br />', () => {
  assert.is(say(p(), p(text('a'))), '<br />\n\na\n')
  prints('-\n', '-\n')
  prints('>\n', '>\n')
  prints('- a\n\n  <br />\n', '- a\n\n  <br />\n')
})

test('three dashes in a line would be a rule', () => {
  const empty = nodes.bullet_list.create(null, nodes.list_item.create(null, p()))
  const twice = nodes.bullet_list.create(null, nodes.list_item.create(null, empty))
  const thrice = nodes.bullet_list.create(null, nodes.list_item.create(null, twice))
  assert.is(say(twice), '- -\n')
  assert.is(say(thrice), '- - - <br />\n')
  checkLaws(nodes.doc.create(null, thrice))
})

test('lists take - and 1., counted upwards from their first number', () => {
  prints('* a\n* b\n', '- a\n- b\n')
  prints('7) a\n1) b\n', '7. a\n8. b\n')
  prints('0. a\n', '0. a\n')
  prints('999999999. a\n', '999999999. a\n')
})

test('a list right after one of its kind takes the other marker, alternating', () => {
  prints('- a\n\n\n* b\n\n+ c\n', '- a\n\n* b\n\n- c\n')
  prints('1. a\n\n1) b\n\n2. c\n', '1. a\n\n1) b\n\n2. c\n')
  prints('- a\n\n1. b\n\n- c\n', '- a\n\n1. b\n\n- c\n')
})

test('content is indented by the marker and one blank; blank lines are bare', () => {
  prints('-   a\n\n    b\n', '- a\n\n  b\n')
  prints('10. a\n\n    b\n', '10. a\n\n    b\n')
  prints('> a\n> \n> b\n', '> a\n>\n> b\n')
  prints('> - a\n>   >   b\n', '> - a\n>   > b\n')
})

test('headings are ATX', () => {
  prints('a\n===\nb\n---\n', '# a\n\n## b\n')
  prints('### a ###\n', '### a\n')
  prints('#\n', '#\n')
})

test('a rule is ---, but *** first in the document and after a - marker', () => {
  prints('a\n\n***\n', 'a\n\n---\n')
  prints('---\n\na\n', '***\n\na\n')
  prints('- ***\n', '- ***\n')
  prints('1. ---\n', '1. ---\n')
})

test('a rule that would be one with the bullets before it is written as another', () => {
  const item = (block: Node) => nodes.list_item.create(null, block)
  const spelled = (source: string) => nodes.horizontal_rule.create({ spelling: source })
  const list = (block: Node, spelling: string | null = null) =>
    nodes.bullet_list.create({ spelling }, item(block))
  for (const [block, md] of [
    [list(spelled('---')), '- ***\n'],
    [list(list(spelled('- - -'))), '- - ***\n'],
    [list(spelled('___')), '- ___\n'],
    [list(spelled('***'), '* '), '* ---\n'],
    [list(list(nodes.horizontal_rule.create(), '* ')), '- * ---\n'],
    [list(list(list(p(), '* '), '* '), '* '), '* * * <br />\n'],
  ] as const) {
    assert.is(say(block), md)
    checkLaws(nodes.doc.create(null, block))
  }
})

test('an indented paragraph that becomes the first of an item is not indented', () => {
  const paragraph = nodes.paragraph.create({ spelling: '   a\n7. b' }, text('a\n7. b'))
  const list = nodes.ordered_list.create(null, nodes.list_item.create(null, paragraph))
  assert.is(say(list), '1. a\n   7\\. b\n')
  checkLaws(nodes.doc.create(null, list))
})

test('a fence is longer than any run of it inside', () => {
  prints('    a\n', '```\na\n```\n')
  prints('~~~js\n```\n~~~\n', '````js\n```\n````\n')
  prints('~~~~~a`b\n~~~\n~~~~~\n', '~~~~a`b\n~~~\n~~~~\n')
})

test('tables are not padded, and escape pipes in code too', () => {
  prints('|a  |b|\n|:-:|-|\n|`c\\|d`|e\\|f|\n', '| a | b |\n| :-: | --- |\n| `c\\|d` | e\\|f |\n')
  prints('a|b\n--:|:--\n', '| a | b |\n| --: | :-- |\n')
})

test('Unicode blanks at the ends of a block are references', () => {
  assert.is(plain('\u00a0a\u3000'), '&#160;a&#12288;')
  assert.is(plain('a\u2028'), 'a&#8232;')
  checkLaws(nodes.doc.create(null, p(text('a\u2028\n'))))
  const cell = nodes.table_cell.create(null, text('a\u2028'))
  checkLaws(nodes.doc.create(null, nodes.table.create(null, nodes.table_row.create(null, cell))))
})

test('emphasis is * and **, strike ~~, code innermost, the longest outside', () => {
  prints('_a_ __b__ ~~c~~\n', '*a* **b** ~~c~~\n')
  prints('*__a__ b*\n', '***a** b*\n')
  prints('**_a_**\n', '***a***\n')
  prints('[*a*](u)\n', '*[a](u)*\n')
  prints('*`a`*\n', '*`a`*\n')
})

test('where a delimiter cannot flank, its outer neighbour is a reference', () => {
  assert.is(say(p(text('a:', marks.strong.create()), text('b'))), '**a:**&#98;\n')
  assert.is(say(p(text('b'), text('(a)', marks.em.create()))), '&#98;*(a)*\n')
})

test('blanks leave the edges of marks', () => {
  assert.is(say(p(text('a'), text(' b ', marks.em.create()), text('c'))), 'a *b* c\n')
})

test('destinations are bare where they can be', () => {
  prints('[a](<b>)\n', '[a](b)\n')
  prints('[a](<b c>)\n', '[a](<b c>)\n')
  prints('[a](b\\(c)\n', '[a](b\\(c)\n')
  prints('[a](b(c))\n', '[a](b(c))\n')
  prints('[a](b \'c "d"\')\n', '[a](b "c \\"d\\"")\n')
  prints('[a]()\n', '[a](<>)\n')
})

test('an escape stands only where a character could be markup', () => {
  const cases: [string, string][] = [
    ['a * b *c', 'a * b \\*c'],
    ['a_b _c_ _ d', 'a_b \\_c\\_ _ d'],
    ['`a`', '\\`a\\`'],
    ['~a~ ~~b', '~a~ \\~\\~b'],
    ['[a](b) [c]', '[a\\](b) [c]'],
    ['a<b <c> < d', 'a\\<b \\<c\\> < d'],
    ['&amp; & &x', '\\&amp; & &x'],
    ['a\\b \\* c\\', 'a\\b \\\\\\* c\\\\'],
    ['a | b', 'a | b'],
  ]
  for (const [from, to] of cases) assert.is(plain(from), to)
})

test('at the start of a line markers are escaped', () => {
  const cases: [string, string][] = [
    ['# a', '\\# a'],
    ['#a', '#a'],
    ['> a', '\\> a'],
    ['- a', '\\- a'],
    ['-a', '-a'],
    ['+ a', '\\+ a'],
    ['1. a', '1\\. a'],
    ['12) a', '12\\) a'],
    ['1.a', '1.a'],
    ['a\n===', 'a\n\\==='],
    ['a\n---', 'a\n\\---'],
    ['a | b\n-- | --', 'a | b\n\\-- | --'],
    ['[x]: y', '\\[x]: y'],
    ['[^1]: y', '[^1]: y'],
    ['- - -', '\\- - -'],
  ]
  for (const [from, to] of cases) assert.is(plain(from), to)
})

test('text that looks like a task box is escaped in an item only', () => {
  const item = (content: Node) =>
    nodes.bullet_list.create(null, nodes.list_item.create(null, content))
  assert.is(say(item(p(text('[ ] a')))), '- \\[ ] a\n')
  assert.is(plain('[ ] a'), '[ ] a')
})

test('the closing hashes of a heading are escaped', () => {
  assert.is(say(nodes.heading.create({ level: 1 }, text('a #'))), '# a \\#\n')
  assert.is(say(nodes.heading.create({ level: 1 }, text('a#'))), '# a#\n')
})

test('a list is tight or loose as it can be read back', () => {
  prints('- a\n- b\n', '- a\n- b\n')
  prints('- a\n\n- b\n', '- a\n\n- b\n')
  prints('- a\n  - b\n', '- a\n  - b\n')
  prints('- a\n\n  b\n- c\n', '- a\n\n  b\n\n- c\n')
  prints('- # a\n\n- # b\n', '- # a\n- # b\n')
  prints('- a\n  # b\n  c\n', '- a\n  # b\n  c\n')
})

test('an invalid front matter prints as a yaml fence', () => {
  const matter = nodes.front_matter.create(null, text('no key'))
  assert.is(say(matter, p(text('a'))), '```yaml\nno key\n```\n\na\n')
})

test('emphasis that has no spelling is dropped, its text kept', () => {
  const odd = p(text('a', marks.em.create()), text('\u200b'), text('!b', marks.em.create()))
  checkLaws(nodes.doc.create(null, odd))
  assert.match(say(odd), 'a')
})

test('segments map text to content', () => {
  const quoted = readMarkdown('> a \\*b ![i](j)\n> c\n').child(0)
  const { md, segments, blocks } = printBlock(quoted, contextOf(undefined, quoted, true))
  assert.equal(
    segments.map((s) => [md.slice(s.md, s.md + s.mdLength), s.pos, s.length]),
    [
      ['a ', 2, 2],
      ['*b ', 4, 3],
      ['![i](j)', 7, 1],
      ['\n', 8, 1],
      ['c', 9, 1],
    ],
  )
  assert.equal(blocks, [
    { type: 'blockquote', id: null, pos: 0, from: 0, to: md.length },
    { type: 'paragraph', id: null, pos: 1, from: 2, to: md.length },
  ])
})

test.run()
