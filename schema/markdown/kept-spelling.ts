/**
 * What a freshly read block keeps of how it was written: only what differs from the canonical form.
 * Of lists this is told last, when it is known whether they are tight: which blank lines between
 * and inside their items are canonical depends on it.
 */
import type { Attrs, Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import type { ParseState } from '../internals/parse-state.ts'
import { canonicalLeaf } from './block-printer.ts'
import { indentMax } from './context.ts'
import { hasKnownName } from './html.ts'
import { isList, isTight } from './node-attributes.ts'
import type { WrittenBlock } from './source-lines.ts'
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
import { canFollowTight, effectiveTight } from './tightness.ts'

const { nodes } = documentSchema

/** How blocks in items, and items, were written: the list that holds them has yet to be closed. */
const waiting = new WeakMap<Node, WrittenBlock>()

/** For the block that was closed last. */
export function keepSpelling(state: ParseState, how: WrittenBlock | undefined): void {
  const { type: parent, content } = state.top()
  const index = content.length - 1
  const node = content[index]
  if (node === undefined) return
  if (state.isPlain || how === undefined) {
    if (isList(node)) content[index] = withAttributes(node, { tight: effectiveTight(node) })
    return
  }
  const spelled = isList(node)
    ? keptList(node, how.spelling, content[index - 1])
    : withAttributes(node, { spelling: ownSpelling(node, how.spelling, state) })
  if (parent === nodes.list_item || isListType(parent)) {
    content[index] = spelled
    waiting.set(spelled, how)
    return
  }
  const isFirst = index === 0
  const gap =
    how.gap === (isFirst ? '' : '\n') || (isFirst && parent !== nodes.doc) ? null : how.gap
  content[index] = withAttributes(spelled, { gap })
}

const isListType = (type: Node['type']): boolean =>
  type === nodes.bullet_list || type === nodes.ordered_list

/** The node with these attributes where its type has them. */
function withAttributes(node: Node, wanted: Attrs): Node {
  const isSame = Object.entries(wanted).every(
    ([name, value]) => !(name in node.attrs) || node.attrs[name] === value,
  )
  if (isSame) return node
  return node.type.create({ ...node.attrs, ...wanted }, node.content)
}

function ownSpelling(node: Node, lines: string, state: ParseState): string | null {
  switch (node.type) {
    case nodes.code_block:
      return canonicalLeaf(node) === lines ? null : spellingOfCode(node, lines)
    case nodes.blockquote:
      return lines === '> ' || (lines === '>' && !node.textContent) ? null : lines
    case nodes.list_item:
      return null
    case nodes.table:
      return canonicalLeaf(node).split('\n')[1] === lines ? null : lines
    case nodes.front_matter:
    case nodes.link_definition:
      return null
    case nodes.paragraph: {
      const { type, attrs, content } = state.top()
      const isItemFirst = type === nodes.list_item && content.length === 1
      const hasBox = isItemFirst && typeof attrs?.['checked'] === 'boolean'
      const text = withEscapedWords(hasBox ? withoutBox(lines) : lines)
      return canonicalLeaf(node, isItemFirst && !hasBox) === text ? null : text
    }
    case nodes.horizontal_rule: {
      // In these places three dashes without a spelling are written as stars.
      const { type, content } = state.top()
      const isCovered = content.length === 1 && (type === nodes.list_item || type === nodes.doc)
      return lines === '---' && !isCovered ? null : lines
    }
    case nodes.heading:
    case nodes.table_row: {
      const text = withEscapedWords(lines)
      return canonicalLeaf(node) === text ? null : text
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

/** A list as it was written, with its items and what is in them. */
function keptList(list: Node, markers: string, previous: Node | undefined): Node {
  const wasTight = isTight(list)
  const gapped = withGaps(list, wasTight)
  const tight = effectiveTight(gapped)
  const settled = tight === wasTight ? gapped : withAttributes(withGaps(list, tight), { tight })
  const avoid = (previous?.type === list.type ? ends.get(previous) : undefined) ?? ''
  const place = { avoid, indent: indentMax }
  // What only the list before asks for is kept too, lest it change when that one goes.
  const spelling = listSpelling(settled, markers, { ...place, avoid: '' })
  const spelled = withAttributes(settled, { spelling })
  const pattern = markerPattern(spelled, place)
  const items = spelled.children.map((item, index) => {
    const marker = waiting.get(list.child(index))?.spelling ?? ''
    const first = list.child(index).firstChild
    const lines = first ? waiting.get(first)?.spelling : undefined
    return keptItem(item, { marker, lines, pattern, number: itemNumber(spelled, index, pattern) })
  })
  const kept = spelled.type.create(spelled.attrs, items)
  ends.set(kept, pattern.end)
  return kept
}

/** What ends the markers of a list. */
const ends = new WeakMap<Node, string>()

function withGaps(list: Node, tight: boolean): Node {
  const items = list.children.map((item, index) => {
    const blocks = item.children.map((block, at) => {
      const before = at > 0 ? item.child(at - 1) : undefined
      if (before === undefined) return block
      const usual = tight && canFollowTight(before, block) ? '' : '\n'
      return withGap(block, waiting.get(block), usual)
    })
    const isSame = blocks.every((block, at) => block === item.child(at))
    const filled = isSame ? item : item.type.create(item.attrs, blocks)
    return index === 0 ? filled : withGap(filled, waiting.get(item), tight ? '' : '\n')
  })
  return list.type.create(list.attrs, items)
}

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
