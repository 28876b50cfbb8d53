/** Laws of the derived text: splices against a fresh print, ranges, ids, offsets both ways. */
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import { printDocument } from '../../../../schema/markdown/printer.ts'
import { Chance } from '../../../chance.ts'
import { randomDocument } from './text-corpus.ts'

const seed = Number(process.env['SEED'] ?? 1)
const long = process.env['LONG'] !== undefined

/** The same node with an id on itself and on every block below. */
function withIds(node: Node, nextId: () => string): Node {
  if (node.isText || node.inlineContent || node.isLeaf) {
    if (node.isInline || !('id' in node.attrs)) return node
    return node.type.create({ ...node.attrs, id: nextId() }, node.content, node.marks)
  }
  const attrs = 'id' in node.attrs ? { ...node.attrs, id: nextId() } : node.attrs
  return node.type.create(
    attrs,
    node.children.map((child) => withIds(child, nextId)),
  )
}

function checkLaws(text: DocumentText, nodes: readonly Node[]): void {
  const fresh = DocumentText.of(nodes)
  const whole = fresh.toString()
  assert.is(text.blockCount, nodes.length)
  assert.is(text.toString(), whole)
  assert.is(text.length, whole.length)
  assert.is(text.chunks.map((chunk) => chunk.text).join(''), whole)
  for (const chunk of text.chunks) assert.is(chunk.length, chunk.text.length)
  assert.equal([...text.blocks()], [...fresh.blocks()])
  for (const [index, node] of nodes.entries()) {
    assert.is(text.node(index), node)
    assert.is(text.printed(index).md, fresh.printed(index).md)
    assert.equal(text.printed(index).segments, fresh.printed(index).segments)
    const isAlike = text.definitions === fresh.definitions
    if (isAlike) assert.is(text.printed(index), fresh.printed(index), `remembered: ${whole}`)
    assert.is(whole.slice(text.start(index), text.end(index)), text.printed(index).md)
  }
}

test('a document prints as its nodes do', () => {
  for (const source of ['', 'a\n', '- a\n\n* b\n\n- c\n', '---\nk: v\n---\n\n***\n', '***\n']) {
    const doc = parseMarkdown(source)
    checkLaws(DocumentText.of(doc.children), doc.children)
    assert.is(DocumentText.of(doc.children).toString(), printDocument(doc))
  }
})

test('a sole empty block behind front matter adds nothing, until it gets company', () => {
  const [front, empty] = parseMarkdown('---\nk: v\n---\n').children
  const [word] = parseMarkdown('word\n').children
  if (!front || !empty || !word) throw new TypeError('front matter has a block behind it')
  const steps: readonly (readonly [Node[], string])[] = [
    [[front, empty], '---\nk: v\n---\n'],
    [[front, empty, empty], '---\nk: v\n---\n\n<br />\n\n<br />\n'],
    [[front, word], '---\nk: v\n---\n\nword\n'],
    [[front, empty, word], '---\nk: v\n---\n\n<br />\n\nword\n'],
    [[front], '---\nk: v\n---\n'],
    [[empty], ''],
  ]
  for (const [before] of steps) {
    for (const [nodes, markdown] of steps) {
      const text = DocumentText.of(before).splice(0, before.length, nodes)
      checkLaws(text, nodes)
      assert.is(text.toString(), markdown)
      assert.is(printDocument(documentSchema.nodes.doc.create(null, nodes)), markdown)
    }
  }
  const text = DocumentText.of([front, empty])
  assert.is(text.start(1), text.length)
  assert.is(text.splice(1, 2, [word]).toString(), '---\nk: v\n---\n\nword\n')
  assert.is(text.splice(1, 1, [word]).toString(), '---\nk: v\n---\n\nword\n\n<br />\n')
})

test('splices equal a fresh print', () => {
  const chance = new Chance(seed)
  let next = 0
  const runs = long ? 400 : 3
  let splices = 0
  for (let run = 0; run < runs; run++) {
    let nodes: Node[] = []
    const more = (count: number) => {
      const made: Node[] = []
      while (made.length < count) {
        const document = withIds(randomDocument(chance, 12), () => `bid_${next++}`)
        made.push(...document.children.filter((node) => node.type.name !== 'front_matter'))
      }
      return made.slice(0, count)
    }
    nodes = more(chance.oneOf([0, 1, 2, 30, 300]))
    let text = DocumentText.of(nodes)
    for (let step = 0; step < 12; step++) {
      const from = chance.below(nodes.length + 1)
      const reach = chance.oneOf([0, 1, 1, 2, 40, 400])
      const to = Math.min(nodes.length, from + chance.below(reach + 1))
      const added = more(chance.below(chance.oneOf([1, 2, 4, 200])))
      text = text.splice(from, to, added)
      nodes = nodes.toSpliced(from, to - from, ...added)
      checkLaws(text, nodes)
      splices++
    }
    for (const range of text.blocks()) {
      if (range.id !== null) assert.equal(text.findBlock(range.id), range)
    }
    assert.is(text.findBlock('bid_none'), undefined)
  }
  console.log(`\nseed ${seed} document text: ${splices} splices`)
})

test('a splice shares the chunks it does not touch', () => {
  const paragraph = (word: string) =>
    documentSchema.node('paragraph', null, documentSchema.text(word))
  const nodes = Array.from({ length: 2000 }, (_, index) => paragraph(`word ${index}`))
  const text = DocumentText.of(nodes)
  const changed = text.splice(1000, 1001, [paragraph('other')])
  const shared = changed.chunks.filter((chunk) => text.chunks.includes(chunk))
  assert.is(shared.length, text.chunks.length - 1)
})

test('offsets and positions go round', () => {
  const chance = new Chance(seed + 1)
  let units = 0
  for (let run = 0; run < (long ? 3000 : 40); run++) {
    const nodes = randomDocument(chance, 6).children
    const text = DocumentText.of(nodes)
    for (const [index, node] of nodes.entries()) {
      for (const unit of text.printed(index).segments) {
        const plain = unit.mdLength === unit.length
        const places = plain ? [0, unit.length >> 1, unit.length] : [0, unit.length]
        for (const place of places) {
          const pos = unit.pos + place
          for (const side of ['start', 'end'] as const) {
            if (place === (side === 'start' ? unit.length : 0)) continue
            const offset = text.offsetAt(index, pos, side)
            assert.equal(text.positionAt(offset, side), { index, pos })
          }
        }
        if (plain && !unit.md) assert.is(text.offsetAt(index, unit.pos), text.start(index))
        units++
      }
      assert.is(text.indexAt(text.start(index)), index)
      assert.is(text.indexAt(text.end(index)), index)
      const touches = index + 1 < nodes.length && text.lead(index + 1) === '\n'
      if (index + 1 < nodes.length && !touches) assert.is(text.indexAt(text.end(index) + 1), index)
      assert.ok(node.nodeSize > 0)
    }
  }
  console.log(`\nseed ${seed + 1} offsets: ${units} units`)
})

test('every segment of plain text maps its own characters', () => {
  const chance = new Chance(seed + 2)
  let compared = 0
  for (let run = 0; run < (long ? 100 : 20); run++) {
    for (const node of randomDocument(chance, 6).children) {
      const text = DocumentText.of([node, documentSchema.node('horizontal_rule')])
      const start = text.start(0)
      for (const { md, mdLength, pos, length } of text.printed(0).segments) {
        if (mdLength !== length || length < 2) continue
        const doc = documentSchema.topNodeType.create(null, node)
        assert.is(doc.textBetween(pos, pos + length), text.slice(start + md, start + md + mdLength))
        compared++
      }
    }
  }
  assert.ok(compared > 100)
  console.log(`\nseed ${seed + 2} segments: ${compared} compared`)
})

test('positions between the units move to the next or the previous one', () => {
  const text = DocumentText.of(parseMarkdown('a **b** \\*c\n\n---\n\nd\n').children)
  assert.is(text.toString(), 'a **b** \\*c\n\n---\n\nd\n')
  assert.equal(text.positionAt(3, 'start'), { index: 0, pos: 3 })
  assert.equal(text.positionAt(3, 'end'), { index: 0, pos: 3 })
  assert.equal(text.positionAt(8, 'start'), { index: 0, pos: 5 })
  assert.is(text.offsetAt(0, 5, 'start'), 8)
  assert.is(text.offsetAt(0, 5, 'end'), 8)
  assert.equal(text.positionAt(12, 'start'), { index: 1, pos: 0 })
  assert.equal(text.positionAt(16, 'end'), { index: 1, pos: 1 })
  assert.equal(text.positionAt(99, 'end'), { index: 2, pos: 2 })
  assert.equal(text.positionAt(99, 'start'), { index: 2, pos: 2 })
})

test.run()
