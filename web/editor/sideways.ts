/**
 * What is wider than the column scrolls by itself. Who writes gets there with the caret; who only
 * reads has none, so there such a block takes the focus, and arrows scroll it.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

const scrollers = ':is(.code-block > pre, .table-frame)'

export function scrollsSideways(): Plugin {
  return new Plugin({
    view(view) {
      let frame = 0
      let hasStops = false
      const look = () => {
        frame = 0
        for (const element of view.dom.querySelectorAll<HTMLElement>(scrollers)) give(view, element)
        hasStops = !view.editable
      }
      const lookSoon = () => {
        if (frame === 0 && (hasStops || !view.editable)) frame = requestAnimationFrame(look)
      }
      // As the text changes its height as well.
      const observer = new ResizeObserver(lookSoon)
      observer.observe(view.dom)
      return {
        update: lookSoon,
        destroy() {
          observer.disconnect()
          cancelAnimationFrame(frame)
        },
      }
    },
  })
}

function give({ editable }: EditorView, element: HTMLElement): void {
  const isStop = !editable && element.scrollWidth > element.clientWidth
  if (isStop) element.tabIndex = 0
  else element.removeAttribute('tabindex')
}
