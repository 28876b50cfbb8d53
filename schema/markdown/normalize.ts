/**
 * The document that printing and parsing again yields: repaired, elided, without ids and
 * authorship. It says in nodes what canonical markdown says in text.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { flatText } from './addresses.ts'
import { isDefinition } from './document-definitions.ts'
import { isFrontMatter } from './front-matter.ts'
import { printInline } from './inline.ts'
import type { InlineRun, InlineShape } from './inline-runs.ts'
import {
  alignOf,
  checkedOf,
  isList,
  levelOf,
  orderOf,
  paramsOf,
  sourceOf,
} from './node-attributes.ts'
import { repairBlock } from './repair.ts'
import { effectiveTight } from './tightness.ts'

const { nodes } = documentSchema

export function normalize(doc: Node): Node {
  return nodes.doc.create(
    null,
    doc.children.map((block) => normalBlock(repairBlock(block), false)),
  )
}

function normalBlock(node: Node, itemFirst: boolean): Node {
  switch (node.type) {
    case nodes.paragraph:
      return nodes.paragraph.create(null, normalInline(node, { itemFirst }))
    case nodes.heading:
      return nodes.heading.create({ level: levelOf(node) }, normalInline(node, { heading: true }))
    case nodes.code_block:
      return plainText(nodes.code_block.create({ params: flatText(paramsOf(node)) }, node.content))
    case nodes.front_matter:
      if (isFrontMatter(node.textContent))
        return plainText(nodes.front_matter.create(null, node.content))
      return plainText(nodes.code_block.create({ params: 'yaml' }, node.content))
    case nodes.html_block:
      return nodes.html_block.create({ source: sourceOf(node) })
    case nodes.link_definition: {
      if (isDefinition(node)) return plainText(nodes.link_definition.create(null, node.content))
      return normalBlock(nodes.paragraph.create(null, node.content), itemFirst)
    }
    case nodes.horizontal_rule:
      return nodes.horizontal_rule.create()
    case nodes.blockquote:
      return nodes.blockquote.create(
        null,
        node.children.map((block) => normalBlock(block, false)),
      )
    case nodes.table:
      return nodes.table.create(null, node.children.map(normalRow))
    default:
      return normalList(node)
  }
}

function normalList(list: Node): Node {
  if (!isList(list)) throw new TypeError(`unexpected block: ${list.type.name}`)
  const items = list.children.map((item) => {
    const checked = checkedOf(item)
    const blocks = item.children.map((block, i) => normalBlock(block, i === 0 && checked === null))
    return nodes.list_item.create({ checked }, blocks)
  })
  const order = list.type === nodes.ordered_list ? { order: orderOf(list) } : {}
  const { tight } = list.attrs as { tight: boolean }
  const wished = list.type.create({ ...order, tight }, items)
  return list.type.create({ ...order, tight: effectiveTight(wished) }, items)
}

function normalRow(row: Node): Node {
  const cells = row.children.map((cell) =>
    cell.type.create({ align: alignOf(cell) }, normalInline(cell, { cell: true })),
  )
  return nodes.table_row.create(null, cells)
}

function normalInline(textblock: Node, shape: InlineShape): Node[] {
  return printInline(textblock, shape).runs.map(inlineNode)
}

function inlineNode(run: InlineRun): Node {
  return run.kind === 'text' ? documentSchema.text(run.text, run.marks) : run.node
}

function plainText(node: Node): Node {
  const text = node.textContent
  return node.type.create(node.attrs, text === '' ? null : documentSchema.text(text))
}
