/**
 * What an edit leaves alone: old nodes stay the same objects, with ids, authors and unprinted text.
 */
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../schema/document-schema.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import type { BlockSplice } from '../../../schema/markdown/textblock-splice.ts'
import { reparse } from '../../../schema/markdown/window.ts'

const authored = documentSchema.mark('authored', { by: 'ai:bob' })

const paragraph = (id: string, said: string) =>
  documentSchema.node('paragraph', { id }, documentSchema.text(said, [authored]))
const item = (id: string, ...blocks: Node[]) => documentSchema.node('list_item', { id }, blocks)
const list = (id: string, ...items: Node[]) => documentSchema.node('bullet_list', { id }, items)

/** Puts `insert` in place of the one occurrence of `wanted`. */
function edit(text: DocumentText, wanted: string, insert: string): BlockSplice {
  const from = text.toString().indexOf(wanted)
  assert.ok(from >= 0, text.toString())
  const result = reparse(text, { from, to: from + wanted.length, insert })
  if ('refused' in result) throw new TypeError(result.refused)
  return result
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
  const text = DocumentText.of(parseMarkdown('a **b**\n\n- c\n- d\n').children)
  for (const [wanted, insert] of [
    ['b', 'b'],
    ['**b**', '__b__'],
    ['- d', '-   d'],
    ['\n\n- c', '\n\n\n\n- c'],
  ] as const) {
    const { from, to, nodes } = edit(text, wanted, insert)
    assert.equal([to - from, nodes.length], [0, 0], wanted)
  }
})

test('a link definition is refused, in code it is text', () => {
  const text = DocumentText.of(parseMarkdown('a\n\n```\ncode\n```\n').children)
  const at = (wanted: string, insert: string) => {
    const from = text.toString().indexOf(wanted)
    return reparse(text, { from, to: from + wanted.length, insert })
  }
  assert.equal(at('a\n', '[x]: y\n'), { refused: 'definition' })
  assert.equal(at('a\n', '> - [x]: y\n'), { refused: 'definition' })
  assert.not('refused' in at('code', '[x]: y'))
  assert.not('refused' in at('a\n', '[^1]: note\n'))
  assert.not('refused' in at('a\n', 'a [x]: y\n'))
})

test('an emptied document is one empty paragraph', () => {
  for (const source of ['a\n', '- a\n\nb\n', '---\nk: v\n---\n\na\n']) {
    const doc = parseMarkdown(source)
    const text = DocumentText.of(doc.children)
    const last = text.start(text.blockCount - 1)
    const from = doc.firstChild?.type.name === 'front_matter' ? last : 0
    const result = reparse(text, { from, to: text.length, insert: '' })
    if ('refused' in result) throw new TypeError(result.refused)
    assert.equal(
      result.nodes.map((node) => node.type.name),
      ['paragraph'],
    )
    const after = text.splice(result.from, result.to, result.nodes)
    assert.is(after.toString(), from === 0 ? '' : '---\nk: v\n---\n')
  }
})

test.run()
