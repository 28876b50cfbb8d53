/** What one's own changes do to the words of threads is said, with a way back. */
import type { EditorView } from 'prosemirror-view'
import { undoCommand } from 'y-prosemirror'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { threadsOf } from './thread-store.ts'

/** Until the returned function is called. */
export function tellOfOrphans(session: DocumentSession, view: EditorView): () => void {
  return session.onEvent((event) => {
    if (event.type !== 'doc_changed') return
    const me = session.account.get()?.actor_id
    const isOwn = event.event === 'edit' && event.actors.length === 1 && event.actors[0] === me
    const lost = (event.comments?.orphaned ?? []).filter(
      (id) => threadsOf(session).thread(id)?.resolved !== true,
    )
    if (!isOwn || lost.length === 0) return
    const words =
      lost.length === 1 ? 'A comment lost its words.' : `${lost.length} comments lost their words.`
    const undo = () => {
      undoCommand(view.state, view.dispatch, view)
      view.focus()
    }
    notify(words, 'plain', view.editable ? { label: 'Undo', run: undo } : undefined)
  })
}
