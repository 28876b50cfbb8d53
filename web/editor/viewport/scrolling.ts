/** Brings a position of the document to where it can be read. */
import type { EditorView } from 'prosemirror-view'
import { coveredTop } from '../../platform/docked.ts'

/**
 * Brings a position to the upper third of the window unless it is well inside already. What lies
 * between may never have been laid out, so the way there is taken in two steps.
 */
export function scrollToPosition(
  view: EditorView,
  pos: number,
  behavior: 'smooth' | 'instant' = 'smooth',
): void {
  const inside = Math.max(0, Math.min(pos, view.state.doc.content.size))
  const at = view.state.doc.resolve(inside)
  const block = at.depth === 0 ? undefined : view.nodeDOM(at.before(1))
  if (block instanceof HTMLElement) {
    const box = block.getBoundingClientRect()
    const isFar = box.bottom < -window.innerHeight || box.top > 2 * window.innerHeight
    if (isFar) block.scrollIntoView({ block: 'center', behavior: 'instant' })
  }
  const { top, bottom } = view.coordsAtPos(inside)
  const third = window.innerHeight / 3
  if (top >= coveredTop() + 24 && bottom <= window.innerHeight - third / 2) return
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  window.scrollBy({ top: top - third, behavior: calm ? 'instant' : behavior })
}
