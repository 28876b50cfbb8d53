/**
 * Who made an edit that came in from elsewhere. The text says only who its words are credited to:
 * somebody who restores a version or accepts a suggestion brings the words of others. The service
 * says who acted right behind the change; where it says so of no single actor, the text is asked.
 */
import type { LiveEvent } from '../live/event-socket.ts'
import type { DocumentSession } from '../live/session.ts'
import type { RemoteEdit } from './remote-edits.ts'

export interface AttributedEdits {
  /** These came in; they are told once it is known who made them. */
  add(edits: readonly RemoteEdit[]): void
  stop(): void
}

/** Live typing is attributed later, when nothing more joins its revision. */
const attributedWithinMs = 500
const eventsOfText = new Set(['edit', 'revert'])

/** Calls `tell` with what others did; one's own acts are not told. */
export function attributeEdits(
  session: DocumentSession,
  tell: (edits: readonly RemoteEdit[]) => void,
): AttributedEdits {
  let waiting: readonly RemoteEdit[] = []
  let timer: number | undefined
  const pass = (authorOf: (edit: RemoteEdit) => string | undefined) => {
    window.clearTimeout(timer)
    timer = undefined
    const edits = waiting.map((edit) => ({ ...edit, author: authorOf(edit) }))
    waiting = []
    if (edits.length > 0) tell(edits)
  }
  const onEvent = (event: LiveEvent) => {
    if (event.type !== 'doc_changed' || !eventsOfText.has(event.event)) return
    const { actors } = event
    const [actor] = actors
    if (actors.length === 1 && actor === session.account.get()?.actor_id) waiting = []
    pass(({ author }) => {
      if (actors.length === 1) return actor
      return author !== undefined && actors.includes(author) ? author : undefined
    })
  }
  const stopEvents = session.onEvent(onEvent)
  return {
    add(edits) {
      if (edits.length === 0) return
      waiting = [...waiting, ...edits]
      timer ??= window.setTimeout(() => pass(({ author }) => author), attributedWithinMs)
    },
    stop() {
      stopEvents()
      window.clearTimeout(timer)
    },
  }
}
