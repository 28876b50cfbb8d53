/**
 * The editor reads a selection that a key or click has made in a task of its own, and on a busy
 * machine the next key may come first: Enter would split where the caret was before. So whatever
 * acts on the selection makes the editor look first.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { unreadSelection } from './binding/native-selection.ts'

function look(view: EditorView): false {
  const selection = unreadSelection(view)
  if (selection !== undefined) view.dispatch(view.state.tr.setSelection(selection))
  return false
}

export const promptSelection = (): Plugin =>
  new Plugin({ props: { handleDOMEvents: { keydown: look, copy: look, cut: look, paste: look } } })
