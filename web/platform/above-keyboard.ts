/** Keeps an element on the lower edge of what a touch screen's keyboard leaves of the window. */
import { type RefObject, useLayoutEffect, useRef } from 'react'

export function useAboveKeyboard<Placed extends HTMLElement>(): RefObject<Placed | null> {
  const placed = useRef<Placed>(null)
  useLayoutEffect(() => {
    const viewport = window.visualViewport
    if (viewport === null) return undefined
    const put = () => {
      const hidden = window.innerHeight - viewport.height - viewport.offsetTop
      placed.current?.style.setProperty('bottom', `${Math.max(0, hidden)}px`)
    }
    put()
    viewport.addEventListener('resize', put)
    viewport.addEventListener('scroll', put)
    return () => {
      viewport.removeEventListener('resize', put)
      viewport.removeEventListener('scroll', put)
    }
  }, [])
  return placed
}
