/**
 * Writes blocks as they were written, where that still says what they hold, and else each kind in
 * its one canonical way: ATX headings, `-` and `1.` items indented by their marker, fences longer
 * than any inside, unpadded tables. What does not read back as its kind (an invalid front matter,
 * an HTML source that is none) is written as what it would be read as.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { flatText } from './addresses.ts'
import { BlockOutput } from './block-output.ts'
import { contextKey, contextOf, indentMax, type PrintedNeighbour } from './context.ts'
import { type Definitions, noDefinitions } from './definitions.ts'
import { isDefinition } from './document-definitions.ts'
import { isEmptyParagraph } from './elision.ts'
import { isFrontMatter } from './front-matter.ts'
import { canTouch, writtenGap } from './gaps.ts'
import { printInline } from './inline.ts'
import type { InlineShape } from './inline-runs.ts'
import { contentIndent, itemMarker, type ListStyle, listStyle, styleFrom } from './list-style.ts'
import { alignOf, columnCount, levelOf, paramsOf, sourceOf } from './node-attributes.ts'
import { isHtmlBlock } from './parse-back.ts'
import { isLongContainer, rememberedPart } from './part-memory.ts'
import type { PrintContext, Segment } from './printed.ts'
import type { PrintedPart } from './printed-parts.ts'
import { printedRuns } from './printed-runs.ts'
import { spelledLeaf } from './spelled-leaf.ts'
import { spelledRow } from './spelled-row.ts'
import {
  blanksBeyond,
  boxOf,
  type CodeSpelling,
  codeSpelling,
  columns,
  emptyEndOf,
  leadOfLine,
  quotePrefix,
  spellingOf,
  withoutLead,
} from './spelling.ts'
import { canFollowTight } from './tightness.ts'

const { nodes } = documentSchema

/** Where a block stands; for nested blocks `only` means the sole block of its container. */
export interface BlockContext extends PrintContext {
  /** The bullets right ahead of it in its line, as far as they are the same. */
  readonly bullets: string
  /** The first block of an item without a task box. */
  readonly itemFirst: boolean
}

interface Surrounding {
  readonly tight: boolean
  /** Blank lines are as they were written. */
  readonly gaps: boolean
  readonly bullets: string
  readonly itemFirst: boolean
}

const loose: Surrounding = { tight: false, gaps: true, bullets: '', itemFirst: false }

export interface PrinterOptions {
  readonly definitions: Definitions
  /** What the containers around write ahead of every line but the first. */
  readonly prefix?: string
}

export class BlockPrinter {
  readonly #out: BlockOutput
  readonly #definitions: Definitions

  constructor({ definitions, prefix = '' }: PrinterOptions) {
    this.#out = new BlockOutput(prefix)
    this.#definitions = definitions
  }

  /** `pos`: the position just before the node, counted from just before the top-level block. */
  block(node: Node, pos: number, place: BlockContext): void {
    this.#out.block(node, pos, () => this.#write(node, pos, place))
  }

  finish(): PrintedPart {
    return this.#out.finish()
  }

  #within(prefix: string): BlockPrinter {
    return new BlockPrinter({ definitions: this.#definitions, prefix })
  }

  #write(node: Node, pos: number, place: BlockContext): void {
    if (spellingOf(node) !== null) {
      const spelled = spelledLeaf(node, { ...place, definitions: this.#definitions })
      if (spelled !== undefined) {
        this.#out.map(spelled, pos + 1)
        return
      }
    }
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
        this.#out.write(place.first || place.bullets.startsWith('-') ? '***' : '---')
        break
      case nodes.html_block:
        this.#html(node, place)
        break
      case nodes.front_matter:
        if (isFrontMatter(node.textContent)) this.#frontMatter(node, pos)
        else this.#code(node, pos, 'yaml')
        break
      case nodes.code_block:
        this.#spelledCode(node, pos, place)
        break
      case nodes.link_definition:
        this.#definition(node, pos, place)
        break
      case nodes.blockquote:
        this.#quote(node, pos, place)
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
    const printed = printInline(node, { ...shape, definitions: this.#definitions })
    this.#out.map(printed, pos + 1)
    return printed.md !== ''
  }

  #paragraph(node: Node, pos: number, place: BlockContext): void {
    const shows = this.#inline(node, pos, { itemFirst: place.itemFirst })
    if (!shows) this.#spacer(place)
  }

  /** An empty paragraph shows unless it is alone; three bullets in a line would be a rule. */
  #spacer(place: BlockContext): void {
    if (!place.only || place.bullets.length >= 3) this.#out.write('<br />')
  }

  #html(node: Node, place: BlockContext): void {
    const source = sourceOf(node)
    if (isHtmlBlock(source)) {
      this.#out.lines(source)
      return
    }
    const text = source === '' ? null : documentSchema.text(source)
    const paragraph = nodes.paragraph.create(null, text)
    const shown = printInline(paragraph, {
      itemFirst: place.itemFirst,
      definitions: this.#definitions,
    })
    if (shown.md === '') this.#spacer(place)
    else this.#out.lines(shown.md)
  }

  #frontMatter(node: Node, pos: number): void {
    this.#out.write('---')
    this.#verbatim(node.textContent, pos)
    this.#out.write('---')
  }

  #spelledCode(node: Node, pos: number, { indent }: BlockContext): void {
    const spelling = codeSpelling(node)
    const needed = spelling?.open === undefined ? indentMax : columns(withoutLead(spelling.indent))
    // A tab is narrower behind columns that are no multiple of its width.
    const isNarrow = spelling?.indent === '\t' && columns(this.#out.prefix) % 4 !== 0
    if (spelling === undefined || indent < needed || isNarrow) {
      this.#code(node, pos, flatText(paramsOf(node)))
    } else if (spelling.open === undefined) this.#indentedCode(node, pos, spelling)
    else {
      this.#out.ledLine(spelling.open)
      this.#out.endLine()
      if (node.textContent !== '') {
        this.#indentedCode(node, pos, spelling)
        this.#out.endLine()
      }
      this.#out.ledLine(spelling.close)
    }
  }

  #indentedCode(node: Node, pos: number, spelling: CodeSpelling): void {
    const lead = leadOfLine(spelling.indent)
    const indent = lead === '' ? spelling.indent : blanksBeyond(lead)
    const emptyLines = spelling.emptyLines.values()
    const leads: string[] = []
    const segments: Segment[] = []
    let [md, at, from, begin] = ['', 0, 0, 0]
    const end = () => {
      const length = at - begin
      if (length > 0) segments.push({ md: from, mdLength: length, pos: begin, length })
    }
    for (const [index, line] of node.textContent.split('\n').entries()) {
      if (index > 0) md += '\n'
      at += index > 0 ? 1 : 0
      if (line !== '' && indent !== '') {
        end()
        md += indent
        ;[from, begin] = [md.length, at]
      }
      md += line
      at += line.length
      leads.push(line === '' ? this.#blanksFor(emptyLines.next().value, indent) : lead)
    }
    end()
    this.#out.map({ md, segments, leads }, pos + 1)
  }

  /** What may stand in an empty line of code without becoming a part of it. */
  #blanksFor(blanks = '', indent = ''): string {
    const before = this.#out.prefix.slice(this.#out.prefix.lastIndexOf('>') + 1)
    const isWhole = /^[ \t]*$/.test(blanks) && columns(blanks) <= columns(before + indent)
    return isWhole && (before === this.#out.prefix || !blanks.includes('\t')) ? blanks : ''
  }

  #definition(node: Node, pos: number, place: BlockContext): void {
    const source = node.textContent
    const blanks = /^ */.exec(source)?.[0].length ?? 0
    if (isDefinition(node) && blanks <= place.indent) {
      const { length } = source
      const segments = [{ md: 0, mdLength: length, pos: 0, length }]
      this.#out.map({ md: source, segments }, pos + 1)
    } else {
      const paragraph = nodes.paragraph.create(null, node.content)
      if (!this.#inline(paragraph, pos, { itemFirst: place.itemFirst })) this.#spacer(place)
    }
  }

  #quote(node: Node, pos: number, place: BlockContext): void {
    const prefix = quotePrefix(node)
    const marker = prefix.trimEnd()
    const fits = marker.length - 1 <= place.indent
    const isClose = fits && prefix === marker && this.#begins(node)
    this.#out.write(fits ? marker : '>')
    const gap = gapAtStart(node)
    if (!isClose && gap === '') this.#out.blank()
    const indent = fits ? marker.slice(0, -1) : ''
    this.#out.within(`${indent}>${isClose ? '' : ' '}`, () => {
      if (gap !== '') this.#out.blankStart(gap)
      this.content(node, pos, loose)
      this.#out.emptyEnd(emptyEndOf(node))
    })
  }

  /** Whether no line in the quote begins with a blank, which a marker without one would take. */
  #begins(quote: Node): boolean {
    const inner = this.#within('')
    inner.content(quote, 0, loose)
    return !/^[ \t]/m.test(inner.finish().md)
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
      if (previous !== undefined) this.#leave(previous.node, child, around)
      const { bullets, itemFirst } = previous === undefined ? around : loose
      const own = contextOf(previous, child, only)
      const place = { ...own, first: false, bullets, itemFirst }
      if (isLong) this.#include(child, at, place)
      else this.block(child, at, place)
      previous = { ...own, node: child }
      at += child.nodeSize
    }
  }

  /** Ends a block and leaves the blank lines before the next one. */
  #leave(previous: Node, next: Node, { tight, gaps }: Surrounding): void {
    const usual = tight && canFollowTight(previous, next) ? '' : '\n'
    const written = writtenGap(next)
    const fits = written === '' ? (tight || gaps) && canTouch(previous, next) : gaps
    const gap = written !== undefined && fits ? written : usual
    this.#out.endLine()
    this.#out.blankLines(gap)
  }

  #include(block: Node, pos: number, place: BlockContext): void {
    const { prefix } = this.#out
    const { bullets, itemFirst } = place
    const setting = `${contextKey(place)} ${bullets} ${itemFirst}`
    const definitions = this.#definitions
    const part = rememberedPart(block, { prefix, setting, definitions }, () => {
      const printer = this.#within(prefix)
      printer.block(block, 0, place)
      return printer.finish()
    })
    this.#out.include(part, pos)
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
      const printer = this.#within(prefix)
      printer.items(items, 0, styleFrom(style, index))
      return printer.finish()
    }
    const runs = printedRuns(list.children, { keyAt, definitions: this.#definitions }, print)
    let index = 0
    for (const { part, offset, count } of runs) {
      if (offset > 0) this.#endItem(style, list.child(index))
      this.#out.include(part, pos + 1 + offset)
      index += count
    }
  }

  /** Consecutive items of a list, the first of them at `pos`. */
  items(items: readonly Node[], pos: number, style: ListStyle): void {
    const { prefix } = this.#out
    let at = pos
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#endItem(style, item)
      const { tight, gaps, bullets: ahead, ...own } = styleFrom(style, index)
      const marker = itemMarker(item, own)
      const bullets = withBullet(ahead, marker.text)
      const around = { tight, gaps, bullets, itemFirst: boxOf(item) === '' }
      const indent = prefix + contentIndent(marker, prefix)
      const part = this.#item(item, around, { prefix: indent, isLong: style.isLong })
      this.#out.includeItem(item, at, { ...marker, part })
      at += item.nodeSize
    }
  }

  #item(item: Node, around: Surrounding, { prefix, isLong }: { prefix: string; isLong: boolean }) {
    const print = () => {
      const printer = this.#within(prefix)
      printer.content(item, 0, around)
      return printer.finish()
    }
    if (!isLong) return print()
    const { bullets, tight, gaps, itemFirst } = around
    const setting = `${bullets} ${gaps} ${tight} ${itemFirst}`
    return rememberedPart(item, { prefix, setting, definitions: this.#definitions }, print)
  }

  #endItem({ tight, gaps }: ListStyle, item: Node): void {
    const written = gaps ? writtenGap(item) : undefined
    this.#out.endLine()
    this.#out.blankLines(written ?? (tight ? '' : '\n'))
  }

  #table(table: Node, pos: number): void {
    const columns = columnCount(table)
    const [header, ...rows] = table.children
    if (header === undefined) return
    this.#out.include(this.#rowPart(header, columns), pos + 1)
    this.#out.endLine()
    this.#out.write(delimiterRow(table))
    const { prefix } = this.#out
    const print = (some: readonly Node[]): PrintedPart => {
      const printer = this.#within(prefix)
      printer.rows(some, columns)
      return printer.finish()
    }
    const keyAt = () => `${columns} ${prefix}`
    for (const { part, offset } of printedRuns(
      rows,
      { keyAt, definitions: this.#definitions },
      print,
    )) {
      this.#out.endLine()
      this.#out.include(part, pos + 1 + header.nodeSize + offset)
    }
  }

  /** Consecutive rows. */
  rows(rows: readonly Node[], columns: number): void {
    let at = 0
    for (const [index, row] of rows.entries()) {
      if (index > 0) this.#out.endLine()
      this.#out.include(this.#rowPart(row, columns), at)
      at += row.nodeSize
    }
  }

  #rowPart(row: Node, columns: number): PrintedPart {
    const definitions = this.#definitions
    return rememberedPart(row, { prefix: '', setting: String(columns), definitions }, () => {
      const printer = this.#within('')
      printer.row(row, columns)
      return printer.finish()
    })
  }

  /** One line, whatever stands before it. */
  row(row: Node, columns: number): void {
    this.#out.block(row, 0, () => {
      const spelled = spelledRow(row, columns, this.#definitions)
      if (spelled !== undefined) this.#out.map(spelled, 0)
      else this.#cells(row, columns)
    })
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
}

/** The blank lines at the beginning of a quote; an empty paragraph would not show behind them. */
function gapAtStart({ firstChild: first }: Node): string {
  return first === null || isEmptyParagraph(first) ? '' : (writtenGap(first) ?? '')
}

/** The delimiter row as it was written, where it has the columns and alignments of the table. */
export function delimiterRow(table: Node): string {
  const columns = columnCount(table)
  const header = table.firstChild
  const wanted = Array.from({ length: columns }, (_, column) => {
    const cell = header?.maybeChild(column)
    return cell ? alignOf(cell) : null
  })
  const spelling = spellingOf(table)
  if (spelling !== null && isDelimiterRow(spelling, wanted)) return spelling
  return `|${wanted.map((align) => ` ${delimiterCell(align)} |`).join('')}`
}

function isDelimiterRow(line: string, wanted: readonly (string | null)[]): boolean {
  if (!/^ {0,3}[-:|][-:| \t]*$/.test(line) || /^ *-[ \t]/.test(line)) return false
  const cells = line
    .trim()
    .split('|')
    .map((cell) => cell.trim())
  if (cells[0] === '') cells.shift()
  if (cells.at(-1) === '') cells.pop()
  if (cells.length !== wanted.length || (wanted.length === 1 && !line.includes('|'))) return false
  return cells.every((cell, index) => /^:?-+:?$/.test(cell) && alignedAs(cell) === wanted[index])
}

function alignedAs(cell: string): string | null {
  if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right'
  return cell.startsWith(':') ? 'left' : null
}

/** Only these make rules. */
function withBullet(ahead: string, marker: string): string {
  if (marker !== '-' && marker !== '*') return ''
  return ahead.startsWith(marker) ? ahead + marker : marker
}

function delimiterCell(align: string | null): string {
  if (align === 'left') return ':--'
  if (align === 'right') return '--:'
  return align === 'center' ? ':-:' : '---'
}

/** What a block without a spelling of its own prints alone. */
export function canonicalLeaf(node: Node, itemFirst = false): string {
  const printer = new BlockPrinter({ definitions: noDefinitions })
  if (node.type === nodes.table_row) printer.row(node, node.childCount)
  else {
    const alone = { first: false, only: false, avoid: '', indent: indentMax }
    printer.block(node, 0, { ...alone, bullets: '', itemFirst })
  }
  return printer.finish().md
}
