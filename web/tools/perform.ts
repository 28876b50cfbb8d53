/** Commands from the chrome: an undo step of their own, and the focus goes back to the text. */
import type { Command } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { asUndoStep } from '../editor/commands/undo-step.ts'

export function perform(view: EditorView, command: Command): boolean {
  const isDone = asUndoStep(command)(view.state, view.dispatch, view)
  view.focus()
  return isDone
}

/** Whether the focus is in the text or in what floats over it. */
export function hasEditingFocus(view: EditorView, focused: Element | null): boolean {
  return focused !== null && (view.dom.contains(focused) || focused.closest('.tools') !== null)
}
