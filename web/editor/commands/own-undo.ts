/** Undo and redo of what one did last: of the text, or of what lies over it. */
import type { Command } from 'prosemirror-state'
import { redoCommand, undoCommand } from 'y-prosemirror'
import { takingLayer } from '../binding/layer.ts'

export const undoOwn: Command = (state, dispatch, view) => {
  const layer = takingLayer(state)
  if (layer === undefined || view === undefined) return undoCommand(state, dispatch, view)
  return dispatch === undefined || layer.undo(view)
}

export const redoOwn: Command = (state, dispatch, view) => {
  const layer = takingLayer(state)
  if (layer === undefined || view === undefined) return redoCommand(state, dispatch, view)
  return dispatch === undefined || layer.redo(view)
}
