/**
 * A box that floats beside a piece of the text and follows it. The box of the anchor is measured
 * each time anew, so that it is right whatever happened to it since.
 */
import {
  autoUpdate,
  computePosition,
  flip,
  hide,
  offset,
  type Placement,
  shift,
  size,
} from '@floating-ui/dom'
import { type ComponentPropsWithRef, useLayoutEffect, useRef } from 'react'

export interface FloatAnchor {
  /** What the box stands beside, in the window. */
  rect(): DOMRect
  /** What scrolls with it. */
  readonly context: Element
}

interface FloatProps extends ComponentPropsWithRef<'div'> {
  readonly anchor: FloatAnchor
  readonly placement?: Placement
  readonly gap?: number
}

const edge = 8

export function Float({ anchor, placement = 'bottom-start', gap = 6, ...rest }: FloatProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const reference = {
      getBoundingClientRect: () => anchor.rect(),
      contextElement: anchor.context,
    }
    const middleware = [
      hide(),
      offset(gap),
      flip({ crossAxis: false, padding: { top: 56, bottom: edge, left: edge, right: edge } }),
      shift({ padding: edge }),
      size({
        padding: edge,
        apply: ({ availableHeight, elements }) => {
          elements.floating.style.setProperty('--room', `${Math.max(160, availableHeight)}px`)
        },
      }),
    ]
    const put = async () => {
      const options = { placement, middleware }
      const { x, y, middlewareData } = await computePosition(reference, element, options)
      const isGone = middlewareData.hide?.referenceHidden === true
      const isUsed = element.contains(document.activeElement)
      element.style.visibility = isGone && !isUsed ? 'hidden' : 'visible'
      element.style.left = `${x}px`
      element.style.top = `${y}px`
      element.dataset['placed'] = ''
    }
    return autoUpdate(reference, element, put)
  }, [anchor, placement, gap])
  return <div {...rest} ref={box} className={`float floating ${rest.className ?? ''}`} />
}
