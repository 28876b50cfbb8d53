/**
 * What one reads stays in its place while more or less is drawn above it. The browser's own
 * anchoring does so too, but not in a frame in which the column is given another place.
 */
import type { EditorView } from 'prosemirror-view'
import { coveredTop } from '../../platform/docked.ts'
import { visibleRange } from './visible-range.ts'

/** `draw` changes no position of the document. */
export function holdingPlace(view: EditorView, draw: () => void): void {
  const { from } = visibleRange(view, -coveredTop())
  const top = () => {
    const block = from < view.state.doc.content.size ? view.nodeDOM(from) : null
    return block instanceof HTMLElement ? block.getBoundingClientRect().top : 0
  }
  const before = top()
  draw()
  const moved = top() - before
  if (Math.abs(moved) >= 1) window.scrollBy({ top: moved, behavior: 'instant' })
}
