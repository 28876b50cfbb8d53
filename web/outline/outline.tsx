/**
 * The document's headings at the left edge, from a width on at which there is room: ticks until one
 * points at them or comes by keyboard, then their words. The one that is being read is marked.
 */
import type { EditorView } from 'prosemirror-view'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { onViewUpdate } from '../editor/update-listeners.ts'
import { coveredTop } from '../platform/docked.ts'
import { hasRoomForOutline } from '../platform/media.ts'
import { useStore } from '../platform/store.ts'
import { goToBlock } from './block-links.ts'
import { type Heading, headingAbove, headingsOf } from './headings.ts'

/** With fewer there is nothing to find one's way in. */
const shownFrom = 2
const settleMs = 300
/** Of more only those around the present one: nobody points at a tick among thousands. */
const shownMax = 600

export function Outline({ view }: { readonly view: EditorView }) {
  const hasRoom = useStore(hasRoomForOutline)
  return hasRoom ? <Headings view={view} /> : null
}

function Headings({ view }: { readonly view: EditorView }) {
  const headings = useHeadings(view)
  const current = useCurrent(view, headings)
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    if (nav.current !== null && current >= 0) followCurrent(nav.current)
  }, [current])
  if (headings.length < shownFrom) return null
  const first = Math.max(0, Math.min(current - shownMax / 2, headings.length - shownMax))
  const shown = headings.slice(first, first + shownMax)
  const highest = Math.min(...shown.map(({ level }) => level))
  const go = (event: MouseEvent, id: string) => {
    event.preventDefault()
    history.replaceState(null, '', `#${id}`)
    goToBlock(view, id)
  }
  return (
    <nav
      ref={nav}
      className="outline"
      aria-label="Outline"
      onMouseEnter={({ currentTarget }) => followCurrent(currentTarget)}
    >
      <ol className="outline-list">
        {shown.map(({ id, pos, level, text }, index) => (
          <li key={id ?? pos} data-depth={Math.min(level - highest, 3)}>
            <a
              className="outline-link"
              href={`#${id ?? ''}`}
              aria-current={first + index === current ? 'location' : undefined}
              onClick={(event) => id !== null && go(event, id)}
            >
              <span className="outline-words" dir="auto">
                {text}
              </span>
              <span className="outline-tick" aria-hidden />
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Of more headings than have room, the present one is in sight. */
function followCurrent(nav: HTMLElement): void {
  const link = nav.querySelector<HTMLElement>('[aria-current]')
  if (link === null || nav.scrollHeight <= nav.clientHeight) return
  const [box, place] = [link.getBoundingClientRect(), nav.getBoundingClientRect()]
  if (box.top >= place.top && box.bottom <= place.bottom) return
  nav.scrollTop += (box.top + box.bottom - place.top - place.bottom) / 2
}

/** Read again when one has stopped typing for a moment. */
function useHeadings(view: EditorView): readonly Heading[] {
  const [headings, setHeadings] = useState(() => headingsOf(view.state.doc))
  useEffect(() => {
    let timer: number | undefined
    const read = () => {
      timer = undefined
      const next = headingsOf(view.state.doc)
      setHeadings((last) => (JSON.stringify(last) === JSON.stringify(next) ? last : next))
    }
    read()
    const stop = onViewUpdate(view, ({ state }, before) => {
      if (state.doc !== before.doc) timer ??= window.setTimeout(read, settleMs)
    })
    return () => {
      window.clearTimeout(timer)
      stop()
    }
  }, [view])
  return headings
}

/** The index of the heading under which the top of the window is. */
function useCurrent(view: EditorView, headings: readonly Heading[]): number {
  const [current, setCurrent] = useState(-1)
  useEffect(() => {
    let frame: number | undefined
    const look = () => {
      frame = undefined
      setCurrent(headingAbove(headings, (heading) => topOf(view, heading), readingLine()))
    }
    const lookSoon = () => {
      frame ??= requestAnimationFrame(look)
    }
    lookSoon()
    addEventListener('scroll', lookSoon, { passive: true })
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame)
      removeEventListener('scroll', lookSoon)
    }
  }, [view, headings])
  return current
}

const firstLinePx = 100

/**
 * At the top of a page one reads its first heading, a little further down what is a quarter below
 * the bar; at the end the last heading is never at its top.
 */
function readingLine(): number {
  const root = document.documentElement
  const isAtEnd = window.innerHeight + window.scrollY >= root.scrollHeight - 2
  if (isAtEnd && window.scrollY > 0) return window.innerHeight
  return coveredTop() + Math.min(firstLinePx + window.scrollY, window.innerHeight / 4)
}

function topOf(view: EditorView, { pos }: Heading): number | undefined {
  const block = view.isDestroyed ? null : view.nodeDOM(pos)
  return block instanceof HTMLElement ? block.getBoundingClientRect().top : undefined
}
