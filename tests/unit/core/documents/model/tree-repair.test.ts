/** Repair, case by case: what concurrent or hostile edits leave, and what becomes of it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type * as Y from 'yjs'
import { bid, Desk, t, y } from './tree-desk.ts'

/** Commits these top-level children into an empty document and checks all laws. */
function becomes(expected: string, ...children: readonly (Y.XmlElement | Y.XmlText)[]): Desk {
  const desk = new Desk()
  desk.commit(() => desk.fragment.insert(0, [...children]))
  desk.check()
  assert.is(desk.shape, expected)
  return desk
}

const p = (text: string) => y('paragraph', {}, text)

test('an empty document gets a paragraph', () => {
  const desk = new Desk()
  desk.commit(() => undefined)
  assert.is(desk.shape, '')
  desk.commit(() => desk.fragment.insert(0, [p('a')]))
  desk.commit(() => desk.fragment.delete(0, 1))
  desk.check()
  assert.is(desk.shape, 'paragraph')
})

test('front matter alone gets a paragraph', () => {
  becomes('front_matter("a: 1") paragraph', y('front_matter', {}, 'a: 1'))
})

test('a second front matter and one not at the start become code', () => {
  const front = (text: string) => y('front_matter', { id: bid(text) }, text)
  const desk = becomes(
    'front_matter("a") code_block("b") paragraph("x") code_block("c")',
    ...[front('a'), front('b'), p('x'), front('c')],
  )
  assert.is(desk.mirror.nodes[1]?.attrs['params'], 'yaml')
  assert.is(desk.mirror.nodes[1]?.attrs['id'], bid('b'))
})

test('front matter that is no longer first becomes code', () => {
  const desk = becomes('front_matter("a") paragraph("x")', y('front_matter', {}, 'a'), p('x'))
  desk.commit(() => desk.fragment.insert(0, [p('new')]))
  desk.check()
  assert.is(desk.shape, 'paragraph("new") code_block("a") paragraph("x")')
})

test('text and leaves below the root are wrapped together', () => {
  becomes('paragraph("a" hard_break "b") paragraph("c")', t('a'), y('hard_break'), t('b'), p('c'))
  becomes('paragraph("a")', t(''), p('a'), t(''))
})

test('text, blocks and lists right in a list', () => {
  const item = (text: string) => y('list_item', {}, p(text))
  becomes(
    'bullet_list(list_item(paragraph("a")) list_item(paragraph("t") paragraph("p")) ' +
      'list_item(paragraph("b")) list_item(paragraph("c")))',
    y('bullet_list', {}, item('a'), 't', p('p'), item('b'), y('ordered_list', {}, item('c'))),
  )
})

test('items, rows and cells without their parents', () => {
  becomes(
    'bullet_list(list_item(paragraph("a")) list_item(paragraph("b"))) ' +
      'table(table_row(table_header("c") table_header("d")))',
    y('list_item', {}, p('a')),
    y('list_item', {}, 'b'),
    y('table_cell', {}, 'c'),
    y('table_cell', {}, 'd'),
  )
  becomes('table(table_row(table_header("c")))', y('table_row', {}, y('table_header', {}, 'c')))
})

test('empty shells go, empty containers are filled', () => {
  becomes('paragraph("a")', p('a'), y('bullet_list'), y('table'), y('table', {}, y('table_row')))
  becomes('blockquote(paragraph)', y('blockquote'))
  becomes('bullet_list(list_item(paragraph))', y('bullet_list', {}, y('list_item')))
  becomes('blockquote(paragraph)', y('blockquote', {}, y('bullet_list')))
  becomes('paragraph', y('bullet_list'))
})

test('a block in a textblock follows it', () => {
  becomes('paragraph("ac") paragraph("b")', y('paragraph', {}, 'a', p('b'), 'c'))
  becomes(
    'code_block("a") paragraph("b")',
    y('code_block', {}, 'a', y('bullet_list', {}), y('paragraph', {}, 'b')),
  )
})

test('children of leaves follow them', () => {
  becomes('paragraph(hard_break "a")', y('paragraph', {}, y('hard_break', {}, 'a')))
  becomes('horizontal_rule paragraph("a")', y('horizontal_rule', {}, 'a'))
})

test('leaves in code are spelled', () => {
  becomes(
    'code_block("a\\n![x](y)")',
    y('code_block', {}, 'a', y('hard_break'), y('image', { src: 'y', alt: 'x' })),
  )
})

test('tables: strangers leave, paragraphs become cells or lines, rows are made even', () => {
  becomes(
    'table(table_row(table_header("a") table_header("b")) table_row(table_cell("c") table_cell)) ' +
      'horizontal_rule bullet_list(list_item(paragraph("d")))',
    y(
      'table',
      {},
      y('table_row', {}, y('table_cell', {}, 'a'), p('b')),
      y('horizontal_rule'),
      y('table_cell', {}, 'c'),
      y('list_item', {}, p('d')),
    ),
  )
  becomes(
    'table(table_row(table_header("a" hard_break "b" hard_break "c")))',
    y('table', {}, y('table_row', {}, y('table_header', {}, 'a', p('b'), p('c')))),
  )
})

test('a table whose header row was deleted makes a new one of the next row', () => {
  const row = (kind: string, text: string) =>
    y('table_row', {}, y(kind, { align: 'left' }, t(text, { authored: { by: 'human:a' } })))
  const desk = becomes(
    'table(table_row(table_header("h":authored)) table_row(table_cell("x":authored)))',
    y('table', {}, row('table_header', 'h'), row('table_cell', 'x')),
  )
  desk.commit(() => (desk.fragment.get(0) as Y.XmlElement).delete(0, 1))
  desk.check()
  assert.is(desk.shape, 'table(table_row(table_header("x":authored)))')
  assert.is(desk.clones.length, 2, 'the cell and its character are reported')
})

test('a task box stands before a paragraph only', () => {
  const desk = becomes(
    'bullet_list(list_item(horizontal_rule))',
    y('bullet_list', {}, y('list_item', { checked: true }, y('horizontal_rule'))),
  )
  assert.is(desk.mirror.nodes[0]?.firstChild?.attrs['checked'], null)
})

test('numbers are whole and in range, missing values are written', () => {
  const desk = becomes(
    'heading heading ordered_list(list_item(paragraph))',
    y('heading', { level: 9 }),
    y('heading', { level: 1.5 }),
    y('ordered_list', { order: 1e12 }, y('list_item', {}, y('paragraph'))),
  )
  const attrs = desk.mirror.nodes.map((node) => node.attrs)
  assert.equal([attrs[0]?.['level'], attrs[1]?.['level']], [6, 1])
  assert.is(attrs[2]?.['order'], 999_999_999)
  assert.is((desk.fragment.get(2) as Y.XmlElement).getAttribute('tight') as unknown, true)
})

test('html that does not read back becomes text of its author', () => {
  const desk = new Desk()
  desk.commit(() => {
    desk.fragment.insert(0, [
      y('html_block', { id: bid('h'), source: 'no html' }),
      y('paragraph', {}, 'a', y('html_inline', { source: '<no' }), 'b'),
    ])
  }, 9)
  desk.check()
  assert.is(desk.shape, 'paragraph("no html") paragraph("a<nob")')
  assert.is(desk.mirror.nodes[0]?.attrs['id'], bid('h'))
  const characters = desk.clones.filter(({ to }) => to.startsWith('1:'))
  assert.is(characters.length, 'no html'.length + '<no'.length + 1)
  assert.ok(characters.every(({ from }) => from.startsWith('9:')))
})

test('bad links and images lose their address, not their text', () => {
  const href = 'javascript:x'
  becomes(
    'paragraph("a") paragraph("alt")',
    y('paragraph', {}, t('a', { link: { href, title: '' } })),
    y('paragraph', {}, y('image', { src: href, alt: 'alt' })),
  )
})

test('marks that no node or this node has are taken off', () => {
  const formats = { strong: {}, authored: { by: 'human:a' } }
  becomes(
    'code_block("a":authored) paragraph("b":strong+authored "c")',
    y('code_block', {}, t('a', formats)),
    y('paragraph', {}, t('b', formats), t('c', { 'em--abcdefgh': {}, blink: {}, link: {} })),
  )
})

test('marks of cloned text are judged where it lands', () => {
  becomes('code_block("\\na")', y('code_block', {}, y('hard_break', {}, t('a', { strong: {} }))))
})

test('a link without a title gets the empty one', () => {
  const desk = becomes('paragraph("a":link)', y('paragraph', {}, t('a', { link: { href: 'b' } })))
  const text = (desk.fragment.get(0) as Y.XmlElement).get(0) as Y.XmlText
  assert.equal(text.toDelta()[0].attributes, { link: { href: 'b', title: '' } })
})

test('carriage returns and NUL are replaced and stay their author’s', () => {
  const desk = new Desk()
  desk.commit(
    () =>
      desk.fragment.insert(0, [
        y('paragraph', {}, 'a\r\nb\rc\0d'),
        y('code_block', { params: 'a\rb' }),
      ]),
    9,
  )
  desk.check()
  assert.is(desk.mirror.nodes[0]?.textContent, 'a\nb\nc\uFFFDd')
  assert.is(desk.clones.length, 5, 'from the first to the last of them')
  assert.ok(desk.clones.every(({ from, to }) => from.startsWith('9:') && to.startsWith('1:')))
})

test('moved text keeps its formats and reports each character', () => {
  const desk = new Desk()
  desk.commit(() => {
    const text = t('')
    text.applyDelta([{ insert: 'ab', attributes: { em: {} } }, { insert: 'c' }])
    desk.fragment.insert(0, [text])
  }, 9)
  desk.check()
  assert.is(desk.shape, 'paragraph("ab":em "c")')
  assert.equal(
    desk.clones.map(({ from }) => from),
    ['9:2', '9:3', '9:5'],
  )
})

test('what is embedded in a text goes', () => {
  const text = t('ab')
  const desk = new Desk()
  desk.commit(() => {
    desk.fragment.insert(0, [y('paragraph', {}, text)])
    text.insertEmbed(1, { image: 'x' })
    text.insertEmbed(1, p('inner'))
  })
  desk.check()
  assert.is(desk.shape, 'paragraph("ab")')
})

test('wrapping never makes the tree deeper than can be read', () => {
  let inner: Y.XmlElement = p('deep')
  for (let depth = 0; depth < 46; depth++) {
    inner = depth % 2 ? y('bullet_list', {}, inner) : y('blockquote', {}, inner)
  }
  const desk = new Desk()
  desk.commit(() => desk.fragment.insert(0, [inner]))
  desk.check()
  let deepest = 0
  desk.doc.descendants((_node, pos) => {
    deepest = Math.max(deepest, desk.doc.resolve(pos).depth + 1)
  })
  assert.ok(deepest <= 49, `${deepest} levels`)
  assert.match(desk.shape, '"deep"')
})

test('concurrent deletions that empty a list', () => {
  const desk = new Desk()
  const item = (text: string) => y('list_item', {}, p(text))
  desk.commit(() => desk.fragment.insert(0, [p('x'), y('bullet_list', {}, item('a'), item('b'))]))
  desk.commit(() => (desk.fragment.get(1) as Y.XmlElement).delete(0, 2))
  desk.check()
  assert.is(desk.shape, 'paragraph("x")')
})

test.run()
