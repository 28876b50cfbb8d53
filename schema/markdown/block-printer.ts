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
import {
  alignOf,
  checkedOf,
  columnCount,
  firstNumber,
  levelOf,
  paramsOf,
  sourceOf,
} from './node-attributes.ts'
import { isHtmlBlock } from './parse-back.ts'
import type { PrintContext, PrintedBlock } from './printed.ts'
import { canFollowTight, effectiveTight } from './tightness.ts'

const { nodes } = documentSchema

/** Where a block stands; for nested blocks `only` means the sole block of its container. */
export interface BlockPlace extends PrintContext {
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
  readonly #out = new BlockOutput()

  /** `pos`: the position just before the node, counted from just before the top-level block. */
  block(node: Node, pos: number, place: BlockPlace): void {
    this.#out.block(node, pos, () => {
      this.#write(node, pos, place)
    })
  }

  finish(): PrintedBlock {
    return this.#out.finish()
  }

  #write(node: Node, pos: number, place: BlockPlace): void {
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
        this.#out.within('> ', () => this.#content(node, pos, loose))
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
    this.#out.mapped(printed, pos + 1)
    return printed.md !== ''
  }

  #paragraph(node: Node, pos: number, place: BlockPlace): void {
    if (!this.#inline(node, pos, { itemFirst: place.itemFirst })) this.#spacer(place)
  }

  /** An empty paragraph shows unless it is alone; three dashes in a line would be a rule. */
  #spacer(place: BlockPlace): void {
    if (!place.only || place.dashes >= 3) this.#out.write('<br />')
  }

  #html(node: Node, place: BlockPlace): void {
    const source = sourceOf(node)
    if (isHtmlBlock(source)) {
      this.#out.lines(source)
      return
    }
    const text = source === '' ? null : documentSchema.text(source)
    const shown = printInline(nodes.paragraph.create(null, text), { itemFirst: place.itemFirst })
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
    this.#out.mapped({ md: text, segments: [{ md: 0, mdLength: length, pos: 0, length }] }, pos + 1)
    this.#out.endLine()
  }

  #content(node: Node, pos: number, around: Surrounding): void {
    let previous: PrintedNeighbour | undefined
    const only = node.childCount === 1
    node.forEach((child, offset) => {
      if (previous !== undefined) {
        this.#out.endLine()
        if (!around.tight || !canFollowTight(previous.node, child)) this.#out.endLine()
      }
      const alternate = takesOtherMarker(previous, child)
      const { dashes, itemFirst } = previous === undefined ? around : loose
      this.block(child, pos + 1 + offset, { first: false, only, alternate, dashes, itemFirst })
      previous = { node: child, alternate }
    })
  }

  #list(list: Node, pos: number, place: BlockPlace): void {
    const tight = effectiveTight(list)
    const ordered = list.type === nodes.ordered_list
    const start = ordered ? firstNumber(list) : 0
    list.forEach((item, offset, index) => {
      if (index > 0) this.#out.endLine()
      if (index > 0 && !tight) this.#out.endLine()
      const bullet = place.alternate ? '*' : '-'
      const marker = ordered ? `${start + index}${place.alternate ? ')' : '.'}` : bullet
      const box = item.firstChild?.type === nodes.paragraph ? checkedOf(item) : null
      const leading = index === 0 ? place.dashes : 0
      const dashes = marker === '-' && box === null ? leading + 1 : 0
      this.#out.block(item, pos + 1 + offset, () => {
        this.#out.write(marker)
        this.#out.blank()
        if (box !== null) {
          this.#out.write(box ? '[x]' : '[ ]')
          this.#out.blank()
        }
        this.#out.within(' '.repeat(marker.length + 1), () => {
          this.#content(item, pos + 1 + offset, { tight, dashes, itemFirst: box === null })
        })
      })
    })
  }

  #table(table: Node, pos: number): void {
    const columns = columnCount(table)
    table.forEach((row, offset, index) => {
      if (index > 0) this.#out.endLine()
      const rowPos = pos + 1 + offset
      this.#out.block(row, rowPos, () => {
        this.#out.write('|')
        row.forEach((cell, cellOffset) => {
          this.#out.write(' ')
          const shown = this.#inline(cell, rowPos + 1 + cellOffset, { cell: true })
          this.#out.write(shown ? ' |' : '|')
        })
        this.#out.write(' |'.repeat(columns - row.childCount))
      })
      if (index === 0) this.#delimiterRow(row, columns)
    })
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
