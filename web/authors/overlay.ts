/**
 * A sheet over the text on which carets, flashes and the gutter are drawn, so that what others do
 * never changes the text's own elements (which would disturb composition and cost a redraw). It
 * knows when what is drawn may be out of place and asks its painters again, once a frame.
 */
import type { EditorView } from 'prosemirror-view'

export interface Overlay {
  readonly element: HTMLElement
  /** Called in the next frame after anything has moved. Returns how to stop. */
  onPaint(painter: () => void): () => void
  /** Asks for a frame. */
  invalidate(): void
  /** A box of the window in the overlay's own coordinates. */
  toLocal(box: { readonly left: number; readonly top: number }): { x: number; y: number }
  destroy(): void
}

export function openOverlay(view: EditorView): Overlay {
  const element = document.createElement('div')
  element.className = 'author-layer'
  element.setAttribute('aria-hidden', 'true')
  view.dom.parentElement?.append(element)
  const painters = new Set<() => void>()
  let frame = 0
  let origin = { left: 0, top: 0 }
  const paint = () => {
    frame = 0
    if (view.isDestroyed) return
    origin = element.getBoundingClientRect()
    for (const painter of [...painters]) painter()
  }
  const invalidate = () => {
    if (frame === 0 && painters.size > 0) frame = requestAnimationFrame(paint)
  }
  const sizes = new ResizeObserver(invalidate)
  sizes.observe(view.dom)
  window.addEventListener('scroll', invalidate, { passive: true })
  document.fonts.addEventListener('loadingdone', invalidate)
  return {
    element,
    onPaint(painter) {
      painters.add(painter)
      invalidate()
      return () => painters.delete(painter)
    },
    invalidate,
    toLocal: ({ left, top }) => ({ x: left - origin.left, y: top - origin.top }),
    destroy() {
      cancelAnimationFrame(frame)
      sizes.disconnect()
      window.removeEventListener('scroll', invalidate)
      document.fonts.removeEventListener('loadingdone', invalidate)
      element.remove()
    },
  }
}
