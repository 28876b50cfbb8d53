/**
 * Links in a text that is being written: a click places the caret, a click with Mod opens the
 * address in a tab of its own that knows nothing of this one.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { safeAddress } from './clipboard/dom-rules.ts'

const isMod = (event: MouseEvent | KeyboardEvent): boolean => event.metaKey || event.ctrlKey

export function links(): Plugin {
  const follows = (view: EditorView, event: KeyboardEvent): false => {
    view.dom.toggleAttribute('data-follows-links', isMod(event))
    return false
  }
  return new Plugin({
    props: {
      handleClick(view, _, event) {
        const link = event.target instanceof Element ? event.target.closest('a[href]') : null
        const address = safeAddress(link?.getAttribute('href') ?? null)
        if (address === undefined || !(isMod(event) || !view.editable)) return false
        event.preventDefault()
        window.open(address, '_blank', 'noopener,noreferrer')
        return true
      },
      handleDOMEvents: {
        keydown: follows,
        keyup: follows,
        blur(view) {
          view.dom.removeAttribute('data-follows-links')
          return false
        },
      },
    },
  })
}
