/** Puts an element of the layer where it belongs on the page, again whenever the page moves. */
import { type RefObject, useLayoutEffect } from 'react'

export interface Spot {
  readonly left: number
  readonly top: number
}

/** `find` gives the spot in the window, or undefined where the element is not to be seen. */
export function useSpot(
  element: RefObject<HTMLElement | null>,
  find: (own: HTMLElement) => Spot | undefined,
): void {
  useLayoutEffect(() => {
    const put = () => {
      const own = element.current
      if (own === null) return
      own.hidden = false
      const spot = find(own)
      own.hidden = spot === undefined
      if (spot === undefined) return
      const origin = own.offsetParent?.getBoundingClientRect() ?? new DOMRect()
      own.style.left = `${spot.left - origin.left}px`
      own.style.top = `${spot.top - origin.top}px`
    }
    put()
    window.addEventListener('resize', put)
    window.addEventListener('scroll', put, { capture: true, passive: true })
    return () => {
      window.removeEventListener('resize', put)
      window.removeEventListener('scroll', put, { capture: true })
    }
  }, [element, find])
}
