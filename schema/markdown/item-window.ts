/**
 * The window of an edit inside one long list: the touched items with one untouched item on either
 * side, parsed as a list of their own. Right because items are read line by line, so that what is
 * read before the first and behind the last of them cannot change: the outer two must come out as
 * they were, as the ends of one list of the same kind and tightness. Behind the last item there may
 * be none, but for a block that is no list; then other blocks may come behind the items. The first
 * item of the list is left to the window of whole blocks.
 */
import type { Node } from 'prosemirror-model'
import { lastAtMost } from './bisect.ts'
import { parseClosed } from './closed-window.ts'
import type { DocumentText } from './document-text.ts'
import { isList, isTight } from './node-attributes.ts'
import { keepOld, sameNode } from './node-sameness.ts'
import { parseMarkdown } from './parser.ts'
import type { PrintedBlock } from './printed.ts'
import type { BlockSplice, TextSplice } from './textblock-splice.ts'
import { effectiveTight, isEmptyParagraph } from './tightness.ts'

/** Undefined where the edit is not surely one of items inside a list. */
export function spliceItems(text: DocumentText, splice: TextSplice): BlockSplice | undefined {
  if (text.blockCount === 0) return undefined
  const index = text.indexAt(splice.from)
  const list = text.node(index)
  if (!isList(list)) return undefined
  const start = text.start(index)
  const [from, to] = [splice.from - start, splice.to - start]
  const printed = text.printed(index)
  const starts = itemStarts(list, printed)
  const first = lastIndexAtMost(starts, from - 1) - 1
  const last = lastIndexAtMost(starts, to) + 1
  const [head, tail] = [starts[first], starts[last + 1] ?? printed.md.length]
  const end = last < list.childCount ? 'items' : index + 1 < text.blockCount ? 'blocks' : 'nothing'
  if (head === undefined || to > printed.md.length) return undefined
  if (end === 'blocks' && isList(text.node(index + 1))) return undefined
  const md = printed.md.slice(head, from) + splice.insert + printed.md.slice(to, tail)
  if (md.includes(']:')) return undefined
  const old = list.children.slice(first, last + 1)
  const read = itemsOf(md, list, { old, end })
  if (!read) return undefined
  const kept = keepOld(old, read.items)
  const children = list.children.toSpliced(first, old.length, ...kept)
  const changed = kept.length !== old.length || kept.some((item, at) => item !== old[at])
  const attrs = { ...list.attrs, tight: read.tight }
  const nodes = [changed ? list.type.create(attrs, children) : list, ...read.behind]
  if (nodes.length === 1 && !changed) return { from: index, to: index, nodes: [] }
  return { from: index, to: index + 1, nodes }
}

/** Where the list's own items begin in its markdown. */
function itemStarts(list: Node, { blocks }: PrintedBlock): readonly number[] {
  const starts: number[] = []
  let pos = 1
  for (const { type, pos: at, from } of blocks) {
    if (type !== 'list_item' || at !== pos) continue
    starts.push(from)
    pos += list.child(starts.length - 1).nodeSize
    if (starts.length === list.childCount) break
  }
  return starts
}

interface ReadItems {
  readonly items: readonly Node[]
  /** What the list may only have been for the sake of an item that goes. */
  readonly tight: boolean
  /** Blocks behind the list. */
  readonly behind: readonly Node[]
}

/** The items that `md` reads as, if they fit between those around them. */
function itemsOf(
  md: string,
  list: Node,
  { old, end }: { readonly old: readonly Node[]; readonly end: 'items' | 'blocks' | 'nothing' },
): ReadItems | undefined {
  const isClosed = end === 'blocks'
  const blocks = isClosed ? parseClosed(md, false) : parseMarkdown(md, { start: false }).children
  const [part, ...behind] = blocks ?? []
  if (part?.type !== list.type || !showsTightness(part)) return undefined
  if (isTight(part) !== effectiveTight(list)) return undefined
  if (!isSame(part.firstChild, old.at(0))) return undefined
  const goesOn = part.childCount > 1 && behind.length === 0 && isSame(part.lastChild, old.at(-1))
  if (end === 'items' && !goesOn) return undefined
  return { items: part.children, tight: isTight(part), behind }
}

const isSame = (one: Node | null, other: Node | undefined): boolean =>
  one !== null && other !== undefined && sameNode(one, other)

/** A list without a direct paragraph counts as tight however it is written. */
function showsTightness(list: Node): boolean {
  return list.children.some((item) =>
    item.children.some((block) => block.type.name === 'paragraph' && !isEmptyParagraph(block)),
  )
}

const lastIndexAtMost = (ascending: readonly number[], wanted: number): number =>
  lastAtMost(ascending.length, wanted, (index) => ascending[index] ?? 0)
