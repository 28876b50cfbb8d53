/** Addresses of threads: `?focus=comment-<id>` opens the page at the thread of that comment. */
import type { EditorView } from 'prosemirror-view'
import { ApiError } from '../api/http.ts'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { discussionStateOf } from './discussion-state.ts'
import { rangesIn } from './highlights.ts'
import { showWords } from './navigation.ts'
import { threadsOf } from './thread-store.ts'

const placedWithinMs = 2_000
const lookEveryMs = 100

/** Until the returned function is called. */
export function followFocus(session: DocumentSession, view: EditorView): () => void {
  const wanted = new URLSearchParams(location.search).get('focus')
  const [, comment] = /^comment-([0-9a-f-]{36})$/i.exec(wanted ?? '') ?? []
  if (comment === undefined) return () => undefined
  const threads = threadsOf(session)
  let isOver = false
  const go = async () => {
    if (!threads.isRead.get() || isOver) return
    stop()
    isOver = true
    await showComment(session, view, comment.toLowerCase())
  }
  const stop = threads.isRead.subscribe(() => void go())
  queueMicrotask(() => void go())
  return () => {
    isOver = true
    stop()
  }
}

/** Opens the thread of a comment and brings its words to where they are read. */
export async function showComment(
  session: DocumentSession,
  view: EditorView,
  comment: string,
): Promise<void> {
  const threads = threadsOf(session)
  const thread = await threads.find(comment).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  if (view.isDestroyed) return
  if (thread === undefined) {
    notify('This comment was deleted.')
    return
  }
  const discussion = discussionStateOf(session)
  if (thread.resolved) {
    discussion.filter.set({ kind: 'resolved' })
    threads.showResolved(true)
  }
  discussion.open(thread.id)
  whenPlaced(view, thread.id)
}

/** Its words are marked a moment after it is read; an orphaned one has none. */
function whenPlaced(view: EditorView, id: string): void {
  const end = performance.now() + placedWithinMs
  const look = () => {
    if (view.isDestroyed || performance.now() > end) return
    if (rangesIn(view.state).has(id)) showWords(view, id)
    else window.setTimeout(look, lookEveryMs)
  }
  look()
}
