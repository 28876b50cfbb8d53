/**
 * Says when one's own change took the words of a thread, with a way to take back that change. The
 * notice is true for as long as it is shown: it goes once the words are back.
 */
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import { newestUndoStep, type UndoStep, undoStep } from '../editor/commands/undo-step.ts'
import { onViewUpdate } from '../editor/update-listeners.ts'
import type { LiveEvent } from '../live/event-socket.ts'
import type { DocumentSession } from '../live/session.ts'
import { notifyWhile } from '../platform/notices.ts'
import { rangesIn } from './highlights.ts'
import { threadsOf } from './thread-store.ts'

/** Until the returned function is called. */
export function followLostWords(session: DocumentSession, view: EditorView): () => void {
  const threads = threadsOf(session)
  /** Which of one's own changes took the words, by the ids of threads. */
  const steps = new Map<string, UndoStep>()
  const remember = (ids: readonly string[]) => {
    const step = view.isDestroyed ? undefined : newestUndoStep(view.state)
    for (const id of ids) if (step !== undefined) steps.set(id, step)
  }
  const stopUpdates = onViewUpdate(view, ({ state }, before) => {
    if (state.doc === before.doc || ySyncPluginKey.getState(state)?.isChangeOrigin === true) return
    const [were, are] = [rangesIn(before), rangesIn(state)]
    if (were === are) return
    const gone = [...were.keys()].filter((id) => !are.has(id))
    // The change is written to the shared document in the same update.
    if (gone.length > 0) queueMicrotask(() => remember(gone))
  })
  const isOrphaned = (id: string) => {
    const thread = threads.thread(id)
    return thread?.orphaned === true && !thread.resolved
  }
  const tell = (lost: readonly string[]) => {
    const words =
      lost.length === 1
        ? 'You deleted text that has a comment.'
        : `You deleted text that has ${lost.length} comments.`
    const undo = () => {
      for (const step of new Set(lost.flatMap((id) => steps.get(id) ?? []))) {
        undoStep(view.state, step)
      }
      view.focus()
    }
    const mayUndo = view.editable && lost.every((id) => steps.has(id))
    const isTrue = () => lost.some(isOrphaned)
    const action = mayUndo ? { label: 'Undo', run: undo } : undefined
    notifyWhile({ isTrue, changes: threads.all }, words, 'plain', action)
  }
  const onEvent = async (event: LiveEvent) => {
    if (event.type !== 'doc_changed') return
    const me = session.account.get()?.actor_id
    const isOwn = event.event === 'edit' && event.actors.length === 1 && event.actors[0] === me
    const named = event.comments?.orphaned ?? []
    if (!isOwn || named.length === 0) return
    await threads.refresh(named)
    const lost = named.filter(isOrphaned)
    if (lost.length > 0 && !view.isDestroyed) tell(lost)
  }
  const stopEvents = session.onEvent(onEvent)
  return () => {
    stopUpdates()
    stopEvents()
  }
}
