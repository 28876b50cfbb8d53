/**
 * What a splice of the source does to the top-level blocks while somebody is typing it. The touched
 * blocks are read by themselves, so that what is half typed (a fence that nothing closes yet) says
 * nothing about the blocks behind it: every text means a document, and a change stays where it was
 * made. Only lists reach to their neighbours.
 */
import type { Node } from 'prosemirror-model'
import type { DocumentText } from '../../schema/markdown/document-text.ts'
import { spliceItems } from '../../schema/markdown/item-window.ts'
import { isList } from '../../schema/markdown/node-attributes.ts'
import { keepOld } from '../../schema/markdown/node-sameness.ts'
import { parseMarkdown } from '../../schema/markdown/parser.ts'
import {
  type BlockSplice,
  spliceTextblock,
  type TextSplice,
} from '../../schema/markdown/textblock-splice.ts'

/**
 * The blocks that change. Old nodes that still say the same stay the same objects; others have
 * neither ids nor authors. Throws what the parser throws, over a limit.
 */
export function readSplice(text: DocumentText, splice: TextSplice): BlockSplice {
  return spliceTextblock(text, splice) ?? spliceItems(text, splice) ?? readWindow(text, splice)
}

function readWindow(text: DocumentText, splice: TextSplice): BlockSplice {
  const end = text.blockCount - 1
  let { first, last } = touchedBlocks(text, splice)
  for (;;) {
    const md = windowText(text, splice, { first, last })
    const before = first > 0 ? text.node(first - 1) : undefined
    if (before !== undefined && isList(before) && mayContinueList(md)) {
      first--
      continue
    }
    const nodes = readAlone(text, md, { first, last })
    const closing = nodes.at(-1) ?? before
    const next = last < end ? text.node(last + 1) : undefined
    if (closing !== undefined && next !== undefined && isList(closing) && isList(next)) {
      last++
      continue
    }
    const old = Array.from({ length: last - first + 1 }, (_, index) => text.node(first + index))
    return trimmed(first, old, keepOld(old, nodes))
  }
}

/** Top-level blocks by index, both included. */
interface Span {
  readonly first: number
  readonly last: number
}

/** Both neighbours of a touched gap, and one that is not seen. */
function touchedBlocks(text: DocumentText, { from, to }: TextSplice): Span {
  const end = text.blockCount - 1
  const first = text.indexAt(from)
  const last = text.indexAt(to)
  const reaches = last < end && (to > text.end(last) || text.printed(last + 1).md === '')
  return { first, last: reaches ? last + 1 : last }
}

function windowText(text: DocumentText, splice: TextSplice, { first, last }: Span): string {
  const end = last === text.blockCount - 1 ? text.length : text.end(last)
  return text.slice(text.start(first), splice.from) + splice.insert + text.slice(splice.to, end)
}

/** Nothing where nothing is written, but for the block without which there is no document. */
function readAlone(text: DocumentText, md: string, { first, last }: Span): readonly Node[] {
  const nodes = parseMarkdown(md, { start: first === 0 }).children
  if (!/^[ \t\r\n]*$/.test(md)) return nodes
  const hasFrontMatter = text.node(0).type.name === 'front_matter'
  const isOutside = hasFrontMatter && first > 0
  const others = text.blockCount - (last - first + 1) - (isOutside ? 1 : 0)
  return others === 0 ? nodes : []
}

/** Indented, an item, or blank: the line may belong to a list before the blank line before it. */
function mayContinueList(md: string): boolean {
  const [, indent, word] = /^(?:[ \t]*[\r\n])*([ \t]*)([^\s]{0,11})/.exec(md) ?? []
  return indent !== '' || word === undefined || /^(?:[-+*]|\d{1,9}[.)])?$/.test(word)
}

/** Without the blocks that stay at either end. */
function trimmed(first: number, old: readonly Node[], nodes: readonly Node[]): BlockSplice {
  let front = 0
  while (front < old.length && front < nodes.length && old[front] === nodes[front]) front++
  let [to, end] = [old.length, nodes.length]
  while (to > front && end > front && old[to - 1] === nodes[end - 1]) {
    to--
    end--
  }
  return { from: first + front, to: first + to, nodes: nodes.slice(front, end) }
}
