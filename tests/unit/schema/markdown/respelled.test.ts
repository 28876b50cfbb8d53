/** What is typed and erased beside markup keeps the spelling of the rest of its block. */
import { type Node, Slice } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { definitionsOf, noDefinitions } from '../../../../schema/markdown/definitions.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { printDocument } from '../../../../schema/markdown/printer.ts'
import { readWritten } from '../../../../schema/markdown/read-source.ts'

const definition = '\n\n[ref]: https://a.example\n'

/** The first text that has these words, and where they begin. */
function found(doc: Node, words: string): { readonly node: Node; readonly at: number } {
  let place: { node: Node; at: number } | undefined
  doc.descendants((node, pos) => {
    const index = node.text?.indexOf(words) ?? -1
    if (index >= 0) place ??= { node, at: pos + index }
  })
  assert.ok(place, words)
  return place as { node: Node; at: number }
}

/** The text when this is typed right behind these words, with their marks. */
function typed(markdown: string, words: string, text: string): string {
  const doc = parseMarkdown(markdown)
  const { node, at } = found(doc, words)
  const end = at + words.length
  const inserted = documentSchema.nodes.paragraph.create(
    null,
    documentSchema.text(text, node.marks),
  ).content
  return printDocument(doc.replace(end, end, new Slice(inserted, 0, 0)))
}

function erased(markdown: string, words: string): string {
  const doc = parseMarkdown(markdown)
  const { at } = found(doc, words)
  return printDocument(doc.replace(at, at + words.length, Slice.empty))
}

test('what is typed in a label leaves the label behind the text', () => {
  for (const link of ['[ref][]', '[ref]', '[ref][ref]']) {
    for (const end of ['', ' more\\.']) {
      const markdown = `Some __x__ and ${link}${end}${definition}`
      const rest = `${end}${definition}`
      assert.is(typed(markdown, 'ref', 's'), `Some __x__ and [refs][ref]${rest}`)
      assert.is(typed(markdown, 're', 's'), `Some __x__ and [resf][ref]${rest}`)
      assert.is(erased(markdown, 'f'), `Some __x__ and [re][ref]${rest}`)
      assert.is(erased(markdown, 'r'), `Some __x__ and [ef][ref]${rest}`)
    }
  }
  const marked = 'Some __x__, [*ref*][]\\.\n\n[*ref*]: https://a.example\n'
  assert.is(typed(marked, 'ref', 's'), marked.replace('[*ref*][]', '[*refs*][*ref*]'))
})

test('a blank that is typed at the end of a mark stands behind it until a word follows', () => {
  for (const bold of ['__bold__', '**bold**', '***bold***', '~~bold~~', '[bold](/u)']) {
    for (const end of [' more\\.', ', more\\.']) {
      const markdown = `Some __x__ and ${bold}${end}\n`
      assert.is(typed(markdown, 'bold', ' '), `Some __x__ and ${bold} ${end}\n`)
      const more = `Some __x__ and ${bold.replace('bold', 'bold next')}${end}\n`
      assert.is(typed(markdown, 'bold', ' next'), more)
    }
    assert.is(typed(`Some __x__ and ${bold}\n`, 'bold', ' '), `Some __x__ and ${bold}\n`)
  }
  const markdown = 'Some __x__ and __bold end__ more\\.\n'
  assert.is(erased(markdown, 'end'), 'Some __x__ and __bold__  more\\.\n')
})

test('what a long paragraph was written as is read once, however much is typed in it', () => {
  const markdown = `${'Some __x__ and more\\. '.repeat(2_000)}`.trim()
  const read = readWritten(markdown, noDefinitions)
  assert.ok(read)
  const end = typed(markdown, 'Some', 's')
  assert.is(end, `${markdown.replace('Some', 'Somes')}\n`)
  assert.is(readWritten(markdown, noDefinitions), read)
  const others = definitionsOf([['X', { href: '/x', title: '' }]])
  assert.is.not(readWritten(markdown, others), read)
})

test.run()
