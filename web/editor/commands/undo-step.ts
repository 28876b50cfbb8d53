/** Where one step of undo ends and the next begins. */
import type { Command, EditorState } from 'prosemirror-state'
import { yUndoPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'

/** What comes next is undone apart from what was typed before. */
export function beginUndoStep(state: EditorState): void {
  const undo = yUndoPluginKey.getState(state) as { readonly undoManager: Y.UndoManager } | undefined
  undo?.undoManager.stopCapturing()
}

/** The command as an undo step of its own. */
export const asUndoStep =
  (command: Command): Command =>
  (state, dispatch, view) => {
    if (dispatch === undefined) return command(state, undefined, view)
    beginUndoStep(state)
    const isDone = command(state, dispatch, view)
    beginUndoStep(state)
    return isDone
  }
