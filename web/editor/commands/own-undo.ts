/** Undo and redo of what one did last: of the text, of what lies over it, or beside it. */
import type { Command } from 'prosemirror-state'
import { redoCommand, undoCommand, yUndoPluginKey } from 'y-prosemirror'
import { undoLastAct } from '../../live/last-act.ts'
import { takingLayer } from '../binding/layer.ts'

export const undoOwn: Command = (state, dispatch, view) => {
  const doc = yUndoPluginKey.getState(state)?.undoManager.doc
  if (dispatch !== undefined && doc !== undefined && undoLastAct(doc)) return true
  const layer = takingLayer(state)
  if (layer === undefined || view === undefined) return undoCommand(state, dispatch, view)
  return dispatch === undefined || layer.undo(view)
}

export const redoOwn: Command = (state, dispatch, view) => {
  const layer = takingLayer(state)
  if (layer === undefined || view === undefined) return redoCommand(state, dispatch, view)
  return dispatch === undefined || layer.redo(view)
}
