/** Repair: each thing a stored document must satisfy, and that nothing else is touched. */
import { Mark, type Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { normalize } from '../../../../schema/markdown/normalize.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { printDocument } from '../../../../schema/markdown/printer.ts'
import { repairBlock } from '../../../../schema/markdown/repair.ts'

const { nodes, marks } = documentSchema
const text = (value: string, ...own: Mark[]) => documentSchema.text(value, Mark.setFrom(own))
const p = (...content: Node[]) => nodes.paragraph.create({ id: 'p1' }, content)

function repairs(node: Node, expected: Node): void {
  node.check()
  const repaired = repairBlock(node)
  repaired.check()
  assert.equal(repaired.toJSON(), expected.toJSON())
  assert.ok(repairBlock(repaired) === repaired, 'repair is idempotent')
}

const leaves = (node: Node) => assert.ok(repairBlock(node) === node, `${node} needs nothing`)

test('what needs nothing is the same object', () => {
  const doc = parseMarkdown(
    '# a\n\n- [ ] *b* [c](d)\n\n| a |\n| - |\n| b |\n\n<div>\n\n> ![a](b)\n',
  )
  for (const block of doc.children) leaves(block)
  leaves(p(text('a', marks.authored.create({ by: 'x' })), text('b')))
})

test('tables become rectangular, headers and alignment from the first row', () => {
  const { table, table_row: row, table_header: header, table_cell: cell } = nodes
  repairs(
    table.create({ id: 't' }, [
      row.create({ id: 'r' }, [cell.create({ align: 'left', colspan: 2 }, text('a'))]),
      row.create({ id: 's' }, [header.create(null, text('b')), cell.create({ align: 'right' })]),
    ]),
    table.create({ id: 't' }, [
      row.create({ id: 'r' }, [header.create({ align: 'left' }, text('a')), header.create()]),
      row.create({ id: 's' }, [cell.create({ align: 'left' }, text('b')), cell.create()]),
    ]),
  )
})

test('task boxes stand before paragraphs only', () => {
  const list = (checked: boolean | null, block: Node) =>
    nodes.bullet_list.create(null, nodes.list_item.create({ id: 'i', checked }, block))
  const heading = nodes.heading.create(null, text('a'))
  repairs(list(true, heading), list(null, heading))
  leaves(list(true, p(text('a'))))
})

test('the numbers of a list have nine digits at most', () => {
  const item = nodes.list_item.create(null, p())
  const list = (order: number) => nodes.ordered_list.create({ order }, [item, item])
  repairs(list(-3), list(0))
  repairs(list(1e12), list(999_999_998))
  leaves(list(0))
})

test('heading levels are 1 to 6', () => {
  repairs(nodes.heading.create({ level: 9 }), nodes.heading.create({ level: 6 }))
  repairs(nodes.heading.create({ level: 0 }), nodes.heading.create({ level: 1 }))
})

test('HTML that does not read back becomes text', () => {
  const html = (source: string) => nodes.html_block.create({ id: 'p1', source })
  repairs(html('a <b>'), p(text('a <b>')))
  repairs(html('<div>\n\na'), p(text('<div>\n\na')))
  repairs(html('<br />'), p(text('<br />')))
  repairs(html(''), p())
  leaves(html('<div>\na\n</div>'))
  leaves(html('<!-- a\n\nb -->'))
  const inline = (source: string) => p(nodes.html_inline.create({ source, href: '/u' }))
  repairs(inline('<nope>'), p(text('<nope>', marks.link.create({ href: '/u' }))))
  leaves(inline('<b>'))
})

test('leaves carry no marks', () => {
  const image = nodes.image.create({ src: 'a' })
  repairs(p(image.mark([marks.em.create()])), p(image))
  repairs(p(nodes.hard_break.create().mark([marks.strong.create()])), p(nodes.hard_break.create()))
})

test('addresses with other schemes are taken off', () => {
  const link = marks.link.create({ href: 'javascript:x' })
  const by = marks.authored.create({ by: 'x' })
  repairs(p(text('a', link, by)), p(text('a', by)))
  const image = { src: 'data:x', alt: 'b', href: '/u' }
  repairs(p(nodes.image.create(image)), p(text('b', marks.link.create({ href: '/u' }))))
  const linked = { src: 'c', href: 'vbscript:x', hrefTitle: 't' }
  repairs(p(nodes.image.create(linked)), p(nodes.image.create({ src: 'c' })))
})

test('carriage returns and NUL become what markdown reads them as', () => {
  repairs(p(text('a\r\nb\rc\0')), p(text('a\nb\nc\uFFFD')))
})

test('repair reaches into containers and keeps ids', () => {
  const quote = (level: number) =>
    nodes.blockquote.create({ id: 'q' }, [p(text('a')), nodes.heading.create({ id: 'h', level })])
  const repaired = repairBlock(quote(7))
  assert.equal(repaired.toJSON(), quote(6).toJSON())
  const before = quote(7)
  assert.ok(repairBlock(before).child(0) === before.child(0), 'what needs nothing is shared')
})

test('normalize drops ids, authorship and what cannot be printed', () => {
  const by = marks.authored.create({ by: 'x' })
  const doc = nodes.doc.create(null, [p(text(' a ', by), text('b  \n', marks.em.create(), by))])
  assert.equal(normalize(doc).toJSON(), parseMarkdown('a *b*\n').toJSON())
  assert.is(printDocument(doc), 'a *b*\n')
})

test.run()
