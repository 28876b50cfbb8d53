/**
 * Emphasis. Marks go on characters only: y-prosemirror loses the marks of inline leaves, so no
 * command ever puts one there.
 */
import type { MarkType, Node } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { AddMarkStep, RemoveMarkStep } from 'prosemirror-transform'
import type { DocRange } from '../model/doc-range.ts'
import { marks } from '../model/nodes.ts'

export type Emphasis = 'strong' | 'em' | 'strike' | 'code'

interface MarkableRange extends DocRange {
  readonly text: string
  readonly isMarked: boolean
  /** An image or a break stands before it, after the range before. */
  readonly isBehindLeaf: boolean
}

/** A text, an image or a break, in its text block. */
interface Leaf {
  readonly node: Node
  readonly pos: number
  readonly block: Node
}

/** Those that reach into a range, in order; `parent` has its content from `start` on. */
function* leavesIn(parent: Node, start: number, range: DocRange): Generator<Leaf> {
  let end = start
  for (const node of parent.children) {
    const pos = end
    end += node.nodeSize
    if (pos >= range.to) return
    if (end <= range.from) continue
    if (node.isInline) yield { node, pos, block: parent }
    else if (!node.isLeaf) yield* leavesIn(node, pos + 1, range)
  }
}

/** The characters of a range that may carry `type`. */
function* markableIn(doc: Node, { from, to }: DocRange, type: MarkType): Generator<MarkableRange> {
  let isBehindLeaf = false
  for (const { node, pos, block } of leavesIn(doc, 0, { from, to })) {
    if (!node.isText) isBehindLeaf = true
    if (node.text === undefined || !block.type.allowsMarkType(type)) continue
    const [start, end] = [Math.max(from, pos), Math.min(to, pos + node.nodeSize)]
    const text = node.text.slice(start - pos, end - pos)
    const isMarked = type.isInSet(node.marks) !== undefined
    yield { from: start, to: end, text, isMarked, isBehindLeaf }
    isBehindLeaf = false
  }
}

/** Whether there is more than blanks in a range. */
export function holdsWords(doc: Node, { from, to }: DocRange): boolean {
  for (const { node, pos } of leavesIn(doc, 0, { from, to })) {
    const text = node.text?.slice(Math.max(0, from - pos), Math.max(0, to - pos)) ?? ''
    if (/\S/.test(text)) return true
  }
  return false
}

const rangesOf = ({ selection }: EditorState): readonly DocRange[] =>
  selection.ranges.map(({ $from, $to }) => ({ from: $from.pos, to: $to.pos }))

/** The characters of the selection that may carry `type`, without blanks at either end. */
function markableRanges(state: EditorState, type: MarkType): readonly MarkableRange[] {
  return rangesOf(state).flatMap((range, index) => {
    const [first, ...others] = markableIn(state.doc, range, type)
    if (first === undefined) return []
    return trimmed([{ ...first, isBehindLeaf: first.isBehindLeaf || index > 0 }, ...others])
  })
}

function trimmed(found: readonly MarkableRange[]): readonly MarkableRange[] {
  const first = found.findIndex(({ text }) => text.trim() !== '')
  const last = found.findLastIndex(({ text }) => text.trim() !== '')
  return found.slice(Math.max(0, first), last + 1).map((range, index, kept) => {
    const { text } = range
    const lead = index === 0 ? text.length - text.trimStart().length : 0
    const tail = index === kept.length - 1 ? text.length - text.trimEnd().length : 0
    return { ...range, from: range.from + lead, to: range.to - tail }
  })
}

/** As few stretches as hold these ranges, and neither an image nor a break. */
function stretchesOf(ranges: readonly MarkableRange[]): readonly DocRange[] {
  const stretches: { from: number; to: number }[] = []
  for (const { from, to, isBehindLeaf } of ranges) {
    const last = stretches.at(-1)
    if (last === undefined || isBehindLeaf) stretches.push({ from, to })
    else last.to = to
  }
  return stretches
}

/**
 * Whether all that is selected, or what would be typed at the caret, is marked. Asked whenever the
 * selection changes, so it looks no further than the first character that is not.
 */
export function isMarked(state: EditorState, name: Emphasis | 'link'): boolean {
  const type = marks[name]
  const { selection } = state
  if (selection instanceof TextSelection && selection.$cursor !== null) {
    return type.isInSet(state.storedMarks ?? selection.$cursor.marks()) !== undefined
  }
  const found = rangesOf(state).map((range) => isAllMarked(state.doc, range, type))
  return !found.includes(false) && found.includes(true)
}

/** `undefined`: there is nothing but blanks. */
function isAllMarked(doc: Node, range: DocRange, type: MarkType): boolean | undefined {
  let isAny: true | undefined
  let isBlankLeft = false
  for (const { text, isMarked } of markableIn(doc, range, type)) {
    if (/\S/.test(text)) {
      if (isBlankLeft || !isMarked) return false
      isAny = true
    } else if (isAny && !isMarked) isBlankLeft = true
  }
  return isAny
}

/** Marks what is selected, or unmarks it where all of it is marked; at a caret what comes next. */
export function toggleEmphasis(name: Emphasis): Command {
  const type = marks[name]
  return (state, dispatch) => {
    const { selection } = state
    if (selection instanceof TextSelection && selection.$cursor !== null) {
      if (!selection.$cursor.parent.type.allowsMarkType(type)) return false
      const { tr } = state
      dispatch?.(
        isMarked(state, name) ? tr.removeStoredMark(type) : tr.addStoredMark(type.create()),
      )
      return true
    }
    const found = markableRanges(state, type)
    if (found.length === 0) return false
    if (dispatch === undefined) return true
    const { tr } = state
    const isOn = found.every((range) => range.isMarked)
    // A step each takes as long as the document: `addMark` and `removeMark` make one for each text.
    const mark = type.create()
    for (const { from, to } of stretchesOf(found)) {
      tr.step(isOn ? new RemoveMarkStep(from, to, mark) : new AddMarkStep(from, to, mark))
    }
    dispatch(tr.scrollIntoView())
    return true
  }
}

/** Takes every mark but authorship off what is selected. */
export const clearMarks: Command = (state, dispatch) => {
  const { ranges, empty } = state.selection
  if (empty) return false
  const { tr } = state
  for (const { $from, $to } of ranges) clear(tr, $from.pos, $to.pos)
  dispatch?.(tr)
  return true
}

function clear(tr: Transaction, from: number, to: number): void {
  for (const type of [marks.strong, marks.em, marks.strike, marks.code, marks.link]) {
    tr.removeMark(from, to, type)
  }
}
