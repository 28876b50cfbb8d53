/**
 * The content of a text block as a row of units, one a position: characters with their marks, and
 * leaves. Compares two such rows from both ends, never between the halves of a character.
 */
import { Mark, type Node } from 'prosemirror-model'

export interface Inline {
  readonly text: string
  /** The node at each position: a text node, or a leaf. */
  readonly nodes: readonly Node[]
}

/** What a leaf counts as in `text`. */
const leaf = '\ufffc'

export function inlineOf(content: readonly Node[]): Inline {
  let text = ''
  const nodes: Node[] = []
  for (const node of content) {
    const part = node.text ?? leaf
    text += part
    for (let at = 0; at < part.length; at++) nodes.push(node)
  }
  return { text, nodes }
}

/** [from, to) of the old row gave way to [from, end) of the new one. */
export interface Difference {
  readonly from: number
  readonly to: number
  readonly end: number
}

type Same = (a: Node, b: Node) => boolean

const sameUnit: Same = (a, b) => a === b || a.isText || a.eq(b)
const sameUnitAndMarks: Same = (a, b) =>
  a === b || (a.isText ? Mark.sameSet(a.marks, b.marks) : a.eq(b))

/**
 * The least stretch that differs. First marks count, so that of equal characters the one that was
 * typed is found; then, within that stretch, characters alone.
 */
export function inlineDifference(old: Inline, next: Inline): Difference {
  const whole = { from: 0, to: old.text.length, end: next.text.length }
  const marked = narrowed(old, next, whole, sameUnitAndMarks)
  return narrowed(old, next, marked, sameUnit)
}

function narrowed(old: Inline, next: Inline, { from, to, end }: Difference, same: Same) {
  const isEqual = (a: number, b: number) => {
    const [one, other] = [old.nodes[a], next.nodes[b]]
    return (
      old.text.charCodeAt(a) === next.text.charCodeAt(b) &&
      one !== undefined &&
      other !== undefined &&
      one.isText === other.isText &&
      same(one, other)
    )
  }
  let head = from
  while (head < to && head < end && isEqual(head, head)) head += 1
  if (head > from && isHigh(old.text, head - 1)) head -= 1
  let tail = 0
  while (to - tail > head && end - tail > head && isEqual(to - tail - 1, end - tail - 1)) tail += 1
  if (tail > 0 && isLow(old.text, to - tail)) tail -= 1
  return { from: head, to: to - tail, end: end - tail }
}

const isHigh = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xd800
const isLow = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00

/** A stretch of equal text whose marks changed from `before` to `after`. */
export interface Remarked {
  readonly from: number
  readonly to: number
  readonly before: readonly Mark[]
  readonly after: readonly Mark[]
}

/** Where marks differ outside of `difference`; places are those of the new row. */
export function remarked(old: Inline, next: Inline, difference: Difference): Remarked[] {
  const found: Remarked[] = []
  const shift = difference.end - difference.to
  const visit = (from: number, to: number, by: number) => {
    for (let at = from; at < to; ) {
      const [one, other] = [old.nodes[at - by], next.nodes[at]]
      let end = at + 1
      while (end < to && old.nodes[end - by] === one && next.nodes[end] === other) end += 1
      const differs = one !== other && one?.isText && !Mark.sameSet(one.marks, other?.marks ?? [])
      if (differs) found.push({ from: at, to: end, before: one.marks, after: other?.marks ?? [] })
      at = end
    }
  }
  visit(0, difference.from, 0)
  visit(difference.end, next.text.length, shift)
  return found
}
