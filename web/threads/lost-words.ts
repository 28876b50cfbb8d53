/** Which of one's own changes took the words of a thread, from the first on. */
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import { newestUndoStep, type UndoStep } from '../editor/commands/undo-step.ts'
import { onViewUpdate } from '../editor/update-listeners.ts'
import type { DocumentSession } from '../live/session.ts'
import { oncePer } from '../platform/once-per.ts'
import { rangesIn } from './highlights.ts'

/** By the ids of threads. */
export const takingSteps = oncePer((_: DocumentSession) => new Map<string, UndoStep>())

/** Until the returned function is called. */
export function followLostWords(session: DocumentSession, view: EditorView): () => void {
  const steps = takingSteps(session)
  const remember = (ids: readonly string[]) => {
    const step = view.isDestroyed ? undefined : newestUndoStep(view.state)
    for (const id of ids) if (step !== undefined) steps.set(id, step)
  }
  const stop = onViewUpdate(view, ({ state }, before) => {
    if (state.doc === before.doc || ySyncPluginKey.getState(state)?.isChangeOrigin === true) return
    const [were, are] = [rangesIn(before), rangesIn(state)]
    if (were === are) return
    const gone = [...were.keys()].filter((id) => !are.has(id))
    // The change is written to the shared document in the same update.
    if (gone.length > 0) queueMicrotask(() => remember(gone))
  })
  return () => {
    stop()
    steps.clear()
  }
}
