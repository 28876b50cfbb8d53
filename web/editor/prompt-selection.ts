/**
 * The editor reads a selection that a key or click has made in a task of its own, and on a busy
 * machine the next key may come first: Enter would split where the caret was before. So whatever
 * acts on the selection makes the editor look first. So does the end of its wait after it was
 * focused, when it puts back the selection that it knows: one that keys have made since, and that
 * ends where they began, it takes for the browser's own.
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
  const keydown = (view: EditorView) => {
    keyedSinceFocus = true
    return look(view)
  }
  const focus = (view: EditorView) => {
    keyedSinceFocus = false
    setTimeout(() => keyedSinceFocus && !view.isDestroyed && look(view), focusWaitMs)
    return false
  }
  const handleDOMEvents = { keydown, focus, copy: look, cut: look, paste: look }
  return new Plugin({ props: { handleDOMEvents } })
}
