/**
 * Emphasis. Marks go on characters only: y-prosemirror loses the marks of inline leaves, so no
 * command ever puts one there.
 */
import type { MarkType } from 'prosemirror-model'
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

/** The characters of the selection that may carry `type`, without blanks at either end. */
function markableRanges(state: EditorState, type: MarkType): readonly MarkableRange[] {
  return state.selection.ranges.flatMap(({ $from, $to }, index) => {
    const found: MarkableRange[] = []
    let isBehindLeaf = index > 0
    state.doc.nodesBetween($from.pos, $to.pos, (node, pos, parent) => {
      if (!node.isText && node.isLeaf) isBehindLeaf = true
      if (!node.isText || parent?.type.allowsMarkType(type) !== true) return
      const from = Math.max($from.pos, pos)
      const to = Math.min($to.pos, pos + node.nodeSize)
      const text = node.text?.slice(from - pos, to - pos) ?? ''
      const isMarked = type.isInSet(node.marks) !== undefined
      found.push({ from, to, text, isMarked, isBehindLeaf })
      isBehindLeaf = false
    })
    return trimmed(found)
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

/** Whether all that is selected, or what would be typed at the caret, is marked. */
export function isMarked(state: EditorState, name: Emphasis | 'link'): boolean {
  const type = marks[name]
  const { selection } = state
  if (selection instanceof TextSelection && selection.$cursor !== null) {
    return type.isInSet(state.storedMarks ?? selection.$cursor.marks()) !== undefined
  }
  const found = markableRanges(state, type)
  return found.length > 0 && found.every((range) => range.isMarked)
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
