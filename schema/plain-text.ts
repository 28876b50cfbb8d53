/**
 * The plain text of a block, in which anchors count (interface §2.2, §2.5): the characters of its
 * text blocks in document order, a line break between two of them. Every inline leaf is one unit: a
 * break is a newline, whatever else has no text an object replacement character. So an offset in a
 * text block is the position in its content. Markdown markers are no part of it.
 */
import type { Node } from 'prosemirror-model'
import { occurrences } from './occurrences.ts'

/** Where an offset between two text blocks belongs: the start of a range, or its end. */
export type RangeSide = 'start' | 'end'

const leafText = (leaf: Node): string => (leaf.type.name === 'hard_break' ? '\n' : '\ufffc')

export function plainText(block: Node): string {
  return [...textblocksIn(block)]
    .map(({ node }) => node.textBetween(0, node.content.size, '', leafText))
    .join('\n')
}

interface Textblock {
  readonly node: Node
  /** Where its content begins in the content of the block that was asked for. */
  readonly pos: number
}

/** Blocks without inline content count as empty ones. */
function* textblocksIn(node: Node, pos = 0): Generator<Textblock> {
  if (node.inlineContent || node.isLeaf) yield { node, pos }
  else {
    let at = pos
    for (const child of node.children) {
      yield* textblocksIn(child, at + 1)
      at += child.nodeSize
    }
  }
}

/**
 * The position in the content of a block that an offset of its plain text stands for. Between two
 * text blocks the start of a range is in the latter, its end in the former. Clamped to the block.
 */
export function positionOfOffset(block: Node, offset: number, side: RangeSide): number {
  let left = Math.max(0, offset)
  let end = 0
  for (const { node, pos } of textblocksIn(block)) {
    const { size } = node.content
    end = pos + size
    if (left < size || (left === size && side === 'end')) return pos + left
    // A start behind the last character of a text belongs to the next one, if there is any.
    if (left === size && side === 'start') left = 0
    else left -= size + 1
  }
  return end
}

/** The offset in the plain text of a block of a position in its content. */
export function offsetOfPosition(block: Node, position: number): number {
  let passed = 0
  for (const { node, pos } of textblocksIn(block)) {
    const { size } = node.content
    if (position <= pos + size) return passed + Math.max(0, position - pos)
    passed += size + 1
  }
  return Math.max(0, passed - 1)
}

/** The first stretch on either side of an offset that is searched for the nearest occurrence. */
const nearbyChars = 4096

/**
 * The offset of the occurrence of `words` that is nearest to `offset`, of two equally near ones the
 * first; undefined where there is none. The searched stretch grows until it holds one.
 */
export function nearestIndexOf(text: string, words: string, offset: number): number | undefined {
  if (text.startsWith(words, offset)) return offset
  for (let reach = nearbyChars; ; reach *= 8) {
    const from = Math.max(0, offset - reach)
    const to = offset + reach + words.length
    const nearest = nearestIn(occurrences(text.slice(from, to), words), offset - from)
    if (nearest !== undefined) return from + nearest
    if (from === 0 && to >= text.length) return undefined
  }
}

function nearestIn(ascending: Iterable<number>, offset: number): number | undefined {
  let nearest: number | undefined
  for (const at of ascending) {
    if (nearest !== undefined && Math.abs(at - offset) >= Math.abs(nearest - offset)) break
    nearest = at
  }
  return nearest
}
