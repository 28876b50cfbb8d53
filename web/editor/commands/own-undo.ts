/** Undo and redo of what one did last: of the text, or of what lies over it. */
import type { Command } from 'prosemirror-state'
import { redoCommand, undoCommand, ySyncPluginKey, yUndoPluginKey } from 'y-prosemirror'
import type { Binding } from '../binding/binding.ts'
import { takingLayer } from '../binding/layer.ts'
import type { UndoState } from '../binding/undo.ts'

/** What was done last may be yet to be written. */
const shared =
  (kind: 'undo' | 'redo'): Command =>
  (state, dispatch, view) => {
    const { binding } = ySyncPluginKey.getState(state) as { readonly binding: Binding }
    binding.flush()
    const { showFirst } = yUndoPluginKey.getState(state) as unknown as UndoState
    if (dispatch !== undefined && showFirst(kind)) return true
    return (kind === 'undo' ? undoCommand : redoCommand)(state, dispatch, view)
  }

export const undoOwn: Command = (state, dispatch, view) => {
  const layer = takingLayer(state)
  if (layer === undefined || view === undefined) return shared('undo')(state, dispatch, view)
  return dispatch === undefined || layer.undo(view)
}

export const redoOwn: Command = (state, dispatch, view) => {
  const layer = takingLayer(state)
  if (layer === undefined || view === undefined) return shared('redo')(state, dispatch, view)
  return dispatch === undefined || layer.redo(view)
}
