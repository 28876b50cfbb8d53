/**
 * The plain text of a block, in which anchors count (interface §2.2, §2.5): the characters of its
 * text blocks in document order, a line break between two of them. Every inline leaf is one unit: a
 * break is a newline, whatever else has no text an object replacement character. So an offset in a
 * text block is the position in its content. Markdown markers are no part of it.
 */
import type { Node } from 'prosemirror-model'

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

/** Where words stand in a text, the nearest to an offset; undefined: nowhere. */
export function nearestIndexOf(text: string, words: string, offset: number): number | undefined {
  if (text.startsWith(words, offset)) return offset
  const before = text.lastIndexOf(words, offset)
  const after = text.indexOf(words, offset)
  if (before < 0 || after < 0) return before < 0 ? (after < 0 ? undefined : after) : before
  return offset - before <= after - offset ? before : after
}
