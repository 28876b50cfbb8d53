/**
 * Which part of the document is on the screen. Found by halving the boxes of groups, then of the
 * blocks in one, so that what is off the screen is neither laid out nor looked at.
 */
import type { EditorView } from 'prosemirror-view'
import type { DocRange } from '../model/doc-range.ts'

type IsIt = (box: DOMRect) => boolean
type Boxes = ArrayLike<Element>

/** The positions of the top-level blocks that reach into the window, `marginPx` around it. */
export function visibleRange(view: EditorView, marginPx = 0): DocRange {
  const size = view.state.doc.content.size
  const groups = view.dom.shadowRoot?.querySelectorAll('slot')
  const isReached: IsIt = ({ bottom }) => bottom > -marginPx
  const isBehind: IsIt = ({ top }) => top > window.innerHeight + marginPx
  const blocksOf = (index: number): Boxes =>
    groups === undefined ? view.dom.children : (groups[index]?.assignedElements() ?? [])
  const firstGroup = groups === undefined ? 0 : firstIndex(groups, isReached)
  const behindGroup = groups === undefined ? 1 : firstIndex(groups, isBehind)
  const first = firstOf(blocksOf(firstGroup), isReached)
  // Of the last group in sight some blocks may be behind the window already.
  const behind =
    firstOf(blocksOf(behindGroup - 1), isBehind) ?? (groups && blocksOf(behindGroup)[0])
  return { from: startOf(view, first) ?? size, to: startOf(view, behind) ?? size }
}

const firstOf = (boxes: Boxes, isIt: IsIt): Element | undefined => boxes[firstIndex(boxes, isIt)]

/** The first of boxes from the top down of which this holds. */
export function firstIndex(boxes: Boxes, isIt: IsIt): number {
  let [low, high] = [0, boxes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const box = boxes[middle]?.getBoundingClientRect()
    if (box !== undefined && isIt(box)) high = middle
    else low = middle + 1
  }
  return low
}

/** Before the block whose element this is. */
export function startOf(view: EditorView, block: Element | undefined): number | undefined {
  if (block === undefined) return undefined
  const inside = view.posAtDOM(block, 0)
  if (inside < 0) return undefined
  const at = view.state.doc.resolve(Math.min(inside, view.state.doc.content.size))
  return at.depth === 0 ? at.pos : at.before(1)
}
