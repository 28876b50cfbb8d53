/**
 * Says when one's own change took the words of a thread, with a way to take back that change. The
 * notice is true for as long as it is shown: it goes once the words are back.
 */
import type { EditorView } from 'prosemirror-view'
import { undoStep } from '../editor/commands/undo-step.ts'
import type { DocumentSession } from '../live/session.ts'
import { notifyWhile } from '../platform/notices.ts'
import { takingSteps } from './lost-words.ts'
import { threadsOf } from './thread-store.ts'

/** Until the returned function is called. */
export function tellOfOrphans(session: DocumentSession, view: EditorView): () => void {
  const threads = threadsOf(session)
  const steps = takingSteps(session)
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
  return session.onEvent(async (event) => {
    if (event.type !== 'doc_changed') return
    const me = session.account.get()?.actor_id
    const isOwn = event.event === 'edit' && event.actors.length === 1 && event.actors[0] === me
    const named = event.comments?.orphaned ?? []
    if (!isOwn || named.length === 0) return
    await threads.refresh(named)
    const lost = named.filter(isOrphaned)
    if (lost.length > 0 && !view.isDestroyed) tell(lost)
  })
}
