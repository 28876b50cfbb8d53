/**
 * What a freshly read block keeps of how it was written: only what differs from the canonical form.
 * Of lists this is told last, when it is known whether they are tight: which blank lines between
 * and inside their items are canonical depends on it.
 */
import type { Attrs, Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import type { BlockClosed, OpenNode } from '../internals/parse-state.ts'
import { canonicalLeaf, delimiterRow } from './block-printer.ts'
import { indentMax } from './context.ts'
import type { Definitions } from './definitions.ts'
import { hasKnownName } from './html.ts'
import { printsAs } from './inline.ts'
import { passInline } from './kept-inline.ts'
import { isList, isTight, levelOf } from './node-attributes.ts'
import type { WrittenBlock, WrittenTree } from './source-lines.ts'
import { withoutSurplus } from './spelled-row.ts'
import {
  boxOf,
  itemNumber,
  listSpelling,
  type MarkerPattern,
  markerPattern,
  patternMarker,
  spellingOfCode,
} from './spelling.ts'
import { taskBox } from './task-box.ts'
import { canFollowTight, effectiveTight, settleList } from './tightness.ts'

const { nodes } = documentSchema

const noBlocks: readonly undefined[] = []

/** Has each block keep how it was written. `definitions`: what the text is read with. */
export const spellingKeeper =
  (definitions: Definitions): BlockClosed =>
  (top, how, inner = noBlocks) =>
    how === undefined ? settleList(top.content) : keepSpelling({ top, definitions }, how, inner)

function keepSpelling(
  { top, definitions }: ReadPlace,
  how: WrittenBlock,
  inner: WrittenTree['inner'],
): void {
  const { type: parent, content } = top
  const index = content.length - 1
  const node = content[index]
  if (node === undefined) return
  const isOwnList = isList(node)
  let spelled = isOwnList
    ? keptList(node, { markers: how.spelling, items: inner }, content[index - 1])
    : node
  const spelling = isOwnList ? null : ownSpelling(node, how, { top, definitions })
  const isInList = parent === nodes.list_item || isListType(parent)
  const gap = isInList || isUsualGap(how.gap, top) ? null : how.gap
  if (isInList) {
    top.inner ??= []
    top.inner[index] = { gap: how.gap, spelling: how.spelling, inner }
  }
  if (spelling !== null) spelled = withAttributes(spelled, { spelling })
  content[index] = gap === null ? spelled : withAttributes(spelled, { gap })
}

/** Of the last block in `top`. */
function isUsualGap(gap: string, { type, content }: OpenNode): boolean {
  if (content.length > 1) return gap === '\n'
  return gap === '' || (type !== nodes.doc && type !== nodes.blockquote)
}

const isListType = (type: Node['type']): boolean =>
  type === nodes.bullet_list || type === nodes.ordered_list

/** The node with these attributes where its type has them. */
function withAttributes(node: Node, wanted: Attrs): Node {
  let isSame = true
  for (const name in wanted) {
    isSame &&= !(name in node.attrs) || node.attrs[name] === wanted[name]
  }
  if (isSame) return node
  const changed = node.type.create({ ...node.attrs, ...wanted }, node.content)
  passInline(node, changed)
  return changed
}

function isUsualHeading(heading: Node, line: string, definitions: Definitions): boolean {
  const marker = `${'#'.repeat(levelOf(heading))} `
  const text = line.slice(marker.length)
  return line.startsWith(marker) && printsAs(heading, text, { heading: true, definitions })
}

/**
 * Whether a row is written in another way than with one blank beside each pipe. An escaped pipe
 * may have others.
 */
const isPadded = (row: string): boolean =>
  !row.includes('\\') && /^[^|]|[^|]$|\|(?:[^ ]| {2})|(?:[^ |]| {2})\|/.test(row)

/** Whether the cells, one after the other, are spelled as in the row that they were read from. */
function cellsPrintAs(row: Node, line: string, definitions: Definitions): boolean {
  let at = 1
  const areAll = row.children.every((cell) => {
    const end = line.indexOf('|', at)
    const text = line.slice(at + 1, Math.max(at, end - 1))
    at = end + 1
    return end >= 0 && printsAs(cell, text, { cell: true, definitions })
  })
  return areAll && at === line.length
}

interface ReadPlace {
  /** What the block stands in; the block is its last. */
  readonly top: OpenNode
  readonly definitions: Definitions
}

function ownSpelling(
  node: Node,
  { spelling: lines, emptyLines }: WrittenBlock,
  { top, definitions }: ReadPlace,
): string | null {
  switch (node.type) {
    case nodes.code_block:
      if (emptyLines === undefined && canonicalLeaf(node) === lines) return null
      return spellingOfCode(node, lines, emptyLines)
    case nodes.blockquote:
      return lines === '> ' || (lines === '>' && !node.textContent) ? null : lines
    case nodes.list_item:
      return null
    case nodes.table:
      return delimiterRow(node) === lines ? null : lines
    case nodes.front_matter:
    case nodes.link_definition:
      return null
    case nodes.paragraph: {
      const { type, attrs, content } = top
      const isItemFirst = type === nodes.list_item && content.length === 1
      const hasBox = isItemFirst && typeof attrs?.['checked'] === 'boolean'
      const text = withEscapedWords(hasBox ? withoutBox(lines) : lines)
      const itemFirst = isItemFirst && !hasBox
      const isCanonical =
        text === lines && node.childCount > 0
          ? printsAs(node, text, { itemFirst, definitions })
          : canonicalLeaf(node, itemFirst) === text
      return isCanonical ? null : text
    }
    case nodes.horizontal_rule: {
      // In these places three dashes without a spelling are written as stars.
      const { type, content } = top
      const isCovered = content.length === 1 && (type === nodes.list_item || type === nodes.doc)
      return lines === '---' && !isCovered ? null : lines
    }
    case nodes.heading: {
      const text = withEscapedWords(lines)
      const isCanonical =
        text === lines && node.childCount > 0
          ? isUsualHeading(node, lines, definitions)
          : canonicalLeaf(node) === text
      return isCanonical ? null : text
    }
    case nodes.table_row: {
      const text = withEscapedWords(withoutSurplus(lines, node.childCount))
      const isCanonical =
        !isPadded(text) && (cellsPrintAs(node, text, definitions) || canonicalLeaf(node) === text)
      return isCanonical ? null : text
    }
    default:
      return canonicalLeaf(node) === lines ? null : lines
  }
}

/**
 * With backslashes in words that look like a tag of no HTML element (`vector<int>`), which
 * renderers with HTML would drop. Code stays as it is; an escape too many would only be printed
 * plainly.
 */
function withEscapedWords(lines: string): string {
  if (!tagLikeWord.test(lines)) return lines
  const parts = lines.split(/((?<!`)`+(?!`))/)
  const code = codeParts(parts)
  return parts.map((part, index) => (code.has(index) ? part : escapedWords(part))).join('')
}

const tagLikeWord = /<[A-Za-z][A-Za-z0-9-]*>/

/** Behind `](` stands an address. */
const escapedWords = (text: string): string =>
  text.replace(/(?<!\\|\]\()<([A-Za-z][A-Za-z0-9-]*)>/g, (tag, name) =>
    hasKnownName(tag) ? tag : `\\<${name}\\>`,
  )

/** Of a text cut at its backticks, the parts that lie between two runs of one length. */
function codeParts(parts: readonly string[]): ReadonlySet<number> {
  const next = new Map<string, number>()
  const closing = new Map<number, number>()
  for (let index = parts.length - 2; index > 0; index -= 2) {
    const ticks = parts[index] ?? ''
    const close = next.get(ticks)
    if (close !== undefined) closing.set(index, close)
    next.set(ticks, index)
  }
  const code = new Set<number>()
  for (let index = 1; index < parts.length; index += 2) {
    const close = closing.get(index)
    if (close === undefined) continue
    for (; index < close; index++) code.add(index)
  }
  return code
}

function withoutBox(lines: string): string {
  const start = lines.trimStart()
  const rest = start.slice(taskBox(start)?.length ?? 0)
  return rest.startsWith('\n') ? rest.slice(1) : rest
}

interface WrittenList {
  readonly markers: string
  readonly items: WrittenTree['inner']
}

/** A list as it was written, with its items and what is in them. */
function keptList(list: Node, written: WrittenList, previous: Node | undefined): Node {
  const { markers, items: hows } = written
  const wasTight = isTight(list)
  const gapped = withGaps(list, hows, wasTight)
  const tight = effectiveTight(gapped)
  const isSettled = tight === wasTight
  const settled = isSettled ? gapped : withAttributes(withGaps(list, hows, tight), { tight })
  const avoid = (previous?.type === list.type ? ends.get(previous) : undefined) ?? ''
  const place = { avoid, indent: indentMax }
  // What only the list before asks for is kept too, lest it change when that one goes.
  const spelling = listSpelling(settled, markers, { ...place, avoid: '' })
  const spelled = withAttributes(settled, { spelling })
  const pattern = markerPattern(spelled, place)
  const items = spelled.children.map((item, index) => {
    const how = hows[index]
    const marker = how?.spelling ?? ''
    const lines = how?.inner[0]?.spelling
    return keptItem(item, { marker, lines, pattern, number: itemNumber(spelled, index, pattern) })
  })
  const kept = withChildren(spelled, items)
  ends.set(kept, pattern.end)
  return kept
}

/** What ends the markers of a list. */
const ends = new WeakMap<Node, string>()

function withGaps(list: Node, hows: WrittenTree['inner'], tight: boolean): Node {
  const items = list.children.map((item, index) => {
    const how = hows[index]
    const blocks = item.children.map((block, at) => {
      const before = at > 0 ? item.child(at - 1) : undefined
      if (before === undefined) return block
      const usual = tight && canFollowTight(before, block) ? '' : '\n'
      return withGap(block, how?.inner[at], usual)
    })
    const filled = withChildren(item, blocks)
    return index === 0 ? filled : withGap(filled, how, tight ? '' : '\n')
  })
  return withChildren(list, items)
}

const withChildren = (node: Node, children: readonly Node[]): Node =>
  children.every((child, index) => child === node.child(index))
    ? node
    : node.type.create(node.attrs, children)

const withGap = (node: Node, how: WrittenBlock | undefined, usual: string): Node =>
  withAttributes(node, { gap: how === undefined || how.gap === usual ? null : how.gap })

interface WrittenItem {
  readonly marker: string
  /** Of its first block, with the task box. */
  readonly lines: string | undefined
  readonly pattern: MarkerPattern
  readonly number: string
}

function keptItem(item: Node, { marker, lines = '', pattern, number }: WrittenItem): Node {
  const usual = patternMarker(pattern, number)
  const start = lines.trimStart()
  const box = boxOf(item) === '' ? '' : start.slice(0, taskBox(start)?.length ?? 0)
  const isUsual = marker === usual || marker === usual.trimEnd()
  if (isUsual && box.trimEnd() === boxOf(item) && box.length <= boxOf(item).length + 1) {
    return withAttributes(item, { spelling: null })
  }
  const whole = /[ \t]$/.test(marker) ? marker : `${marker} `
  return withAttributes(item, { spelling: `${whole}${box}` })
}
