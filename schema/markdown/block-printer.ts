/**
 * Writes blocks, each kind in its one canonical way: ATX headings, `-` and `1.` items indented by
 * their marker, fences longer than any inside, unpadded tables. What does not read back as its kind
 * (an invalid front matter, an HTML source that is none) is written as what it would be read as.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { flatText } from './addresses.ts'
import { BlockOutput } from './block-output.ts'
import { type PrintedNeighbour, takesOtherMarker } from './context.ts'
import { isFrontMatter } from './front-matter.ts'
import { printInline } from './inline.ts'
import type { InlineShape } from './inline-runs.ts'
import { boxOf, type ListStyle, listStyle, styleFrom } from './list-style.ts'
import { alignOf, columnCount, levelOf, paramsOf, sourceOf } from './node-attributes.ts'
import { isHtmlBlock } from './parse-back.ts'
import { isLongContainer, rememberedPart } from './part-memory.ts'
import type { PrintContext } from './printed.ts'
import type { PrintedPart } from './printed-parts.ts'
import { printedRuns } from './printed-runs.ts'
import { canFollowTight } from './tightness.ts'

const { nodes } = documentSchema

/** Where a block stands; for nested blocks `only` means the sole block of its container. */
export interface BlockContext extends PrintContext {
  /** How many `-` markers stand ahead of it in its line, with nothing else between. */
  readonly dashes: number
  /** The first block of an item without a task box. */
  readonly itemFirst: boolean
}

interface Surrounding {
  readonly tight: boolean
  readonly dashes: number
  readonly itemFirst: boolean
}

const loose: Surrounding = { tight: false, dashes: 0, itemFirst: false }

export class BlockPrinter {
  readonly #out: BlockOutput

  /** `prefix`: what the containers around write ahead of every line but the first. */
  constructor(prefix = '') {
    this.#out = new BlockOutput(prefix)
  }

  /** `pos`: the position just before the node, counted from just before the top-level block. */
  block(node: Node, pos: number, place: BlockContext): void {
    this.#out.block(node, pos, () => this.#write(node, pos, place))
  }

  finish(): PrintedPart {
    return this.#out.finish()
  }

  #write(node: Node, pos: number, place: BlockContext): void {
    switch (node.type) {
      case nodes.paragraph:
        this.#paragraph(node, pos, place)
        break
      case nodes.heading:
        this.#out.write('#'.repeat(levelOf(node)))
        this.#out.blank()
        this.#inline(node, pos, { heading: true })
        break
      case nodes.horizontal_rule:
        this.#out.write(place.first || place.dashes > 0 ? '***' : '---')
        break
      case nodes.html_block:
        this.#html(node, place)
        break
      case nodes.front_matter:
        if (isFrontMatter(node.textContent)) this.#frontMatter(node, pos)
        else this.#code(node, pos, 'yaml')
        break
      case nodes.code_block:
        this.#code(node, pos, flatText(paramsOf(node)))
        break
      case nodes.blockquote:
        this.#out.write('>')
        this.#out.blank()
        this.#out.within('> ', () => this.content(node, pos, loose))
        break
      case nodes.bullet_list:
      case nodes.ordered_list:
        this.#list(node, pos, place)
        break
      case nodes.table:
        this.#table(node, pos)
        break
      default:
        throw new TypeError(`unexpected block: ${node.type.name}`)
    }
  }

  /** Whether anything was written. */
  #inline(node: Node, pos: number, shape: InlineShape): boolean {
    const printed = printInline(node, shape)
    this.#out.map(printed, pos + 1)
    return printed.md !== ''
  }

  #paragraph(node: Node, pos: number, place: BlockContext): void {
    const shows = this.#inline(node, pos, { itemFirst: place.itemFirst })
    if (!shows) this.#spacer(place)
  }

  /** An empty paragraph shows unless it is alone; three dashes in a line would be a rule. */
  #spacer(place: BlockContext): void {
    if (!place.only || place.dashes >= 3) this.#out.write('<br />')
  }

  #html(node: Node, place: BlockContext): void {
    const source = sourceOf(node)
    if (isHtmlBlock(source)) {
      this.#out.lines(source)
      return
    }
    const text = source === '' ? null : documentSchema.text(source)
    const paragraph = nodes.paragraph.create(null, text)
    const shown = printInline(paragraph, { itemFirst: place.itemFirst })
    if (shown.md === '') this.#spacer(place)
    else this.#out.lines(shown.md)
  }

  #frontMatter(node: Node, pos: number): void {
    this.#out.write('---')
    this.#verbatim(node.textContent, pos)
    this.#out.write('---')
  }

  #code(node: Node, pos: number, params: string): void {
    const text = node.textContent
    const char = params.includes('`') ? '~' : '`'
    const runs = text.match(char === '~' ? /~{3,}/g : /`{3,}/g) ?? []
    const length = runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3)
    this.#out.write(char.repeat(length) + params)
    this.#verbatim(text, pos)
    this.#out.write(char.repeat(length))
  }

  #verbatim(text: string, pos: number): void {
    this.#out.endLine()
    if (text === '') return
    const { length } = text
    const whole = { md: text, segments: [{ md: 0, mdLength: length, pos: 0, length }] }
    this.#out.map(whole, pos + 1)
    this.#out.endLine()
  }

  /** The blocks in a quote or an item; `pos` is the container's. */
  content(node: Node, pos: number, around: Surrounding): void {
    let previous: PrintedNeighbour | undefined
    const only = node.childCount === 1
    const isLong = isLongContainer(node)
    let at = pos + 1
    for (const child of node.children) {
      if (previous !== undefined) {
        this.#out.endLine()
        if (!around.tight || !canFollowTight(previous.node, child)) this.#out.endLine()
      }
      const alternate = takesOtherMarker(previous, child)
      const { dashes, itemFirst } = previous === undefined ? around : loose
      const place = { first: false, only, alternate, dashes, itemFirst }
      if (isLong) this.#out.include(blockPart(child, place, this.#out.prefix), at)
      else this.block(child, at, place)
      previous = { node: child, alternate }
      at += child.nodeSize
    }
  }

  #list(list: Node, pos: number, place: BlockContext): void {
    const style = listStyle(list, place)
    if (!style.isLong) {
      this.items(list.children, pos + 1, style)
      return
    }
    const { prefix } = this.#out
    const keyAt = (index: number) => JSON.stringify([prefix, styleFrom(style, index)])
    const print = (items: readonly Node[], index: number): PrintedPart => {
      const printer = new BlockPrinter(prefix)
      printer.items(items, 0, styleFrom(style, index))
      return printer.finish()
    }
    for (const { part, offset } of printedRuns(list.children, keyAt, print)) {
      if (offset > 0) this.#endItem(style)
      this.#out.include(part, pos + 1 + offset)
    }
  }

  /** Consecutive items of a list, the first of them at `pos`. */
  items(items: readonly Node[], pos: number, style: ListStyle): void {
    const { prefix } = this.#out
    let at = pos
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#endItem(style)
      const { tight, number = '', end, dashes: leading } = styleFrom(style, index)
      const marker = `${number}${end}`
      const box = boxOf(item)
      const dashes = marker === '-' && box === '' ? leading + 1 : 0
      const around = { tight, dashes, itemFirst: box === '' }
      const indent = prefix + ' '.repeat(marker.length + 1)
      const print = style.isLong ? itemPart : printedItem
      const part = print(item, around, indent)
      this.#out.includeItem(item, at, { marker: marker + box, part })
      at += item.nodeSize
    }
  }

  #endItem({ tight }: ListStyle): void {
    this.#out.endLine()
    if (!tight) this.#out.endLine()
  }

  #table(table: Node, pos: number): void {
    const columns = columnCount(table)
    const [header, ...rows] = table.children
    if (header === undefined) return
    this.#out.include(rowPart(header, columns), pos + 1)
    this.#delimiterRow(header, columns)
    const { prefix } = this.#out
    const print = (some: readonly Node[]): PrintedPart => {
      const printer = new BlockPrinter(prefix)
      printer.rows(some, columns)
      return printer.finish()
    }
    for (const { part, offset } of printedRuns(rows, () => `${columns} ${prefix}`, print)) {
      this.#out.endLine()
      this.#out.include(part, pos + 1 + header.nodeSize + offset)
    }
  }

  /** Consecutive rows. */
  rows(rows: readonly Node[], columns: number): void {
    let at = 0
    for (const [index, row] of rows.entries()) {
      if (index > 0) this.#out.endLine()
      this.#out.include(rowPart(row, columns), at)
      at += row.nodeSize
    }
  }

  /** One line, whatever stands before it. */
  row(row: Node, columns: number): void {
    this.#out.block(row, 0, () => this.#cells(row, columns))
  }

  #cells(row: Node, columns: number): void {
    this.#out.write('|')
    let at = 1
    for (const cell of row.children) {
      this.#out.write(' ')
      const shown = this.#inline(cell, at, { cell: true })
      this.#out.write(shown ? ' |' : '|')
      at += cell.nodeSize
    }
    this.#out.write(' |'.repeat(columns - row.childCount))
  }

  #delimiterRow(header: Node, columns: number): void {
    this.#out.endLine()
    this.#out.write('|')
    for (let column = 0; column < columns; column++) {
      const align = column < header.childCount ? alignOf(header.child(column)) : null
      this.#out.write(` ${delimiterCell(align)} |`)
    }
  }
}

function delimiterCell(align: string | null): string {
  if (align === 'left') return ':--'
  if (align === 'right') return '--:'
  return align === 'center' ? ':-:' : '---'
}

function printedItem(item: Node, around: Surrounding, prefix: string): PrintedPart {
  const printer = new BlockPrinter(prefix)
  printer.content(item, 0, around)
  return printer.finish()
}

function itemPart(item: Node, around: Surrounding, prefix: string): PrintedPart {
  const setting = around.dashes * 4 + Number(around.tight) * 2 + Number(around.itemFirst)
  return rememberedPart(item, { prefix, setting }, () => printedItem(item, around, prefix))
}

function blockPart(block: Node, place: BlockContext, prefix: string): PrintedPart {
  const { dashes, itemFirst, alternate } = place
  const setting = dashes * 4 + Number(itemFirst) * 2 + Number(alternate)
  return rememberedPart(block, { prefix, setting }, () => {
    const printer = new BlockPrinter(prefix)
    printer.block(block, 0, place)
    return printer.finish()
  })
}

function rowPart(row: Node, columns: number): PrintedPart {
  return rememberedPart(row, { prefix: '', setting: columns }, () => {
    const printer = new BlockPrinter()
    printer.row(row, columns)
    return printer.finish()
  })
}
