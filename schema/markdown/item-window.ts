/**
 * The window of an edit inside one long list: the touched items with one untouched item on either
 * side, parsed as a list of their own. Right because items are read line by line, so that what is
 * read before the first and behind the last of them cannot change: the outer two must come out as
 * they were, as the ends of one list of the same kind and tightness. The first and the last item of
 * the list are left to the window of whole blocks.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { lastAtMost } from './bisect.ts'
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
  if (head === undefined || last >= list.childCount) return undefined
  const md = printed.md.slice(head, from) + splice.insert + printed.md.slice(to, tail)
  if (md.includes(']:')) return undefined
  const old = list.children.slice(first, last + 1)
  const items = itemsOf(md, list, old)
  if (!items) return undefined
  const kept = keepOld(old, items)
  const children = list.children.toSpliced(first, old.length, ...kept)
  const changed = kept.length !== old.length || kept.some((item, at) => item !== old[at])
  if (!changed) return { from: index, to: index, nodes: [] }
  return { from: index, to: index + 1, nodes: [list.copy(Fragment.fromArray(children))] }
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

/** The items that `md` reads as, if they fit between those around them. */
function itemsOf(md: string, list: Node, old: readonly Node[]): readonly Node[] | undefined {
  const blocks = parseMarkdown(md, { start: false }).children
  const part = blocks.length === 1 ? blocks[0] : undefined
  if (part?.type !== list.type || !showsTightness(part)) return undefined
  if (isTight(part) !== effectiveTight(list)) return undefined
  const [before, behind] = [old.at(0), old.at(-1)]
  const [first, last] = [part.firstChild, part.lastChild]
  if (!before || !behind || !first || !last || part.childCount < 2) return undefined
  return sameNode(before, first) && sameNode(behind, last) ? part.children : undefined
}

/** A list without a direct paragraph counts as tight however it is written. */
function showsTightness(list: Node): boolean {
  return list.children.some((item) =>
    item.children.some((block) => block.type.name === 'paragraph' && !isEmptyParagraph(block)),
  )
}

const lastIndexAtMost = (ascending: readonly number[], wanted: number): number =>
  lastAtMost(ascending.length, wanted, (index) => ascending[index] ?? 0)
