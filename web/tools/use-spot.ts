/** Puts an element of the layer beside a piece of the text, also while the page moves. */
import { autoUpdate } from '@floating-ui/dom'
import { type RefObject, useLayoutEffect } from 'react'

export interface Spot {
  readonly left: number
  readonly top: number
}

export interface Beside {
  /** The piece of the text. */
  readonly anchor: Element
  /** The spot in the window; undefined where the element is not to be seen. */
  readonly find: (own: HTMLElement) => Spot | undefined
}

/** `find` must be the same function while nothing that it looks at changed. */
export function useSpot(element: RefObject<HTMLElement | null>, { anchor, find }: Beside): void {
  useLayoutEffect(() => {
    const own = element.current
    if (own === null) return undefined
    const put = () => {
      own.hidden = false
      const spot = anchor.isConnected ? find(own) : undefined
      own.hidden = spot === undefined
      if (spot === undefined) return
      const origin = own.offsetParent?.getBoundingClientRect() ?? new DOMRect()
      own.style.left = `${spot.left - origin.left}px`
      own.style.top = `${spot.top - origin.top}px`
    }
    put()
    return autoUpdate(anchor, own, put)
  }, [element, anchor, find])
}
