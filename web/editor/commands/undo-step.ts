/** Where one step of undo ends and the next begins, and taking back one step among others. */
import type { Command, EditorState } from 'prosemirror-state'
import { yUndoPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'

/** One step of undo, for as long as the editor lives. */
export type UndoStep = Y.UndoManager['undoStack'][number]

const managerOf = (state: EditorState): Y.UndoManager | undefined =>
  (yUndoPluginKey.getState(state) as { readonly undoManager: Y.UndoManager } | undefined)
    ?.undoManager

/** What comes next is undone apart from what was typed before. */
export function beginUndoStep(state: EditorState): void {
  managerOf(state)?.stopCapturing()
}

/** The step that the newest change of one's own belongs to. */
export const newestUndoStep = (state: EditorState): UndoStep | undefined =>
  managerOf(state)?.undoStack.at(-1)

/** Takes back this step and no other, newer ones stay. False: it was taken back already. */
export function undoStep(state: EditorState, step: UndoStep): boolean {
  const manager = managerOf(state)
  const steps = manager?.undoStack ?? []
  if (manager === undefined || !steps.includes(step)) return false
  // Yjs takes back the newest step that changes anything, so it is given this one alone.
  manager.undoStack = [step]
  try {
    manager.undo()
  } finally {
    manager.undoStack = steps.filter((one) => one !== step)
  }
  return true
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
