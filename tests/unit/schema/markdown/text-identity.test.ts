/**
 * What an edit leaves alone: old nodes stay the same objects, with ids, authors and unprinted text.
 */
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import type { BlockSplice } from '../../../../schema/markdown/textblock-splice.ts'
import { reparse } from '../../../../schema/markdown/window.ts'

const authored = documentSchema.mark('authored', { by: 'ai:bob' })

const paragraph = (id: string, said: string) =>
  documentSchema.node('paragraph', { id }, documentSchema.text(said, [authored]))
const item = (id: string, ...blocks: Node[]) => documentSchema.node('list_item', { id }, blocks)
const list = (id: string, ...items: Node[]) => documentSchema.node('bullet_list', { id }, items)

/** Puts `insert` in place of the one occurrence of `wanted`. */
function edit(text: DocumentText, wanted: string, insert: string): BlockSplice {
  const from = text.toString().indexOf(wanted)
  assert.ok(from >= 0, text.toString())
  return reparse(text, { from, to: from + wanted.length, insert })
}

test('a block put between two others leaves both, blanks that do not print included', () => {
  const text = DocumentText.of([paragraph('a', 'one  '), paragraph('b', 'two')])
  const { from, to, nodes } = edit(text, 'one\n\n', 'one\n\nnew\n\n')
  assert.equal([from, to, nodes.length], [1, 1, 1])
  assert.is(nodes[0]?.attrs['id'], null)
  assert.is(nodes[0]?.firstChild?.marks.length, 0)
})

test('an item put into a list leaves its siblings', () => {
  const items = ['a', 'b', 'c'].map((id) => item(id, paragraph(`p${id}`, `said ${id} `)))
  const text = DocumentText.of([list('l', ...items)])
  const { nodes } = edit(text, '- said b', '- new\n- said b')
  assert.equal(
    nodes[0]?.children.map((child) => child.attrs['id']),
    ['a', null, 'b', 'c'],
  )
  assert.is(nodes[0]?.child(0), items[0])
  assert.is(nodes[0]?.child(2), items[1])
})

test('a long list keeps its id and every other item', () => {
  const items = Array.from({ length: 40 }, (_, index) =>
    item(`i${index}`, paragraph(`p${index}`, `said ${index}.`)),
  )
  const text = DocumentText.of([list('l', ...items)])
  const { nodes } = edit(text, '- said 20.', '- new\n- said 20.')
  assert.is(nodes[0]?.attrs['id'], 'l')
  assert.is(nodes[0]?.childCount, 41)
  assert.equal(
    nodes[0]?.children.filter((child) => !items.includes(child)).map((child) => child.textContent),
    ['new'],
  )
})

test('words changed in one textblock keep the ids down to it', () => {
  const inner = item('i', paragraph('p', 'one two'))
  const text = DocumentText.of([list('l', inner, item('j', paragraph('q', 'three')))])
  const { nodes } = edit(text, 'two', '**2**')
  const [changed] = nodes
  assert.is(changed?.attrs['id'], 'l')
  assert.is(changed?.firstChild?.attrs['id'], 'i')
  assert.is(changed?.firstChild?.firstChild?.attrs['id'], 'p')
  assert.is(changed?.firstChild?.textContent, 'one 2')
  assert.is(changed?.child(1), text.node(0).child(1))
})

test('an edit that changes nothing gives nothing', () => {
  const text = DocumentText.of(parseMarkdown('a **b**\n\n\n* c\n* d\n').children)
  for (const same of ['b', '**b**', '* d', '\n\n\n* c', '* c\n* d']) {
    const { from, to, nodes } = edit(text, same, same)
    assert.equal([to - from, nodes.length], [0, 0], same)
  }
})

test('an edit of the spelling alone is one', () => {
  const source = 'a **b** [c](u)\n\n- d\n- e\n\n  f\n\n| g |\n| - |\n\n[d]: u\n'
  const text = DocumentText.of(parseMarkdown(source).children)
  for (const [wanted, insert] of [
    ['**b**', '__b__'],
    ['[c](u)', '[c][d]'],
    ['[c](u)', '[c](<u>)'],
    ['- e', '-   e'],
    ['- d\n- e', '* d\n* e'],
    ['- d\n- e', '- d\n\n- e'],
    ['\n\n- d', '\n\n\n\n- d'],
    ['\n\n| g', '\n\n\n| g'],
    ['| g |\n', '|g|\n'],
    ['| - |', '|:-:|'],
    ['| - |', '|---|'],
    ['[d]: u', '[d]: <u>'],
  ] as const) {
    const { from, to, nodes } = edit(text, wanted, insert)
    assert.is(text.splice(from, to, nodes).toString(), source.replace(wanted, insert), insert)
  }
})

test('a link definition is a block, in code it is text', () => {
  const source = 'a\n\n[b][x]\n\n```\ncode\n```\n'
  const text = DocumentText.of(parseMarkdown(source).children)
  const after = (wanted: string, insert: string) => {
    const { from, to, nodes } = edit(text, wanted, insert)
    const next = text.splice(from, to, nodes)
    assert.is(next.toString(), source.replace(wanted, insert))
    const all = Array.from({ length: next.blockCount }, (_, index) => next.node(index))
    return documentSchema.node('doc', null, all).toString()
  }
  const [code, link] = ['code_block("code")', 'paragraph(link("b"))']
  assert.is(after('a\n', '[x]: y\n'), `doc(link_definition("[x]: y"), ${link}, ${code})`)
  const quoted = 'blockquote(bullet_list(list_item(link_definition("[x]: y"))))'
  assert.is(after('a\n', '> - [x]: y\n'), `doc(${quoted}, ${link}, ${code})`)
  const rest = 'paragraph("[b][x]")'
  assert.is(after('code', '[x]: y'), `doc(paragraph("a"), ${rest}, code_block("[x]: y"))`)
  assert.is(after('a\n', '[^1]: note\n'), `doc(paragraph("[^1]: note"), ${rest}, ${code})`)
  assert.is(after('a\n', 'a [x]: y\n'), `doc(paragraph("a [x]: y"), ${rest}, ${code})`)
})

test('an emptied document is one empty paragraph', () => {
  for (const source of ['a\n', '- a\n\nb\n', '---\nk: v\n---\n\na\n']) {
    const doc = parseMarkdown(source)
    const text = DocumentText.of(doc.children)
    const last = text.start(text.blockCount - 1)
    const from = doc.firstChild?.type.name === 'front_matter' ? last : 0
    const result = reparse(text, { from, to: text.length, insert: '' })
    assert.equal(
      result.nodes.map((node) => node.type.name),
      ['paragraph'],
    )
    const after = text.splice(result.from, result.to, result.nodes)
    assert.is(after.toString(), from === 0 ? '' : '---\nk: v\n---\n')
  }
})

test.run()
