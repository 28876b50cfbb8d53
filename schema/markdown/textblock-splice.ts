/**
 * The text-local path of an edit: one splice inside the text of one textblock, parsed by itself in
 * the smallest wrapper that gives it the same surroundings. Accepted only where the full parse must
 * come to the same: the lines stay the lines they are, the textblock keeps its type and attributes,
 * and nothing in it reaches outside (no definition, no cell border). Everything else is refused and
 * left to the window.
 */
import type { Fragment, Node } from 'prosemirror-model'
import { sameContent } from '../diff/content.ts'
import { assertNever } from '../errors.ts'
import type { Definitions } from './definitions.ts'
import type { DocumentText } from './document-text.ts'
import { printInline } from './inline.ts'
import type { InlineText } from './inline-output.ts'
import type { ParseOptions } from './parse-env.ts'
import { parseMarkdown } from './parser.ts'
import type { NestedRange, PrintedBlock } from './printed.ts'
import { spelledLeaf } from './spelled-leaf.ts'
import { missingColumn, spellingOf } from './spelling.ts'

/** A splice of markdown: the UTF-16 range [from, to) gives way to `insert`. */
export interface TextSplice {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** The top-level blocks [from, to) give way to `nodes`. */
export interface BlockSplice {
  readonly from: number
  readonly to: number
  readonly nodes: readonly Node[]
  /** Link definitions change, and with them links anywhere. */
  readonly redefines?: boolean
}

/** Undefined where the edit is not surely local. The textblock and its holders keep their ids. */
export function spliceTextblock(text: DocumentText, splice: TextSplice): BlockSplice | undefined {
  if (/[\n\r\t\0]/.test(splice.insert) || text.blockCount === 0) return undefined
  const index = text.indexAt(splice.from)
  const top = text.node(index)
  const start = text.start(index)
  const [from, to] = [splice.from - start, splice.to - start]
  const printed = text.printed(index)
  if (to > printed.md.length) return undefined
  const place = findTextblock(top, printed, from)
  if (!place) return undefined
  const { definitions } = text
  const own = ownText(place, definitions)
  if (own === undefined) return undefined
  const at = locate({ own, printed, place }, from, to)
  if (at === undefined) return undefined
  const changed = own.md.slice(0, at) + splice.insert + own.md.slice(at + to - from)
  const around = own.md.slice(Math.max(0, at - 1), at + to - from + 1)
  if (place.shape === 'cell' && `${splice.insert}${around}`.includes('|')) return undefined
  if (!isSelfContained(changed)) return undefined
  const isStart = index === 0 && place.path.length === 0
  const read = parseAlone(place, changed, { start: isStart, definitions, isEdit: true })
  if (!read) return undefined
  const { type, attrs } = place.textblock
  const textblock = type.create({ ...attrs, ...read.spelling }, read.content)
  if (sameContent(place.textblock, textblock)) return { from: index, to: index, nodes: [] }
  return { from: index, to: index + 1, nodes: [replaceAt(top, place.path, textblock)] }
}

/** A textblock in its top-level block. */
interface TextblockPosition {
  readonly textblock: Node
  /** The row that a cell is in, the item of a paragraph. */
  readonly holder: Node | undefined
  readonly range: NestedRange
  /** The position of its content. */
  readonly contentPos: number
  /** Child indexes from the top-level block down to it. */
  readonly path: readonly number[]
  /** `first` and `task`: the first paragraph of an item, without and with a box. */
  readonly shape: 'paragraph' | 'first' | 'task' | 'heading' | 'cell'
}

/** The textblock whose markdown holds an offset of the block. */
function findTextblock(
  top: Node,
  printed: PrintedBlock,
  offset: number,
): TextblockPosition | undefined {
  const range = printed.lastBlock('from', offset)
  if (!range) return undefined
  if (range.type === 'paragraph' || range.type === 'heading') return placeOf(top, range, range.pos)
  if (range.type !== 'table_row') return undefined
  const unit = printed.lastSegment('md', offset)
  return unit && unit.md >= range.from ? placeOf(top, range, unit.pos) : undefined
}

/** The textblock at or around a position. */
function placeOf(top: Node, range: NestedRange, pos: number): TextblockPosition | undefined {
  const path: number[] = []
  let holder: Node | undefined
  let node = top
  let contentPos = 1
  while (!node.inlineContent) {
    const child = node.childAfter(pos - contentPos)
    if (!child.node) return undefined
    path.push(child.index)
    holder = node
    node = child.node
    contentPos += child.offset + 1
  }
  const shape = shapeOf(node, holder, path.at(-1))
  return { textblock: node, holder, range, contentPos, path, shape }
}

function shapeOf(
  node: Node,
  holder: Node | undefined,
  index: number | undefined,
): TextblockPosition['shape'] {
  if (node.type.name === 'heading') return 'heading'
  if (node.type.name !== 'paragraph') return 'cell'
  if (holder?.type.name !== 'list_item' || index !== 0) return 'paragraph'
  return holder.attrs['checked'] === null ? 'first' : 'task'
}

/**
 * The text of the textblock alone; undefined where markup of its own stands in what is written, or
 * lines hang out of their container.
 */
function ownText(place: TextblockPosition, definitions: Definitions): InlineText | undefined {
  const { textblock, holder, shape } = place
  if (spellingOf(textblock)?.includes(missingColumn)) return undefined
  const leaf = { ...inlineShape(place), definitions, indent: 0 }
  if (shape === 'heading' || shape === 'cell') {
    const written = shape === 'cell' && holder ? holder : textblock
    return spellingOf(written) === null ? printInline(textblock, leaf) : undefined
  }
  return spelledLeaf(textblock, leaf) ?? printInline(textblock, leaf)
}

const inlineShape = ({ shape }: TextblockPosition) => ({
  heading: shape === 'heading',
  cell: shape === 'cell',
  itemFirst: shape === 'first',
})

interface Located {
  readonly own: InlineText
  readonly printed: PrintedBlock
  readonly place: TextblockPosition
}

/**
 * Where the range [from, to) of the block lies in the textblock's own markdown, which has no line
 * prefixes; undefined when it is not inside one of its lines, or at the start of a later one.
 */
function locate({ own, printed, place }: Located, from: number, to: number): number | undefined {
  let at = contentStart({ own, printed, place })
  if (own.md === '' || at === undefined) return undefined
  let before = 0
  for (const [index, line] of own.md.split('\n').entries()) {
    if (index > 0) {
      const lineStart = printed.md.indexOf('\n', at) + 1
      const lineEnd = printed.md.indexOf('\n', lineStart)
      at = (lineEnd < 0 ? printed.md.length : lineEnd) - line.length
    }
    if (!printed.md.startsWith(line, at)) return undefined
    const inside = index > 0 ? from > at : from >= at
    if (inside && to <= at + line.length) return before + from - at
    if (from < at) return undefined
    before += line.length + 1
    at += line.length
  }
  return undefined
}

/** Where the textblock's own markdown begins in the block. */
function contentStart({ own, printed, place }: Located): number | undefined {
  if (place.shape === 'heading')
    return place.range.from + Number(place.textblock.attrs['level']) + 1
  if (place.shape !== 'cell') return place.range.from
  const first = own.segments[0]
  if (!first) return undefined
  const pos = place.contentPos + first.pos
  const unit = printed.lastSegment('pos', pos)
  return unit?.pos === pos ? unit.md - first.md : undefined
}

/**
 * Not blank, no indentation, no blank line at either end, no backslash that would escape what
 * follows, no possible definition, and no line that a `*` marker before it would turn into a rule.
 */
function isSelfContained(md: string): boolean {
  return !/^\s|\n[ \t]*$|\\$|^$|\]:|^\*[* \t]*(?:\n|$)/.test(md)
}

interface ReadAlone {
  readonly content: Fragment
  readonly spelling: { readonly spelling?: string | null }
}

/** `md` read as this textblock; undefined when it would become anything else. */
function parseAlone(
  place: TextblockPosition,
  md: string,
  options: ParseOptions,
): ReadAlone | undefined {
  const wrapped = wrap(place, md)
  let node: Node | undefined = parseMarkdown(wrapped.text, options)
  let holder: Node | undefined
  for (const expected of wrapped.holders) {
    node = node?.childCount === 1 ? node.child(0) : undefined
    if (node?.type.name !== expected) return undefined
    if (expected === 'table_row') holder = node
    if (expected === 'list_item' && node.attrs['checked'] !== wrapped.checked) return undefined
  }
  if (!node || node.attrs['level'] !== place.textblock.attrs['level']) return undefined
  const { content } = node
  if (printInline(node, inlineShape(place)).md === '') return undefined
  const spelling = spellingOf(holder ?? node)
  if (place.shape === 'paragraph' || place.shape === 'first' || place.shape === 'task') {
    return { content, spelling: { spelling } }
  }
  return spelling === null ? { content, spelling: {} } : undefined
}

interface Wrapped {
  readonly text: string
  readonly holders: readonly string[]
  readonly checked?: boolean | null
}

function wrap({ shape, textblock }: TextblockPosition, md: string): Wrapped {
  switch (shape) {
    case 'heading': {
      const marker = '#'.repeat(Number(textblock.attrs['level']))
      return { text: `${marker} ${md}`, holders: ['heading'] }
    }
    case 'cell':
      return { text: `| ${md} |\n| --- |`, holders: ['table', 'table_row', 'table_header'] }
    case 'paragraph':
      return { text: md, holders: ['paragraph'] }
    case 'first':
    case 'task': {
      const marker = shape === 'task' ? '- [ ] ' : '- '
      const text = marker + md.replaceAll('\n', '\n  ')
      const checked = shape === 'task' ? false : null
      return { text, holders: ['bullet_list', 'list_item', 'paragraph'], checked }
    }
    default:
      return assertNever(shape)
  }
}

function replaceAt(node: Node, path: readonly number[], replacement: Node): Node {
  const [index, ...rest] = path
  if (index === undefined) return replacement
  const child = replaceAt(node.child(index), rest, replacement)
  return node.copy(node.content.replaceChild(index, child))
}
