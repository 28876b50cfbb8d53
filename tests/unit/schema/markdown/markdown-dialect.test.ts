/** What the dialect reads: each rule by name, as the nodes it yields and the text they print to. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { Refusal } from '../../../../schema/errors.ts'
import { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { isFrontMatter } from '../../../../schema/markdown/front-matter.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { printDocument } from '../../../../schema/markdown/printer.ts'
import { readMarkdown } from '../../../../schema/markdown/read-markdown.ts'
import { checkLaws } from './markdown-check.ts'

/** The nodes a text is read as, and (unless it is canonical itself) its canonical spelling. */
function reads(markdown: string, nodes: string, canonical = markdown): void {
  const doc = readMarkdown(markdown)
  doc.check()
  assert.is(doc.toString(), `doc(${nodes})`, markdown)
  assert.is(printDocument(doc), canonical)
  checkLaws(doc)
  const spelled = parseMarkdown(markdown)
  assert.is(spelled.toString(), `doc(${nodes})`, markdown)
  checkLaws(spelled)
}

/** The same of a text that comes back as it is. */
function keeps(markdown: string, nodes: string, canonical: string): void {
  reads(markdown, nodes, canonical)
  assert.is(printDocument(parseMarkdown(markdown)), markdown)
}

const blockOf = (markdown: string) => parseMarkdown(markdown).child(0)
const inlineOf = (markdown: string) => blockOf(markdown).content.toJSON() as unknown

test('the empty text is one empty paragraph', () => {
  reads('', 'paragraph')
  reads('\n \n', 'paragraph', '')
  assert.is(parseMarkdown('a').child(0).attrs['id'], null)
})

test('a single newline is kept in the text', () => {
  reads('a\nb\n', 'paragraph("a\\nb")')
  reads('a  x \n   b\n', 'paragraph("a  x\\nb")', 'a  x\nb\n')
})

test('a newline is a blank in a heading and in code', () => {
  reads('a\nb\n===\n', 'heading("a b")', '# a b\n')
  reads('`a\nb`\n', 'paragraph(code("a b"))', '`a b`\n')
})

test('hard breaks are a backslash at the end of a line', () => {
  reads('a\\\nb\n', 'paragraph("a", hard_break, "b")')
  reads('a  \nb\n', 'paragraph("a", hard_break, "b")', 'a\\\nb\n')
  reads('a<br>b\n', 'paragraph("a", hard_break, "b")', 'a\\\nb\n')
})

test('hard breaks are <br /> in headings and cells', () => {
  reads('# a<br/>b\n', 'heading("a", hard_break, "b")', '# a<br />b\n')
  const cell = 'table(table_row(table_header("a", hard_break, "b")))'
  reads('| a<br />b |\n| --- |\n', cell)
})

test('<br /> alone on a line is an empty paragraph', () => {
  reads('a\n\n<br />\n\nb\n', 'paragraph("a"), paragraph, paragraph("b")')
  reads('a\n\n<BR>\nb\n', 'paragraph("a"), paragraph, paragraph("b")', 'a\n\n<br />\n\nb\n')
})

test('HTML is opaque: known names, comments, instructions, declarations, CDATA', () => {
  reads('a <b>c</b>\n', 'paragraph("a ", html_inline, "c", html_inline)')
  reads('<div>\n*a*\n</div>\n', 'html_block')
  reads('a <!-- *b* --> c\n', 'paragraph("a ", html_inline, " c")')
  reads('a <?php b ?> c\n', 'paragraph("a ", html_inline, " c")')
  reads('a <!X b> c\n', 'paragraph("a ", html_inline, " c")')
  reads('a <![CDATA[ *b* ]]> c\n', 'paragraph("a ", html_inline, " c")')
})

test('tags with unknown names are text', () => {
  reads('vector<int> v\n', 'paragraph("vector<int> v")', 'vector\\<int\\> v\n')
  reads('<Warning>\n*a*\n', 'paragraph("<Warning>\\n", em("a"))', '\\<Warning\\>\n*a*\n')
})

test('HTML that is left open is closed', () => {
  reads('<!-- a\n', 'html_block', '<!-- a\n-->\n')
  reads('<script>\nx\n', 'html_block', '<script>\nx\n</script>\n')
  reads('<?php\n', 'html_block', '<?php\n?>\n')
})

test('an HTML atom that would open a block takes the newline before it', () => {
  const before = 'a <div>b</div>\n'
  reads(before, 'paragraph("a ", html_inline, "b", html_inline)')
  reads('a\n<b>\nc\n', 'paragraph("a\\n", html_inline, "\\nc")')
})

test('link definitions are blocks, and links by reference keep their labels', () => {
  keeps(
    '[a]: /u "t"\n\n[b][a] [a] [a][]\n',
    'link_definition("[a]: /u \\"t\\""), paragraph(link("b"), " ", link("a"), " ", link("a"))',
    '[a]: /u "t"\n\n[b](/u "t") [a](/u "t") [a](/u "t")\n',
  )
  reads('> [x]: /u\n', 'blockquote(link_definition("[x]: /u"))')
})

test('a link definition stays where it is, used or not, the first of a label counts', () => {
  reads('a\n\n[x]: /u\n\nb\n', 'paragraph("a"), link_definition("[x]: /u"), paragraph("b")')
  reads('[x]: /a--b-->\n', 'link_definition("[x]: /a--b-->")')
  keeps(
    '[x]: /u\n[x]: /v\n\n[x]\n',
    'link_definition("[x]: /u"), link_definition("[x]: /v"), paragraph(link("x"))',
    '[x]: /u\n\n[x]: /v\n\n[x](/u)\n',
  )
})

test('footnotes, wiki links, mathematics and emoji are text, bytes kept', () => {
  for (const text of ['[^1]: note', 'a[^1] b', '[[Page]]', '$math$', ':emoji:', 'a ~x~ b']) {
    const canonical = text.includes('_') ? text : undefined
    reads(`${text}\n`, `paragraph(${JSON.stringify(text)})`, canonical ?? `${text}\n`)
  }
})

test('the characters of a bare URL are never markup', () => {
  reads('https://x.y/a_b_c*d*e\n', 'paragraph("https://x.y/a_b_c*d*e")')
  reads('(https://x.y/a_b) c_d\n', 'paragraph("(https://x.y/a_b) c_d")')
  reads('see http://x.y/*a*b. *c*\n', 'paragraph("see http://x.y/*a*b. ", em("c"))')
  reads('**https://x.y/a** b\n', 'paragraph(strong("https://x.y/a"), " b")')
  reads('xhttps://x.y/*a*\n', 'paragraph("xhttps://x.y/", em("a"))')
})

test('a bare URL ends at blanks, brackets, pipes, backticks and backslashes', () => {
  for (const end of [' ', '<', '>', '[', ']', '|', '`', '\\']) {
    const [first] = inlineOf(`https://x.y/a*b${end}*c*\n`) as { text: string }[]
    assert.ok(first?.text.startsWith('https://x.y/a*b'), end)
  }
})

test('autolinks are link marks', () => {
  reads('<https://x.y/a_b>\n', 'paragraph(link("https://x.y/a_b"))')
  reads('<a@b.c>\n', 'paragraph(link("a@b.c"))')
  reads('[https://x.y](https://x.y)\n', 'paragraph(link("https://x.y"))', '<https://x.y>\n')
})

test('links lead to http, https, mailto or have no scheme; others stay text', () => {
  reads(
    '[a](mailto:b@c.d) [a](../b) [a](#c)\n',
    'paragraph(link("a"), " ", link("a"), " ", link("a"))',
  )
  reads('[a](javascript:b)\n', 'paragraph("[a](javascript:b)")', '[a\\](javascript:b)\n')
  reads('<irc://a.b>\n', 'paragraph("<irc://a.b>")', '\\<irc://a.b\\>\n')
})

test('entities decode', () => {
  reads('&copy; &#65; &nope;\n', 'paragraph("© A &nope;")', '© A \\&nope;\n')
})

test('task boxes are attributes of items', () => {
  const list = blockOf('- [ ] a\n- [x] b\n- [X]\n- c\n')
  assert.equal(
    list.children.map((item) => item.attrs['checked'] as unknown),
    [false, true, true, null],
  )
  assert.is(printDocument(readMarkdown('- [ ] a\n- [X]\n')), '- [ ] a\n- [x]\n')
  assert.is(blockOf('- [ ]a\n').child(0).attrs['checked'], null)
})

test('front matter is the YAML between fences on the first line', () => {
  reads('---\ntitle: x\n---\n\na\n', 'front_matter("title: x"), paragraph("a")')
  reads(
    '---\n# c\na: 1\n...\n\na\n',
    'front_matter("# c\\na: 1"), paragraph("a")',
    '---\n# c\na: 1\n---\n\na\n',
  )
  reads('---\nnot yaml\n---\n', 'horizontal_rule, heading("not yaml")', '***\n\n## not yaml\n')
  reads('a\n\n---\n\nb: c\n', 'paragraph("a"), horizontal_rule, paragraph("b: c")')
  const later = parseMarkdown('---\na: b\n---\n', { start: false })
  assert.is(later.child(0).type.name, 'horizontal_rule')
  assert.ok(isFrontMatter('"a b": c') && !isFrontMatter('a: b\n---\nc: d') && isFrontMatter(''))
})

test('§13 front matter may be empty, and follow a byte order mark or one empty line', () => {
  const text = (markdown: string) => DocumentText.of(parseMarkdown(markdown).children).toString()
  reads('---\n---\n\na\n', 'front_matter, paragraph("a")')
  assert.is(text('---\n---\n\na\n'), '---\n---\n\na\n')
  for (const lead of ['\ufeff', '\n', '\ufeff\n']) {
    const nodes = 'front_matter("b: c"), paragraph("a")'
    reads(`${lead}---\nb: c\n---\n\na\n`, nodes, '---\nb: c\n---\n\na\n')
  }
  assert.is(text('\ufeffa\n'), 'a\n')
  keeps('---\n\n---\n', 'horizontal_rule, horizontal_rule', '***\n\n---\n')
  keeps('\n\n---\nb: c\n---\n', 'horizontal_rule, heading("b: c")', '***\n\n## b: c\n')
})

test('emphasis beside Chinese, Japanese and Korean punctuation is emphasis, both ways', () => {
  const { marks, nodes } = documentSchema
  const cases = [
    ['', '締切：', '金曜'],
    ['これは', '「重要」', 'です'],
    ['我可以强调', '这个（x）', '吗'],
    ['', '이 용어(This term)', '를'],
    ['漢', 'x', '字'],
  ] as const
  for (const [before, inner, after] of cases) {
    for (const [mark, sign] of [
      [marks.strong, '**'],
      [marks.em, '*'],
    ] as const) {
      const markdown = `${before}${sign}${inner}${sign}${after}\n`
      const texts = [
        before ? documentSchema.text(before) : [],
        documentSchema.text(inner, [mark.create()]),
      ]
      const paragraph = nodes.paragraph.create(null, [...texts.flat(), documentSchema.text(after)])
      assert.ok(parseMarkdown(markdown).child(0).eq(paragraph), markdown)
      assert.is(DocumentText.of([paragraph]).toString(), markdown)
    }
  }
  keeps('a**(b)**c\n', 'paragraph("a**(b)**c")', 'a\\*\\*(b)\\*\\*c\n')
})

test('artifact fences keep every byte', () => {
  const source = '/docs/a/artifacts/b\n\n  <x>  \n\ty\n'
  reads(`\`\`\`artifact\n${source}\n\`\`\`\n`, `code_block(${JSON.stringify(source)})`)
})

test('a table is a header row and rows of its width', () => {
  const doc = parseMarkdown('| a | b |\n| :-- | --: |\n| c |\n')
  const [head, body] = doc.child(0).children
  assert.is(`${head}`, 'table_row(table_header("a"), table_header("b"))')
  assert.is(`${body}`, 'table_row(table_cell("c"), table_cell)')
  assert.equal(
    { ...body?.child(1).attrs },
    { align: 'right', colspan: 1, rowspan: 1, colwidth: null },
  )
})

const refusal = (markdown: string, isEdit = false) => {
  try {
    parseMarkdown(markdown, { isEdit })
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, ...error.details }
    throw error
  }
  return undefined
}

test('§13 a row with more cells than the header is refused, empty ones are left out', () => {
  const extra = (line: number) => ({ code: 'INVALID_MARKDOWN', reason: 'extra_cells', line })
  assert.equal(refusal('| a |\n| - |\n| b | c |\n'), extra(3))
  assert.equal(refusal('x\n\n> | a |\n> | - |\n> | b |\n> | b | c |\n'), extra(6))
  assert.equal(refusal('| a |\n| - |\n| b | | c |\n'), extra(3))
  assert.equal(refusal('| a |\n| - |\n| b\\|c |\n'), undefined)
  const rows = 'table(table_row(table_header("a")), table_row(table_cell("b")))'
  reads('| a |\n| - |\n| b | | |\n', rows, '| a |\n| --- |\n| b |\n')
  const padded = '| a   | b |\n|-----|---|\n| c   | d |'
  for (const surplus of ['   |', ' | |']) {
    assert.is(printDocument(parseMarkdown(`${padded}${surplus}\nc|d|`)), `${padded}\nc|d|\n`)
    const bare = `${padded}\nc|d|${surplus}`
    assert.is(printDocument(parseMarkdown(bare)), `${padded}\nc|d|\n`)
  }
  assert.equal(refusal('| a |\n| - |\n| b | |\n', true), extra(3))
  assert.equal(refusal('| a |\n| - |\n| b |\n', true), undefined)
})

test('a quote may begin with empty lines', () => {
  const quote = 'blockquote(paragraph("a"))'
  keeps('>\n> a\n', quote, '> a\n')
  keeps('> \n>\n>  a\n', quote, '> a\n')
  keeps('>\n>a\n', quote, '> a\n')
  keeps('- >\n  > a\n', `bullet_list(list_item(${quote}))`, '- > a\n')
  keeps('>\n> > a\n', `blockquote(${quote})`, '> > a\n')
  assert.is(printDocument(parseMarkdown('>\n> <br />\n')), '>\n', 'nothing shows behind them')
})

test('empty lines keep their blanks in code, and stay at the end of a quote', () => {
  for (const md of [
    '    a\n    \n      b\n  \n\n    c\n',
    '- x\n\n      a\n      \n      b\n',
    '- x\n  ```\n  a\n  \n  b\n \n  ```\n',
    '  ```\n  a\n  \n  b\n  ```\n',
    '> ```\n> a\n> \n> b\n>\n> ```\n',
    '>     a\n>     \n>     b\n',
    '> a\n>\n\nb\n',
    '> a\n> \n>\n\nb\n',
    '> - a\n>\n<!-- c -->\n',
    '> > a\n> >\n>\n',
    '- > a\n  >\n- b\n',
    '> a\n  b\n',
    '- > a\n   b\n',
  ]) {
    const doc = parseMarkdown(md)
    assert.is(printDocument(doc), md)
    checkLaws(doc)
  }
})

test('blanks that an empty line of code keeps are left out where they would be text', () => {
  const [list] = parseMarkdown('- x\n\n  ```\n  a\n  \n  b\n  ```\n').children
  const code = list?.firstChild?.lastChild
  assert.ok(code)
  assert.is(printDocument(documentSchema.node('doc', null, [code])), '```\na\n\nb\n```\n')
})

test('leaves carry no marks; the link of an image or an HTML atom is its attribute', () => {
  const doc = parseMarkdown('[![a](b "t")](c "d") [<b>](e)\n')
  const [image, , html] = doc.child(0).children
  assert.equal({ ...image?.attrs }, { src: 'b', alt: 'a', title: 't', href: 'c', hrefTitle: 'd' })
  assert.equal({ ...html?.attrs }, { source: '<b>', href: 'e', hrefTitle: '' })
  assert.is(printDocument(doc), '[![a](b "t")](c "d") [<b>](e)\n')
  checkLaws(doc)
})

test('emphasis inside its like counts once, and no end is lost', () => {
  reads('*a *b* c*\n', 'paragraph(em("a b c"))', '*a b c*\n')
})

test('the alternative text of an image is its label without markup', () => {
  assert.is(blockOf('![a *b* `c` ![d](e) <i>f\\*</i>](u)\n').child(0).attrs['alt'], 'a b c d f*')
})

test('an empty link shows its address', () => {
  reads('[](/u)\n', 'paragraph(link("/u"))', '[/u](/u)\n')
})

test('a code span of blanks only is kept as it is', () => {
  reads('`  `\n', 'paragraph(code("  "))')
  reads('`` `a ``\n', 'paragraph(code("`a"))')
})

test('over a limit the text is refused with a reason', () => {
  assert.throws(
    () => parseMarkdown('>'.repeat(60)),
    (error: unknown) => error instanceof Refusal && error.details['reason'] === 'too_deep',
  )
})

test.run()
