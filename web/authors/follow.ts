/**
 * Reading along with somebody: the page scrolls with their caret. Whatever this person does to
 * scroll, type or point ends it, and so does Escape. A pill says who is followed.
 */
import type { EditorView } from 'prosemirror-view'
import { createStore, type Readable } from '../platform/store.ts'
import type { RemoteCarets } from './remote-carets.ts'

export interface Following {
  /** The clientID of who is followed. */
  readonly client: Readable<number | undefined>
  follow(client: number): void
  stop(): void
}

export function createFollowing(view: EditorView, carets: RemoteCarets): Following {
  const client = createStore<number | undefined>(undefined)
  let shown: number | undefined
  let stopListening: (() => void) | undefined
  const scroll = () => {
    const followed = client.get()
    const pos = followed === undefined ? undefined : carets.positionOf(followed)
    if (pos === undefined || pos === shown) return
    shown = pos
    scrollToPosition(view, pos)
  }
  const stop = () => {
    client.set(undefined)
    stopListening?.()
    stopListening = undefined
  }
  const onKey = (event: KeyboardEvent) => {
    if (!isModifier(event.key)) stop()
  }
  return {
    client,
    follow(followed) {
      stop()
      client.set(followed)
      shown = undefined
      const stopMoved = carets.onMoved(scroll)
      window.addEventListener('wheel', stop, { passive: true })
      window.addEventListener('touchmove', stop, { passive: true })
      window.addEventListener('mousedown', stop)
      window.addEventListener('keydown', onKey, true)
      stopListening = () => {
        stopMoved()
        window.removeEventListener('wheel', stop)
        window.removeEventListener('touchmove', stop)
        window.removeEventListener('mousedown', stop)
        window.removeEventListener('keydown', onKey, true)
      }
      scroll()
    },
    stop,
  }
}

const isModifier = (key: string): boolean => ['Shift', 'Control', 'Alt', 'Meta'].includes(key)

const barPx = 48

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
  if (top >= barPx + 24 && bottom <= window.innerHeight - third / 2) return
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  window.scrollBy({ top: top - third, behavior: calm ? 'instant' : behavior })
}
