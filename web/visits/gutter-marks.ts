/**
 * Marks in the gutter beside what others changed while nobody was here: a bar along each place, a
 * notch where something is gone. They lie on a layer over the text and move nothing. A place that
 * was in sight for a moment, while somebody was here, has been read.
 */
import type { EditorView } from 'prosemirror-view'
import { type AuthorBook, isHuman } from '../authors/author-book.ts'
import { flash } from '../authors/flash.ts'
import { openOverlay } from '../authors/overlay.ts'
import type { DocRange } from '../editor/model/doc-range.ts'
import { scrollToPosition } from '../editor/viewport/scrolling.ts'
import { coveredTop } from '../platform/docked.ts'
import type { Readable } from '../platform/store.ts'
import type { ChangePlace } from './change-places.ts'

export interface GutterMarks {
  /** These are marked from now on; what was read before stays so. */
  show(places: readonly ChangePlace[]): void
  /** Brings the next place, or the one before, to where it is read; the first after the last. */
  go(way: 1 | -1): void
  destroy(): void
}

export interface GutterMarksParts {
  readonly view: EditorView
  readonly book: AuthorBook
  readonly isHere: Readable<boolean>
  /** What is said of a place to who points at it. */
  say(place: ChangePlace): string
  onRead(place: ChangePlace): void
}

const readAfterMs = 2_500
const lookEveryMs = 250
const flashAfterMs = 400

interface Mark {
  readonly place: ChangePlace
  readonly element: HTMLElement
  seenMs: number
}

const keyOf = ({ kind, ids }: ChangePlace): string => `${kind} ${ids.join()}`

export function drawMarks({ view, book, isHere, say, onRead }: GutterMarksParts): GutterMarks {
  const overlay = openOverlay(view)
  const marks = new Map<string, Mark>()
  const elements = new Map<string, HTMLElement>()
  let current: Mark | undefined
  const elementOf = (id: string): HTMLElement | undefined => {
    const known = elements.get(id)
    if (known?.isConnected) return known
    const found = view.dom.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
    if (found === null) elements.delete(id)
    else elements.set(id, found)
    return found ?? undefined
  }
  /** In the window; undefined where none of it stands any more. */
  const boxOf = ({ blocks, edge }: ChangePlace): { top: number; bottom: number } | undefined => {
    const boxes = [blocks[0], blocks.at(-1)].flatMap((id) => {
      const element = id === undefined ? undefined : elementOf(id)
      const box = element?.getBoundingClientRect()
      // Out of sight in a long document nothing is laid out.
      return box === undefined || box.width + box.height === 0 ? [] : [box]
    })
    const [first] = boxes
    if (first === undefined) return undefined
    const { top, bottom } = { top: first.top, bottom: boxes.at(-1)?.bottom ?? first.bottom }
    if (edge === undefined) return { top, bottom }
    return edge === 'after' ? { top: bottom, bottom } : { top, bottom: top }
  }
  const paint = () => {
    for (const { place, element } of marks.values()) {
      const box = boxOf(place)
      element.hidden = box === undefined
      if (box === undefined) continue
      const { y } = overlay.toLocal({ left: 0, top: box.top })
      const [actor = ''] = place.actor_ids
      element.style.setProperty('--by', `var(--author-${book.author(actor).hue})`)
      element.style.setProperty('transform', `translateY(${y}px)`)
      element.style.setProperty('height', `${box.bottom - box.top}px`)
      element.title = say(place)
    }
  }
  const isInSight = (place: ChangePlace): boolean => {
    const box = boxOf(place)
    return box !== undefined && box.bottom >= coveredTop() && box.top <= window.innerHeight - 40
  }
  const look = () => {
    if (!isHere.get() || view.dom.offsetParent === null) return
    for (const mark of marks.values()) {
      const wasRead = mark.seenMs >= readAfterMs
      if (wasRead || !isInSight(mark.place)) continue
      mark.seenMs += lookEveryMs
      if (mark.seenMs < readAfterMs) continue
      mark.element.toggleAttribute('data-read', true)
      onRead(mark.place)
    }
  }
  const create = (place: ChangePlace): Mark => {
    const element = document.createElement('div')
    element.className = 'visit-mark'
    element.dataset['kind'] = place.kind
    element.toggleAttribute('data-agent', !isHuman(place.actor_ids[0] ?? ''))
    return { place, element, seenMs: 0 }
  }
  const rangeOf = ({ blocks, edge }: ChangePlace): DocRange | undefined => {
    const ranges = [blocks[0], blocks.at(-1)].flatMap((id = '') => {
      const element = elementOf(id)
      const range = element && blockRange(view, element, id)
      return range === undefined ? [] : [range]
    })
    const [from, to] = [ranges[0]?.from, ranges.at(-1)?.to]
    if (from === undefined || to === undefined) return undefined
    if (edge === undefined) return { from, to }
    return edge === 'after' ? { from: to, to } : { from, to: from }
  }
  const goTo = (mark: Mark) => {
    current = mark
    const { place } = mark
    const range = rangeOf(place)
    if (range === undefined) return
    scrollToPosition(view, place.edge === 'after' ? range.to - 1 : range.from + 1)
    window.setTimeout(() => {
      const now = view.isDestroyed ? undefined : rangeOf(place)
      if (now !== undefined) flash({ view, overlay, book }, now, place.actor_ids[0])
    }, flashAfterMs)
  }
  const timer = window.setInterval(look, lookEveryMs)
  const stops = [overlay.onPaint(paint), book.changes.subscribe(overlay.invalidate)]
  return {
    show(places) {
      const keys = new Set(places.map(keyOf))
      for (const [key, { element }] of marks) {
        if (keys.has(key)) continue
        element.remove()
        marks.delete(key)
      }
      const ordered = places.map((place) => {
        const mark = marks.get(keyOf(place))
        return mark === undefined ? create(place) : { ...mark, place }
      })
      marks.clear()
      for (const mark of ordered) marks.set(keyOf(mark.place), mark)
      overlay.element.append(...ordered.map(({ element }) => element))
      overlay.invalidate()
    },
    go(way) {
      const all = [...marks.values()]
      const at = all.findIndex(({ element }) => element === current?.element)
      const next = at < 0 ? (way === 1 ? 0 : all.length - 1) : (at + way + all.length) % all.length
      const mark = all[next]
      if (mark !== undefined) goTo(mark)
    },
    destroy() {
      window.clearInterval(timer)
      for (const stop of stops) stop()
      overlay.destroy()
    },
  }
}

/** From before the block to behind it. */
function blockRange(view: EditorView, element: HTMLElement, id: string): DocRange | undefined {
  const inside = view.posAtDOM(element, 0)
  const at = view.state.doc.resolve(Math.max(0, Math.min(inside, view.state.doc.content.size)))
  for (let depth = at.depth; depth > 0; depth--) {
    if (at.node(depth).attrs['id'] === id) return { from: at.before(depth), to: at.after(depth) }
  }
  const size = at.nodeAfter?.attrs['id'] === id ? at.nodeAfter?.nodeSize : undefined
  return size === undefined ? undefined : { from: at.pos, to: at.pos + size }
}
