/**
 * Which part of the document is on the screen. Found by halving the top-level blocks' boxes, so
 * that what is off the screen is neither laid out nor looked at.
 */
import type { EditorView } from 'prosemirror-view'
import type { DocRange } from '../model/doc-range.ts'

/** The positions of the top-level blocks that reach into the window, `marginPx` around it. */
export function visibleRange(view: EditorView, marginPx = 0): DocRange {
  const blocks = view.dom.children
  const size = view.state.doc.content.size
  const first = firstIndex(blocks, (box) => box.bottom > -marginPx)
  const behind = firstIndex(blocks, (box) => box.top > window.innerHeight + marginPx)
  return {
    from: startOf(view, blocks[first]) ?? size,
    to: startOf(view, blocks[behind]) ?? size,
  }
}

/** The first of boxes from the top down of which this holds. */
export function firstIndex(blocks: HTMLCollection, isIt: (box: DOMRect) => boolean): number {
  let [low, high] = [0, blocks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const box = blocks[middle]?.getBoundingClientRect()
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
