/**
 * The editor reads a selection that a key or click has made in a task of its own, and on a busy
 * machine the next key may come first: Enter would split where the caret was before. So whatever
 * acts on the selection makes the editor look first. When it is focused it waits before it puts
 * back the selection that it knows, since a click is about to make another; where no hand points,
 * it is put back at once, before the next key. After a click the end of that wait looks too: what
 * keys have made since, and ends where they began, it takes for the browser's own. A hand that
 * points beside the text may be about to press a button that acts on what is selected.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { unreadSelection } from './binding/native-selection.ts'

/** As long as prosemirror-view waits; whose timer was set first runs first. */
const focusWaitMs = 20

function look(view: EditorView): false {
  const selection = unreadSelection(view)
  if (selection !== undefined) view.dispatch(view.state.tr.setSelection(selection))
  return false
}

export function promptSelection(): Plugin {
  let keyedSinceFocus = false
  /** Since it had the focus last: a finger's focus comes after it has let go. */
  let isPointedAt = false
  const keydown = (view: EditorView) => {
    keyedSinceFocus = true
    return look(view)
  }
  const focus = (view: EditorView) => {
    keyedSinceFocus = false
    if (!isPointedAt) view.focus()
    else setTimeout(() => keyedSinceFocus && !view.isDestroyed && look(view), focusWaitMs)
    return false
  }
  const point = (isNow: boolean) => () => {
    isPointedAt = isNow
    return false
  }
  return new Plugin({
    view(view) {
      const page = view.dom.ownerDocument
      const point = ({ target }: Event) => {
        if (target instanceof Node && !view.dom.contains(target)) look(view)
      }
      page.addEventListener('pointerdown', point, { capture: true })
      return { destroy: () => page.removeEventListener('pointerdown', point, { capture: true }) }
    },
    props: {
      handleDOMEvents: {
        keydown,
        focus,
        copy: look,
        cut: look,
        paste: look,
        pointerdown: point(true),
        blur: point(false),
      },
    },
  })
}
